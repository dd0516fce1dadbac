package tekuri_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/corpus"
)

const benchSchema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["name", "limit"],
	"properties": {
		"name": {"type": "string", "minLength": 1, "pattern": "^[a-z_]+$"},
		"limit": {"type": "integer", "minimum": 1, "maximum": 100},
		"tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}, "uniqueItems": true},
		"mode": {"enum": ["fast", "safe"]}
	},
	"additionalProperties": false, "$defs": {"tag": {"type": "string", "maxLength": 20}}
}`

const benchInstance = `{"name":"search_files","limit":10,"tags":["a","b","c"],"mode":"safe"}`

// direct uses the engine as its documentation has it.
func direct(tb testing.TB, schema []byte) *jsonschema.Schema {
	tb.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		tb.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		tb.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		tb.Fatal(err)
	}
	return compiled
}

func decoded(tb testing.TB, text []byte) any {
	tb.Helper()
	v, err := proviso.Decode(text)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// TestValidInstancesCostNothingMore compares allocations with those of the
// engine by itself.
func TestValidInstancesCostNothingMore(t *testing.T) {
	v, by := compile(t, nil, benchSchema), direct(t, []byte(benchSchema))
	instance := decoded(t, []byte(benchInstance))
	ours := testing.AllocsPerRun(100, func() {
		if err := v.Validate(instance); err != nil {
			t.Error(err)
		}
	})
	theirs := testing.AllocsPerRun(100, func() {
		if err := by.Validate(instance); err != nil {
			t.Error(err)
		}
	})
	if ours > theirs {
		t.Errorf("%v allocations; the engine alone has %v", ours, theirs)
	}
}

// benchSchemas are a small schema and a real one.
func benchSchemas(b *testing.B) map[string][]byte {
	b.Helper()
	large, err := os.ReadFile(corpus.Path(b, "real-world", "clang-format", "schema.json"))
	if err != nil {
		b.Fatal(err)
	}
	return map[string][]byte{"small": []byte(benchSchema), "clang-format": large}
}

func BenchmarkCompile(b *testing.B) {
	for name, schema := range benchSchemas(b) {
		b.Run(name+"/proviso", func(b *testing.B) {
			b.ReportAllocs()
			p := provider(b, nil)
			for b.Loop() {
				if _, err := p.Validator(context.Background(), proviso.JSON(schema)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/direct", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				direct(b, schema)
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	v, by := compile(b, nil, benchSchema), direct(b, []byte(benchSchema))
	for name, text := range map[string]string{"valid": benchInstance, "invalid": `{"name":"","limit":1000,"extra":1}`} {
		instance := decoded(b, []byte(text))
		b.Run(name+"/proviso", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = v.Validate(instance)
			}
		})
		b.Run(name+"/direct", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = by.Validate(instance)
			}
		})
	}
}
