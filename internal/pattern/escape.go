package pattern

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// An atom is a character or, with isSet, the members of a class.
type atom struct {
	char    rune
	members string
	isSet   bool
}

// The word characters, for a \b of our own: that of regexp2 takes letters
// beyond ASCII for some.
const (
	word        = `[0-9A-Z_a-z]`
	boundary    = `(?:(?<=` + word + `)(?!` + word + `)|(?<!` + word + `)(?=` + word + `))`
	notBoundary = `(?:(?<=` + word + `)(?=` + word + `)|(?<!` + word + `)(?!` + word + `))`
)

// escapeSequence translates the escape sequence at the current position,
// outside of a class.
func (t *translator) escapeSequence() error {
	t.pos++
	if t.pos == len(t.in) {
		return t.syntax(`it ends with a backslash`)
	}
	switch c := t.in[t.pos]; {
	case c == 'b' || c == 'B':
		t.pos++
		switch {
		case !t.backtracking:
			t.write(`\`+string(c), nothingYet)
		case c == 'b':
			t.write(boundary, nothingYet)
		default:
			t.write(notBoundary, nothingYet)
		}
		return nil
	case c == 'k' || '1' <= c && c <= '9':
		return t.backreference()
	}
	a, err := t.characterEscape()
	switch {
	case err != nil:
		return err
	case !a.isSet:
		t.character(a.char)
	case a.members == "":
		t.set(nothing)
	default:
		t.set("[" + a.members + "]")
	}
	return nil
}

// classEscape translates one within a class, after its backslash.
func (t *translator) classEscape() (atom, error) {
	if t.pos == len(t.in) {
		return atom{}, t.syntax(`it ends with a backslash`)
	}
	if t.in[t.pos] == 'b' {
		t.pos++
		return atom{char: '\b'}, nil
	}
	return t.characterEscape()
}

// characterEscape translates what stands for a character or a set, after its
// backslash.
func (t *translator) characterEscape() (atom, error) {
	c, size := utf8.DecodeRuneInString(t.rest())
	t.pos += size
	switch c {
	case 'd', 'D', 'w', 'W':
		return atom{members: `\` + string(c), isSet: true}, nil
	case 's':
		return atom{members: space, isSet: true}, nil
	case 'S':
		return atom{members: notSpace, isSet: true}, nil
	case 't', 'n', 'v', 'f', 'r':
		return atom{char: []rune("\t\n\v\f\r")[strings.IndexRune("tnvfr", c)]}, nil
	case '0':
		if t.pos < len(t.in) && '0' <= t.in[t.pos] && t.in[t.pos] <= '9' {
			return atom{}, t.syntax(`a digit follows \0`)
		}
		return atom{}, nil
	case 'c':
		if t.pos < len(t.in) && t.in[t.pos] < utf8.RuneSelf && unicode.IsLetter(rune(t.in[t.pos])) {
			t.pos++
			return atom{char: rune(t.in[t.pos-1]) % 32}, nil
		}
		return atom{}, t.syntax(`\c without a letter`)
	case 'x':
		r, ok := t.hex(2)
		if !ok {
			return atom{}, t.syntax(`\x without two hexadecimal digits`)
		}
		return atom{char: r}, nil
	case 'u':
		return t.unicodeEscape()
	case 'p', 'P':
		return t.property(c == 'P')
	}
	if c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
		return atom{}, t.syntax(`\%c is no escape sequence here`, c)
	}
	return atom{char: c}, nil
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
		return atom{char: rune(v)}, nil
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
				return atom{char: pair}, nil
			}
		}
		t.pos = back
	}
	return atom{char: r}, nil
}
