package tekuri_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/tekuri"
)

const (
	schema7  = `"$schema":"http://json-schema.org/draft-07/schema#"`
	schema19 = `"$schema":"https://json-schema.org/draft/2019-09/schema"`
)

func document(tb testing.TB, text string) *proviso.Document {
	tb.Helper()
	doc, err := proviso.JSON([]byte(text)).Document()
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

func provider(tb testing.TB, o *proviso.EngineOptions) *tekuri.Provider {
	tb.Helper()
	p, err := tekuri.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func compile(tb testing.TB, o *proviso.EngineOptions, schema string) proviso.Validator {
	tb.Helper()
	v, err := provider(tb, o).Validator(context.Background(), proviso.JSON([]byte(schema)))
	if err != nil {
		tb.Fatalf("%s: %v", schema, err)
	}
	return v
}

// verdict is what Validate says, in one word.
func verdict(err error) string {
	var invalid *proviso.ValidationError
	var limit *proviso.LimitError
	var unsupported *proviso.UnsupportedError
	switch {
	case err == nil:
		return "valid"
	case errors.As(err, &invalid):
		return "invalid"
	case errors.As(err, &limit):
		return "limit at " + limit.Location
	case errors.As(err, &unsupported):
		return "unsupported at " + unsupported.Location
	}
	return fmt.Sprintf("%T: %v", err, err)
}

// resources are documents that the cases refer to.
var resources = map[string]string{
	// The user's own takes precedence over the known meta-schema.
	"http://json-schema.org/draft-06/schema": `{"type":"number"}`,
	"http://example.org/number":              `{"type":"number"}`,
	"http://example.org/optional": `{"$id":"http://example.org/optional","$schema":"https://json-schema.org/draft/2020-12/schema",
		"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/core":true,"https://json-schema.org/draft/2020-12/vocab/validation":false}}`,
	"http://example.org/format": `{"$id":"http://example.org/format","$schema":"https://json-schema.org/draft/2020-12/schema",
		"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/core":true,"https://json-schema.org/draft/2020-12/vocab/format-assertion":true}}`,
}

// TestVerdicts has what the official suite does not ask, and what the engine by
// itself gets wrong or fails on.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	base := proviso.EngineOptions{Resources: map[string]*proviso.Document{}}
	for uri, text := range resources {
		base.Resources[uri] = document(t, text)
	}
	with := func(change func(*proviso.EngineOptions)) *proviso.EngineOptions {
		o := base
		o.Resources = maps.Clone(base.Resources)
		change(&o)
		return &o
	}
	asserting := with(func(o *proviso.EngineOptions) { o.Format = proviso.FormatAssert })
	content := with(func(o *proviso.EngineOptions) { o.AssertContent = true })
	linear := with(func(o *proviso.EngineOptions) {
		o.Format, o.Regexp = proviso.FormatAssert, proviso.RegexpLinear
	})
	for _, c := range []struct {
		name             string
		options          *proviso.EngineOptions
		schema, instance string
		want             string
	}{
		{"a count of 2^64", &base, `{"minLength":18446744073709551616}`, `"a"`, "invalid"},
		{"a count of 2^63", &base, `{"maxLength":9223372036854775808}`, `"a"`, "valid"},
		{"const beside $ref in draft-07", &base, `{` + schema7 + `,"allOf":[{"$ref":"#/definitions/a","const":1}],"definitions":{"a":{}}}`, `2`, "valid"},
		{"a broken reference beside $ref in draft-07", &base, `{` + schema7 + `,"allOf":[{"$ref":"#/definitions/a","if":{"$ref":"#/nowhere"}}],"definitions":{"a":{}}}`, `1`, "valid"},
		{"an $id beside $ref in draft-07", &base, `{` + schema7 + `,"allOf":[{"$ref":"#/definitions/a","properties":{"x":{"$id":"http://example.org/number","type":"string"}}},{"$ref":"http://example.org/number"}],"definitions":{"a":{}}}`, `1`, "valid"},
		{"a keyword of a later dialect", &base, `{` + schema7 + `,"contains":{"const":1},"minContains":2}`, `[1]`, "valid"},
		{"a bad pattern that nothing uses", &base, `{"$defs":{"a":{"pattern":"("}}}`, `1`, "valid"},
		{"$recursiveRef under propertyNames", &base, `{` + schema19 + `,"$recursiveAnchor":true,"maxLength":1,"propertyNames":{"$recursiveRef":"#"}}`, `{"a":1}`, "valid"},
		{"$recursiveRef under propertyNames, too long", &base, `{` + schema19 + `,"$recursiveAnchor":true,"maxLength":1,"propertyNames":{"$recursiveRef":"#"}}`, `{"ab":1}`, "invalid"},
		{"$recursiveRef in a resource entered below its root", &base, `{` + schema19 + `,"$ref":"http://e/o#/$defs/x","$defs":{"o":{"$id":"http://e/o","$recursiveAnchor":true,"type":"object","$defs":{"x":{"properties":{"a":{"$recursiveRef":"#"}}}}}}}`, `{"a":1}`, "invalid"},
		{"$recursiveRef beside $ref, not by itself", &base, `{` + schema19 + `,"properties":{"a":{"$ref":"#/$defs/x","$recursiveRef":"#","allOf":[{"minProperties":1}]}},"type":"object","$defs":{"x":{"maxProperties":1}}}`, `{"a":1}`, "invalid"},
		{"$recursiveRef beside $ref, not by $ref", &base, `{` + schema19 + `,"properties":{"a":{"$ref":"#/$defs/x","$recursiveRef":"#","allOf":[{"minProperties":1}]}},"type":"object","$defs":{"x":{"maxProperties":1}}}`, `{"a":{"b":1,"c":2}}`, "invalid"},
		{"$recursiveRef beside $ref, not by allOf", &base, `{` + schema19 + `,"properties":{"a":{"$ref":"#/$defs/x","$recursiveRef":"#","allOf":[{"minProperties":1}]}},"type":"object","$defs":{"x":{"maxProperties":1}}}`, `{"a":{}}`, "invalid"},
		{"$recursiveRef beside $ref, by all", &base, `{` + schema19 + `,"properties":{"a":{"$ref":"#/$defs/x","$recursiveRef":"#","allOf":[{"minProperties":1}]}},"type":"object","$defs":{"x":{"maxProperties":1}}}`, `{"a":{"b":1}}`, "valid"},
		{"$dynamicRef under propertyNames", &base, `{"$ref":"http://e/o","$defs":{"d":{"$dynamicAnchor":"n","maxLength":1},"o":{"$id":"http://e/o","propertyNames":{"$dynamicRef":"#n"},"$defs":{"d":{"$dynamicAnchor":"n"}}}}}`, `{"ab":1}`, "invalid"},
		{"a vocabulary that is optional, and known", &base, `{"$schema":"http://example.org/optional","type":"string"}`, `1`, "invalid"},
		{"a vocabulary that is left out", &base, `{"$schema":"http://example.org/format","type":"string"}`, `1`, "valid"},
		{"a resource instead of a meta-schema", &base, `{"$ref":"http://json-schema.org/draft-06/schema#"}`, `5`, "valid"},
		{"a resource instead of a meta-schema, and not it", &base, `{"$ref":"http://json-schema.org/draft-06/schema#"}`, `{}`, "invalid"},
		{"identifiers that the engine's base would make equal", &base, `{"$id":"x","$ref":"/x","$defs":{"a":{"$id":"/x","type":"string"}}}`, `1`, "invalid"},
		{"an identifier like those of our documents", &base, `{"$ref":"http://json-schema.org/proviso/0","$defs":{"a":{"$id":"http://json-schema.org/proviso/0","type":"string"}}}`, `1`, "invalid"},
		{"a name with a percent sign", &base, `{"$ref":"#/$defs/a%25b","$defs":{"a%b":{"type":"string"}}}`, `1`, "invalid"},
		{"a name that no URI has", &base, `{"$ref":"#/$defs/Page<User>","$defs":{"Page<User>":{"type":"string"}}}`, `1`, "invalid"},
		{"a dialect within another", &base, `{"$ref":"http://e/7","$defs":{"a":{"$id":"http://e/7",` + schema7 + `,"allOf":[{"$ref":"#/definitions/x","type":"string"}],"definitions":{"x":{}}}}}`, `3`, "valid"},

		{"format annotates", &base, `{"format":"ipv4"}`, `"x"`, "valid"},
		{"format annotates in draft-07", &base, `{` + schema7 + `,"format":"ipv4"}`, `"x"`, "valid"},
		{"format annotates in draft-07, also regex", &base, `{` + schema7 + `,"format":"regex"}`, `"("`, "valid"},
		{"format annotates within a meta-schema", &base, `{` + schema7 + `,"$ref":"http://json-schema.org/draft-07/schema#"}`, `{"pattern":"("}`, "valid"},
		{"format asserts", asserting, `{"format":"ipv4"}`, `"x"`, "invalid"},
		{"format asserts in draft-04", asserting, `{"$schema":"http://json-schema.org/draft-04/schema#","format":"ipv4"}`, `"x"`, "invalid"},
		{"format asserts in 2019-09", asserting, `{` + schema19 + `,"format":"ipv4"}`, `"x"`, "invalid"},
		{"a format that is met", asserting, `{"format":"ipv4"}`, `"127.0.0.1"`, "valid"},
		{"a format of strings, and a number", asserting, `{"format":"ipv4"}`, `12`, "valid"},
		{"an unknown format", asserting, `{"format":"unheard-of"}`, `"x"`, "valid"},
		{"a vocabulary by which format asserts", &base, `{"$schema":"http://example.org/format","format":"ipv4"}`, `"x"`, "invalid"},
		{"a vocabulary by which format asserts, elsewhere", &base, `{"allOf":[{"$ref":"http://e/f"},{"format":"ipv6"}],"$defs":{"a":{"$id":"http://e/f","$schema":"http://example.org/format","format":"ipv4"}}}`, `"127.0.0.1"`, "valid"},
		{"the format regex, beyond the linear matcher", linear, `{"format":"regex"}`, `"(?=a)"`, "valid"},
		{"the format regex, not met", linear, `{"format":"regex"}`, `"("`, "invalid"},

		{"content annotates", &base, `{"contentMediaType":"application/json"}`, `"{"`, "valid"},
		{"content asserts", content, `{"contentMediaType":"application/json"}`, `"{"`, "invalid"},
		{"content with duplicate names", content, `{"contentMediaType":"application/json"}`, `"{\"a\":1,\"a\":2}"`, "valid"},
		{"content with duplicate names to judge", content, `{"items":{"contentMediaType":"application/json","contentSchema":{}}}`, `["{}","{\"a\":1,\"a\":2}"]`, "unsupported at /1"},
		{"content that is not UTF-8", content, `{"contentEncoding":"base64","contentMediaType":"application/json"}`, `"Iv8i"`, "invalid"},
		{"content in an encoding that is not known", content, `{"contentEncoding":"base32","contentMediaType":"application/json"}`, `"{"`, "valid"},
		{"encoded content", content, `{"contentEncoding":"base64","contentMediaType":"application/json","contentSchema":{"required":["a"]}}`, `"e30="`, "invalid"},
		{"content has no schema in draft-07", content, `{` + schema7 + `,"contentMediaType":"application/json","contentSchema":false}`, `"{}"`, "valid"},
		{"a huge number in content", content, `{"properties":{"a":{"contentMediaType":"application/json","contentSchema":{"maximum":5}}}}`, `{"a":"1e1000001"}`, "limit at /a"},
		{"an instance that is too deep for a chain", &base, `{"$ref":"#/$defs/a","$defs":{"a":{"items":` + strings.Repeat(`{"allOf":[`, 200) + `{"$ref":"#/$defs/a"}` + strings.Repeat(`]}`, 200) + `}}}`, strings.Repeat("[", 400) + strings.Repeat("]", 400), "limit at "},
		{"content that is too deep for a chain", content, `{"contentMediaType":"application/json","contentSchema":{"$ref":"#/$defs/a"},"$defs":{"a":{"items":` + strings.Repeat(`{"allOf":[`, 200) + `{"$ref":"#/$defs/a"}` + strings.Repeat(`]}`, 200) + `}}}`, `"` + strings.Repeat("[", 400) + strings.Repeat("]", 400) + `"`, "limit at "},
		{"content that is too deep", content, `{"contentMediaType":"application/json","contentSchema":{}}`, `"` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + `"`, "limit at "},

		{"a huge number", &base, `{"properties":{"a":{"maximum":5}}}`, `{"a":[1e1000001]}`, "limit at /a/0"},
		{"a huge number that is not looked at", &base, `{}`, `[0, 1e1000001]`, "limit at /1"},
		{"a tiny number", &base, `{"maximum":5}`, `1e-1000001`, "limit at "},
		{"a large number", &base, `{"maximum":5}`, `1e400`, "invalid"},
		{"decimals", &base, `{"multipleOf":0.01}`, `19.99`, "valid"},
		{"a difference beyond float64", &base, `{"const":9007199254740993}`, `9007199254740992`, "invalid"},
		{"a match that takes too long", &base, `{"properties":{"a":{"items":{"pattern":"^(?=a)(a+)+$"}}}}`, `{"a":["a","` + strings.Repeat("a", 40) + `!"]}`, "limit at /a/1"},
		{"a name that takes too long to match", &base, `{"patternProperties":{"^(?=a)(a+)+$":{}}}`, `{"b":{},"` + strings.Repeat("a", 40) + `!":1}`, "limit at /" + strings.Repeat("a", 40) + "!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := compile(t, c.options, c.schema)
			for range 2 {
				if got := verdict(proviso.ValidateJSON(v, []byte(c.instance))); got != c.want {
					t.Errorf("the verdict is %q; it should be %q", got, c.want)
				}
			}
		})
	}
}
