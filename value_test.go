package proviso_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
)

type shape struct {
	Type     string   `json:"type"`
	Required []string `json:"required,omitempty"`
	Sub      *shape   `json:"not,omitempty"`
}

type panicking struct{}

func (panicking) MarshalJSON() ([]byte, error) { panic("no") }

type twice struct{}

func (twice) MarshalJSON() ([]byte, error) { return []byte(`{"a":1,"a":2}`), nil }

func cyclicMap() any {
	m := map[string]any{}
	m["not"] = m
	return m
}

func cyclicSlice() any {
	s := make([]any, 1)
	s[0] = map[string]any{"allOf": s}
	return s[0]
}

func cyclicStruct() any {
	s := &shape{Type: "string"}
	s.Sub = s
	return s
}

// bomb names the same map twice at each of many levels.
func bomb() any {
	v := any(map[string]any{})
	for range 60 {
		v = map[string]any{"allOf": []any{v, v}}
	}
	return v
}

func TestValueDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value any
		want  string
	}{
		{true, `true`},
		{map[string]any{"type": "string", "minLength": 2}, `{"minLength":2,"type":"string"}`},
		{map[string]any{"const": []any{1.5, float32(0.25), uint8(3), json.Number("1.0"), nil, 1e21}}, `{"const":[1.5,0.25,3,1.0,null,1e+21]}`},
		{shape{Type: "object", Required: []string{"a"}}, `{"required":["a"],"type":"object"}`},
		{map[string]any{"required": []string{"a"}}, `{"required":["a"]}`},
		{json.RawMessage(`{"b":1,"a":2.50}`), `{"a":2.50,"b":1}`},
	} {
		doc, err := proviso.Value(c.value).Document()
		if err != nil {
			t.Errorf("%v: %v", c.value, err)
			continue
		}
		if got, _ := json.Marshal(doc); string(got) != c.want {
			t.Errorf("%v: %s; want %s", c.value, got, c.want)
		}
	}
}

func TestValueRefused(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]any{
		"cyclic map": cyclicMap(), "cyclic slice": cyclicSlice(), "cyclic struct": cyclicStruct(),
		"channel": map[string]any{"const": make(chan int)}, "function": func() {}, "NaN": map[string]any{"maximum": math.NaN()},
		"json.Number": map[string]any{"maximum": json.Number("1x")}, "UTF-8": map[string]any{"const": "\xff"}, "UTF-8 name": map[string]any{"\xff": 1},
		"panic": panicking{}, "duplicate names": twice{}, "number": 7, "null": nil, "nil map": map[string]any(nil), "string": "{}",
		"too many values": bomb(),
	} {
		_, err := proviso.Value(value).Document()
		if _, ok := errors.AsType[*proviso.SchemaError](err); !ok {
			t.Errorf("%s: %v; want a *SchemaError", name, err)
		}
	}
	var none proviso.Schema
	if _, err := none.Document(); err == nil {
		t.Error("the zero Schema has a document")
	}
	_, err := proviso.Value(map[string]any{"properties": map[string]any{"a/b": map[string]any{"const": math.Inf(1)}}}).Document()
	if e, ok := errors.AsType[*proviso.SchemaError](err); !ok || e.Location != "/properties/a~1b/const" {
		t.Errorf("location: %v", err)
	}
}

func TestSchemaTextRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "7", `"a"`, "null", "[]", "{", `{"a":1}x`, `{"a":1,"a":1}`, "\x00\x01"} {
		_, err := proviso.JSON([]byte(text)).Document()
		if _, ok := errors.AsType[*proviso.SchemaError](err); !ok {
			t.Errorf("%q: %v; want a *SchemaError", text, err)
		}
	}
	_, err := proviso.JSON([]byte(strings.Repeat(`{"not":`, 5000))).Document()
	if _, ok := errors.AsType[*proviso.LimitError](err); !ok {
		t.Errorf("deep text: %v; want a *LimitError", err)
	}
}

func TestDocumentIsPrivate(t *testing.T) {
	t.Parallel()
	inner := map[string]any{"type": "string"}
	value := map[string]any{"properties": map[string]any{"a": inner}, "enum": []any{1}}
	doc, err := proviso.Value(value).Document()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := json.Marshal(doc)
	inner["type"] = "number"
	value["enum"].([]any)[0] = 2
	text := []byte(`{"type":"string"}`)
	fromText, err := proviso.JSON(text).Document()
	if err != nil {
		t.Fatal(err)
	}
	copy(text, `{"type":"number"}`)
	doc.Copy().(map[string]any)["properties"].(map[string]any)["a"] = 1
	if after, _ := json.Marshal(doc); string(after) != string(before) {
		t.Errorf("%s became %s", before, after)
	}
	if after, _ := json.Marshal(fromText); string(after) != `{"type":"string"}` {
		t.Errorf("the text's document became %s", after)
	}
	if same, err := doc.Schema().Document(); err != nil || same != doc {
		t.Error("the document of a document's schema is another")
	}
}

func TestInstance(t *testing.T) {
	tree := map[string]any{"a": []any{nil, true, "x", json.Number("1.0"), 1.5, 7, uint64(1) << 63, int8(-1)}}
	got, err := proviso.Instance(tree)
	if err != nil || reflect.ValueOf(got).Pointer() != reflect.ValueOf(tree).Pointer() {
		t.Errorf("a tree is not handed through: %v, %v", got, err)
	}
	if allocs := testing.AllocsPerRun(100, func() { _, _ = proviso.Instance(tree) }); allocs != 0 {
		t.Errorf("%v allocations for a tree", allocs)
	}
	for _, c := range []struct{ value, want any }{
		{[]string{"a"}, []any{"a"}},
		{map[string]int{"a": 1}, map[string]any{"a": json.Number("1")}},
		{map[string]any{"a": []string{"b"}}, map[string]any{"a": []any{"b"}}},
		{struct{ A int }{3}, map[string]any{"A": json.Number("3")}},
		{[]any(nil), nil},
		{json.RawMessage(`[1.0]`), []any{json.Number("1.0")}},
	} {
		if got, err := proviso.Instance(c.value); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("Instance(%#v) = %#v, %v; want %#v", c.value, got, err, c.want)
		}
	}
	for name, value := range map[string]any{
		"channel": []any{make(chan int)}, "NaN": []any{math.NaN()}, "infinity": float32(math.Inf(-1)), "number": json.Number("0x1"), "no number": json.Number(""),
		"UTF-8": []any{"\xff"}, "cyclic struct": cyclicStruct(),
	} {
		_, err := proviso.Instance(value)
		if _, ok := errors.AsType[*proviso.DecodeError](err); !ok {
			t.Errorf("%s: %v; want a *DecodeError", name, err)
		}
	}
	for name, value := range map[string]any{"cyclic map": cyclicMap(), "too many values": bomb()} {
		_, err := proviso.Instance(value)
		if limit, ok := errors.AsType[*proviso.LimitError](err); !ok || !limit.Instance {
			t.Errorf("%s: %v; want a *LimitError for an instance", name, err)
		}
	}
}
