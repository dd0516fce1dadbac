package pattern

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// SyntaxError says that a pattern is not a regular expression of ECMA-262.
type SyntaxError struct{ Pattern, Reason string }

// Error tells the pattern and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%.100q is not a regular expression: %s", e.Pattern, e.Reason)
}

// InexpressibleError says that Go's regexp cannot express a pattern.
type InexpressibleError struct{ Pattern, Reason string }

// Error tells the pattern and the reason.
func (e *InexpressibleError) Error() string {
	return fmt.Sprintf("%.100q is beyond a matcher of linear time: %s", e.Pattern, e.Reason)
}

// The white space and the line terminators of ECMA-262, and what is neither.
const (
	space    = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	notSpace = `\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
	dot      = `[^\n\r\x{2028}\x{2029}]`
	anything = `[\x{0}-\x{10ffff}]`
	nothing  = `[^\x{0}-\x{10ffff}]`
)

// Translate returns the expression of Go's regexp that matches what the
// pattern does by ECMA-262 with the u flag. Beyond the letter of it, it takes
// what schemas in the wild have: needless escapes of punctuation, braces that are
// no quantifier, (?i) and (?P<name>.
//
// The error is a *SyntaxError or an *InexpressibleError.
func Translate(pattern string) (string, error) {
	if !utf8.ValidString(pattern) {
		return "", &SyntaxError{pattern, "it is not valid UTF-8"}
	}
	t := translator{in: pattern}
	for t.pos < len(t.in) {
		if err := t.next(); err != nil {
			return "", err
		}
	}
	out := t.out.String()
	if _, err := syntax.Parse(out, syntax.Perl); err != nil {
		e, ok := err.(*syntax.Error)
		if ok && (e.Code == syntax.ErrInvalidRepeatSize || e.Code == syntax.ErrLarge || e.Code == syntax.ErrNestingDepth) {
			return "", &InexpressibleError{pattern, e.Code.String()}
		}
		return "", &SyntaxError{pattern, strings.TrimPrefix(err.Error(), "error parsing regexp: ")}
	}
	return out, nil
}

type translator struct {
	in  string
	pos int
	out strings.Builder
}

func (t *translator) rest() string { return t.in[t.pos:] }

func (t *translator) syntax(format string, args ...any) error {
	return &SyntaxError{t.in, fmt.Sprintf(format, args...)}
}

func (t *translator) beyond(what string) error { return &InexpressibleError{t.in, what} }

var (
	quantifier = regexp.MustCompile(`^\{([0-9]+)(,([0-9]*))?\}`)
	flags      = regexp.MustCompile(`^\(\?[ims]*(-[ims]+)?[:)]`)
	named      = regexp.MustCompile(`^\(\?P?<([\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*)>`)
)

// next translates one element outside of a character class.
func (t *translator) next() error {
	rest := t.rest()
	switch c := rest[0]; c {
	case '\\':
		atom, err := t.escape(false)
		if err != nil {
			return err
		}
		t.out.WriteString(atom.text)
	case '.':
		t.out.WriteString(dot)
		t.pos++
	case '[':
		return t.class()
	case '(':
		return t.group()
	case '{':
		if q := quantifier.FindStringSubmatch(rest); q != nil {
			return t.quantifier(q[0], q[1], q[3])
		}
		t.out.WriteString(`\{`)
		t.pos++
	case ']', '}':
		t.out.WriteString(`\` + string(c))
		t.pos++
	default:
		// ^, $, |, ), *, + and ? mean the same in Go; $ is only the end of the text.
		_, size := utf8.DecodeRuneInString(rest)
		t.out.WriteString(rest[:size])
		t.pos += size
	}
	return nil
}

// maxRepeat is the largest count that Go's regexp takes.
const maxRepeat = 1000

func (t *translator) quantifier(whole, from, to string) error {
	least, err := strconv.Atoi(from)
	most := least
	if err == nil && to != "" {
		most, err = strconv.Atoi(to)
	}
	if err != nil || most > maxRepeat || least > maxRepeat {
		return t.beyond("the repetition " + whole)
	}
	if most < least {
		return t.syntax("the repetition %s runs backwards", whole)
	}
	t.out.WriteString(whole)
	t.pos += len(whole)
	return nil
}

func (t *translator) group() error {
	rest := t.rest()
	if !strings.HasPrefix(rest, "(?") {
		t.out.WriteByte('(')
		t.pos++
		return nil
	}
	for _, look := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(rest, look) {
			return t.beyond("lookaround " + look)
		}
	}
	if name := named.FindString(rest); name != "" {
		t.out.WriteByte('(') // the name has no use without a backreference
		t.pos += len(name)
		return nil
	}
	if f := flags.FindString(rest); f != "" {
		t.out.WriteString(f)
		t.pos += len(f)
		return nil
	}
	return t.syntax("unknown group %.4q", rest)
}

// An atom is what an escape sequence stands for, or one character of a class.
type atom struct {
	text  string
	char  rune // if it is one character
	isSet bool
}

func character(r rune) atom {
	if utf16.IsSurrogate(r) {
		return atom{text: nothing, isSet: true} // no character of a valid string
	}
	return atom{text: fmt.Sprintf(`\x{%x}`, r), char: r}
}

// escape translates the escape sequence at the current position.
func (t *translator) escape(inClass bool) (atom, error) {
	if t.pos+1 == len(t.in) {
		return atom{}, t.syntax(`it ends with a backslash`)
	}
	c, size := utf8.DecodeRuneInString(t.in[t.pos+1:])
	t.pos += 1 + size
	switch c {
	case 'd', 'D', 'w', 'W':
		return atom{text: `\` + string(c), isSet: true}, nil
	case 's', 'S':
		set := space
		if c == 'S' {
			set = notSpace
		}
		if !inClass {
			set = "[" + set + "]"
		}
		return atom{text: set, isSet: true}, nil
	case 'b', 'B':
		if inClass && c == 'b' {
			return character('\b'), nil
		}
		if inClass {
			return atom{}, t.syntax(`\B within a class`)
		}
		return atom{text: `\` + string(c)}, nil
	case 't', 'n', 'v', 'f', 'r':
		return character([]rune("\t\n\v\f\r")[strings.IndexRune("tnvfr", c)]), nil
	case '0':
		if t.pos < len(t.in) && '0' <= t.in[t.pos] && t.in[t.pos] <= '9' {
			return atom{}, t.syntax(`a digit follows \0`)
		}
		return character(0), nil
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if inClass {
			return atom{}, t.syntax(`a backreference within a class`)
		}
		return atom{}, t.beyond("a backreference")
	case 'k':
		return atom{}, t.beyond("a backreference")
	case 'c':
		if t.pos < len(t.in) && (unicode.IsUpper(rune(t.in[t.pos])) || unicode.IsLower(rune(t.in[t.pos]))) && t.in[t.pos] < utf8.RuneSelf {
			t.pos++
			return character(rune(t.in[t.pos-1]) % 32), nil
		}
		return atom{}, t.syntax(`\c without a letter`)
	case 'x':
		r, ok := t.hex(2)
		if !ok {
			return atom{}, t.syntax(`\x without two hexadecimal digits`)
		}
		return character(r), nil
	case 'u':
		return t.unicodeEscape()
	case 'p', 'P':
		return t.property(c, inClass)
	}
	if c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
		return atom{}, t.syntax(`\%c is no escape sequence`, c)
	}
	return character(c), nil
}

// hex reads exactly n hexadecimal digits.
func (t *translator) hex(n int) (rune, bool) {
	if t.pos+n > len(t.in) {
		return 0, false
	}
	v, err := strconv.ParseUint(t.in[t.pos:t.pos+n], 16, 32)
	if err != nil {
		return 0, false
	}
	t.pos += n
	return rune(v), true
}

func (t *translator) unicodeEscape() (atom, error) {
	if strings.HasPrefix(t.rest(), "{") {
		digits, _, ok := strings.Cut(t.rest()[1:], "}")
		v, err := strconv.ParseUint(digits, 16, 32)
		if !ok || err != nil || v > unicode.MaxRune {
			return atom{}, t.syntax(`\u{ without a code point`)
		}
		t.pos += len(digits) + 2
		return character(rune(v)), nil
	}
	r, ok := t.hex(4)
	if !ok {
		return atom{}, t.syntax(`\u without four hexadecimal digits`)
	}
	if utf16.IsSurrogate(r) && strings.HasPrefix(t.rest(), `\u`) {
		back := t.pos
		t.pos += 2
		if low, ok := t.hex(4); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return character(pair), nil
			}
		}
		t.pos = back
	}
	return character(r), nil
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
		first, err := t.classAtom()
		if err != nil {
			return err
		}
		isRange := strings.HasPrefix(t.rest(), "-") && len(t.rest()) > 1 && t.rest()[1] != ']'
		if !isRange || first.isSet {
			members.WriteString(first.text)
			continue
		}
		t.pos++
		last, err := t.classAtom()
		if err != nil {
			return err
		}
		if last.isSet {
			members.WriteString(first.text + `\-` + last.text)
			continue
		}
		if last.char < first.char {
			return t.syntax("a range of characters runs backwards")
		}
		members.WriteString(first.text + "-" + last.text)
	}
	switch {
	case members.Len() == 0 && negated:
		t.out.WriteString(anything)
	case members.Len() == 0:
		t.out.WriteString(nothing)
	case negated:
		t.out.WriteString("[^" + members.String() + "]")
	default:
		t.out.WriteString("[" + members.String() + "]")
	}
	return nil
}

func (t *translator) classAtom() (atom, error) {
	if t.in[t.pos] == '\\' {
		a, err := t.escape(true)
		if a.text == nothing {
			a.text = "" // a lone surrogate adds nothing to a class
		}
		return a, err
	}
	r, size := utf8.DecodeRuneInString(t.rest())
	t.pos += size
	return character(r), nil
}
