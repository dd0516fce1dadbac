package refs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/metaschema"
	"github.com/proviso-go/proviso/internal/refs"
)

func parse(t *testing.T, text string) *proviso.Document {
	t.Helper()
	doc, err := proviso.JSON([]byte(text)).Document()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func options(t *testing.T, o proviso.EngineOptions) *proviso.EngineOptions {
	t.Helper()
	checked, err := o.Checked()
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

func load(t *testing.T, text string, o proviso.EngineOptions) (*refs.Graph, error) {
	t.Helper()
	return refs.Load(context.Background(), parse(t, text), options(t, o))
}

// TestTargets follows the one reference at /properties/r of each schema.
func TestTargets(t *testing.T) {
	t.Parallel()
	const d4, d6, d7 = `"$schema":"http://json-schema.org/draft-04/schema#",`, `"$schema":"http://json-schema.org/draft-06/schema#",`, `"$schema":"http://json-schema.org/draft-07/schema#",`
	for _, c := range []struct{ name, schema, want string }{
		{"root", `{"properties":{"r":{"$ref":"#"}}}`, "#"},
		{"pointer", `{"properties":{"r":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{}}}`, "#/$defs/a~1b"},
		{"percent-encoded pointer", `{"properties":{"r":{"$ref":"#/$defs/a%25b%22"}},"$defs":{"a%b\"":{}}}`, `#/$defs/a%b"`},
		{"anchor", `{"properties":{"r":{"$ref":"#n"}},"$defs":{"x":{"$anchor":"n"}}}`, "#/$defs/x"},
		{"dynamic anchor as anchor", `{"properties":{"r":{"$ref":"#n"}},"$defs":{"x":{"$dynamicAnchor":"n"}}}`, "#/$defs/x"},
		{"anchor by $id", `{` + d7 + `"properties":{"r":{"$ref":"#n"}},"definitions":{"x":{"$id":"#n"}}}`, "#/definitions/x"},
		{"anchor by id", `{` + d4 + `"properties":{"r":{"$ref":"#n"}},"definitions":{"x":{"id":"#n"}}}`, "#/definitions/x"},
		{"id is none in draft-06", `{` + d6 + `"id":"http://x/y","properties":{"r":{"$ref":"#/definitions/x"}},"definitions":{"x":{}}}`, "#/definitions/x"},
		{"own URI", `{"$id":"http://x/a/b","properties":{"r":{"$ref":"b#/$defs/x"}},"$defs":{"x":{}}}`, "http://x/a/b#/$defs/x"},
		{"nested $id", `{"$id":"http://x/a/b","properties":{"r":{"$ref":"c"}},"$defs":{"x":{"$id":"c","properties":{}}}}`, "http://x/a/c#"},
		{"pointer within nested $id", `{"$id":"http://x/a/b","properties":{"r":{"$ref":"c#/properties/y"}},"$defs":{"x":{"$id":"c","properties":{"y":{}}}}}`, "http://x/a/c#/properties/y"},
		{"base of nested $id", `{"$id":"http://x/","properties":{"r":{"$id":"sub/","$ref":"c"}},"$defs":{"x":{"$id":"sub/c"}}}`, "http://x/sub/c#"},
		{"$id beside $ref ignored in draft-07", `{` + d7 + `"$id":"http://x/","properties":{"r":{"$id":"sub/","$ref":"c"}},"definitions":{"x":{"$id":"c"}}}`, "http://x/c#"},
		{"relative identifiers", `{"$id":"a","properties":{"r":{"$ref":"b"}},"$defs":{"x":{"$id":"b"}}}`, "/b#"},
		{"urn", `{"$id":"urn:uuid:deadbeef","properties":{"r":{"$ref":"#/$defs/x"}},"$defs":{"x":{}}}`, "urn:uuid:deadbeef#/$defs/x"},
		{"unknown keyword", `{"properties":{"r":{"$ref":"#/x/y"}},"x":{"y":{}}}`, "#/x/y"},
		{"identifier in enum is none", `{"$id":"http://x/","properties":{"r":{"$ref":"#n"}},"enum":[{"$anchor":"n"}],"$defs":{"x":{"$anchor":"n"}}}`, "http://x/#/$defs/x"},
		{"meta-schema", `{"properties":{"r":{"$ref":"http://json-schema.org/draft-07/schema"}}}`, "http://json-schema.org/draft-07/schema#"},
		{"resource", `{"properties":{"r":{"$ref":"http://r/one#/$defs/x"}}}`, "http://r/one#/$defs/x"},
		{"resource by its $id", `{"properties":{"r":{"$ref":"http://r/two"}}}`, "http://r/other#"},
		{"relative in resource", `{"properties":{"r":{"$ref":"http://r/one#n"}}}`, "http://r/one#/$defs/x"},
		{"loaded", `{"properties":{"r":{"$ref":"http://loaded/a#/properties/b"}}}`, "http://loaded/a#/properties/b"},
		{"two resources under one name: the schema itself wins", `{"$id":"http://r/one","properties":{"r":{"$ref":"#/$defs/z"}},"$defs":{"z":{}}}`, "http://r/one#/$defs/z"},
	} {
		g, err := load(t, c.schema, proviso.EngineOptions{
			Resources: map[string]*proviso.Document{
				"http://r/one": parse(t, `{"$defs":{"x":{"$anchor":"n"}}}`),
				"http://r/two": parse(t, `{"$id":"http://r/other"}`),
			},
			Loader: proviso.LoaderFunc(func(_ context.Context, uri string) ([]byte, error) {
				return fmt.Appendf(nil, `{"$comment":%q,"properties":{"b":{"$ref":"#"}}}`, uri), nil
			}),
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := g.Root.Named["properties"]["r"].Ref.Absolute(); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
}

func TestBrokenReferences(t *testing.T) {
	t.Parallel()
	failure := errors.New("no route")
	for _, c := range []struct{ name, schema, location, reason string }{
		{"pointer", `{"properties":{"a/b":{"$ref":"#/nope"}}}`, "/properties/a~1b/$ref", `nothing at "/nope"`},
		{"anchor", `{"items":{"$ref":"#nope"}}`, "/items/$ref", `no anchor "nope"`},
		{"not a schema", `{"$ref":"#/title","title":"x"}`, "/$ref", "not a schema"},
		{"bad pointer", `{"$ref":"#/a~2"}`, "/$ref", "nothing at"},
		{"not a URI", `{"$ref":"http://[::1"}`, "/$ref", "not a URI reference"},
		{"relative", `{"$ref":"other.json"}`, "/$ref", "relative"},
		{"loader fails", `{"$ref":"http://down/x"}`, "/$ref", "no route"},
		{"loaded text", `{"$ref":"http://garbage/x"}`, "/$ref", "not a schema"},
		{"$dynamicRef", `{"not":{"$dynamicRef":"#x"}}`, "/not/$dynamicRef", "no anchor"},
	} {
		_, err := load(t, c.schema, proviso.EngineOptions{Loader: proviso.LoaderFunc(func(_ context.Context, uri string) ([]byte, error) {
			if strings.HasPrefix(uri, "http://garbage") {
				return []byte("<html>"), nil
			}
			return nil, failure
		})})
		e, ok := errors.AsType[*proviso.LoadError](err)
		if !ok || e.Location != c.location || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("%s: %v; want a *LoadError at %s saying %q", c.name, err, c.location, c.reason)
		}
		if c.name == "loader fails" && !errors.Is(err, failure) {
			t.Errorf("the Loader's error is lost: %v", err)
		}
	}
	if _, err := load(t, `{"$ref":"file:///etc/passwd"}`, proviso.EngineOptions{}); err == nil {
		t.Error("without a Loader a file was read")
	}
	if _, err := load(t, `{"type":"string","$defs":{"unused":{"$ref":"#/nope"}}}`, proviso.EngineOptions{}); err != nil {
		t.Errorf("a broken reference that nothing reaches: %v", err)
	}
}

func TestCollidingIdentifiers(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"$id":     `{"$defs":{"a":{"$id":"http://x/"},"b":{"$id":"http://x/"}}}`,
		"$anchor": `{"$defs":{"a":{"$anchor":"n"},"b":{"$anchor":"n"}}}`,
		"parse":   `{"$id":"http://[::1"}`,
	} {
		_, err := load(t, schema, proviso.EngineOptions{})
		if _, ok := errors.AsType[*proviso.SchemaError](err); !ok {
			t.Errorf("%s: %v; want a *SchemaError", name, err)
		}
	}
	// One name in two resources is no collision.
	if _, err := load(t, `{"$anchor":"n","$defs":{"a":{"$id":"http://x/","$anchor":"n"}}}`, proviso.EngineOptions{}); err != nil {
		t.Error(err)
	}
}

func TestInPlaceCycles(t *testing.T) {
	t.Parallel()
	ref := `{"$ref":"#"}`
	for _, schema := range []string{
		ref, `{"allOf":[true,` + ref + `]}`, `{"anyOf":[` + ref + `]}`, `{"oneOf":[` + ref + `]}`, `{"not":` + ref + `}`, `{"if":` + ref + `}`,
		`{"if":true,"then":` + ref + `}`, `{"if":true,"else":` + ref + `}`, `{"dependentSchemas":{"a":` + ref + `}}`, `{"dependencies":{"a":` + ref + `}}`,
		`{"$dynamicRef":"#"}`, `{"$dynamicAnchor":"a","$dynamicRef":"#a"}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveRef":"#"}`,
		`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]}},"items":{"$ref":"#/$defs/a"}}`,
		`{"properties":{"a":{"allOf":[{"not":{"$ref":"#/properties/a"}}]}}}`,
	} {
		_, err := load(t, schema, proviso.EngineOptions{})
		if limit, ok := errors.AsType[*proviso.LimitError](err); !ok || limit.Limit != proviso.LimitInPlaceCycle {
			t.Errorf("%s: %v; want a *LimitError", schema, err)
		}
	}
	for _, schema := range []string{
		`{"properties":{"a":` + ref + `}}`, `{"items":` + ref + `,"prefixItems":[` + ref + `]}`, `{"additionalProperties":` + ref + `}`,
		`{"propertyNames":` + ref + `}`, `{"contains":` + ref + `}`, `{"unevaluatedItems":` + ref + `}`, `{"patternProperties":{"a":` + ref + `}}`,
		`{"then":` + ref + `,"else":` + ref + `}`, `{"$defs":{"a":` + ref + `}}`, `{"default":` + ref + `,"const":` + ref + `,"x":` + ref + `}`,
		`{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}],"$defs":{"a":{"items":{"$ref":"#"}}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","allOf":[{"$ref":"#"}],"definitions":{"a":{}}}`,
	} {
		if _, err := load(t, schema, proviso.EngineOptions{}); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
	var long strings.Builder
	long.WriteString(`{"$defs":{`)
	for i := range 20_000 {
		fmt.Fprintf(&long, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
	}
	long.WriteString(`"d20000":{}},"$ref":"#/$defs/d0"}`)
	if g, err := load(t, long.String(), proviso.EngineOptions{}); err != nil || g.Chain != 20_002 {
		t.Errorf("a chain of 20,000 references: %v, %v", g, err)
	}
}

func TestChain(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]int{
		`true`: 1, `{"items":{"items":{}}}`: 1, `{"allOf":[{},{"not":{}}]}`: 3, `{"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"anyOf":[{}]}}}`: 3,
		`{"if":{},"then":{"else":{}}}`: 2, `{"allOf":[{"$ref":"#/$defs/x"},{"$ref":"#/$defs/x"}],"$defs":{"x":{}}}`: 3,
	} {
		if g, err := load(t, schema, proviso.EngineOptions{}); err != nil || g.Chain != want {
			t.Errorf("%s: %v, %v; want %d", schema, g.Chain, err, want)
		}
	}
}

func TestDynamicTargets(t *testing.T) {
	t.Parallel()
	g, err := load(t, `{"$id":"http://x/strict","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,
		"$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node","properties":{"children":{"items":{"$dynamicRef":"#node"}}}}}}`, proviso.EngineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	items := g.Root.Ref.Named["properties"]["children"].One["items"]
	if items.DynamicName != "node" || items.Dynamic != g.Root.Ref {
		t.Errorf("$dynamicRef leads to %v, looking for %q", items.Dynamic, items.DynamicName)
	}
	if to := g.DynamicTargets(items); len(to) != 2 || to[0] != g.Root.Ref || to[1] != g.Root {
		t.Errorf("it may lead to %v", to)
	}
}

func TestMetaSchemasLoad(t *testing.T) {
	t.Parallel()
	for _, d := range proviso.Dialects() {
		g, err := refs.Load(context.Background(), metaschema.Of(d), options(t, proviso.EngineOptions{}))
		if err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		if g.Root.Resource.Dialect != d {
			t.Errorf("%s is taken for %s", d, g.Root.Resource.Dialect)
		}
	}
}

func TestVocabularies(t *testing.T) {
	t.Parallel()
	meta := func(vocabularies string) proviso.EngineOptions {
		return proviso.EngineOptions{Resources: map[string]*proviso.Document{
			"http://x/meta": parse(t, `{"$schema":"https://json-schema.org/draft/2020-12/schema","$vocabulary":{`+vocabularies+`}}`),
		}}
	}
	schema := `{"$schema":"http://x/meta","properties":{"a":{"type":"string"}},"unevaluatedProperties":false}`
	g, err := load(t, schema, meta(`"https://json-schema.org/draft/2020-12/vocab/core":true,"https://json-schema.org/draft/2020-12/vocab/applicator":true`))
	if err != nil {
		t.Fatal(err)
	}
	if g.Root.Named["properties"] == nil || g.Root.One["unevaluatedProperties"] != nil || g.Root.Resource.Vocabularies.Validation {
		t.Error("the vocabularies are not those of the meta-schema")
	}
	_, err = load(t, schema, meta(`"http://x/vocab":true`))
	if _, ok := errors.AsType[*proviso.UnsupportedError](err); !ok {
		t.Errorf("an unknown vocabulary that is required: %v", err)
	}
	if _, err := load(t, schema, meta(`"http://x/vocab":false`)); err != nil {
		t.Errorf("an unknown vocabulary that is optional: %v", err)
	}
}
