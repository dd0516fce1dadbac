package report

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

// Printable escapes what a terminal would act on, and what makes one line look
// like two or like another: control characters, line separators, marks that
// change the direction of text, and bytes that are not UTF-8. The names of properties, and
// sometimes those of files, come from strangers.
func Printable(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, func(c rune) bool { return !unicode.IsGraphic(c) }) < 0 {
		return s
	}
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// FileName is a file's name as messages show it.
func FileName(name string) string {
	switch name {
	case source.Stdin:
		return "(standard input)"
	case "":
		return `""`
	}
	return Printable(name)
}

// Message is an error's text for a reader who has been told the line already. A line
// number within it would be another one: it counts from the document's beginning. With column it
// still says which column, for a document that is one line of a file.
func Message(err error, column bool) string {
	decode, ok := errors.AsType[*proviso.DecodeError](err)
	if !ok || decode.Line == 0 {
		return err.Error()
	}
	var b strings.Builder
	if _, ok := errors.AsType[*proviso.SchemaError](err); ok {
		b.WriteString("not a valid schema: ")
	}
	b.WriteString("not JSON: ")
	if column {
		fmt.Fprintf(&b, "column %d: ", decode.Column)
	}
	if decode.Location != "" {
		fmt.Fprintf(&b, "at %q: ", decode.Location)
	}
	return b.String() + decode.Reason
}
