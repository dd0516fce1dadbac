package standard_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/reference"
	"github.com/proviso-go/proviso/internal/refs"
)

// drawn draws schemas and instances that meet: few names, few values, and every
// keyword of the dialect that an engine may get wrong.
type drawn struct {
	*rapid.T
	dialect proviso.Dialect
}

func (d drawn) of(values ...any) any { return rapid.SampledFrom(values).Draw(d.T, "value") }

func (d drawn) int(from, to int) int { return rapid.IntRange(from, to).Draw(d.T, "int") }

func (d drawn) name() string { return d.of("a", "b", "c", "").(string) }

func (d drawn) number() any {
	return d.of(
		0, 1, 2, -1, 3, 1.5, 0.1, json.Number("1.0"), json.Number("2e0"), json.Number("-0"), json.Number("1e2"),
		json.Number("9007199254740993"), json.Number("0.30000000000000004"), json.Number("1e400"),
	)
}

func (d drawn) scalar() any {
	return d.of("a", "ab", "é", "", "true", "1", nil, true, false, d.number())
}

func (d drawn) instance(depth int) any {
	if depth == 0 || d.int(0, 2) == 0 {
		return d.scalar()
	}
	if d.int(0, 1) == 0 {
		all := make([]any, d.int(0, 3))
		for i := range all {
			all[i] = d.instance(depth - 1)
		}
		return all
	}
	object := map[string]any{}
	for range d.int(0, 3) {
		object[d.name()] = d.instance(depth - 1)
	}
	return object
}

func (d drawn) list(depth int) []any {
	all := make([]any, d.int(1, 2))
	for i := range all {
		all[i] = d.schema(depth - 1)
	}
	return all
}

func (d drawn) members(depth int, names ...any) map[string]any {
	all := map[string]any{}
	for range d.int(1, 2) {
		all[d.of(names...).(string)] = d.schema(depth - 1)
	}
	return all
}

func (d drawn) schema(depth int) any {
	if d.dialect > proviso.Draft4 && d.int(0, 9) == 0 {
		return d.of(true, false)
	}
	s := map[string]any{}
	for range d.int(1, 3) {
		if depth > 0 && d.int(0, 1) == 0 {
			d.applicator(s, depth)
		} else {
			d.assertion(s)
		}
	}
	return s
}

// choose runs one of several functions.
func (d drawn) choose(of []func()) { of[d.int(0, len(of)-1)]() }

func (d drawn) assertion(s map[string]any) {
	all := []func(){
		func() {
			s["type"] = d.of("string", "number", "integer", "boolean", "null", "array", "object", []any{"boolean", "number"}, []any{"string", "boolean"})
		},
		func() { s["enum"] = []any{d.scalar(), d.instance(1)} },
		func() { s["minimum"] = d.number() },
		func() { s["maximum"] = d.number() },
		func() { s["multipleOf"] = d.of(1, 2, json.Number("2.0"), 0.1, 1.5) },
		func() { s["minLength"] = d.of(0, 1, json.Number("2.0")) },
		func() { s["maxLength"] = d.of(0, 1, json.Number("1e0")) },
		func() { s["pattern"] = d.of("^a", "b$", `^\S*$`, "é", `^.$`) },
		func() { s["minItems"] = d.int(0, 2) },
		func() { s["maxItems"] = d.int(0, 2) },
		func() { s["uniqueItems"] = d.of(true, true, false) },
		func() { s["minProperties"] = d.int(0, 2) },
		func() { s["maxProperties"] = d.int(0, 2) },
		func() { s["required"] = []any{d.name()} },
		func() { s["format"] = d.of("email", "date", "unknown") },
		func() { s["unknown"] = d.scalar() },
		func() { s["default"] = d.scalar() },
		func() { s["$ref"] = d.of("#", "#/definitions/x", "#/definitions/y", "#/definitions/x") },
	}
	if d.dialect == proviso.Draft4 {
		all = append(all, func() { s["maximum"], s["exclusiveMaximum"] = d.number(), d.of(true, false) })
	} else {
		all = append(all,
			func() { s["const"] = d.instance(1) },
			func() { s["exclusiveMinimum"] = d.number() },
			func() { s["exclusiveMaximum"] = d.number() })
	}
	if d.dialect >= proviso.Draft201909 {
		all = append(all, func() { s["dependentRequired"] = map[string]any{d.name(): []any{d.name()}} })
	}
	d.choose(all)
}

func (d drawn) applicator(s map[string]any, depth int) {
	all := []func(){
		func() { s["properties"] = d.members(depth, "a", "b", "") },
		func() { s["patternProperties"] = d.members(depth, "^a", "b", "^[^a]", ".") },
		func() { s["additionalProperties"] = d.schema(depth - 1) },
		func() { s["items"] = d.schema(depth - 1) },
		func() { s["items"], s["additionalItems"] = d.list(depth), d.schema(depth-1) },
		func() { s["allOf"] = d.list(depth) },
		func() { s["anyOf"] = d.list(depth) },
		func() { s["oneOf"] = d.list(depth) },
		func() { s["not"] = d.schema(depth - 1) },
		func() { s["dependencies"] = map[string]any{d.name(): d.schema(depth - 1), "c": []any{d.name()}} },
	}
	if d.dialect > proviso.Draft4 {
		all = append(all,
			func() { s["contains"] = d.schema(depth - 1) },
			func() { s["propertyNames"] = d.schema(depth - 1) })
	}
	if d.dialect >= proviso.Draft7 {
		all = append(all, func() { s["if"], s["then"], s["else"] = d.schema(depth-1), d.schema(depth-1), d.schema(depth-1) })
	}
	if d.dialect >= proviso.Draft201909 {
		all = append(all,
			func() {
				s["contains"], s["minContains"], s["maxContains"] = d.schema(depth-1), d.int(0, 2), d.int(0, 2)
			},
			func() { s["dependentSchemas"] = d.members(depth, "a", "b") },
			func() { s["unevaluatedProperties"] = d.of(true, false) },
			func() { s["unevaluatedItems"] = d.of(true, false) })
	}
	d.choose(all)
}

// TestDifferential compares every engine with the walk over the original
// schema, which shares no code with any of them: verdicts that are given are equal.
func TestDifferential(t *testing.T) {
	t.Parallel()
	for _, e := range engines() {
		for _, dialect := range e.dialects {
			if dialect == proviso.Draft202012 {
				continue // only tekuri implements it, and has a test of its own
			}
			t.Run(e.name+"/"+dialect.String(), func(t *testing.T) {
				t.Parallel()
				counts := map[string]int{}
				rapid.Check(t, func(t *rapid.T) { differ(t, drawn{t, dialect}, e, counts) })
				t.Logf("%v", counts)
				if counts["agreed"] == 0 {
					t.Error("nothing was compared")
				}
			})
		}
	}
}

func differ(t *rapid.T, d drawn, e engine, counts map[string]int) {
	schema := d.schema(3)
	if object, ok := schema.(map[string]any); ok {
		object["definitions"] = map[string]any{"x": d.schema(1), "y": d.schema(2)}
	}
	text, _ := json.Marshal(schema)
	options, err := (&proviso.EngineOptions{DefaultDialect: d.dialect}).Checked()
	if err != nil {
		t.Fatal(err)
	}
	provider, err := e.with(options)
	if err != nil {
		t.Fatal(err)
	}
	v, err := provider.Validator(context.Background(), proviso.JSON(text))
	if err != nil {
		if failed, ok := errors.AsType[*proviso.EngineError](err); ok {
			t.Fatalf("%s: %v\n%s", text, failed, failed.Stack)
		}
		counts["refused"]++
		return
	}
	walk := walker(t, text, options)
	for range 5 {
		instance := d.instance(3)
		want, err := walk.Valid(instance)
		if err != nil {
			t.Fatal(err)
		}
		got := v.Validate(instance)
		_, invalid := errors.AsType[*proviso.ValidationError](got)
		_, failed := errors.AsType[*proviso.EngineError](got)
		about, _ := json.Marshal(instance)
		switch {
		case failed:
			t.Fatalf("%s on %s: %v", text, about, got)
		case got != nil && !invalid:
			counts["undecided"]++
		case (got == nil) != want:
			t.Fatalf("%s on %s: %v; the walk says valid=%v", text, about, got, want)
		default:
			counts["agreed"]++
		}
	}
}

func walker(t *rapid.T, schema []byte, options *proviso.EngineOptions) *reference.Walker {
	doc, err := proviso.JSON(schema).Document()
	if err != nil {
		t.Fatal(err)
	}
	graph, err := refs.Load(context.Background(), doc, options)
	if err != nil {
		t.Fatal(err)
	}
	walk, err := reference.New(graph, &reference.Options{Backtracking: true})
	if err != nil {
		t.Fatal(err)
	}
	return walk
}
