package conformance

import (
	"context"
	"fmt"
	"runtime"

	"github.com/proviso-go/proviso"
)

// report is the kind of schema that tools carry: an object without identifier.
func report(n int) string {
	return fmt.Sprintf(`{"title":"tool %d","type":"object","properties":{"temperature":{"type":"number"},"conditions":{"type":"string"}},"required":["temperature"]}`, n)
}

var cachingCases = []Case{
	{Name: "caching/same-text", Promise: "a text that was asked for before gives the same validator", run: func(t *T) {
		p := t.provider()
		first := t.compile(p, t.json(report(0)))
		for range 3 {
			if !same(first, t.compile(p, t.json(report(0)))) {
				t.Fatalf("the same text gave another validator")
			}
		}
	}},
	{Name: "caching/other-spelling", Promise: "texts of equal content give the same validator, whatever their white space, order of members and escapes", run: func(t *T) {
		p := t.provider()
		uri := t.dialect.URI()
		first := t.compile(p, proviso.JSON(fmt.Appendf(nil, `{"$schema":%q,"type":"object","required":["é"]}`, uri)))
		for _, spelling := range []string{
			"\n { \"$schema\" : %q ,\t\"type\":\"object\", \"required\" : [ \"é\" ] } \r\n",
			`{"required":["é"],"type":"object","$schema":%q}`,
			`{"$schema":%q,"typ\u0065":"object","required":["\u00e9"]}`,
		} {
			if !same(first, t.compile(p, proviso.JSON(fmt.Appendf(nil, spelling, uri)))) {
				t.Errorf("%s gave another validator", fmt.Sprintf(spelling, uri))
			}
		}
	}},
	{Name: "caching/decoded-values", Promise: "different objects of equal content give the same validator", run: func(t *T) {
		p := t.provider()
		first := t.compile(p, proviso.Value(t.tree(report(1))))
		for range 3 {
			if !same(first, t.compile(p, proviso.Value(t.tree(report(1))))) {
				t.Fatalf("an equal object gave another validator")
			}
		}
	}},
	{Name: "caching/text-and-value", Promise: "a text and a decoded value of equal content give the same validator", run: func(t *T) {
		p := t.provider()
		if !same(t.compile(p, t.json(report(2))), t.compile(p, proviso.Value(t.tree(report(2))))) {
			t.Errorf("the text first: the value gave another validator")
		}
		if !same(t.compile(p, proviso.Value(t.tree(report(3)))), t.compile(p, t.json(report(3)))) {
			t.Errorf("the value first: the text gave another validator")
		}
	}},
	{Name: "caching/go-struct", Promise: "a Go struct gives the same validator as the JSON that it marshals to", run: func(t *T) {
		p := t.provider()
		type schema struct {
			Schema   string   `json:"$schema"`
			Type     string   `json:"type"`
			Required []string `json:"required"`
		}
		s := schema{t.dialect.URI(), "object", []string{"a"}}
		first := t.compile(p, proviso.Value(s))
		if !same(first, t.compile(p, proviso.Value(&s))) || !same(first, t.compile(p, t.json(`{"type":"object","required":["a"]}`))) {
			t.Errorf("equal content gave another validator")
		}
	}},
	{Name: "caching/equal-content-under-one-id", Promise: "equal content under one identifier gives the same validator", perDialect: true, run: func(t *T) {
		p := t.provider()
		const schema = `{"@id":"http://example.org/cached","type":"string"}`
		first := t.compile(p, proviso.Value(t.tree(schema)))
		if !same(first, t.compile(p, proviso.Value(t.tree(schema)))) || !same(first, t.compile(p, t.json(schema))) {
			t.Errorf("equal content gave another validator")
		}
	}},
	{Name: "caching/concurrent-requests", Promise: "requests for one content that come together give the same validator", run: func(t *T) {
		p := t.provider()
		for round := range 20 {
			var got [8]proviso.Validator
			t.parallel(len(got), func(i int) { got[i] = t.compile(p, t.json(report(100+round))) })
			for _, v := range got {
				if !same(got[0], v) {
					t.Fatalf("two requests at once gave two validators")
				}
			}
		}
	}},
	{Name: "caching/uncacheable-schemas", Promise: "schemas that have no content disturb nothing that is cached", run: func(t *T) {
		p := t.provider()
		first := t.compile(p, t.json(report(4)))
		for _, v := range hopeless() {
			if _, err := p.Validator(context.Background(), proviso.Value(v)); err == nil {
				t.Errorf("a %T gave a validator", v)
			}
			if _, err := p.Validator(context.Background(), proviso.JSON([]byte(`{"type":`))); err == nil {
				t.Errorf("half a text gave a validator")
			}
		}
		if !same(first, t.compile(p, t.json(report(4)))) {
			t.Errorf("what was cached before is compiled again")
		}
		t.want(first, "x", invalid, "afterwards")
	}},
	{Name: "caching/refreshes", Promise: "a catalogue that is refreshed again and again compiles nothing twice", run: func(t *T) {
		p := t.provider()
		const tools = 50
		var first [tools]proviso.Validator
		for refresh := range 10 {
			for tool := range tools {
				v := t.compile(p, proviso.Value(t.tree(report(tool))))
				if refresh == 0 {
					first[tool] = v
				} else if !same(first[tool], v) {
					t.Fatalf("refresh %d gave another validator for tool %d", refresh, tool)
				}
			}
		}
	}},
	{Name: "caching/held-validators", Promise: "a validator that somebody holds is found again, however many others were asked for since", run: func(t *T) {
		p := t.provider()
		held := t.compile(p, t.json(report(5)))
		for n := range 2*t.options.Keeps + 10 {
			t.compile(p, t.json(report(1000+n)))
		}
		if !same(held, t.compile(p, t.json(report(5)))) {
			t.Errorf("it was compiled again")
		}
		runtime.KeepAlive(held)
	}},
}

// hopeless are Go values that stand for no schema.
func hopeless() []any {
	cyclic := map[string]any{}
	cyclic["not"] = cyclic
	type linked struct {
		Not *linked `json:"not"`
	}
	loop := &linked{}
	loop.Not = loop
	slice := []any{nil}
	slice[0] = slice
	return []any{
		cyclic, loop, map[string]any{"allOf": slice}, map[string]any{"const": make(chan int)}, func() {}, nil, 7, "text", []any{},
		map[string]any{"maximum": notANumber()}, map[string]any{"const": "\xff"},
	}
}
