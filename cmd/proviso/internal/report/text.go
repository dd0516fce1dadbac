package report

import (
	"errors"
	"fmt"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

// text writes a line for each reason.
func (r *Reporter) text(d source.Document, verdict error) error {
	invalid, ok := errors.AsType[*proviso.ValidationError](verdict)
	switch {
	case verdict == nil && !r.options.Verbose:
		return nil
	case verdict == nil:
		return r.line(place(d, source.Position{}), "valid")
	case !ok:
		var at source.Position
		if decode, ok := errors.AsType[*proviso.DecodeError](verdict); ok {
			at = source.Position{Line: decode.Line, Column: decode.Column}
		}
		return r.line(place(d, at), "unknown", Message(verdict, d.Line > 0))
	}
	return r.units(d, invalid)
}

func (r *Reporter) units(d source.Document, invalid *proviso.ValidationError) error {
	units := invalid.Units
	if limit := r.options.MaxErrors; limit > 0 && len(units) > limit {
		units = units[:limit]
	}
	var at map[string]source.Position
	if d.Line == 0 {
		locations := make([]string, len(units))
		for i, u := range units {
			locations[i] = u.InstanceLocation
		}
		at = source.Locate(d.Text, locations...)
	}
	for _, u := range units {
		location := u.InstanceLocation
		if location == "" {
			location = "(root)"
		}
		parts := []string{location, u.Keyword, u.Message}
		if u.Keyword == "" {
			parts = []string{location, u.Message}
		}
		if err := r.line(place(d, at[u.InstanceLocation]), parts...); err != nil {
			return err
		}
	}
	none := source.Position{}
	switch more := len(invalid.Units) - len(units); {
	case more > 0 && invalid.Truncated:
		return r.line(place(d, none), fmt.Sprintf("and more than %d more (see --max-errors)", more))
	case more > 0:
		return r.line(place(d, none), fmt.Sprintf("and %d more (see --max-errors)", more))
	case invalid.Truncated:
		return r.line(place(d, none), "and more, which the engine does not list")
	}
	return nil
}

// place names a document's file and line. In a file that is one document they are
// the line and column at, if it is known.
func place(d source.Document, at source.Position) string {
	name := FileName(d.Name)
	switch {
	case d.Line > 0:
		return fmt.Sprintf("%s:%d", name, d.Line)
	case at.Line > 0:
		return fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column)
	}
	return name
}

func (r *Reporter) line(place string, parts ...string) error {
	for i, part := range parts {
		parts[i] = Printable(part)
	}
	_, err := fmt.Fprintf(r.out, "%s: %s\n", place, strings.Join(parts, ": "))
	return err
}
