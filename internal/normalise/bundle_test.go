package normalise_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

func bundle(t *testing.T, schema string, rewrite func(*normalise.Subschema) error) (string, error) {
	t.Helper()
	options, err := (&proviso.EngineOptions{Resources: map[string]*proviso.Document{"http://r/x": document(t, `{"$defs":{"n":{"$anchor":"n","type":"number"}}}`)}}).Checked()
	if err != nil {
		t.Fatal(err)
	}
	graph, err := normalise.Prepare(context.Background(), "test", proviso.Dialects(), proviso.JSON([]byte(schema)), options)
	if err != nil {
		t.Fatal(err)
	}
	text, err := normalise.Bundle(graph, &normalise.Rules{Engine: "test", Definitions: "$defs", Rewrite: rewrite})
	return string(text), err
}

func document(t *testing.T, text string) *proviso.Document {
	t.Helper()
	doc, err := proviso.JSON([]byte(text)).Document()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func nothing(*normalise.Subschema) error { return nil }

func TestBundle(t *testing.T) {
	t.Parallel()
	const d7 = `"$schema":"http://json-schema.org/draft-07/schema#"`
	for _, c := range []struct{ name, schema, want string }{
		{"plain", `{"type":"string","title":"t","default":1,"x":{},"$comment":"c"}`, `{"type":"string"}`},
		{"boolean", `false`, `false`},
		{"identifiers and anchors", `{"$id":"http://x/","$anchor":"a","items":{"$id":"y","$dynamicAnchor":"b"}}`, `{"items":{}}`},
		{"unused definitions", `{"$defs":{"x":{"type":"string"}},"minimum":1}`, `{"minimum":1}`},
		{"reference", `{"items":{"$ref":"#/$defs/x"},"$defs":{"x":{"type":"string"}}}`, `{"$defs":{"r0":{"type":"string"}},"allOf":[{"items":{"$ref":"#/$defs/r0"}}]}`},
		{"to the root", `{"properties":{"a":{"$ref":"#"}}}`, `{"$defs":{"r0":{"properties":{"a":{"$ref":"#/$defs/r0"}}}},"allOf":[{"$ref":"#/$defs/r0"}]}`},
		{"to another document", `{"not":{"$ref":"http://r/x#n"}}`, `{"$defs":{"r0":{"type":"number"}},"allOf":[{"not":{"$ref":"#/$defs/r0"}}]}`},
		{"a target in its place", `{"properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}`, `{"$defs":{"r0":{"type":"string"}},"allOf":[{"properties":{"a":{"$ref":"#/$defs/r0"},"b":{"$ref":"#/$defs/r0"}}}]}`},
		{"siblings of $ref", `{` + d7 + `,"items":{"$ref":"#/definitions/x","const":1},"definitions":{"x":{}}}`, `{"$defs":{"r0":{}},"allOf":[{"items":{"$ref":"#/$defs/r0"}}]}`},
		{"keywords of another dialect", `{` + d7 + `,"minContains":2,"prefixItems":[{}],"dependentRequired":{}}`, `{}`},
		{"dependencies", `{` + d7 + `,"dependencies":{"a":["b"],"c":{"title":"t"}}}`, `{"dependencies":{"a":["b"],"c":{}}}`},
		{"$dynamicRef with one target", `{"$dynamicAnchor":"n","items":{"$dynamicRef":"#n"}}`, `{"$defs":{"r0":{"items":{"allOf":[{"$ref":"#/$defs/r0"}]}}},"allOf":[{"$ref":"#/$defs/r0"}]}`},
	} {
		if got, err := bundle(t, c.schema, nothing); err != nil || got != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.name, err, got, c.want)
		}
	}
}

func TestBundleRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, schema, keyword, location string }{
		{"another dialect", `{"items":{"$ref":"http://json-schema.org/draft-07/schema#"}}`, "$schema", ""},
		{
			"a dynamic target", `{"$id":"http://x/a","$dynamicAnchor":"n","$ref":"b","$defs":{"b":{"$id":"b","$dynamicAnchor":"n","items":{"$dynamicRef":"#n"}}}}`,
			"$dynamicRef", "/$defs/b/items/$dynamicRef",
		},
		{"a rule", `{"properties":{"a/b":{"const":7}}}`, "const", "/properties/a~1b/const"},
	} {
		_, err := bundle(t, c.schema, func(s *normalise.Subschema) error {
			if _, ok := s.Keywords["const"]; ok {
				return s.Refuse("const", "no %s", "constants")
			}
			return nil
		})
		e, ok := errors.AsType[*proviso.UnsupportedError](err)
		if !ok || e.Engine != "test" || e.Keyword != c.keyword || e.Location != c.location {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	t.Parallel()
	options, err := (*proviso.EngineOptions)(nil).Checked()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ schema, location, reason string }{
		{`{"properties":{"a":{"type":"strin"}}}`, "/properties/a/type", "want one of"},
		{`{"minLength":-1}`, "/minLength", "want at least 0"},
		{`{"$defs":{"unused":{"allOf":[]}}}`, "/$defs/unused/allOf", "want at least 1 items"},
		{`{"items":[{}]}`, "/items", "want object or boolean"},
	} {
		_, err := normalise.Prepare(context.Background(), "test", proviso.Dialects(), proviso.JSON([]byte(c.schema)), options)
		e, ok := errors.AsType[*proviso.SchemaError](err)
		if !ok || e.Location != c.location || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("%s: %v; want a *SchemaError at %s that says %q", c.schema, err, c.location, c.reason)
		}
	}
}
