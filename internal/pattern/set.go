package pattern

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// The sets of ECMA-262 as Go's regexp writes them: the members of a class, and
// classes. Space and what ends a line differ between the two.
const (
	space    = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	notSpace = `\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
	dot      = `[^\n\r\x{2028}\x{2029}]`
	anything = `[\x{0}-\x{10ffff}]`
	nothing  = `[^\x{0}-\x{10ffff}]`
)

// set writes a class of Go's regexp, as an element.
func (t *translator) set(class string) {
	if t.backtracking {
		class = expand(class, t.flags.ignoreCase)
	}
	t.write(class, single)
}

// character writes one character. No valid string has a surrogate.
func (t *translator) character(r rune) {
	switch {
	case utf16.IsSurrogate(r):
		t.set(nothing)
	case t.backtracking || !unicode.IsPrint(r):
		t.set("[" + member(r) + "]")
	default:
		t.write(regexp.QuoteMeta(string(r)), single)
	}
}

// member spells a character as a member of a class.
func member(r rune) string { return fmt.Sprintf(`\x{%x}`, r) }

// memberRange is a range within a class, without the surrogates: a class that has
// but one of them left would match the replacement character.
func memberRange(from, to rune) string {
	const first, last = 0xd800, 0xdfff
	if utf16.IsSurrogate(from) {
		from = last + 1
	}
	if utf16.IsSurrogate(to) {
		to = first - 1
	}
	switch {
	case from > to:
		return ""
	case from == to:
		return member(from)
	}
	return member(from) + "-" + member(to)
}

// expand writes a class of Go's regexp for regexp2, range by range, so that
// both have the same members: the two differ in what they know of Unicode, in case
// and in syntax.
func expand(class string, ignoreCase bool) string {
	if ignoreCase {
		class = "(?i)" + class
	}
	parsed, err := syntax.Parse(class, syntax.Perl)
	if err != nil {
		return "(?!)" // the class is ours, and one of Go's
	}
	var ranges []rune
	switch parsed.Op {
	case syntax.OpLiteral:
		r := parsed.Rune[0]
		ranges = append(ranges, r, r)
		if parsed.Flags&syntax.FoldCase != 0 {
			for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
				ranges = append(ranges, other, other)
			}
		}
	case syntax.OpCharClass:
		ranges = parsed.Rune
	case syntax.OpAnyChar:
		ranges = []rune{0, unicode.MaxRune}
	}
	if len(ranges) == 0 {
		return "(?!)"
	}
	if len(ranges) == 2 && ranges[0] == ranges[1] {
		return spell(ranges[0])
	}
	var b strings.Builder
	b.WriteByte('[')
	for i := 0; i < len(ranges); i += 2 {
		b.WriteString(spell(ranges[i]))
		if ranges[i+1] != ranges[i] {
			b.WriteString("-" + spell(ranges[i+1]))
		}
	}
	b.WriteByte(']')
	return b.String()
}

// spell writes a character for regexp2, which reads patterns rune by rune.
func spell(r rune) string {
	if r > 0xffff {
		return string(r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// class translates a character class, member by member.
func (t *translator) class() error {
	t.pos++
	negated := strings.HasPrefix(t.rest(), "^")
	if negated {
		t.pos++
	}
	var members strings.Builder
	for {
		if t.pos == len(t.in) {
			return t.syntax("a character class does not end")
		}
		if t.in[t.pos] == ']' {
			t.pos++
			break
		}
		if err := t.classRange(&members); err != nil {
			return err
		}
	}
	switch {
	case members.Len() == 0 && negated:
		t.set(anything)
	case members.Len() == 0:
		t.set(nothing)
	case negated:
		t.set("[^" + members.String() + "]")
	default:
		t.set("[" + members.String() + "]")
	}
	return nil
}

// classRange translates one atom of a class, or a range of two.
func (t *translator) classRange(members *strings.Builder) error {
	first, err := t.classAtom()
	if err != nil {
		return err
	}
	isRange := strings.HasPrefix(t.rest(), "-") && len(t.rest()) > 1 && t.rest()[1] != ']'
	if first.isSet {
		members.WriteString(first.members) // a hyphen after it stands for itself
		return nil
	}
	if !isRange {
		members.WriteString(memberRange(first.char, first.char))
		return nil
	}
	t.pos++
	last, err := t.classAtom()
	switch {
	case err != nil:
		return err
	case last.isSet:
		members.WriteString(memberRange(first.char, first.char) + `\-` + last.members)
		return nil
	case last.char < first.char:
		return t.syntax("a range of characters runs backwards")
	}
	members.WriteString(memberRange(first.char, last.char))
	return nil
}

func (t *translator) classAtom() (atom, error) {
	r, size := utf8.DecodeRuneInString(t.rest())
	t.pos += size
	if r == '\\' {
		return t.classEscape()
	}
	return atom{char: r}, nil
}
