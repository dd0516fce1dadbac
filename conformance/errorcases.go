package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/proviso-go/proviso"
)

// typed reports whether an error is one of those that a Provider may return.
func typed(err error) bool {
	_, a := errors.AsType[*proviso.SchemaError](err)
	_, b := errors.AsType[*proviso.UnsupportedError](err)
	_, c := errors.AsType[*proviso.LimitError](err)
	_, d := errors.AsType[*proviso.LoadError](err)
	_, e := errors.AsType[*proviso.EngineError](err)
	return a || b || c || d || e
}

// refusedAs asks for a validator that there must not be, and wants an error
// that one of the checks recognises.
func (t *T) refusedAs(p proviso.Provider, what string, schema proviso.Schema, want string, is ...func(error) bool) {
	err := t.refused(p, what, schema)
	if err == nil {
		return
	}
	for _, check := range is {
		if check(err) {
			return
		}
	}
	t.Errorf("%s: the error is %T (%v); want %s", what, err, err, want)
}

func isSchemaError(err error) bool {
	_, ok := errors.AsType[*proviso.SchemaError](err)
	return ok
}

func isUnsupported(err error) bool {
	_, ok := errors.AsType[*proviso.UnsupportedError](err)
	return ok
}

func isLimit(err error) bool {
	_, ok := errors.AsType[*proviso.LimitError](err)
	return ok
}

func isLoadError(err error) bool {
	_, ok := errors.AsType[*proviso.LoadError](err)
	return ok
}

// secret is a value that no error may show.
const secret = "s3cr3t-v4lue"

var errorCases = []Case{
	{Name: "errors/not-json", Promise: "a text that is not one strict JSON value is a *SchemaError", run: func(t *T) {
		p := t.provider()
		for what, text := range map[string]string{
			"an empty text": "", "white space": " \n", "binary": "\x00\x01\xff\xfe", "an unfinished object": `{"type":"string"`, "trailing data": `{"type":"string"} {}`,
			"a trailing comma": `{"type":"string",}`, "duplicate names": `{"type":"string","type":"number"}`, "duplicate names below": `{"properties":{"a":{},"\u0061":{}}}`,
			"invalid UTF-8": "{\"const\":\"\xff\"}", "a lone surrogate": `{"const":"\ud800"}`, "a comment": "{} // none", "single quotes": `{'type':'string'}`,
			"a byte order mark": "\ufeff{}", "NaN": `{"maximum":NaN}`,
		} {
			t.refusedAs(p, what, proviso.JSON([]byte(text)), "a *SchemaError", isSchemaError)
		}
	}},
	{Name: "errors/not-a-schema", Promise: "JSON that its meta-schema rejects is a *SchemaError", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, text := range []string{"7", `"string"`, "null", "[]", `["type","string"]`} {
			t.refusedAs(p, text, proviso.JSON([]byte(text)), "a *SchemaError", isSchemaError)
		}
		for _, schema := range []string{
			`{"type":7}`, `{"type":"strin"}`, `{"minLength":-1}`, `{"minLength":"1"}`, `{"required":"a"}`, `{"properties":[]}`, `{"properties":{"a":7}}`, `{"allOf":[]}`,
			`{"items":{"type":"strin"}}`, `{"@defs":{"a":{"multipleOf":0}}}`, `{"enum":{}}`, `{"additionalProperties":"x"}`,
		} {
			t.refusedAs(p, schema, t.json(schema), "a *SchemaError", isSchemaError)
		}
	}},
	{Name: "errors/go-values", Promise: "a Go value that is cyclic or has no JSON form is a *SchemaError, and no hang", run: func(t *T) {
		p := t.provider()
		for _, v := range hopeless() {
			t.refusedAs(p, fmt.Sprintf("a hopeless %T", v), proviso.Value(v), "a *SchemaError", isSchemaError)
		}
		t.refusedAs(p, "the zero Schema", proviso.Schema{}, "a *SchemaError", isSchemaError)
	}},
	{Name: "errors/deep-schemas", Promise: "a schema that nests deeper than MaxDepth is refused", run: func(t *T) {
		p := t.provider()
		deep := strings.Repeat(`{"not":`, 20_000) + "{}" + strings.Repeat("}", 20_000)
		t.refusedAs(p, "20,000 levels", t.json(`{"not":`+deep+`}`), "a *LimitError or a *SchemaError", isLimit, isSchemaError)
	}},
	{Name: "errors/broken-references", Promise: "a reference that leads nowhere is a *LoadError when the schema is compiled, not when it is reached", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, schema := range []string{
			`{"$ref":"#/nowhere"}`, `{"properties":{"a":{"$ref":"#/@defs/nowhere"}}}`, `{"items":{"$ref":"#nowhere"}}`, `{"anyOf":[{},{"$ref":"http://example.org/nowhere"}]}`,
			`{"@id":"http://example.org/x","not":{"$ref":"y"}}`, `{"properties":{"a":{"properties":{"b":{"$ref":"#/properties/a/properties/c"}}}}}`,
		} {
			t.refusedAs(p, schema, t.json(schema), "a *LoadError", isLoadError)
		}
	}},
	{Name: "errors/in-place-cycles", Promise: "a reference cycle that consumes nothing of the instance is refused", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, schema := range []string{
			`{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`, `{"anyOf":[{"$ref":"#"}]}`, `{"oneOf":[{"$ref":"#"}]}`, `{"not":{"$ref":"#"}}`, `{"dependencies":{"a":{"$ref":"#"}}}`,
			`{"properties":{"a":{"$ref":"#/@defs/x"}},"@defs":{"x":{"allOf":[{"$ref":"#/@defs/y"}]},"y":{"not":{"$ref":"#/@defs/x"}}}}`,
		} {
			t.refusedAs(p, schema, t.json(schema), "a *LimitError or a *SchemaError", isLimit, isSchemaError)
		}
	}},
	{Name: "errors/bad-patterns", Promise: "a pattern that is no regular expression is a *SchemaError or an *UnsupportedError when the schema is compiled", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, pattern := range []string{"(", "[a", "*", `\`, "a{2,1}"} {
			for _, schema := range []string{`{"pattern":%q}`, `{"properties":{"a":{"pattern":%q}}}`, `{"patternProperties":{%q:{}}}`} {
				text := fmt.Sprintf(schema, pattern)
				t.refusedAs(p, text, t.json(text), "a *SchemaError or an *UnsupportedError", isSchemaError, isUnsupported)
			}
		}
	}},
	{Name: "errors/contexts", Promise: "a context that has ended gives its own error, also for a schema that is known", run: func(t *T) {
		p := t.provider()
		t.compile(p, t.json(report(0)))
		cancelled, cancel := context.WithCancel(context.Background())
		cancel()
		late, cancelLate := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
		defer cancelLate()
		for _, schema := range []proviso.Schema{t.json(report(0)), t.json(report(1)), proviso.Value(t.tree(report(2)))} {
			if v, err := p.Validator(cancelled, schema); !errors.Is(err, context.Canceled) || v != nil {
				t.Errorf("a cancelled context gives %v, %v", v, err)
			}
			if v, err := p.Validator(late, schema); !errors.Is(err, context.DeadlineExceeded) || v != nil {
				t.Errorf("a context beyond its deadline gives %v, %v", v, err)
			}
		}
		for n := range 3 {
			if _, err := p.Validator(context.Background(), t.json(report(n))); err != nil {
				t.Errorf("the error of a context was remembered: %v", err)
			}
		}
	}},
	{Name: "errors/typed", Promise: "every error of Provider.Validator is one of the typed errors, and comes without a validator", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, s := range t.badSchemas() {
			v, err := p.Validator(context.Background(), s)
			if err == nil || !typed(err) {
				t.Errorf("a bad schema gives %T: %v", err, err)
			}
			if v != nil {
				t.Errorf("a bad schema gives a validator beside the error %v", err)
			}
			if _, ok := errors.AsType[*proviso.SchemaError](err); !ok && errors.As(err, new(*proviso.ValidationError)) {
				t.Errorf("a bad schema gives a *ValidationError: %v", err)
			}
		}
	}},
	{Name: "errors/nothing-lost", Promise: "what was compiled before a bad schema works after it", perDialect: true, run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"type":"string"}`))
		for _, s := range t.badSchemas() {
			t.refused(p, "a bad schema", s)
			t.want(v, "x", valid, "the validator from before")
			t.want(v, 1, invalid, "the validator from before")
			t.want(t.compile(p, t.json(`{"type":"string"}`)), 1, invalid, "asked for again")
		}
		t.want(t.compile(p, t.json(`{"type":"number"}`)), 1, valid, "another schema")
	}},
	{Name: "errors/units", Promise: "a *ValidationError has at least one unit, with the instance location, the keyword and a message", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, c := range []struct{ schema, instance, location, keyword, path string }{
			{`{"type":"string"}`, `1`, "", "type", "/type"},
			{`{"required":["a"]}`, `{}`, "", "required", "/required"},
			{`{"properties":{"a":{"minimum":2}}}`, `{"a":1}`, "/a", "minimum", "/properties/a/minimum"},
			{`{"properties":{"a/b":{"items":{"properties":{"c~d":{"maxLength":1}}}}}}`, `{"a/b":[{"c~d":"x"},{"c~d":"xx"}]}`, "/a~1b/1/c~0d", "maxLength", "/properties/a~1b/items/properties/c~0d/maxLength"},
			{`{"items":{"enum":["x"]}}`, `["x","y"]`, "/1", "enum", "/items/enum"},
			{`{"additionalProperties":{"type":"string"}}`, `{"":1}`, "/", "type", "/additionalProperties/type"},
			{`{"properties":{"a":{"$ref":"#/@defs/s"}},"@defs":{"s":{"pattern":"^a"}}}`, `{"a":"b"}`, "/a", "pattern", "/properties/a/$ref/pattern"},
			{`{"allOf":[{},{"maxItems":1}]}`, `[1,2]`, "", "maxItems", "/allOf/1/maxItems"},
			{`{"not":{}}`, `1`, "", "not", "/not"},
			{`{"uniqueItems":true}`, `[1,1]`, "", "uniqueItems", "/uniqueItems"},
		} {
			instance, err := proviso.Decode([]byte(c.instance))
			if err != nil {
				t.Fatalf("%v", err)
			}
			v, err := p.Validator(context.Background(), t.json(c.schema))
			if isUnsupported(err) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", c.schema, err)
			}
			units := t.units(v, instance)
			found := slices.ContainsFunc(units, func(u proviso.Unit) bool {
				// A provider that cannot tell the keyword location leaves it empty.
				return u.InstanceLocation == c.location && u.Keyword == c.keyword && (u.KeywordLocation == c.path || u.KeywordLocation == "") && u.Message != ""
			})
			if !found {
				t.Errorf("%s on %s: %+v; want a unit at %q for %s (%s)", c.schema, c.instance, units, c.location, c.keyword, c.path)
			}
		}
	}},
	{Name: "errors/order", Promise: "the same instance gets the same errors in the same order, sorted by location, from every validator of the schema", perDialect: true, run: func(t *T) {
		p := t.provider()
		schema := `{"additionalProperties":{"type":"string"},"required":["z1","z2"],"maxProperties":1,"properties":{"n":{"allOf":[{"type":"string"},{"minimum":9},{"multipleOf":5}]}}}`
		instance := map[string]any{"n": 3}
		for i := range 30 {
			instance[fmt.Sprintf("m%d", i)] = i
		}
		v := t.compile(p, t.json(schema))
		first := slices.Clone(t.units(v, instance))
		if !reflect.DeepEqual(first, proviso.SortUnits(slices.Clone(first))) {
			t.Errorf("the units are not in the order of SortUnits: %v", first)
		}
		for i := range 40 {
			if i%10 == 9 {
				v = t.compile(t.provider(), t.json(schema))
			}
			if got := t.units(v, instance); !reflect.DeepEqual(got, first) {
				t.Fatalf("run %d: %v; it was %v", i, got, first)
			}
		}
	}},
	{Name: "errors/secrets", Promise: "no error shows a value of the instance", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, schema := range []string{
			`{"type":"number"}`, `{"enum":["x"]}`, `{"maxLength":1}`, `{"pattern":"^x$"}`, `{"not":{"type":"string"}}`, `{"anyOf":[{"enum":["x"]},{"type":"null"}]}`, `{"oneOf":[{"minLength":1},{"minLength":2}]}`,
		} {
			s, err := p.Validator(context.Background(), t.json(fmt.Sprintf(`{"properties":{"a":%s},"items":%s}`, schema, schema)))
			if isUnsupported(err) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", schema, err)
			}
			for _, instance := range []any{map[string]any{"a": secret}, []any{secret, secret}} {
				err := s.Validate(instance)
				if err == nil {
					t.Errorf("%s takes %v", schema, instance)
					continue
				}
				if shown := fmt.Sprintf("%v %+v", err, err); strings.Contains(shown, secret) {
					t.Errorf("%s: %s", schema, shown)
				}
				if e, ok := errors.AsType[*proviso.ValidationError](err); ok && strings.Contains(fmt.Sprintf("%+v", e.Units), secret) {
					t.Errorf("%s: %+v", schema, e.Units)
				}
			}
		}
	}},
	{Name: "errors/unknown-verdicts", Promise: "an instance that has no JSON form is neither valid nor invalid: the error is not a *ValidationError", run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"type":["object","array","string","number"]}`))
		cyclic := map[string]any{}
		cyclic["a"] = []any{cyclic}
		for what, instance := range map[string]any{
			"a channel": make(chan int), "a channel within": map[string]any{"a": make(chan int)}, "a function": func() {}, "NaN": math.NaN(), "infinity": []any{math.Inf(1)},
			"json.Number that is none": json.Number("1x"), "an empty json.Number": []any{json.Number("")}, "invalid UTF-8": "\xff", "a cyclic map": cyclic, "complex": complex(1, 2),
		} {
			if got := verdict(v, instance); got == valid || got == invalid {
				t.Errorf("%s is %s", what, got)
			}
		}
		if err := proviso.ValidateJSON(v, []byte(`{"a":1,"a":2}`)); err == nil || errors.As(err, new(*proviso.ValidationError)) {
			t.Errorf("a text with duplicate names gives %v", err)
		}
	}},
	{Name: "errors/no-panics", Promise: "no instance makes Validate panic, and the next one is judged as ever", perDialect: true, run: func(t *T) {
		p := t.provider()
		schemas := []string{
			`{"type":"object","properties":{"a":{"items":{"minimum":1}}}}`, `{"maximum":5}`, `{"enum":[1]}`, `{"uniqueItems":true}`, `{"multipleOf":2}`, `{"items":{"$ref":"#"}}`, `{"@defs":true}`,
		}
		deep := any("x")
		for range 5000 {
			deep = []any{deep}
		}
		type custom struct{ A []string }
		instances := []any{
			nil, "", map[string]any{}, map[string]any(nil), []any(nil), []string{"a"}, []int{1, 1}, map[string]string{"a": "b"}, map[int]any{1: 2}, custom{}, &custom{}, (*custom)(nil), [2]int{1, 2},
			int8(1), uint64(math.MaxUint64), float32(1.5), math.MaxFloat64, json.Number("1e400"), json.Number("-1e-400"), json.Number("1e1000001"), json.Number("1e1000000000"),
			json.Number("1e99999999999999999999"), []any{json.Number("1e1000001"), json.Number("1e1000001")}, json.RawMessage(`{"a":[1]}`), json.RawMessage(`{`), deep,
			strings.Repeat("x", 100_000), struct{}{}, time.Now(), errors.New("x"), new(any), map[any]any{"a": 1}, make(chan int), func() {},
		}
		for _, schema := range schemas {
			v, err := p.Validator(context.Background(), t.json(schema))
			if err != nil {
				continue // refused, or no schema in this dialect
			}
			before := verdict(v, map[string]any{"a": []any{1}})
			for _, instance := range instances {
				_ = v.Validate(instance)
			}
			if after := verdict(v, map[string]any{"a": []any{1}}); after != before {
				t.Errorf("%s: the verdict was %s and is %s after strange instances", schema, before, after)
			}
		}
	}},
	{Name: "errors/go-numbers", Promise: "an instance is judged by its value, whatever Go types hold it", perDialect: true, run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"properties":{"a":{"type":"integer","minimum":2,"maximum":300},"b":{"items":{"type":"string"}}},"required":["a"]}`))
		for _, two := range []any{2, int8(2), int16(2), int32(2), int64(2), uint(2), uint8(2), uint16(2), uint32(2), uint64(2), 2.0, float32(2), json.Number("2")} {
			t.want(v, map[string]any{"a": two}, valid, fmt.Sprintf("%T", two))
		}
		for _, wrong := range []any{1, int8(1), uint64(1), 2.5, float32(2.5), json.Number("1"), json.Number("2.5"), 301, "2", true, nil} {
			t.want(v, map[string]any{"a": wrong}, invalid, fmt.Sprintf("%T", wrong))
		}
		t.want(v, map[string]any{"a": 2, "b": []string{"x"}}, valid, "[]string")
		t.want(v, map[string]any{"a": 2, "b": []int{1}}, invalid, "[]int")
		t.want(v, map[string]int{"a": 2}, valid, "map[string]int")
		t.want(v, struct {
			A int `json:"a"`
		}{1}, invalid, "a struct")
	}},
}

// badSchemas are some that give each kind of error.
func (t *T) badSchemas() []proviso.Schema {
	schemas := []proviso.Schema{
		proviso.JSON(nil), proviso.JSON([]byte(`{"type":"string"}x`)), proviso.JSON([]byte(`{"a":1,"a":2}`)), proviso.JSON([]byte("7")),
		proviso.JSON([]byte(`{"$schema":"http://example.org/unknown"}`)), proviso.JSON([]byte(`{"$schema":7}`)),
		t.json(`{"type":"strin"}`), t.json(`{"$ref":"#/nowhere"}`), t.json(`{"pattern":"("}`), t.json(`{"not":{"$ref":"#"}}`),
	}
	for _, v := range hopeless() {
		schemas = append(schemas, proviso.Value(v))
	}
	return schemas
}
