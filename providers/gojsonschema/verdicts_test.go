package gojsonschema_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/gojsonschema"
)

// TestVerdicts has an instance for each thing that the engine, left alone, gets
// wrong. Undecided stands for an *UnsupportedError about the instance.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	const valid, invalid, undecided = "valid", "invalid", "undecided"
	for _, c := range []struct{ name, schema, instance, want string }{
		{"negative zero in const", `{"const":-0.0}`, `0`, valid},
		{"negative zero in enum", `{"enum":[[-0]]}`, `[0.0]`, valid},
		{"negative zero in the instance", `{"const":0}`, `-0`, valid},
		{"negative zero in the instance, below", `{"const":{"a":[0]}}`, `{"a":[-0e5]}`, valid},
		{"negative zero among items", `{"uniqueItems":true}`, `[0,-0]`, invalid},
		{"rounding in const", `{"const":9007199254740992}`, `9007199254740993`, undecided},
		{"rounding among items", `{"uniqueItems":true}`, `[9007199254740993,9007199254740992]`, undecided},
		{"exact where nothing is compared", `{"maximum":9007199254740992}`, `9007199254740993`, invalid},
		{"spelling", `{"enum":[1.0,"a"]}`, `1e0`, valid},
		{"format of a number", `{"format":"email"}`, `12`, valid},
		{"counts with a point", `{"maxLength":2.0}`, `"abc"`, invalid},
		{"a minimum above the maximum", `{"minLength":3,"maxLength":2}`, `"abc"`, invalid},
		{"a minimum above the maximum, of nothing", `{"minItems":3,"maxItems":2,"minProperties":2,"maxProperties":1}`, `"abc"`, valid},
		{"additionalItems without a tuple", `{"additionalItems":false}`, `[1]`, valid},
		{"id is none", `{"properties":{"a":{"id":"http://x/y","properties":{"b":{"$ref":"#/definitions/s"}}}},"definitions":{"s":{"type":"string"}}}`, `{"a":{"b":1}}`, invalid},
		{"siblings of $ref", `{"allOf":[{"$ref":"#/definitions/a","const":1}],"definitions":{"a":{}}}`, `2`, valid},
		{"a reference that is data", `{"const":{"$ref":"#/nowhere"}}`, `{"$ref":"#/nowhere"}`, valid},
		{"a property of that name", `{"properties":{"$ref":{"type":"string"}}}`, `{"$ref":1}`, invalid},
	} {
		provider, err := gojsonschema.New(&proviso.EngineOptions{DefaultDialect: proviso.Draft7})
		if err != nil {
			t.Fatal(err)
		}
		v, err := provider.Validator(context.Background(), proviso.JSON([]byte(c.schema)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := verdict(proviso.ValidateJSON(v, []byte(c.instance))); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
}

// TestInstanceIsCopied has an instance that the engine gets with other numbers.
func TestInstanceIsCopied(t *testing.T) {
	t.Parallel()
	provider, err := gojsonschema.New(&proviso.EngineOptions{DefaultDialect: proviso.Draft7})
	if err != nil {
		t.Fatal(err)
	}
	v, err := provider.Validator(context.Background(), proviso.JSON([]byte(`{"properties":{"a":{"items":{"const":0}},"b":{"type":"integer"}}}`)))
	if err != nil {
		t.Fatal(err)
	}
	instance := func() map[string]any {
		return map[string]any{"a": []any{json.Number("-0"), 0.0, int8(0)}, "b": 2.0, "c": "x"}
	}
	given := instance()
	if err := v.Validate(given); err != nil {
		t.Errorf("%v", err)
	}
	if !reflect.DeepEqual(given, instance()) {
		t.Errorf("the instance has become %v", given)
	}
}

func verdict(err error) string {
	if err == nil {
		return "valid"
	}
	if _, ok := errors.AsType[*proviso.ValidationError](err); ok {
		return "invalid"
	}
	if e, ok := errors.AsType[*proviso.UnsupportedError](err); ok && e.Instance {
		return "undecided"
	}
	return err.Error()
}
