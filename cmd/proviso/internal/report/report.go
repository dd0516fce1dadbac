// Package report writes verdicts: as lines for people and for grep, or in the
// output formats of the specification.
package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

// Text is the output format for people; the others are those of the
// specification.
const Text = "text"

// Formats lists the output formats.
func Formats() []string {
	return []string{Text, string(proviso.OutputFlag), string(proviso.OutputBasic), string(proviso.OutputDetailed)}
}

// Options say how verdicts are written.
type Options struct {
	Format string
	// MaxErrors bounds the lines for one document in the format text; 0 is no bound.
	MaxErrors int
	// Verbose writes a line for a valid document as well.
	Verbose bool
	// Enveloped puts each output document into an object that names what it is
	// about, a line each: for more than one document.
	Enveloped bool
}

// A Reporter writes verdicts and counts them.
type Reporter struct {
	out     io.Writer
	options Options

	Valid, Invalid, Unknown int
}

// New returns a Reporter that writes to out.
func New(out io.Writer, options Options) (*Reporter, error) {
	for _, format := range Formats() {
		if format == options.Format {
			return &Reporter{out: out, options: options}, nil
		}
	}
	return nil, fmt.Errorf("unknown output format %q; there are %s", options.Format, strings.Join(Formats(), ", "))
}

// Report writes the verdict on a document: what Validate returned, or why
// there was nothing to validate. The error is one of writing.
func (r *Reporter) Report(d source.Document, verdict error) error {
	_, invalid := errors.AsType[*proviso.ValidationError](verdict)
	switch {
	case verdict == nil:
		r.Valid++
	case invalid:
		r.Invalid++
	default:
		r.Unknown++
	}
	if r.options.Format == Text {
		return r.text(d, verdict)
	}
	return r.output(d, verdict)
}

// Summary is one line about all documents.
func (r *Reporter) Summary() string {
	total := r.Valid + r.Invalid + r.Unknown
	noun := "documents"
	if total == 1 {
		noun = "document"
	}
	return fmt.Sprintf("%d %s: %d valid, %d invalid, %d unknown", total, noun, r.Valid, r.Invalid, r.Unknown)
}

func (r *Reporter) text(d source.Document, verdict error) error {
	invalid, ok := errors.AsType[*proviso.ValidationError](verdict)
	switch {
	case verdict == nil && !r.options.Verbose:
		return nil
	case verdict == nil:
		return r.line(place(d, "", false), "valid")
	case !ok:
		if decode, ok := errors.AsType[*proviso.DecodeError](verdict); ok && decode.Line > 0 && d.Line == 0 {
			return r.line(fmt.Sprintf("%s:%d:%d", Printable(d.Name), decode.Line, decode.Column), "unknown", verdict.Error())
		}
		return r.line(place(d, "", false), "unknown", verdict.Error())
	}
	for i, u := range invalid.Units {
		if r.options.MaxErrors > 0 && i == r.options.MaxErrors {
			return r.line(place(d, "", false), fmt.Sprintf("and %d more (see --max-errors)", len(invalid.Units)-i))
		}
		location := u.InstanceLocation
		if location == "" {
			location = "(root)"
		}
		parts := []string{location, u.Keyword, u.Message}
		if u.Keyword == "" {
			parts = []string{location, u.Message}
		}
		if err := r.line(place(d, u.InstanceLocation, true), parts...); err != nil {
			return err
		}
	}
	if invalid.Truncated {
		return r.line(place(d, "", false), "there are more")
	}
	return nil
}

// place names a document's file and line. In a file that is one document the line
// and column are those of the instance location, if that is wanted.
func place(d source.Document, pointer string, locate bool) string {
	name := d.Name
	if name == source.Stdin {
		name = "(standard input)"
	}
	if d.Line > 0 {
		return fmt.Sprintf("%s:%d", Printable(name), d.Line)
	}
	if locate {
		if line, column, ok := source.Locate(d.Text, pointer); ok {
			return fmt.Sprintf("%s:%d:%d", Printable(name), line, column)
		}
	}
	return Printable(name)
}

func (r *Reporter) line(place string, parts ...string) error {
	for i, part := range parts {
		parts[i] = Printable(part)
	}
	_, err := fmt.Fprintf(r.out, "%s: %s\n", place, strings.Join(parts, ": "))
	return err
}

// Printable escapes what a terminal would act on: the names of properties come
// from strangers.
func Printable(s string) string {
	if strings.IndexFunc(s, func(c rune) bool { return !unicode.IsGraphic(c) }) < 0 {
		return s
	}
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// envelope names what an output document is about.
type envelope struct {
	Document string          `json:"document"`
	Line     int             `json:"line,omitempty"`
	Output   *proviso.Output `json:"output,omitempty"`
	Error    string          `json:"error,omitempty"`
}

func (r *Reporter) output(d source.Document, verdict error) error {
	e := envelope{Document: d.Name, Line: d.Line}
	output, err := proviso.NewOutput(verdict, proviso.OutputFormat(r.options.Format))
	var text []byte
	switch {
	case err != nil:
		e.Error = err.Error()
		text, err = json.Marshal(e)
	case r.options.Enveloped:
		e.Output = output
		text, err = json.Marshal(e)
	default:
		text, err = json.MarshalIndent(output, "", "  ")
	}
	if err != nil {
		return err
	}
	_, err = r.out.Write(append(text, '\n'))
	return err
}
