package pattern

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// SyntaxError says that a pattern is not a regular expression of ECMA-262.
type SyntaxError struct{ Pattern, Reason string }

// Error tells the pattern and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%.100q is not a regular expression: %s", e.Pattern, e.Reason)
}

// InexpressibleError says that a pattern may well be a regular expression, but
// that the matcher cannot express it.
type InexpressibleError struct{ Pattern, Reason string }

// Error tells the pattern and the reason.
func (e *InexpressibleError) Error() string {
	return fmt.Sprintf("%.100q is beyond the matcher: %s", e.Pattern, e.Reason)
}

// Translate returns the expression of Go's regexp that matches what the
// pattern does by ECMA-262 with the u flag. Beyond the letter of it, it takes
// what schemas in the wild have: needless escapes of punctuation, braces that are
// no quantifier, a hyphen beside a set in a class, (?i) up to the end of its group
// and (?P<name>.
//
// The error is a *SyntaxError or an *InexpressibleError.
func Translate(pattern string) (string, error) {
	out, err := translate(pattern, false)
	if err != nil {
		return "", err
	}
	if _, err := syntax.Parse(out, syntax.Perl); err != nil {
		// The syntax has been checked. What is left are Go's bounds on sizes.
		return "", &InexpressibleError{pattern, strings.TrimPrefix(err.Error(), "error parsing regexp: ")}
	}
	return out, nil
}

// translate writes the pattern for Go's regexp or, with backtracking, for
// regexp2 in its ECMAScript mode.
func translate(pattern string, backtracking bool) (string, error) {
	if !utf8.ValidString(pattern) {
		return "", &SyntaxError{pattern, "it is not valid UTF-8"}
	}
	t := translator{in: pattern, backtracking: backtracking, groups: make([]group, 1), names: make(map[string]int)}
	for t.pos < len(t.in) {
		if err := t.next(); err != nil {
			return "", err
		}
	}
	if t.group != 0 {
		return "", t.syntax("a group does not end")
	}
	if err := t.resolve(); err != nil {
		return "", err
	}
	if t.inexpressible != "" {
		return "", &InexpressibleError{pattern, t.inexpressible}
	}
	return strings.Join(t.out, ""), nil
}

// A translator reads a pattern once, from left to right.
type translator struct {
	in           string
	pos          int
	backtracking bool
	out          []string
	// inexpressible is the first thing that the target cannot express. Reading
	// goes on, since what follows may not be a regular expression at all.
	inexpressible string

	flags  flags // in force at the current position
	groups []group
	group  int // the innermost one that is open
	last   element
	// lastGroup is the group that ends at the current position, 0 if none does.
	lastGroup int

	captures   []int          // the groups that capture, in the order of their numbers from 1
	names      map[string]int // the numbers of those with a name; -1 for a name given twice
	references []reference
}

// element is what stands before the current position, for a quantifier to repeat.
type element uint8

const (
	nothingYet element = iota // the beginning, or an assertion
	single                    // an atom
	repeated                  // an atom with a quantifier
	lazy                      // the same with a question mark
)

func (t *translator) rest() string { return t.in[t.pos:] }

func (t *translator) write(text string, is element) {
	t.out = append(t.out, text)
	t.last, t.lastGroup = is, 0
}

func (t *translator) syntax(format string, args ...any) error {
	return &SyntaxError{t.in, fmt.Sprintf(format, args...)}
}

func (t *translator) beyond(format string, args ...any) {
	if t.inexpressible == "" {
		t.inexpressible = fmt.Sprintf(format, args...)
	}
}

// next translates one element outside of a character class.
func (t *translator) next() error {
	switch c := t.in[t.pos]; c {
	case '\\':
		return t.escapeSequence()
	case '[':
		return t.class()
	case '(':
		return t.openGroup()
	case ')':
		return t.closeGroup()
	case '*', '+', '?', '{':
		return t.quantifier()
	case '.':
		t.pos++
		if t.flags.dotAll {
			t.set(anything)
		} else {
			t.set(dot)
		}
	case '^', '$':
		t.pos++
		t.anchor(c)
	case '|':
		t.pos++
		t.groups[t.group].alternates = true
		t.write("|", nothingYet)
	default:
		r, size := utf8.DecodeRuneInString(t.rest())
		t.pos += size
		t.character(r)
	}
	return nil
}

// anchor translates ^ and $. Without the flag m both targets have them for the
// ends of the text; $ is not before a final line terminator.
func (t *translator) anchor(c byte) {
	switch {
	case !t.flags.multiline && c == '$' && t.backtracking:
		t.write(`\z`, nothingYet)
	case !t.flags.multiline:
		t.write(string(c), nothingYet)
	case !t.backtracking:
		t.beyond("%c at each line", c)
	case c == '^':
		t.write(`(?<=\A|[\n\r\u2028\u2029])`, nothingYet)
	default:
		t.write(`(?=\z|[\n\r\u2028\u2029])`, nothingYet)
	}
}
