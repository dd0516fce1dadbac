package conformance

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/proviso-go/proviso"
)

// goroutines is how many call at once.
const goroutines = 8

// kinds are schemas that make engines work differently, each with an instance
// that is valid and one that is not.
func (t *T) kinds(n int) []struct {
	schema       string
	right, wrong any
} {
	name := fmt.Sprintf("p%d", n)
	return []struct {
		schema       string
		right, wrong any
	}{
		{fmt.Sprintf(`{"properties":{%q:{"type":"string"}},"required":[%q]}`, name, name), map[string]any{name: "x"}, map[string]any{name: 1}},
		{fmt.Sprintf(`{"@id":"http://example.org/concurrent","properties":{%q:{"$ref":"#/@defs/s"}},"@defs":{"s":{"type":"string"}}}`, name), map[string]any{name: "x"}, map[string]any{name: 1}},
		{fmt.Sprintf(`{"properties":{%q:{"$ref":"#n"}},"@defs":{"s":{"@anchor":"n","type":"string"}}}`, name), map[string]any{name: "x"}, map[string]any{name: 1}},
		{fmt.Sprintf(`{"properties":{%q:{"$ref":"#"}},"additionalProperties":false}`, name), map[string]any{name: map[string]any{name: map[string]any{}}}, map[string]any{name: map[string]any{"x": 1}}},
		{fmt.Sprintf(`{"patternProperties":{"^%s":{"items":{"anyOf":[{"type":"string"},{"minimum":3}]}}}}`, name), map[string]any{name: []any{"x", 4}}, map[string]any{name: []any{1}}},
		{fmt.Sprintf(`{"@id":"http://example.org/c/","properties":{%q:{"@id":"sub/","$ref":"x"}},"@defs":{"a":{"@id":"x","type":"string"},"b":{"@id":"sub/x","type":"string"}}}`, name), map[string]any{name: "x"}, map[string]any{name: 1}},
	}
}

var concurrencyCases = []Case{
	{Name: "concurrency/one-validator", Promise: "any number of goroutines may use one validator, from its first use on", perDialect: true, run: func(t *T) {
		p := t.provider()
		for n := range 5 {
			for _, kind := range t.kinds(n) {
				v := t.compile(p, t.json(kind.schema))
				t.parallel(goroutines, func(i int) {
					for range 20 {
						t.want(v, kind.right, valid, kind.schema)
						t.want(v, kind.wrong, invalid, kind.schema)
					}
				})
			}
		}
	}},
	{Name: "concurrency/many-compilations", Promise: "any number of goroutines may ask one provider for validators and use them", perDialect: true, run: func(t *T) {
		p := t.provider()
		t.parallel(goroutines, func(i int) {
			for n := range 10 {
				for _, kind := range t.kinds(n*goroutines + i) {
					v := t.compile(p, t.json(kind.schema))
					t.want(v, kind.right, valid, kind.schema)
					t.want(v, kind.wrong, invalid, kind.schema)
				}
			}
		})
	}},
	{Name: "concurrency/same-schema", Promise: "goroutines that ask for one schema at once all get validators that judge it", perDialect: true, run: func(t *T) {
		for n := range 5 {
			p := t.provider()
			for _, kind := range t.kinds(n) {
				object := t.tree(kind.schema)
				t.parallel(goroutines, func(i int) {
					s := t.json(kind.schema)
					if i%2 == 1 {
						s = proviso.Value(object)
					}
					v := t.compile(p, s)
					t.want(v, kind.right, valid, kind.schema)
					t.want(v, kind.wrong, invalid, kind.schema)
				})
			}
		}
	}},
	{Name: "concurrency/many-providers", Promise: "providers in use at the same time do not disturb each other", run: func(t *T) {
		t.parallel(goroutines, func(i int) {
			p := t.provider()
			for _, kind := range t.kinds(i) {
				v := t.compile(p, t.json(kind.schema))
				t.want(v, kind.right, valid, kind.schema)
				t.want(v, kind.wrong, invalid, kind.schema)
			}
		})
	}},
	{Name: "concurrency/errors", Promise: "goroutines that use one validator get the errors of their own instances", run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"additionalProperties":{"type":"string"}}`))
		t.parallel(goroutines, func(i int) {
			instance := map[string]any{}
			for k := range i + 1 {
				instance[fmt.Sprintf("g%d-%d", i, k)] = k
			}
			want := slices.Clone(t.units(v, instance))
			if len(want) != i+1 {
				t.Errorf("%d units for %d wrong members", len(want), i+1)
			}
			for range 100 {
				if got := t.units(v, instance); !reflect.DeepEqual(got, want) {
					t.Fatalf("%v; it was %v", got, want)
				}
			}
		})
	}},
	{Name: "concurrency/schema-errors", Promise: "good and bad schemas may be asked for at the same time", run: func(t *T) {
		p := t.provider()
		t.parallel(goroutines, func(i int) {
			for n := range 20 {
				if (i+n)%2 == 0 {
					t.refused(p, "a bad schema", t.json(fmt.Sprintf(`{"type":7,"title":"%d"}`, n)))
					continue
				}
				v := t.compile(p, t.json(fmt.Sprintf(`{"type":"string","title":"%d"}`, n)))
				t.want(v, 1, invalid, "a good schema")
			}
		})
	}},
}
