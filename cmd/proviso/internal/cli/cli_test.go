package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/proviso-go/proviso/cmd/proviso/internal/cli"
	"github.com/proviso-go/proviso/cmd/proviso/internal/leak"
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
	"names.json":      "{\"a\u202eb\":1, \"c\u0085d\":1, \"e\\nf\":1, \"\u200b\U000e0001\":1}",
	"secret.json":     `{"a":31337,"b":["hunter2",99887766],"c":"hunter2"}`,
	"secret.schema":   `{"properties":{"a":{"const":1,"enum":[2],"maximum":3,"multipleOf":2,"not":{}},"b":{"items":{"type":"boolean"},"contains":false,"uniqueItems":true,"maxItems":1},"c":{"pattern":"^x","maxLength":2,"format":"email"}},"maxProperties":1}`,
	"bad.jsonl":       "\ufeff{\"a\":\"x\"}\n{\"a\":\"x\"} 1\n\u00a0\n\v\n{\"a\":\"x\",\"a\":1}\n\x00\xff\n{\"a\":\"x\"}\r\n",
	"crlf.json":       "{\r\n  \"a\": 1\r\n}\r\n",
	"id.schema":       "{\"$id\":\"http://example.org/id\",\n\"type\":\"strin\"}",
	"relative.schema": `{"$ref":"other.json"}`,
	"badpoint.json":   "{\"$defs\":\n{\"x\":{\"type\":\"strin\"}}}",
	"dup.schema":      "{\"type\":\"object\",\n \"type\":\"array\"}",
	"surrogate.json":  `{"a":"\ud800"}`,
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
	// Even an administrator cannot read this one.
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

// TestMain is the program itself in the processes that 'proviso leak' starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == leak.Subcommand {
		os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cli.Run(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

func matches(got, want string) bool {
	if all, ok := strings.CutPrefix(want, "="); ok {
		return got == all
	}
	return strings.Contains(got, want)
}
