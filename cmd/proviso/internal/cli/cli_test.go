package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/proviso-go/proviso/cmd/proviso/internal/cli"
)

// files are what the tests find in their folder.
var files = map[string]string{
	"schema.json":     "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"properties\": {\n    \"a\": {\"type\": \"string\"},\n    \"b\": {\"items\": {\"maximum\": 3}}\n  },\n  \"required\": [\"a\"]\n}\n",
	"good.json":       `{"a":"x"}`,
	"bad.json":        "{\n  \"b\": [1,\n        2, 7]\n}",
	"other.json":      `{"a":"y","b":[]}`,
	"lines.jsonl":     "{\"a\":\"x\"}\n{\"a\":1}\r\n\n   \n{\"a\":\n{\"a\":\"y\"}",
	"good.ndjson":     "{\"a\":\"x\"}\n{\"a\":\"y\"}\n",
	"empty.jsonl":     "",
	"empty.json":      "",
	"binary.json":     "\x7fELF\x00\xff\xfe",
	"trailing.json":   `{"a":"x"} {"a":"y"}`,
	"duplicate.json":  "{\"a\":\"x\",\n \"a\":\"y\"}",
	"bom.json":        "\ufeff{}",
	"deep.json":       strings.Repeat("[", 5000),
	"huge.json":       `{"a":"x","n":1e1000001}`,
	"escape.json":     `{"a":"x","\u001b[31m":1,"b":[9]}`,
	"number.schema":   "7",
	"typo.schema":     "{\n  \"properties\": {\"a\": {\"type\": \"strin\"}}\n}",
	"unknown.schema":  `{"$schema":"http://example.org/mine"}`,
	"broken.schema":   "{\n \"properties\":{\"a\":{\"$ref\":\"#/nowhere\"}}}",
	"remote.schema":   `{"properties":{"a":{"$ref":"http://example.org/point#/$defs/x"}}}`,
	"pattern.schema":  `{"pattern":"("}`,
	"cycle.schema":    `{"not":{"$ref":"#"}}`,
	"format.schema":   `{"format":"email"}`,
	"draft7.schema":   `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`,
	"closed.schema":   `{"additionalProperties":false}`,
	"point.json":      `{"$defs":{"x":{"type":"number"}}}`,
	"no.schema":       `{"type":"string"} trailing`,
	"look.schema":     `{"pattern":"^(?!x)"}`,
	"text.json":       `"abc"`,
	"uneval.schema":   `{"$schema":"https://json-schema.org/draft/2019-09/schema","unevaluatedProperties":false}`,
	"mixed.ndjson":    "1\n2\n",
	"numbers.schema":  `{"enum":[1]}`,
	"bracket].json":   `{"a":"x"}`,
	"sub/inside.json": `{}`,
}

func folder(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cli.Run(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

func TestValidate(t *testing.T) {
	folder(t)
	for _, c := range []struct {
		args, stdin string
		code        int
		out, err    string // what must be in standard output and standard error; "=" is all of it
	}{
		{args: "-s schema.json good.json", code: 0, out: "=", err: "=1 document: 1 valid, 0 invalid, 0 unknown\n"},
		{args: "-q -s schema.json good.json other.json", code: 0, out: "=", err: "="},
		{args: "-v -s schema.json good.json", code: 0, out: "=good.json: valid\n"},
		{args: "-s schema.json bad.json", code: 1, out: "=bad.json:1:1: (root): required: missing \"a\"\nbad.json:3:12: /b/2: maximum: want at most 3\n", err: "1 invalid"},
		{args: "-s schema.json good.json bad.json", code: 1, err: "2 documents: 1 valid, 1 invalid"},
		{args: "-s schema.json lines.jsonl", code: 3, out: "lines.jsonl:2: /a: type: want string, have number\nlines.jsonl:5: unknown: not JSON", err: "4 documents: 2 valid, 1 invalid, 1 unknown"},
		{args: "-s schema.json good.ndjson", code: 0, err: "2 documents: 2 valid"},
		{args: "-s schema.json empty.jsonl", code: 0, err: "0 documents"},
		{args: "-s schema.json -", stdin: `{"a":1}`, code: 1, out: "=(standard input):1:6: /a: type: want string, have number\n"},
		{args: "-s schema.json --input jsonl -", stdin: "{\"a\":1}\n{\"a\":\"x\"}", code: 1, out: "=(standard input):1: /a: type: want string, have number\n"},
		{args: "-s - good.json", stdin: `{"type":"array"}`, code: 1, out: "type: want array, have object"},
		{args: "-s schema.json --input json lines.jsonl", code: 3, out: "lines.jsonl:2:1: unknown: not JSON: line 2"},

		{args: "-s schema.json empty.json", code: 3, out: "empty.json:1:1: unknown: not JSON: line 1, column 1, at the root: the text is empty"},
		{args: "-s schema.json binary.json", code: 3, out: "binary.json:1:1: unknown: not JSON"},
		{args: "-s schema.json trailing.json", code: 3, out: "trailing.json:1:11: unknown"},
		{args: "-s schema.json duplicate.json", code: 3, out: "duplicate.json:2:2: unknown"},
		{args: "-s schema.json bom.json", code: 3, out: "byte order mark"},
		{args: "-s schema.json deep.json", code: 3, out: "over a limit"},
		{args: "-s schema.json huge.json", code: 3, out: "over a limit"},
		{args: "-s schema.json missing.json good.json", code: 3, out: "missing.json: unknown: cannot be read", err: "2 documents: 1 valid, 0 invalid, 1 unknown"},
		{args: "-s schema.json sub", code: 3, out: "is a directory; name the files"},
		{args: "-s schema.json bad.json missing.json", code: 3, err: "1 invalid, 1 unknown"},
		{args: "-s closed.schema escape.json", code: 1, out: `/\x1b[31m: additionalProperties`},

		{args: "-s missing.json good.json", code: 2, err: "the schema missing.json cannot be read"},
		{args: "-s sub good.json", code: 2, err: "is a directory"},
		{args: "-s empty.json good.json", code: 2, err: "empty.json:1:1: "},
		{args: "-s binary.json good.json", code: 2, err: "binary.json:1:1: not a valid schema"},
		{args: "-s no.schema good.json", code: 2, err: "no.schema:1:19: not a valid schema"},
		{args: "-s duplicate.json good.json", code: 2, err: "duplicate.json:2:2: "},
		{args: "-s number.schema good.json", code: 2, err: "number.schema:1:1: not a valid schema: at the root: a schema is an object or a boolean, not a number"},
		{args: "-s typo.schema good.json", code: 2, err: `typo.schema:2:32: not a valid schema: at "/properties/a/type": type: want one of "array"`},
		{args: "-s broken.schema good.json", code: 2, err: `broken.schema:2:28: reference not found: at "/properties/a/$ref": "#/nowhere"`},
		{args: "-s remote.schema good.json", code: 2, err: "--resource http://example.org/point=FILE"},
		{args: "-s pattern.schema good.json", code: 2, err: "pattern.schema:1:12: not a valid schema"},
		{args: "-s unknown.schema good.json", code: 3, err: "http://json-schema.org/draft-07/schema#"},
		{args: "-s cycle.schema good.json", code: 3, err: "over a limit"},
		{args: "-s schema.json -e gojsonschema good.json", code: 3, err: "schema.json:2:14: not supported by gojsonschema in 2020-12"},
		{args: "-s uneval.schema -e qri good.json", code: 3, err: "unevaluatedProperties"},
		{args: "-s draft7.schema -e gojsonschema good.json", code: 0},
		{args: "-s draft7.schema -e qri good.json", code: 0},
		{args: "-s numbers.schema --dialect draft-07 -e qri --input jsonl mixed.ndjson", code: 1, out: "=mixed.ndjson:2: (root): enum: want one of 1\n"},

		{args: "-s remote.schema -r http://example.org/point=point.json good.json", code: 1, out: "/a: type: want number, have string"},
		{args: "-s format.schema text.json", code: 0},
		{args: "-s format.schema --format assert text.json", code: 1, out: `format: want the format "email"`},
		{args: "-s look.schema text.json", code: 0},
		{args: "-s look.schema --linear-patterns text.json", code: 3, err: "lookaround"},
		{args: "-s schema.json --max-errors 1 bad.json", code: 1, out: "and 1 more"},

		{args: "", code: 2, err: "requires at least 1 arg"},
		{args: "-s schema.json", code: 2, err: "requires at least 1 arg"},
		{args: "good.json", code: 2, err: `required flag(s) "schema" not set`},
		{args: "-s schema.json --nonsense good.json", code: 2, err: "unknown flag: --nonsense\nrun 'proviso validate --help' for help"},
		{args: "-s schema.json -e nonsense good.json", code: 2, err: `unknown engine "nonsense"; there are tekuri, gojsonschema, qri`},
		{args: "-s schema.json -o nonsense good.json", code: 2, err: "unknown output format"},
		{args: "-s schema.json --input nonsense good.json", code: 2, err: "unknown input format"},
		{args: "-s schema.json --format nonsense good.json", code: 2, err: "--format"},
		{args: "-s schema.json --dialect nonsense good.json", code: 2, err: "unknown dialect"},
		{args: "-s schema.json -r nonsense good.json", code: 2, err: "must be URI=FILE"},
		{args: "-s schema.json -r http://x/=missing.json good.json", code: 2, err: "missing.json"},
		{args: "-s schema.json -r relative=point.json good.json", code: 2, err: "not an absolute URI"},
		{args: "-s schema.json -r http://x/=number.schema good.json", code: 2, err: "number.schema:1:1"},
		{args: "-s - -", code: 2, err: "only once"},
	} {
		code, out, err := run(c.stdin, append([]string{"validate"}, strings.Fields(c.args)...)...)
		if code != c.code || !matches(out, c.out) || !matches(err, c.err) {
			t.Errorf("validate %s: exit code %d, standard output:\n%sstandard error:\n%swant %d, %q and %q", c.args, code, out, err, c.code, c.out, c.err)
		}
		if strings.Contains(out+err, "\x1b") {
			t.Errorf("validate %s: a control character reaches the terminal", c.args)
		}
	}
}

func matches(got, want string) bool {
	if all, ok := strings.CutPrefix(want, "="); ok {
		return got == all
	}
	return strings.Contains(got, want)
}

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
			`{"document":"lines.jsonl","line":5,"error":"not JSON: line 1, column 6, at \"/a\": the text ends where a JSON value was expected"}`, `{"document":"lines.jsonl","line":6,"output":{"valid":true}}`,
		},
		"-o basic empty.json": {`{"document":"empty.json","error":"not JSON: line 1, column 1, at the root: the text is empty; a JSON value was expected"}`},
	} {
		_, out, _ := run("", append([]string{"validate", "-s", "schema.json"}, strings.Fields(args)...)...)
		if out != strings.Join(want, "\n")+"\n" {
			t.Errorf("%s:\n got %s\nwant %s", args, out, strings.Join(want, "\n"))
		}
	}
}

func TestEngines(t *testing.T) {
	t.Parallel()
	code, out, err := run("", "engines")
	if code != 0 || err != "" {
		t.Fatalf("%d, %s", code, err)
	}
	for _, line := range []string{"tekuri", "github.com/santhosh-tekuri/jsonschema/v6", "gojsonschema", "qri", "draft-07, 2019-09", "draft-04, draft-06, draft-07, 2019-09, 2020-12"} {
		if !strings.Contains(out, line) {
			t.Errorf("no %s in\n%s", line, out)
		}
	}
	_, out, _ = run("", "engines", "--json")
	var rows []struct {
		Name, Version string
		Dialects      []string
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 3 || rows[0].Name != "tekuri" || len(rows[0].Dialects) != 5 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"--help"}, {"help", "validate"}, {"validate", "--help"}, {"engines", "--help"}, {"leak", "--help"}} {
		if code, out, err := run("", args...); code != 0 || !strings.Contains(out, "Usage:") || err != "" {
			t.Errorf("%v: %d, %s, %s", args, code, out, err)
		}
	}
	for _, args := range [][]string{{"nonsense"}, {"engines", "x"}, {"leak", "--engine", "x"}, {"leak", "x"}} {
		if code, _, err := run("", args...); code != 2 || err == "" {
			t.Errorf("%v: %d, %s", args, code, err)
		}
	}
}

func TestLeak(t *testing.T) {
	for _, args := range [][]string{{"leak"}, {"leak", "--json", "-e", "qri"}} {
		code, out, err := run("", args...)
		if code != 0 {
			t.Errorf("%v: %d\n%s%s", args, code, out, err)
		}
		t.Log(out)
	}
	_, out, _ := run("", "leak", "--json")
	var rows []struct {
		Engine             string
		Naive              bool
		Validations        int
		BytesPerValidation float64
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 9 {
		t.Fatalf("%v: %s", err, out)
	}
	for _, r := range rows {
		// The naive uses leak kilobytes: were it otherwise, the measurement would be broken.
		if r.Validations != 2000 || r.Naive != (r.BytesPerValidation > 1024) {
			t.Errorf("%+v", r)
		}
	}
}
