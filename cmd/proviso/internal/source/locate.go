package source

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/proviso-go/proviso"
)

// A Position is a place in a text: line and column, in characters, both from 1.
type Position struct{ Line, Column int }

// Locate returns where the values that JSON Pointers name begin in a JSON text.
// A pointer that names nothing there is missing from the result. The text is read
// once, however many pointers there are, and may be malformed: then what comes before
// the fault is found.
func Locate(text []byte, pointers ...string) map[string]Position {
	root := &wanted{}
	for _, pointer := range pointers {
		root.add(pointer)
	}
	s := scan{text: text}
	if start := s.space(0); start < len(text) {
		s.value(start, root)
	}
	return positions(text, s.found)
}

// wanted is a tree of the values that are looked for, by reference token.
type wanted struct {
	pointer *string // nil if only something below this value is wanted
	below   map[string]*wanted
}

func (w *wanted) add(pointer string) {
	tokens, err := proviso.PointerTokens(pointer)
	if err != nil {
		return
	}
	for _, token := range tokens {
		if w.below == nil {
			w.below = make(map[string]*wanted)
		}
		next := w.below[token]
		if next == nil {
			next = &wanted{}
			w.below[token] = next
		}
		w = next
	}
	w.pointer = &pointer
}

type found struct {
	offset  int
	pointer string
}

// scan reads a text with the least effort: it recurses only where something is
// wanted, so that nesting in the rest of the text costs no stack.
type scan struct {
	text  []byte
	found []found
}

// value reads the value at i, and returns where it ends.
func (s *scan) value(i int, w *wanted) int {
	if w.pointer != nil {
		s.found = append(s.found, found{i, *w.pointer})
	}
	if len(w.below) == 0 {
		return s.skip(i)
	}
	switch s.at(i) {
	case '{':
		return s.object(i, w)
	case '[':
		return s.array(i, w)
	}
	return s.skip(i)
}

func (s *scan) object(i int, w *wanted) int {
	for i = s.space(i + 1); s.at(i) == '"'; i = s.space(i + 1) {
		end := s.skip(i)
		next := w.below[name(s.text[i:end])]
		if i = s.space(end); s.at(i) != ':' {
			return len(s.text)
		}
		if i = s.member(i+1, next); s.at(i) != ',' {
			break
		}
	}
	return s.end(i, '}')
}

func (s *scan) array(i int, w *wanted) int {
	for index := 0; ; index++ {
		if s.at(s.space(i+1)) == ']' {
			return s.space(i+1) + 1
		}
		if i = s.member(i+1, w.below[strconv.Itoa(index)]); s.at(i) != ',' {
			break
		}
	}
	return s.end(i, ']')
}

// member reads the value after i, which may be wanted, and the white space
// around it.
func (s *scan) member(i int, w *wanted) int {
	if i = s.space(i); w == nil {
		return s.space(s.skip(i))
	}
	if i == len(s.text) {
		return i
	}
	return s.space(s.value(i, w))
}

// end returns where a value ends whose last character must be close, or the
// end of the text if it is something else.
func (s *scan) end(i int, close byte) int {
	if s.at(i) != close {
		return len(s.text)
	}
	return i + 1
}

// at returns the byte at i, 0 at the end.
func (s *scan) at(i int) byte {
	if i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

func (s *scan) space(i int) int {
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t' || s.text[i] == '\r' || s.text[i] == '\n') {
		i++
	}
	return min(i, len(s.text))
}

// skip returns where the value at i ends.
func (s *scan) skip(i int) int {
	depth := 0
	for i < len(s.text) {
		switch s.text[i] {
		case '"':
			i = s.skipString(i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return i // of the value around it
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return len(s.text)
}

func (s *scan) skipString(i int) int {
	for i++; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s.text)
}

// name decodes the name of a member, with its quotes.
func name(quoted []byte) string {
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return ""
	}
	return s
}

// positions counts the lines and columns of all offsets in one pass.
func positions(text []byte, all []found) map[string]Position {
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(a.offset, b.offset) })
	result := make(map[string]Position, len(all))
	at, now := 0, Position{1, 1}
	for _, f := range all {
		for at < f.offset {
			switch c := text[at]; {
			case c == '\n':
				now = Position{now.Line + 1, 1}
			case utf8.RuneStart(c):
				now.Column++
			}
			at++
		}
		result[f.pointer] = now
	}
	return result
}
