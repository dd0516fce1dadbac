package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/report"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                     "",
		`plain "é" 日本 \d`:      `plain "é" 日本 \d`,
		"\x1b[31m\"red\"":      `\x1b[31m"red"`,
		"a\x7fb":               `a\x7fb`,
		"two\nlines\r\t":       `two\nlines\r\t`,
		"\u0085\u009b":         `\u0085\u009b`,
		"\u2028\u202e\u200b":   `\u2028\u202e\u200b`,
		"\x9b31m":              `\x9b31m`,
		"\xff":                 `\xff`,
		"\U000e0041":           `\U000e0041`,
		"a back\\slash\x00too": `a back\\slash\x00too`,
	} {
		if got := report.Printable(s); got != want {
			t.Errorf("%q: %s; want %s", s, got, want)
		}
	}
	for name, want := range map[string]string{"-": "(standard input)", "": `""`, "a\x9b": `a\x9b`, "./-": "./-"} {
		if got := report.FileName(name); got != want {
			t.Errorf("file %q: %s; want %s", name, got, want)
		}
	}
}

// TestUnknown reports what is neither valid nor invalid, whatever it is.
func TestUnknown(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		&proviso.EngineError{Engine: "e", Op: "validate", Reason: "panic: \x1b", Stack: []byte("stack")},
		&proviso.UnsupportedError{Engine: "e", Instance: true, Reason: "a number"},
		&proviso.LimitError{Limit: proviso.LimitDepth, Instance: true},
		errors.New("of no kind"),
	} {
		for _, format := range report.Formats() {
			var out strings.Builder
			r, failed := report.New(&out, report.Options{Format: format})
			if failed != nil {
				t.Fatal(failed)
			}
			if failed := r.Report(source.Document{Name: "a.json", Text: []byte("1")}, err); failed != nil {
				t.Fatal(failed)
			}
			if r.Unknown != 1 || r.Valid != 0 || r.Invalid != 0 || r.Summary() != "1 document: 0 valid, 0 invalid, 1 unknown" {
				t.Errorf("%v: %+v", err, r)
			}
			want := `{"document":"a.json","error":"`
			if format == report.Text {
				want = "a.json: unknown: "
			}
			if !strings.HasPrefix(out.String(), want) || strings.Contains(out.String(), "\x1b") || strings.Count(out.String(), "\n") != 1 {
				t.Errorf("%v, %s: %q", err, format, out.String())
			}
		}
	}
}

// TestTruncated says that there is more, whoever left it out.
func TestTruncated(t *testing.T) {
	t.Parallel()
	units := []proviso.Unit{{Keyword: "type", Message: "m"}, {InstanceLocation: "/0", Message: "m"}, {InstanceLocation: "/not/there", Keyword: "k", Message: "m"}}
	const all = "a.json:1:1: (root): type: m\na.json:1:2: /0: m\na.json: /not/there: k: m\n"
	for _, c := range []struct {
		limit     int
		truncated bool
		want      string
	}{
		{0, false, all},
		{3, false, all},
		{0, true, all + "a.json: and more, which the engine does not list\n"},
		{1, false, "a.json:1:1: (root): type: m\na.json: and 2 more (see --max-errors)\n"},
		{1, true, "a.json:1:1: (root): type: m\na.json: and more than 2 more (see --max-errors)\n"},
	} {
		var out strings.Builder
		r, err := report.New(&out, report.Options{Format: report.Text, MaxErrors: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		err = r.Report(source.Document{Name: "a.json", Text: []byte("[1]")}, &proviso.ValidationError{Units: units, Truncated: c.truncated})
		if err != nil || out.String() != c.want {
			t.Errorf("%+v: %v\n%s", c, err, out.String())
		}
	}
}
