package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
)

func TestOutputFormats(t *testing.T) {
	folder(t)
	for _, c := range []struct{ args, want string }{
		{"-o flag good.json", `{"valid":true}`},
		{"-o flag bad.json", `{"valid":false}`},
		{"-o basic good.json", `{"valid":true}`},
		{"-o basic bad.json", `{"valid":false,"errors":[{"valid":false,"keywordLocation":"/required","instanceLocation":"","error":"missing \"a\""},{"valid":false,"keywordLocation":"/properties/b/items/maximum","instanceLocation":"/b/2","error":"want at most 3"}]}`},
		{"-o detailed bad.json", `{"valid":false,"keywordLocation":"","instanceLocation":"","errors":[{"valid":false,"keywordLocation":"/required","instanceLocation":"","error":"missing \"a\""},{"valid":false,"keywordLocation":"/properties/b/items/maximum","instanceLocation":"/b/2","error":"want at most 3"}]}`},
	} {
		_, out, _ := run("", append([]string{"validate", "-s", "schema.json"}, strings.Fields(c.args)...)...)
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(out)); err != nil || compact.String() != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.args, err, compact.String(), c.want)
		}
	}
	for args, want := range map[string][]string{
		"-o flag good.json bad.json": {`{"document":"good.json","output":{"valid":true}}`, `{"document":"bad.json","output":{"valid":false}}`},
		"-o flag lines.jsonl": {
			`{"document":"lines.jsonl","line":1,"output":{"valid":true}}`, `{"document":"lines.jsonl","line":2,"output":{"valid":false}}`,
			`{"document":"lines.jsonl","line":5,"error":"not JSON: column 6: at \"/a\": the text ends where a JSON value was expected"}`, `{"document":"lines.jsonl","line":6,"output":{"valid":true}}`,
		},
		"-o basic empty.json": {`{"document":"empty.json","error":"not JSON: line 1, column 1, at the root: the text is empty; a JSON value was expected"}`},
	} {
		_, out, _ := run("", append([]string{"validate", "-s", "schema.json"}, strings.Fields(args)...)...)
		if out != strings.Join(want, "\n")+"\n" {
			t.Errorf("%s:\n got %s\nwant %s", args, out, strings.Join(want, "\n"))
		}
	}
}

// TestOutputDecodes decodes whatever the formats write about every file, each
// alone and all together, and compares the verdicts with those of the text.
func TestOutputDecodes(t *testing.T) {
	folder(t)
	all := []string{"good.json", "bad.json", "names.json", "binary.json", "deep.json", "missing.json", "sub", "lines.jsonl", "bad.jsonl", "empty.jsonl"}
	inputs := [][]string{all}
	for _, name := range all {
		inputs = append(inputs, []string{name})
	}
	for _, input := range inputs {
		wantCode, _, wantSummary := run("", append([]string{"validate", "-s", "closed.schema"}, input...)...)
		for _, format := range []string{"flag", "basic", "detailed"} {
			code, out, summary := run("", append([]string{"validate", "-s", "closed.schema", "-o", format}, input...)...)
			if code != wantCode || summary != wantSummary {
				t.Errorf("%s %v: %d, %s; in text %d, %s", format, input, code, summary, wantCode, wantSummary)
			}
			if strings.IndexFunc(out, func(c rune) bool { return c != '\n' && !unicode.IsGraphic(c) }) >= 0 {
				t.Errorf("%s %v: not fit for a terminal: %q", format, input, out)
			}
			valid, invalid, unknown := 0, 0, 0
			decoder := json.NewDecoder(strings.NewReader(out))
			decoder.DisallowUnknownFields()
			for decoder.More() {
				var d document
				if err := decoder.Decode(&d); err != nil {
					t.Fatalf("%s %v: %v: %s", format, input, err, out)
				}
				switch {
				case d.Error != "" && d.Document != "" && d.Output == nil:
					unknown++
				case (d.Output != nil && d.Document != "" && d.Output.Valid) || (d.Valid != nil && *d.Valid):
					valid++
				default:
					invalid++
				}
			}
			want := fmt.Sprintf("%d valid, %d invalid, %d unknown", valid, invalid, unknown)
			if !strings.Contains(summary, want) {
				t.Errorf("%s %v: decoded %s, but %s%s", format, input, want, summary, out)
			}
		}
	}
}

// document is an output document, or the envelope of one.
type document struct {
	Document string
	Line     int
	Output   *struct {
		Valid                             bool
		KeywordLocation, InstanceLocation string
		Errors                            []any
	}
	Error string

	Valid                             *bool
	KeywordLocation, InstanceLocation string
	Errors                            []any
}
