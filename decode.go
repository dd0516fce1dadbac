package proviso

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deeply arrays and objects may nest in a schema or an
// instance. Deeper ones are a *LimitError: engines recurse on the nesting, and
// a goroutine's stack that overflows ends the process.
const MaxDepth = 1000

// Decode decodes one JSON value strictly (RFC 8259, and I-JSON, RFC 7493,
// sections 2.1 and 2.3): nothing but white space may follow the value, no
// object has two members of one name, and the text is valid UTF-8 without lone
// surrogates, escaped or not.
//
// The result is made of nil, bool, string, json.Number (the number as it is
// written), []any and map[string]any, and shares no memory with text. The error
// is a *DecodeError, or a *LimitError for nesting beyond [MaxDepth].
func Decode(text []byte) (any, error) {
	d := decoder{text: text}
	d.space()
	v, ok := d.value(0)
	if ok {
		d.space()
		if d.pos < len(d.text) {
			d.fail("unexpected text after the JSON value")
			ok = false
		}
	}
	if !ok {
		return nil, d.failure()
	}
	return v, nil
}

// decoder is a recursive descent over text. A method that returns false has
// set reason; the callers it returns to add their tokens to path, so that the
// location of an error costs nothing when there is none.
type decoder struct {
	text []byte
	pos  int

	reason  string
	tooDeep bool
	path    []string // tokens of the error's location, innermost first
}

func (d *decoder) fail(format string, args ...any) {
	d.reason = fmt.Sprintf(format, args...)
}

func (d *decoder) failure() error {
	pointer := ""
	for i := len(d.path) - 1; i >= 0; i-- {
		pointer = AppendPointer(pointer, d.path[i])
	}
	if d.tooDeep {
		return &LimitError{Limit: LimitDepth, Max: MaxDepth, Seen: MaxDepth + 1, Location: pointer}
	}
	line, column := position(d.text, d.pos)
	return &DecodeError{Offset: int64(d.pos), Line: line, Column: column, Location: pointer, Reason: d.reason}
}

// position returns the line and the column, in characters, both from 1, of the
// byte at offset.
func position(text []byte, offset int) (line, column int) {
	line, start := 1, 0
	for i := 0; i < offset && i < len(text); i++ {
		if text[i] == '\n' {
			line++
			start = i + 1
		}
	}
	return line, utf8.RuneCount(text[start:min(offset, len(text))]) + 1
}

func (d *decoder) space() {
	for d.pos < len(d.text) {
		switch d.text[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

func (d *decoder) value(depth int) (any, bool) {
	if d.pos == len(d.text) {
		if d.pos == 0 {
			d.fail("the text is empty; a JSON value was expected")
		} else {
			d.fail("the text ends where a JSON value was expected")
		}
		return nil, false
	}
	switch c := d.text[d.pos]; c {
	case '{':
		return d.object(depth + 1)
	case '[':
		return d.array(depth + 1)
	case '"':
		return d.stringValue()
	case 't':
		return true, d.literal("true")
	case 'f':
		return false, d.literal("false")
	case 'n':
		return nil, d.literal("null")
	default:
		if c == '-' || isDigit(c) {
			return d.number()
		}
		d.unexpected("a JSON value")
		return nil, false
	}
}

// unexpected reports the character at the current position.
func (d *decoder) unexpected(want string) {
	if d.pos == len(d.text) {
		d.fail("the text ends where %s was expected", want)
		return
	}
	r, size := utf8.DecodeRune(d.text[d.pos:])
	switch {
	case d.pos == 0 && r == '\uFEFF':
		d.fail("the text begins with a byte order mark; JSON has none")
	case r == utf8.RuneError && size <= 1:
		d.fail("byte 0x%02x is not valid UTF-8; %s was expected", d.text[d.pos], want)
	default:
		d.fail("unexpected character %q; %s was expected", r, want)
	}
}

func (d *decoder) literal(word string) bool {
	end := d.pos + len(word)
	if end > len(d.text) || string(d.text[d.pos:end]) != word {
		d.fail("a word that is not %s; the only words of JSON are true, false and null", word)
		return false
	}
	d.pos = end
	return true
}

func (d *decoder) object(depth int) (any, bool) {
	if depth > MaxDepth {
		d.tooDeep = true
		return nil, false
	}
	d.pos++ // {
	object := make(map[string]any)
	d.space()
	if d.pos < len(d.text) && d.text[d.pos] == '}' {
		d.pos++
		return object, true
	}
	for {
		if d.pos == len(d.text) || d.text[d.pos] != '"' {
			d.unexpected("a member name in double quotes")
			return nil, false
		}
		start := d.pos
		name, ok := d.str()
		if !ok {
			return nil, false
		}
		if _, twice := object[name]; twice {
			d.pos = start
			d.fail("duplicate member name %q", name)
			d.path = append(d.path, name)
			return nil, false
		}
		d.space()
		if d.pos == len(d.text) || d.text[d.pos] != ':' {
			d.unexpected("a colon")
			d.path = append(d.path, name)
			return nil, false
		}
		d.pos++
		d.space()
		v, ok := d.value(depth)
		if !ok {
			d.path = append(d.path, name)
			return nil, false
		}
		object[name] = v
		d.space()
		if d.pos < len(d.text) && d.text[d.pos] == ',' {
			d.pos++
			d.space()
			continue
		}
		if d.pos < len(d.text) && d.text[d.pos] == '}' {
			d.pos++
			return object, true
		}
		d.unexpected("a comma or }")
		return nil, false
	}
}

func (d *decoder) array(depth int) (any, bool) {
	if depth > MaxDepth {
		d.tooDeep = true
		return nil, false
	}
	d.pos++ // [
	array := []any{}
	d.space()
	if d.pos < len(d.text) && d.text[d.pos] == ']' {
		d.pos++
		return array, true
	}
	for {
		v, ok := d.value(depth)
		if !ok {
			d.path = append(d.path, strconv.Itoa(len(array)))
			return nil, false
		}
		array = append(array, v)
		d.space()
		if d.pos < len(d.text) && d.text[d.pos] == ',' {
			d.pos++
			d.space()
			continue
		}
		if d.pos < len(d.text) && d.text[d.pos] == ']' {
			d.pos++
			return array, true
		}
		d.unexpected("a comma or ]")
		return nil, false
	}
}

func (d *decoder) number() (any, bool) {
	n := numberLength(d.text[d.pos:])
	end := d.pos + n
	if n == 0 {
		d.fail("a number that JSON does not have")
		return nil, false
	}
	if end < len(d.text) {
		switch c := d.text[end]; {
		case isDigit(c):
			d.fail("a number with a leading zero")
			return nil, false
		case c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-' || c == 'x' || c == 'X':
			d.pos = end
			d.unexpected("the end of a number")
			return nil, false
		}
	}
	number := json.Number(d.text[d.pos:end])
	d.pos = end
	return number, true
}

// numberLength returns the length of the longest JSON number (RFC 8259,
// section 6) that text begins with, 0 if there is none.
func numberLength[T string | []byte](text T) int {
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	switch {
	case i == len(text) || !isDigit(text[i]):
		return 0
	case text[i] == '0':
		i++
	default:
		i = digits(text, i)
	}
	if i+1 < len(text) && text[i] == '.' && isDigit(text[i+1]) {
		i = digits(text, i+1)
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if j < len(text) && isDigit(text[j]) {
			i = digits(text, j)
		}
	}
	return i
}

func digits[T string | []byte](text T, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (d *decoder) stringValue() (any, bool) {
	s, ok := d.str()
	if !ok {
		return nil, false
	}
	return s, true
}

// str decodes the string at the current position, which is a double quote.
func (d *decoder) str() (string, bool) {
	start := d.pos + 1
	i := start
	for i < len(d.text) {
		c := d.text[i]
		if c == '"' {
			d.pos = i + 1
			return string(d.text[start:i]), true
		}
		if c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			return d.unusualStr(start, i)
		}
		i++
	}
	d.pos = i
	d.fail("the text ends within a string")
	return "", false
}

// unusualStr decodes a string with escapes or characters beyond ASCII; the
// bytes from start to i are plain.
func (d *decoder) unusualStr(start, i int) (string, bool) {
	buf := append(make([]byte, 0, i-start+32), d.text[start:i]...)
	for i < len(d.text) {
		c := d.text[i]
		switch {
		case c == '"':
			d.pos = i + 1
			return string(buf), true
		case c < ' ':
			d.pos = i
			d.fail("control character 0x%02x in a string; it must be escaped", c)
			return "", false
		case c == '\\':
			r, next, ok := d.escape(i)
			if !ok {
				return "", false
			}
			buf = utf8.AppendRune(buf, r)
			i = next
		case c < utf8.RuneSelf:
			buf = append(buf, c)
			i++
		default:
			r, size := utf8.DecodeRune(d.text[i:])
			if r == utf8.RuneError && size == 1 {
				d.pos = i
				d.fail("byte 0x%02x in a string is not valid UTF-8", c)
				return "", false
			}
			buf = append(buf, d.text[i:i+size]...)
			i += size
		}
	}
	d.pos = i
	d.fail("the text ends within a string")
	return "", false
}

// escape decodes the escape sequence at i, or the pair of them that a
// character beyond the basic plane takes, and returns where it ends.
func (d *decoder) escape(i int) (rune, int, bool) {
	d.pos = i
	if i+1 >= len(d.text) {
		d.fail("the text ends within a string")
		return 0, 0, false
	}
	switch c := d.text[i+1]; c {
	case '"', '\\', '/':
		return rune(c), i + 2, true
	case 'b':
		return '\b', i + 2, true
	case 'f':
		return '\f', i + 2, true
	case 'n':
		return '\n', i + 2, true
	case 'r':
		return '\r', i + 2, true
	case 't':
		return '\t', i + 2, true
	case 'u':
		r, ok := hex4(d.text, i+2)
		if !ok {
			d.fail(`\u in a string without four hexadecimal digits`)
			return 0, 0, false
		}
		if !utf16.IsSurrogate(r) {
			return r, i + 6, true
		}
		if i+8 <= len(d.text) && d.text[i+6] == '\\' && d.text[i+7] == 'u' {
			if low, ok := hex4(d.text, i+8); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return pair, i + 12, true
				}
			}
		}
		d.fail(`lone surrogate \u%04x in a string; it encodes no character`, r)
		return 0, 0, false
	default:
		d.fail(`a backslash in a string that begins no escape sequence of JSON`)
		return 0, 0, false
	}
}

func hex4(text []byte, i int) (rune, bool) {
	if i+4 > len(text) {
		return 0, false
	}
	var r rune
	for _, c := range text[i : i+4] {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
