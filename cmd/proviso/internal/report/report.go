// Package report writes verdicts: as lines for people and for grep, or in the
// output formats of the specification.
package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

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
	if options.MaxErrors < 0 {
		return nil, fmt.Errorf("at most %d errors make no sense; 0 is no bound", options.MaxErrors)
	}
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
