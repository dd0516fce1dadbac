package cli

import (
	"fmt"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/report"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

// What --format may say.
const (
	formatAnnotate = "annotate"
	formatAssert   = "assert"
)

// options makes the engine's options of the flags, and returns the resources
// by URI as they were read.
func (f *validateFlags) options() (*proviso.EngineOptions, map[string]schemaText, error) {
	dialect, err := proviso.ParseDialect(f.dialect)
	if err != nil {
		return nil, nil, fmt.Errorf("--dialect: %w", err)
	}
	o := &proviso.EngineOptions{DefaultDialect: dialect, AssertContent: f.assertContent, Resources: make(map[string]*proviso.Document)}
	switch f.format {
	case formatAnnotate:
	case formatAssert:
		o.Format = proviso.FormatAssert
	default:
		return nil, nil, fmt.Errorf("--format: unknown policy %q; there are %s and %s", f.format, formatAnnotate, formatAssert)
	}
	if f.linear {
		o.Regexp = proviso.RegexpLinear
	}
	given := make(map[string]schemaText)
	for _, resource := range f.resources {
		uri, file, ok := strings.Cut(resource, "=")
		if !ok || uri == "" || file == "" {
			return nil, nil, fmt.Errorf("--resource %q: it must be URI=FILE", resource)
		}
		if file == source.Stdin {
			return nil, nil, fmt.Errorf("--resource %q: standard input is for the schema or a document; name a file", resource)
		}
		uri = strings.TrimSuffix(uri, "#")
		if _, twice := given[uri]; twice {
			return nil, nil, fmt.Errorf("--resource %q: this URI is given twice", resource)
		}
		text, err := source.ReadOne(file, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("--resource: %s %w", report.FileName(file), err)
		}
		t := schemaText{file, text}
		doc, err := proviso.JSON(text).Document()
		if err != nil {
			return nil, nil, fmt.Errorf("--resource: %s", t.message(err, ""))
		}
		o.Resources[uri], given[uri] = doc, t
	}
	if _, err := o.Checked(); err != nil {
		return nil, nil, err
	}
	return o, given, nil
}
