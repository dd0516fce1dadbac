package tekuri_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/reference"
	"github.com/proviso-go/proviso/internal/refs"
	"github.com/proviso-go/proviso/providers/tekuri"
)

// generator draws schemas whose parts meet: few property names, few values, and
// references that mostly lead somewhere.
type generator struct {
	t       *rapid.T
	dialect proviso.Dialect
}

func (g generator) pick(label string, of ...string) string {
	return rapid.SampledFrom(of).Draw(g.t, label)
}

func (g generator) schemas(depth, most int) []any {
	all := make([]any, rapid.IntRange(1, most).Draw(g.t, "length"))
	for i := range all {
		all[i] = g.schema(depth - 1)
	}
	return all
}

func (g generator) named(depth int, names ...string) map[string]any {
	m := make(map[string]any)
	for range rapid.IntRange(0, 2).Draw(g.t, "members") {
		m[g.pick("name", names...)] = g.schema(depth - 1)
	}
	return m
}

func (g generator) value() any {
	return rapid.SampledFrom([]any{nil, true, json.Number("0"), json.Number("1.0"), json.Number("1"), "a", "ab", []any{}, []any{json.Number("1")}, map[string]any{}}).Draw(g.t, "value")
}

func (g generator) number() any {
	return rapid.SampledFrom([]any{json.Number("0"), json.Number("1"), json.Number("2"), json.Number("1.0"), json.Number("18446744073709551617")}).Draw(g.t, "count")
}

// references lead to definitions of the root, to the two resources among them,
// and below their roots.
func (g generator) reference() string {
	return g.pick("reference", "#", "#/%/a", "#/%/b", "http://e/r", "http://e/s", "http://e/r#/%/a", "http://e/s#/%/a", "#/properties/a", "http://e/s#/items")
}

func (g generator) schema(depth int) any {
	if depth <= 0 || rapid.IntRange(0, 9).Draw(g.t, "bool") == 0 {
		if g.dialect > proviso.Draft4 && rapid.Bool().Draw(g.t, "isBool") {
			return rapid.IntRange(0, 3).Draw(g.t, "true") > 0
		}
		return map[string]any{}
	}
	s := make(map[string]any)
	for range rapid.IntRange(1, 3).Draw(g.t, "keywords") {
		g.keyword(s, depth)
	}
	return s
}

var since = map[string]proviso.Dialect{
	"const": proviso.Draft6, "contains": proviso.Draft6, "propertyNames": proviso.Draft6, "if": proviso.Draft7,
	"dependentSchemas": proviso.Draft201909, "dependentRequired": proviso.Draft201909, "unevaluatedProperties": proviso.Draft201909,
	"unevaluatedItems": proviso.Draft201909, "minContains": proviso.Draft201909, "$recursiveRef": proviso.Draft201909, "$dynamicRef": proviso.Draft202012, "prefixItems": proviso.Draft202012,
}

func (g generator) keyword(s map[string]any, depth int) {
	keyword := g.pick("keyword", "type", "enum", "const", "minimum", "multipleOf", "minLength", "pattern", "required", "maxProperties", "minItems", "uniqueItems",
		"properties", "properties", "patternProperties", "additionalProperties", "propertyNames", "items", "items", "prefixItems", "additionalItems", "contains", "minContains",
		"allOf", "anyOf", "oneOf", "not", "if", "dependencies", "dependentSchemas", "dependentRequired", "unevaluatedProperties", "unevaluatedItems",
		"$ref", "$ref", "$ref", "$recursiveRef", "$dynamicRef", "format")
	if g.dialect < since[keyword] {
		return
	}
	switch keyword {
	case "type":
		s[keyword] = g.pick("type", "null", "boolean", "integer", "number", "string", "array", "object")
	case "enum":
		s[keyword] = []any{g.value()}
	case "const":
		s[keyword] = g.value()
	case "minimum":
		s[keyword] = g.number()
	case "multipleOf":
		s[keyword] = json.Number("0.5")
	case "minLength", "maxProperties", "minItems", "minContains":
		s[keyword] = g.number()
	case "pattern":
		s[keyword] = g.pick("pattern", "a", "^b", "^.$")
	case "required":
		s[keyword] = []any{g.pick("name", "a", "b")}
	case "uniqueItems":
		s[keyword] = true
	case "format":
		s[keyword] = g.pick("format", "ipv4", "regex")
	case "properties":
		s[keyword] = g.named(depth, "a", "b", "ab")
	case "patternProperties":
		s[keyword] = g.named(depth, "a", "^b", "^.$")
	case "dependentSchemas":
		s[keyword] = g.named(depth, "a", "b")
	case "dependencies":
		m := g.named(depth, "a", "b")
		m["ab"] = []any{"a"}
		s[keyword] = m
	case "dependentRequired":
		s[keyword] = map[string]any{"a": []any{"b"}}
	case "prefixItems", "allOf", "anyOf", "oneOf":
		s[keyword] = g.schemas(depth, 2)
	case "items":
		if g.dialect < proviso.Draft202012 && rapid.Bool().Draw(g.t, "tuple") {
			s[keyword] = g.schemas(depth, 2)
			return
		}
		s[keyword] = g.schema(depth - 1)
	case "if":
		s["if"], s["then"], s["else"] = g.schema(depth-1), g.schema(depth-1), g.schema(depth-1)
	case "$ref":
		s[keyword] = g.reference()
	case "$recursiveRef":
		if g.dialect == proviso.Draft201909 {
			s[keyword] = "#"
		}
	case "$dynamicRef":
		s[keyword] = g.pick("dynamic", "#n", "http://e/r#n", "http://e/s#n", "#/%/a")
	default:
		s[keyword] = g.schema(depth - 1)
	}
}

// root puts definitions and resources around a schema.
func (g generator) root() map[string]any {
	definitions, id := "$defs", "$id"
	if g.dialect < proviso.Draft201909 {
		definitions = "definitions"
	}
	if g.dialect == proviso.Draft4 {
		id = "id"
	}
	object := func(depth int) map[string]any {
		s, ok := g.schema(depth).(map[string]any)
		if !ok {
			s = map[string]any{}
		}
		if g.dialect < proviso.Draft201909 && s["$ref"] != nil {
			s = map[string]any{"allOf": []any{s}}
		}
		if g.dialect == proviso.Draft201909 && rapid.Bool().Draw(g.t, "recursive") {
			s["$recursiveAnchor"] = true
		}
		a := g.schema(depth)
		if o, ok := a.(map[string]any); ok && g.dialect == proviso.Draft202012 && rapid.IntRange(0, 2).Draw(g.t, "dynamic") > 0 {
			o["$dynamicAnchor"] = "n"
		}
		s[definitions] = map[string]any{"a": a, "b": g.schema(depth)}
		return s
	}
	root := object(3)
	root["$schema"] = g.dialect.URI()
	all := root[definitions].(map[string]any)
	for name, uri := range map[string]string{"r": "http://e/r", "s": "http://e/s"} {
		resource := object(2)
		resource[id] = uri
		all[name] = resource
	}
	return rename(root, definitions).(map[string]any)
}

// rename gives the definitions in references the name that they have here.
func rename(v any, definitions string) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if s, ok := v[name].(string); ok && (name == "$ref" || name == "$dynamicRef") {
				v[name] = fmt.Sprint(replaceName(s, definitions))
				continue
			}
			v[name] = rename(v[name], definitions)
		}
	case []any:
		for i := range v {
			v[i] = rename(v[i], definitions)
		}
	}
	return v
}

func replaceName(reference, definitions string) string {
	for i := range len(reference) {
		if reference[i] == '%' {
			return reference[:i] + definitions + reference[i+1:]
		}
	}
	return reference
}

func drawInstance(t *rapid.T, depth int) any {
	switch kind := rapid.IntRange(0, 7).Draw(t, "kind"); {
	case kind >= 5 && depth > 0:
		object := make(map[string]any)
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			object[rapid.SampledFrom([]string{"a", "b", "ab", "c"}).Draw(t, "member")] = drawInstance(t, depth-1)
		}
		return object
	case kind >= 3 && depth > 0:
		array := make([]any, rapid.IntRange(0, 3).Draw(t, "items"))
		for i := range array {
			array[i] = drawInstance(t, depth-1)
		}
		return array
	}
	return rapid.SampledFrom([]any{nil, true, false, json.Number("0"), json.Number("1"), json.Number("2.0"), json.Number("0.25"), "", "a", "ab", "ba"}).Draw(t, "leaf")
}

// TestAgreesWithTheWalk compares verdicts on random schemas of every dialect.
// The provider asks the walk itself when the engine says invalid; here it is asked
// when the engine says valid as well.
func TestAgreesWithTheWalk(t *testing.T) {
	t.Parallel()
	options, err := (*proviso.EngineOptions)(nil).Checked()
	if err != nil {
		t.Fatal(err)
	}
	p := provider(t, nil)
	for _, d := range tekuri.Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			var judged, refused, valid int
			rapid.Check(t, func(t *rapid.T) {
				schema := proviso.Value(generator{t, d}.root())
				doc, err := schema.Document()
				if err != nil {
					t.Fatal(err)
				}
				v, err := p.Validator(context.Background(), doc.Schema())
				if _, failed := errors.AsType[*proviso.EngineError](err); failed {
					t.Fatal(err)
				}
				if err != nil {
					refused++ // in-place cycles, and references to nothing
					return
				}
				graph, err := refs.Load(context.Background(), doc, options)
				if err != nil {
					t.Fatal(err)
				}
				walk, err := reference.New(graph, nil)
				if err != nil {
					t.Fatal(err)
				}
				for range 4 {
					instance := drawInstance(t, 3)
					want, err := walk.Valid(instance)
					if _, costly := errors.AsType[*proviso.LimitError](err); costly {
						continue // and the engine has no limit
					}
					if err != nil {
						t.Fatal(err)
					}
					got := verdict(v.Validate(instance))
					if got != map[bool]string{true: "valid", false: "invalid"}[want] {
						text, _ := doc.MarshalJSON()
						data, _ := json.Marshal(instance)
						t.Fatalf("%s\n%s\nthe verdict is %q, and the walk's valid=%v", text, data, got, want)
					}
					judged++
					if want {
						valid++
					}
				}
			})
			t.Logf("%d judged, %d of them valid; %d schemas refused", judged, valid, refused)
		})
	}
}
