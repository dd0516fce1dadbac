package conformance

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/proviso-go/proviso"
)

// under is a schema with an identifier, and content of its own.
func under(id, content string) string { return fmt.Sprintf(`{"@id":%q,%s`, id, content[1:]) }

// at reports units that are at other instance locations.
func (t *T) at(units []proviso.Unit, want ...string) {
	var got []string
	for _, u := range units {
		got = append(got, u.InstanceLocation)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the errors are at %q; they should be at %q", got, want)
	}
}

var isolationCases = []Case{
	{Name: "isolation/one-id-two-contents", Promise: "different content under one identifier never shares a validator, in either order", perDialect: true, run: func(t *T) {
		const id = "http://example.org/shared"
		for _, order := range [][]string{{"string", "number"}, {"number", "string"}} {
			p := t.provider()
			var validators []proviso.Validator
			for _, name := range order {
				v := t.compile(p, t.json(under(id, fmt.Sprintf(`{"type":%q}`, name))))
				t.want(v, "x", map[bool]string{true: valid, false: invalid}[name == "string"], "just compiled, type "+name)
				validators = append(validators, v)
			}
			for i, name := range order {
				t.want(validators[i], 1, map[bool]string{true: valid, false: invalid}[name == "number"], "after the other, type "+name)
			}
			again := t.compile(p, t.json(under(id, fmt.Sprintf(`{"type":%q}`, order[0]))))
			t.want(again, "x", map[bool]string{true: valid, false: invalid}[order[0] == "string"], "asked for again, type "+order[0])
		}
	}},
	{Name: "isolation/one-nested-id-two-contents", Promise: "an identifier within one schema means nothing in another", perDialect: true, run: func(t *T) {
		p := t.provider()
		schema := func(name string) proviso.Schema {
			return t.json(fmt.Sprintf(`{"properties":{"a":{"$ref":"http://example.org/nested"}},"@defs":{"n":{"@id":"http://example.org/nested","type":%q}}}`, name))
		}
		text, number := t.compile(p, schema("string")), t.compile(p, schema("number"))
		for range 2 {
			t.want(text, map[string]any{"a": "x"}, valid, "the schema with string")
			t.want(number, map[string]any{"a": "x"}, invalid, "the schema with number")
			t.want(text, map[string]any{"a": 1}, invalid, "the schema with string")
			t.want(number, map[string]any{"a": 1}, valid, "the schema with number")
		}
	}},
	{Name: "isolation/one-anchor-two-contents", Promise: "an anchor within one schema means nothing in another", perDialect: true, run: func(t *T) {
		p := t.provider()
		schema := func(name string) proviso.Schema {
			return t.json(fmt.Sprintf(`{"properties":{"a":{"$ref":"#n"}},"@defs":{"n":{"@anchor":"n","type":%q}}}`, name))
		}
		text, number := t.compile(p, schema("string")), t.compile(p, schema("number"))
		t.want(text, map[string]any{"a": "x"}, valid, "the schema with string")
		t.want(number, map[string]any{"a": "x"}, invalid, "the schema with number")
		t.want(text, map[string]any{}, valid, "the schema with string")
		t.want(text, map[string]any{"a": 1}, invalid, "the schema with string")
	}},
	{Name: "isolation/reference-to-another-schema", Promise: "a schema cannot refer to one that was compiled before", perDialect: true, run: func(t *T) {
		p := t.provider()
		t.want(t.compile(p, t.json(under("http://example.org/first", `{"type":"string"}`))), "x", valid, "the first schema")
		t.refused(p, "a reference to the identifier of another schema", t.json(`{"properties":{"a":{"$ref":"http://example.org/first"}}}`))
	}},
	{Name: "isolation/failed-compilation", Promise: "a compilation that fails leaves nothing behind for the next one under the same identifier", perDialect: true, run: func(t *T) {
		p := t.provider()
		const id = "http://example.org/failing"
		for _, bad := range []string{`{"type":7}`, `{"$ref":"#/nowhere"}`, `{"properties":{"a":{"$ref":"http://example.org/nowhere"}}}`, `{"pattern":"("}`} {
			t.refused(p, bad, t.json(under(id, bad)))
			t.want(t.compile(p, t.json(under(id, `{"type":"string"}`))), "x", valid, "after "+bad)
			t.want(t.compile(p, t.json(under(id, `{"type":"string"}`))), 1, invalid, "after "+bad)
		}
	}},
	{Name: "isolation/other-instances", Promise: "the verdict on an instance does not depend on what was validated before", perDialect: true, run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"properties":{"a":{"$ref":"#/@defs/list"},"b":{"$ref":"#/@defs/list"}},"additionalProperties":{"type":"string"},"@defs":{"list":{"items":{"type":"number"},"maxItems":3}}}`))
		instances := []any{
			map[string]any{"a": []any{1, 2}}, map[string]any{"a": []any{1, 2, 3, 4}}, map[string]any{"b": []any{"x"}}, map[string]any{"c": "x"}, map[string]any{"c": 1},
			map[string]any{"a": []any{1}, "b": []any{1}, "c": "x", "d": "y"}, []any{}, "x", nil,
		}
		want := []string{valid, invalid, invalid, valid, invalid, valid, valid, valid, valid}
		for round := range 3 {
			for i := range instances {
				k := (i*4 + round) % len(instances)
				t.want(v, instances[k], want[k], fmt.Sprintf("round %d", round))
			}
		}
	}},
	{Name: "isolation/earlier-errors", Promise: "an error that was returned does not change when other instances are validated", run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{"items":{"minimum":0}}},"required":["a","b"]}`))
		first := t.units(v, map[string]any{"a": 1, "b": 2})
		kept := slices.Clone(first)
		for _, other := range []any{map[string]any{"a": "x", "b": "y"}, map[string]any{}, map[string]any{"a": 1, "b": "x", "c": []any{-1, -2, -3}}} {
			t.units(v, other)
			if !reflect.DeepEqual(first, kept) {
				t.Fatalf("it was %v and has become %v", kept, first)
			}
		}
	}},
	{Name: "isolation/interleaved-errors", Promise: "two callers who got a validator for one content do not overwrite each other's errors", run: func(t *T) {
		p := t.provider()
		const schema = `{"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"required":["a"]}`
		one, other := t.compile(p, t.json(schema)), t.compile(p, proviso.Value(t.tree(schema)))
		var first, second [][]proviso.Unit
		for range 3 {
			first = append(first, t.units(one, map[string]any{"a": 1, "b": 2}))
			second = append(second, t.units(other, map[string]any{"c": 3}))
		}
		for i := range first {
			t.at(first[i], "/a", "/b")
			t.at(second[i], "", "/c")
		}
	}},
	{Name: "isolation/callers-changes", Promise: "a caller who changes an error changes nothing for others", run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"properties":{"a":{"type":"string"},"b":{"type":"number"}}}`))
		instance := map[string]any{"a": 1, "b": "x"}
		want := slices.Clone(t.units(v, instance))
		for range 3 {
			units := t.units(v, instance)
			if !reflect.DeepEqual(units, want) {
				t.Fatalf("the next one gets %v; it was %v", units, want)
			}
			for i := range units {
				units[i].Message, units[i].InstanceLocation = "changed", "/changed"
			}
			clear(units)
		}
		for range 3 {
			err := t.refused(p, "a schema that is none", t.json(`{"type":7,"minLength":-1}`))
			e, ok := errors.AsType[*proviso.SchemaError](err)
			if !ok {
				t.Fatalf("a schema that is none gives %T, not a *SchemaError", err)
			}
			if e.Reason == "changed" {
				t.Fatalf("a change of a *SchemaError shows in the next one")
			}
			e.Reason = "changed"
		}
	}},
	{Name: "isolation/instances-are-read-only", Promise: "Validate does not change the instance", perDialect: true, run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"properties":{"a":{"type":"array","items":{"type":"number"}},"b":{"properties":{"c":{"enum":["x"],"default":"y"}}},"d":{"default":1}},"additionalProperties":false}`))
		for _, text := range []string{`{"a":[3,1,2],"b":{"c":"x"}}`, `{"a":["x",null],"b":{"c":"y"},"e":[]}`, `{"a":[1.0,-0.0,1e2]}`} {
			instance, _ := proviso.Decode([]byte(text))
			before, _ := proviso.Decode([]byte(text))
			_ = v.Validate(instance)
			if !reflect.DeepEqual(instance, before) {
				t.Errorf("%s has become %v", text, instance)
			}
		}
	}},
	{Name: "isolation/schemas-are-read-only", Promise: "compiling and validating do not change the schema", perDialect: true, run: func(t *T) {
		p := t.provider()
		const schema = `{"@id":"http://example.org/read-only","properties":{"a":{"$ref":"#/@defs/a"}},"required":["b","a"],"enum":[{"a":1.0,"b":2}],"@defs":{"a":{"type":["number","string"]}}}`
		object, before := t.tree(schema), t.tree(schema)
		text := []byte(t.text(schema))
		v := t.compile(p, proviso.Value(object))
		_ = t.compile(p, proviso.JSON(text)).Validate(map[string]any{"a": 1, "b": 2})
		_ = v.Validate(map[string]any{"a": 1, "b": 2})
		_ = v.Validate(map[string]any{"a": nil})
		if !reflect.DeepEqual(object, before) {
			t.Errorf("the object has become %v", object)
		}
		if string(text) != t.text(schema) {
			t.Errorf("the text has become %s", text)
		}
	}},
	{Name: "isolation/two-providers", Promise: "two providers share nothing", run: func(t *T) {
		a, b := t.provider(), t.provider()
		const id = "http://example.org/two-providers"
		text, number := t.compile(a, t.json(under(id, `{"type":"string"}`))), t.compile(b, t.json(under(id, `{"type":"number"}`)))
		t.want(text, "x", valid, "the first provider's")
		t.want(number, "x", invalid, "the second provider's")
		if _, err := b.Validator(context.Background(), t.json(`{"$ref":"`+id+`2"}`)); err == nil {
			t.Errorf("a reference to nowhere gave a validator")
		}
		t.compile(a, t.json(under(id+"2", `{"type":"string"}`)))
		if _, err := b.Validator(context.Background(), t.json(`{"$ref":"`+id+`2"}`)); err == nil {
			t.Errorf("what one provider compiled can be referred to in the other")
		}
	}},
}
