package source

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/proviso-go/proviso"
)

// Locate returns the line and the column, in characters, both from 1, of the
// value that a JSON Pointer names within a JSON text, and whether there is one.
func Locate(text []byte, pointer string) (line, column int, ok bool) {
	tokens, err := proviso.PointerTokens(pointer)
	if err != nil {
		return 0, 0, false
	}
	l := locator{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	offset, ok := l.find(tokens)
	if !ok {
		return 0, 0, false
	}
	before := text[:offset]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1, true
}

type locator struct {
	text    []byte
	decoder *json.Decoder
}

// find reads up to the value that the tokens name and returns where it begins.
func (l *locator) find(tokens []string) (int, bool) {
	start := l.next()
	if len(tokens) == 0 {
		return start, start < len(l.text)
	}
	open, err := l.decoder.Token()
	if err != nil {
		return 0, false
	}
	for index := 0; l.decoder.More(); index++ {
		switch open {
		case json.Delim('{'):
			name, err := l.decoder.Token()
			if err != nil {
				return 0, false
			}
			if name == tokens[0] {
				return l.find(tokens[1:])
			}
		case json.Delim('['):
			if proviso.AppendPointerIndex("", index) == "/"+tokens[0] {
				return l.find(tokens[1:])
			}
		default:
			return 0, false
		}
		var skipped json.RawMessage
		if l.decoder.Decode(&skipped) != nil {
			return 0, false
		}
	}
	return 0, false
}

// next returns where the next value begins: after white space, commas and
// colons.
func (l *locator) next() int {
	offset := int(l.decoder.InputOffset())
	for offset < len(l.text) && bytes.IndexByte([]byte(" \t\r\n,:"), l.text[offset]) >= 0 {
		offset++
	}
	return offset
}
