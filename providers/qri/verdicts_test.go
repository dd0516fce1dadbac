package qri_test

import (
	"context"
	"errors"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/qri"
)

// TestVerdicts has an instance for each thing that the engine, left alone, gets
// wrong. Undecided stands for an *UnsupportedError about the instance.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	const valid, invalid, undecided = "valid", "invalid", "undecided"
	for _, c := range []struct{ name, schema, instance, want string }{
		{"names evaluated in one child excuse its sibling", `{"additionalProperties":{"properties":{"b":{"type":"string"},"a":{}},"type":"object"}}`, `{"a":{"b":"x"},"b":1}`, invalid},
		{"names evaluated in one child excuse its sibling, the other way", `{"additionalProperties":{"properties":{"a":{},"b":{}},"type":"object"}}`, `{"a":1,"b":{"a":1}}`, invalid},
		{"names evaluated in a property excuse the parent's", `{"properties":{"a":{"properties":{"x":{}}}},"additionalProperties":false}`, `{"a":{"x":1},"x":1}`, invalid},
		{"names of a pattern excuse a child's", `{"patternProperties":{"^p":{"additionalProperties":false}}}`, `{"p":{"p":1}}`, invalid},
		{"additional members are judged", `{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`, `{"a":1,"b":"x"}`, valid},
		{"the string true is a boolean", `{"type":"boolean"}`, `"true"`, invalid},
		{"the string true is a boolean among others", `{"type":["boolean","null"]}`, `"1"`, invalid},
		{"a boolean is one", `{"type":["boolean","number"]}`, `true`, valid},
		{"null is absent", `{"dependentRequired":{"a":["b"]}}`, `{"a":null}`, invalid},
		{"null is absent where it is wanted", `{"dependentRequired":{"a":["b"]}}`, `{"a":1,"b":null}`, valid},
		{"uniqueItems false enforces", `{"uniqueItems":false}`, `[1,1]`, valid},
		{"an empty enum panics", `{"not":{"enum":[]}}`, `1`, valid},
		{"minContains 0", `{"contains":{"const":1},"minContains":0}`, `[]`, valid},
		{"minContains 0 with maxContains", `{"contains":{"const":1},"minContains":0,"maxContains":1}`, `[1,1]`, invalid},
		{"additionalItems false", `{"items":[{}],"additionalItems":false}`, `[1,2]`, invalid},
		{"additionalItems without a tuple", `{"additionalItems":false}`, `[1,2]`, valid},
		{"an integer of 2^63 is a fraction", `{"type":"integer"}`, `9223372036854775808`, undecided},
		{"an integer of 2^63 is no fraction either", `{"not":{"type":"integer"}}`, `1e19`, undecided},
		{"rounding", `{"const":9007199254740992}`, `9007199254740993`, undecided},
		{"division of a fraction", `{"multipleOf":2}`, `0.5`, undecided},
		{"division of a large integer", `{"multipleOf":3}`, `9007199254740991`, undecided},
		{"division", `{"multipleOf":3}`, `9`, valid},
		{"counts with a point", `{"maxLength":2.0}`, `"abc"`, invalid},
		{"counts beyond all", `{"maxItems":1e300,"minLength":0e5}`, `[1]`, valid},
		{"json.Number is a string", `{"type":"number"}`, `1.50`, valid},
		{"a reference to the root", `{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`, `{"a":{"a":{"b":1}}}`, invalid},
	} {
		provider, err := qri.New(&proviso.EngineOptions{DefaultDialect: proviso.Draft201909})
		if err != nil {
			t.Fatal(err)
		}
		v, err := provider.Validator(context.Background(), proviso.JSON([]byte(c.schema)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for range 10 { // the engine goes by the order of maps
			if got := verdict(proviso.ValidateJSON(v, []byte(c.instance))); got != c.want {
				t.Errorf("%s: %s; want %s", c.name, got, c.want)
				break
			}
		}
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
