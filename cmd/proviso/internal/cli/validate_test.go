package cli_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/proviso-go/proviso/cmd/proviso/internal/cli"
)

func TestValidate(t *testing.T) {
	folder(t)
	for _, c := range []struct {
		args, stdin string
		code        int
		out, err    string // what must be in standard output and standard error; "=" is all of it
	}{
		{args: "-s schema.json good.json", code: 0, out: "=", err: "=1 document: 1 valid, 0 invalid, 0 unknown\n"},
		{args: "-q -s schema.json good.json other.json", code: 0, out: "=", err: "="},
		{args: "-q -v -s schema.json good.json", code: 0, out: "=good.json: valid\n", err: "="},
		{args: "-v -s schema.json good.json", code: 0, out: "=good.json: valid\n"},
		{args: "-s schema.json bad.json", code: 1, out: "=bad.json:1:1: (root): required: missing \"a\"\nbad.json:3:12: /b/2: maximum: want at most 3\n", err: "1 invalid"},
		{args: "-s schema.json good.json bad.json", code: 1, err: "2 documents: 1 valid, 1 invalid"},
		{args: "-s schema.json lines.jsonl", code: 3, out: "lines.jsonl:2: /a: type: want string, have number\nlines.jsonl:5: unknown: not JSON", err: "4 documents: 2 valid, 1 invalid, 1 unknown"},
		{args: "-s schema.json good.ndjson", code: 0, err: "2 documents: 2 valid"},
		{args: "-s schema.json empty.jsonl", code: 0, err: "0 documents"},
		{args: "-s schema.json -", stdin: `{"a":1}`, code: 1, out: "=(standard input):1:6: /a: type: want string, have number\n"},
		{args: "-s schema.json --input jsonl -", stdin: "{\"a\":1}\n{\"a\":\"x\"}", code: 1, out: "=(standard input):1: /a: type: want string, have number\n"},
		{args: "-s - good.json", stdin: `{"type":"array"}`, code: 1, out: "type: want array, have object"},
		{args: "-s schema.json --input json lines.jsonl", code: 3, out: "lines.jsonl:2:1: unknown: not JSON: unexpected text"},

		{args: "-s schema.json empty.json", code: 3, out: "empty.json:1:1: unknown: not JSON: the text is empty"},
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

		{args: "-s schema.json surrogate.json", code: 3, out: "surrogate.json:1:7: unknown: not JSON: at \"/a\": lone surrogate"},
		{args: "-s schema.json loop", code: 3, out: "loop: unknown: cannot be read"},
		{args: "-s schema.json crlf.json", code: 1, out: "=crlf.json:2:8: /a: type: want string, have number\n"},
		{args: "-s schema.json bad.jsonl", code: 3, err: "7 documents: 1 valid, 0 invalid, 6 unknown", out: "=" +
			"bad.jsonl:1: unknown: not JSON: column 1: the text begins with a byte order mark; JSON has none\n" +
			"bad.jsonl:2: unknown: not JSON: column 11: unexpected text after the JSON value\n" +
			"bad.jsonl:3: unknown: not JSON: column 1: unexpected character '\\u00a0'; a JSON value was expected\n" +
			"bad.jsonl:4: unknown: not JSON: column 1: unexpected character '\\v'; a JSON value was expected\n" +
			"bad.jsonl:5: unknown: not JSON: column 10: at \"/a\": duplicate member name \"a\"\n" +
			"bad.jsonl:6: unknown: not JSON: column 1: unexpected character '\\x00'; a JSON value was expected\n"},
		{args: "-s schema.json -", code: 3, out: "(standard input):1:1: unknown: not JSON: the text is empty"},
		{args: "-s schema.json --input jsonl -", code: 0, err: "0 documents"},
		{args: "-s closed.schema names.json", code: 1, out: `/a\u202eb: additionalProperties`},
		{args: "-s closed.schema names.json", code: 1, out: `/e\nf: additionalProperties`},

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
		{args: "-s dup.schema good.json", code: 2, err: "dup.schema:2:2: not a valid schema: not JSON: at \"/type\": duplicate member name"},
		{args: "-s id.schema good.json", code: 2, err: "id.schema:2:8: not a valid schema"},
		{args: "-s relative.schema good.json", code: 2, err: "relative.schema:1:9: reference not found: at \"/$ref\": \"other.json\": it is relative, and the schema has no absolute identifier to resolve it against; give the schema an absolute $id"},
		{args: "-s loop good.json", code: 2, err: "the schema loop cannot be read"},
		{args: "-s remote.schema -r http://example.org/point=badpoint.json good.json", code: 2, err: "badpoint.json:2:14: not a valid schema: in http://example.org/point"},
		{args: "-s remote.schema -r http://example.org/point=good.json good.json", code: 2, err: "correct the reference, or add what it names"},
		{args: "-s deep.json good.json", code: 3, err: "over a limit"},
		{args: "-s unknown.schema good.json", code: 3, err: "correct $schema, or give its meta-schema with --resource"},
		{args: "-s unknown.schema good.json", code: 3, err: "http://json-schema.org/draft-07/schema#"},
		{args: "-s cycle.schema good.json", code: 3, err: "over a limit"},
		{args: "-s schema.json -e gojsonschema good.json", code: 3, err: "schema.json:2:14: not supported by gojsonschema in 2020-12"},
		{args: "-s schema.json -e qri good.json", code: 3, err: "try another engine, such as --engine tekuri ('proviso engines' lists them)"},
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

		{args: "", code: 2, err: "no FILE to validate; name one, or - for standard input\nrun 'proviso validate --help'"},
		{args: "-s schema.json", code: 2, err: "no FILE to validate; name one, or - for standard input\nrun 'proviso validate --help'"},
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
		{args: "-s remote.schema -r http://example.org/point=- good.json", code: 2, err: "name a file"},
		{args: "-s remote.schema -r http://example.org/point=sub good.json", code: 2, err: "sub is a directory"},
		{args: "-s remote.schema -r http://x/=point.json -r http://x/#=point.json good.json", code: 2, err: "given twice"},
		{args: "-s schema.json --max-errors -1 good.json", code: 2, err: "0 is no bound"},
		{args: "-s schema.json --max-errors x good.json", code: 2, err: "--max-errors"},
		{args: "-s schema.json - -", code: 2, err: "only once"},
		{args: "-s - -", code: 2, err: "only once"},
	} {
		code, out, err := run(c.stdin, append([]string{"validate"}, strings.Fields(c.args)...)...)
		if code != c.code || !matches(out, c.out) || !matches(err, c.err) {
			t.Errorf("validate %s: exit code %d, standard output:\n%sstandard error:\n%swant %d, %q and %q", c.args, code, out, err, c.code, c.out, c.err)
		}
		if strings.IndexFunc(out+err, func(c rune) bool { return c != '\n' && !unicode.IsGraphic(c) }) >= 0 {
			t.Errorf("validate %s: not fit for a terminal: %q", c.args, out+err)
		}
		if (c.code == 2) != !strings.Contains(err, " valid, ") && c.code != 3 && err != "" {
			t.Errorf("validate %s: a summary goes with documents, and only with them: %s", c.args, err)
		}
	}
}

// TestNoValues fails every keyword that could quote what it judges, with every
// engine and format: nothing of the document but its names may show.
func TestNoValues(t *testing.T) {
	folder(t)
	for _, engine := range []string{"tekuri", "gojsonschema", "qri"} {
		for _, format := range []string{"text", "flag", "basic", "detailed"} {
			code, out, err := run("", "validate", "-s", "secret.schema", "--dialect", "draft-07", "-e", engine, "-o", format, "--max-errors", "0", "secret.json")
			if code != 1 {
				t.Errorf("%s %s: exit code %d, %s", engine, format, code, err)
			}
			if format == "text" && strings.Count(out, "\n") < 8 {
				t.Errorf("%s: too few reasons for the test to mean something:\n%s", engine, out)
			}
			for _, secret := range []string{"31337", "hunter2", "99887766"} {
				if strings.Contains(out+err, secret) {
					t.Errorf("%s %s: the document's value %s shows:\n%s%s", engine, format, secret, out, err)
				}
			}
		}
	}
}

// TestStreams needs the verdict on a line before the next line is there.
func TestStreams(t *testing.T) {
	folder(t)
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	code := make(chan int, 1)
	go func() {
		defer stdin.Close() // so that nothing waits for a run that ended early
		code <- cli.Run([]string{"validate", "-q", "-v", "-s", "schema.json", "--input", "jsonl", "-"}, stdin, stdout, io.Discard)
		stdout.Close()
	}()
	verdicts := bufio.NewScanner(out)
	for i, line := range []string{`{"a":"x"}`, `{"a":`, `{"a":"y","b":["` + strings.Repeat("x", 3<<20) + `"]}`, `{"a":1}`} {
		if _, err := fmt.Fprintln(in, line); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("(standard input):%d: ", i+1); !verdicts.Scan() || !strings.HasPrefix(verdicts.Text(), want) {
			t.Errorf("%q; want %s", verdicts.Text(), want)
		}
	}
	in.Close()
	if got := <-code; got != 3 {
		t.Errorf("exit code %d; want 3", got)
	}
}

// full is an output that cannot be written.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputFails(t *testing.T) {
	folder(t)
	for _, args := range [][]string{{"validate", "-s", "schema.json", "bad.json"}, {"validate", "-s", "schema.json", "-o", "flag", "good.json"}, {"engines"}, {"engines", "--json"}, {"version"}} {
		var stderr strings.Builder
		if code := cli.Run(args, strings.NewReader(""), full{}, &stderr); code != 3 || !strings.Contains(stderr.String(), "writing the output: no space left") {
			t.Errorf("%v: exit code %d, %s", args, code, stderr.String())
		}
	}
}
