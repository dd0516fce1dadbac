package conformance

import (
	"fmt"
	"math"
	"strings"

	"github.com/proviso-go/proviso"
)

func notANumber() float64 { return math.NaN() }

var stalenessCases = []Case{
	{Name: "staleness/changed-schema", Promise: "a changed schema gives a validator of its own", perDialect: true, run: func(t *T) {
		p := t.provider()
		before := t.compile(p, t.json(`{"type":"string"}`))
		after := t.compile(p, t.json(`{"type":"number"}`))
		t.want(before, "x", valid, "the first schema")
		t.want(before, 1, invalid, "the first schema")
		t.want(after, "x", invalid, "the changed schema")
		t.want(after, 1, valid, "the changed schema")
	}},
	{Name: "staleness/changed-in-place", Promise: "an object that the caller changed in place is judged by its new content", perDialect: true, run: func(t *T) {
		p := t.provider()
		object := t.tree(`{"type":"string"}`)
		t.want(t.compile(p, proviso.Value(object)), "x", valid, "before the change")
		object["type"] = "number"
		after := t.compile(p, proviso.Value(object))
		t.want(after, "x", invalid, "after the change")
		t.want(after, 1, valid, "after the change")
	}},
	{Name: "staleness/changed-below", Promise: "a change deep within an object that the caller still holds is seen", run: func(t *T) {
		p := t.provider()
		object := t.tree(`{"properties":{"a":{"items":{"enum":["x","y"]}}},"required":["a"]}`)
		first := t.compile(p, proviso.Value(object))
		t.want(first, map[string]any{"a": []any{"x"}}, valid, "before the change")
		inner := object["properties"].(map[string]any)["a"].(map[string]any)["items"].(map[string]any)["enum"].([]any)
		inner[0] = "z"
		object["required"].([]any)[0] = "b"
		second := t.compile(p, proviso.Value(object))
		t.want(second, map[string]any{"a": []any{"x"}, "b": 1}, invalid, "after the change of enum")
		t.want(second, map[string]any{"a": []any{"z"}, "b": 1}, valid, "after the change of enum")
		t.want(second, map[string]any{"a": []any{"z"}}, invalid, "after the change of required")
	}},
	{Name: "staleness/changed-back", Promise: "an object that changed and changed back is judged by what it is each time", run: func(t *T) {
		p := t.provider()
		object := t.tree(`{"type":"string"}`)
		for round := range 3 {
			object["type"] = "string"
			t.want(t.compile(p, proviso.Value(object)), "x", valid, fmt.Sprintf("round %d, string", round))
			object["type"] = "number"
			t.want(t.compile(p, proviso.Value(object)), "x", invalid, fmt.Sprintf("round %d, number", round))
		}
	}},
	{Name: "staleness/no-poison-by-content", Promise: "changing one object poisons nothing for another object of its former or its new content", run: func(t *T) {
		p := t.provider()
		a := t.tree(`{"type":"string"}`)
		t.compile(p, proviso.Value(a))
		a["type"] = "number"
		t.compile(p, proviso.Value(a))
		t.want(t.compile(p, proviso.Value(t.tree(`{"type":"string"}`))), "x", valid, "another object of the former content")
		t.want(t.compile(p, proviso.Value(t.tree(`{"type":"number"}`))), "x", invalid, "another object of the new content")
	}},
	{Name: "staleness/handed-out", Promise: "changing a schema afterwards changes no validator that was handed out", perDialect: true, run: func(t *T) {
		p := t.provider()
		object := t.tree(`{"properties":{"a":{"type":"string"}},"required":["a"],"enum":[{"a":"x"}]}`)
		v := t.compile(p, proviso.Value(object))
		good := map[string]any{"a": "x"}
		t.want(v, good, valid, "before the change")
		object["properties"].(map[string]any)["a"].(map[string]any)["type"] = "number"
		object["required"].([]any)[0] = "b"
		object["enum"].([]any)[0].(map[string]any)["a"] = "other"
		delete(object, "properties")
		object["not"] = map[string]any{}
		t.want(v, good, valid, "after the change")
		t.want(v, map[string]any{"a": "other"}, invalid, "after the change")
	}},
	{Name: "staleness/first-use-after-change", Promise: "a validator that is first used after the caller changed the schema judges by what the schema was", run: func(t *T) {
		p := t.provider()
		object := t.tree(`{"properties":{"a":{"@id":"http://example.org/inner","enum":["x"]}}}`)
		v := t.compile(p, proviso.Value(object))
		object["properties"].(map[string]any)["a"].(map[string]any)["enum"].([]any)[0] = "y"
		delete(object, "properties")
		t.want(v, map[string]any{"a": "x"}, valid, "after the change")
		t.want(v, map[string]any{"a": "y"}, invalid, "after the change")
	}},
	{Name: "staleness/reused-buffer", Promise: "a text buffer may be overwritten as soon as the call has returned", run: func(t *T) {
		p := t.provider()
		buffer := []byte(t.text(`{"enum":["aaa"]}`))
		v := t.compile(p, proviso.JSON(buffer))
		copy(buffer, t.text(`{"enum":["bbb"]}`))
		t.want(v, "aaa", valid, "the validator of the former text")
		t.want(v, "bbb", invalid, "the validator of the former text")
		after := t.compile(p, proviso.JSON(buffer))
		t.want(after, "bbb", valid, "the validator of the new text")
		t.want(after, "aaa", invalid, "the validator of the new text")
	}},
	{Name: "staleness/small-differences", Promise: "contents that differ in one byte, in one number or in the place of a member never share a validator", run: func(t *T) {
		p := t.provider()
		padding := strings.Repeat("x", 100_000)
		for _, c := range []struct {
			a, b     string
			instance any
		}{
			{`{"description":"` + padding + `","type":"string"}`, `{"description":"` + padding + `","type":"number"}`, "x"},
			{`{"maximum":10}`, `{"maximum":11}`, 11},
			{`{"maximum":1e2}`, `{"maximum":1e3}`, 500},
			{`{"enum":["a"]}`, `{"enum":["b"]}`, "b"},
			{`{"enum":[1]}`, `{"enum":["1"]}`, "1"},
			{`{"enum":[{"a":1,"b":2}]}`, `{"enum":[{"a":2,"b":1}]}`, map[string]any{"a": 2, "b": 1}},
			{`{"enum":[[1,2]]}`, `{"enum":[[2,1]]}`, []any{2, 1}},
			{`{"properties":{"a":{"type":"string"}}}`, `{"properties":{"b":{"type":"string"}}}`, map[string]any{"a": 1}},
			{`{"items":{"required":["a"]}}`, `{"required":["a"],"items":{}}`, []any{map[string]any{}}},
			{`{"minLength":2}`, `{"maxLength":2}`, "abc"},
		} {
			for _, swap := range []bool{false, true} {
				a, b := c.a, c.b
				if swap {
					a, b = b, a
				}
				first, second := verdict(t.compile(p, t.json(a)), c.instance), verdict(t.compile(p, t.json(b)), c.instance)
				if first == second {
					t.Errorf("%.60s and %.60s give the verdict %s on %v", a, b, first, c.instance)
				}
			}
		}
	}},
}
