package reference_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/reference"
	"github.com/proviso-go/proviso/internal/refs"
)

// newWalker returns the walker of a schema, which may name a dialect.
func newWalker(t *testing.T, schema string, options *reference.Options) *reference.Walker {
	t.Helper()
	o, err := (*proviso.EngineOptions)(nil).Checked()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := proviso.JSON([]byte(schema)).Document()
	if err != nil {
		t.Fatal(err)
	}
	graph, err := refs.Load(context.Background(), doc, o)
	if err != nil {
		t.Fatal(err)
	}
	w, err := reference.New(graph, options)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func decode(t *testing.T, text string) any {
	t.Helper()
	v, err := proviso.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const (
	draft4  = `"$schema":"http://json-schema.org/draft-04/schema#"`
	draft6  = `"$schema":"http://json-schema.org/draft-06/schema#"`
	draft7  = `"$schema":"http://json-schema.org/draft-07/schema#"`
	draft19 = `"$schema":"https://json-schema.org/draft/2019-09/schema"`
)

// TestUnits lists for each schema and instance all units, in order: instance
// location, keyword location, absolute keyword location (where it is not # and
// the keyword location), keyword and message.
func TestUnits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		schema, instance string
		want             []string
	}{
		"false at the root": {`false`, `1`, []string{` |  | # |  | is not allowed`}},
		"valid":             {`{"type":"integer"}`, `1.0`, nil},

		// Assertions.
		"type":              {`{"type":["string","null"]}`, `1`, []string{` | /type | type | want string or null, have number`}},
		"integer":           {`{"type":"integer"}`, `1.5`, []string{` | /type | type | want integer, have number`}},
		"const":             {`{"const":{"a":["<",1.50]}}`, `2`, []string{` | /const | const | want {"a":["<",1.50]}`}},
		"const null":        {`{"const":null}`, `2`, []string{` | /const | const | want null`}},
		"enum":              {`{"enum":["a",1,[null]]}`, `2`, []string{` | /enum | enum | want one of "a", 1, [null]`}},
		"enum of nothing":   {`{"enum":[]}`, `2`, []string{` | /enum | enum | no value is allowed`}},
		"numbers":           {`{"minimum":2,"exclusiveMinimum":2.0,"multipleOf":0.5}`, `1.25`, []string{` | /exclusiveMinimum | exclusiveMinimum | want more than 2.0`, ` | /minimum | minimum | want at least 2`, ` | /multipleOf | multipleOf | want a multiple of 0.5`}},
		"numbers above":     {`{"maximum":2,"exclusiveMaximum":3}`, `3`, []string{` | /exclusiveMaximum | exclusiveMaximum | want less than 3`, ` | /maximum | maximum | want at most 2`}},
		"draft-04 limits":   {`{` + draft4 + `,"minimum":2,"exclusiveMinimum":true,"maximum":2,"exclusiveMaximum":true}`, `2`, []string{` | /maximum | maximum | want less than 2`, ` | /minimum | minimum | want more than 2`}},
		"strings":           {`{"minLength":3,"pattern":"^x"}`, `"😀😀"`, []string{` | /minLength | minLength | want at least 3 characters, have 2`, ` | /pattern | pattern | want a match of "^x"`}},
		"maxLength":         {`{"maxLength":1.0}`, `"ab"`, []string{` | /maxLength | maxLength | want at most 1.0 characters, have 2`}},
		"items":             {`{"minItems":3,"uniqueItems":true}`, `[{"a":1},{"a":1.0}]`, []string{` | /minItems | minItems | want at least 3 items, have 2`, ` | /uniqueItems | uniqueItems | want no two equal items, have them at 0 and 1`}},
		"properties":        {`{"minProperties":2,"maxProperties":0}`, `{"a":1}`, []string{` | /maxProperties | maxProperties | want at most 0 properties, have 1`, ` | /minProperties | minProperties | want at least 2 properties, have 1`}},
		"required":          {`{"required":["b","a","c"]}`, `{"a":1}`, []string{` | /required | required | missing "b", "c"`}},
		"dependentRequired": {`{"dependentRequired":{"a":["b","c"],"z":["b"]}}`, `{"a":1,"c":1}`, []string{` | /dependentRequired | dependentRequired | missing "b", which "a" requires`}},
		"dependencies":      {`{` + draft7 + `,"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, `{"a":1,"c":1}`, []string{` | /dependencies | dependencies | missing "b", which "a" requires`, ` | /dependencies/c/required | required | missing "d"`}},

		// Applicators that only pass on what they find.
		"nested": {`{"properties":{"a":{"items":{"properties":{"b":{"type":"null"}}}}}}`, `{"a":[{},{"b":1}]}`,
			[]string{`/a/1/b | /properties/a/items/properties/b/type | type | want null, have number`}},
		"escapes": {`{"properties":{"a/b~c%":{"type":"null"}},"patternProperties":{"^é/":{"type":"null"}}}`, `{"a/b~c%":1,"é/":1}`,
			[]string{`/a~1b~0c% | /properties/a~1b~0c%/type | type | want null, have number`, `/é~1 | /patternProperties/^é~1/type | type | want null, have number`}},
		"allOf and conditions": {`{"allOf":[true,{"type":"null"}],"if":{"type":"number"},"then":{"minimum":2},"else":false}`, `1`,
			[]string{` | /allOf/1/type | type | want null, have number`, ` | /then/minimum | minimum | want at least 2`}},
		"else":             {`{"if":{"type":"string"},"then":false,"else":{"minimum":2}}`, `1`, []string{` | /else/minimum | minimum | want at least 2`}},
		"dependentSchemas": {`{"dependentSchemas":{"a":{"required":["b"]},"z":false}}`, `{"a":1}`, []string{` | /dependentSchemas/a/required | required | missing "b"`}},
		"prefixItems":      {`{"prefixItems":[{"type":"null"},true],"items":{"type":"string"}}`, `[1,2,3]`, []string{`/0 | /prefixItems/0/type | type | want null, have number`, `/2 | /items/type | type | want string, have number`}},
		"array items":      {`{` + draft19 + `,"items":[{"type":"null"}],"additionalItems":{"type":"string"}}`, `[1,2]`, []string{`/0 | /items/0/type | type | want null, have number`, `/1 | /additionalItems/type | type | want string, have number`}},
		"no items":         {`{` + draft19 + `,"items":[],"additionalItems":false}`, `[1]`, []string{`/0 | /additionalItems | additionalItems | is not allowed`}},
		"order of elements": {`{"items":{"type":"null"}}`, `[1,null,2,3,4,5,6,7,8,9,10]`, []string{
			`/0 | /items/type | type | want null, have number`, `/2 | /items/type | type | want null, have number`, `/3 | /items/type | type | want null, have number`,
			`/4 | /items/type | type | want null, have number`, `/5 | /items/type | type | want null, have number`, `/6 | /items/type | type | want null, have number`,
			`/7 | /items/type | type | want null, have number`, `/8 | /items/type | type | want null, have number`, `/9 | /items/type | type | want null, have number`,
			`/10 | /items/type | type | want null, have number`}},

		// Applicators that assert.
		"anyOf":             {`{"anyOf":[{"type":"null"},{"minimum":2}]}`, `1`, []string{` | /anyOf | anyOf | want a match with at least one of the 2 subschemas`, ` | /anyOf/0/type | type | want null, have number`, ` | /anyOf/1/minimum | minimum | want at least 2`}},
		"anyOf matches":     {`{"anyOf":[{"type":"null"},true],"type":"null"}`, `1`, []string{` | /type | type | want null, have number`}},
		"oneOf none":        {`{"oneOf":[{"type":"null"},false]}`, `1`, []string{` | /oneOf | oneOf | want a match with exactly one of the 2 subschemas, matches none`, ` | /oneOf/0/type | type | want null, have number`, ` | /oneOf/1 | oneOf | is not allowed`}},
		"oneOf many":        {`{"oneOf":[true,{"type":"null"},{"minimum":0}]}`, `1`, []string{` | /oneOf | oneOf | want a match with exactly one of the 3 subschemas, matches 0, 2`}},
		"not":               {`{"not":{"anyOf":[true,{"type":"null"}]}}`, `1`, []string{` | /not | not | what not describes is not allowed`}},
		"contains":          {`{"contains":{"type":"null"}}`, `[1,2]`, []string{` | /contains | contains | want at least one item that matches`}},
		"minContains":       {`{"contains":{"type":"null"},"minContains":2}`, `[null]`, []string{` | /minContains | minContains | want at least 2 items that match contains, have 1`}},
		"maxContains":       {`{"contains":{"type":"null"},"maxContains":1}`, `[null,null]`, []string{` | /maxContains | maxContains | want at most 1 items that match contains, have 2`}},
		"draft-06 contains": {`{` + draft6 + `,"contains":{"const":1},"minContains":0}`, `[]`, []string{` | /contains | contains | want at least one item that matches`}},
		"propertyNames":     {`{"propertyNames":{"maxLength":1}}`, `{"a":1,"b/c":2}`, []string{`/b~1c | /propertyNames/maxLength | maxLength | want at most 1 characters, have 3`}},
		"no names":          {`{"propertyNames":false}`, `{"a":1}`, []string{`/a | /propertyNames | propertyNames | is not allowed`}},
		"false": {`{"properties":{"properties":false,"not":{"not":true},"x":{"allOf":[false]}},"patternProperties":{"^p":false},"additionalProperties":false,"prefixItems":[false],"items":false}`,
			`{"properties":1,"not":1,"x":1,"extra":1}`, []string{
				`/extra | /additionalProperties | additionalProperties | is not allowed`, `/not | /properties/not/not | not | what not describes is not allowed`,
				`/properties | /patternProperties/^p | patternProperties | is not allowed`, `/properties | /properties/properties | properties | is not allowed`,
				`/x | /properties/x/allOf/0 | allOf | is not allowed`}},
		"false below a property named properties": {`{"properties":{"properties":{"additionalProperties":false},"dependencies":{"items":false}}}`, `{"properties":{"z":1},"dependencies":[1]}`,
			[]string{`/dependencies/0 | /properties/dependencies/items | items | is not allowed`, `/properties/z | /properties/properties/additionalProperties | additionalProperties | is not allowed`}},
		"false items":           {`{"prefixItems":[false],"items":false}`, `[1,2]`, []string{`/0 | /prefixItems/0 | prefixItems | is not allowed`, `/1 | /items | items | is not allowed`}},
		"unevaluatedItems":      {`{"prefixItems":[true],"anyOf":[{"contains":{"type":"null"}}],"unevaluatedItems":false}`, `[1,null,2]`, []string{`/2 | /unevaluatedItems | unevaluatedItems | is not allowed`}},
		"2019-09 contains":      {`{` + draft19 + `,"contains":{"type":"null"},"unevaluatedItems":false}`, `[null]`, []string{`/0 | /unevaluatedItems | unevaluatedItems | is not allowed`}},
		"unevaluatedProperties": {`{"$ref":"#/$defs/a","if":{"properties":{"b":true}},"unevaluatedProperties":{"type":"null"},"$defs":{"a":{"properties":{"a":true}}}}`, `{"a":1,"b":1,"c":1}`, []string{`/c | /unevaluatedProperties/type | type | want null, have number`}},
		"not evaluated by a branch that fails": {`{"anyOf":[{"properties":{"a":{"type":"null"}}},{"properties":{"b":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":1}`,
			[]string{`/a | /unevaluatedProperties | unevaluatedProperties | is not allowed`}},

		// References.
		"$ref": {`{"properties":{"a":{"$ref":"#/$defs/x~1y"}},"$defs":{"x/y":{"$ref":"#n"},"n":{"$anchor":"n","type":"null"}}}`, `{"a":1}`,
			[]string{`/a | /properties/a/$ref/$ref/type | #/$defs/n/type | type | want null, have number`}},
		"$ref to false": {`{"properties":{"a":{"$ref":"#/$defs/no"}},"$defs":{"no":false}}`, `{"a":1}`, []string{`/a | /properties/a/$ref | #/$defs/no | $ref | is not allowed`}},
		"another resource": {`{"$id":"http://x.test/a","items":{"$ref":"b"},"$defs":{"b":{"$id":"b","properties":{"p/q":{"type":"null"}}}}}`, `[{"p/q":1}]`,
			[]string{`/0/p~1q | /items/$ref/properties/p~1q/type | http://x.test/b#/properties/p~1q/type | type | want null, have number`}},
		"draft-07 $ref alone": {`{` + draft7 + `,"items":{"$ref":"#/definitions/a","type":"string"},"definitions":{"a":{"type":"null"}}}`, `[1]`, []string{`/0 | /items/$ref/type | #/definitions/a/type | type | want null, have number`}},
		"recursion":           {`{"type":"array","items":{"$ref":"#"}}`, `[[1]]`, []string{`/0/0 | /items/$ref/items/$ref/type | #/type | type | want array, have number`}},
		"$recursiveRef": {`{` + draft19 + `,"$id":"http://x.test/strict","$recursiveAnchor":true,"$ref":"tree","unevaluatedProperties":false,"$defs":{"t":{"$id":"tree","$recursiveAnchor":true,"properties":{"kid":{"$recursiveRef":"#"}}}}}`,
			`{"kid":{"kit":1}}`, []string{`/kid | /unevaluatedProperties | http://x.test/strict#/unevaluatedProperties | unevaluatedProperties | is not allowed`,
				`/kid/kit | /$ref/properties/kid/$recursiveRef/unevaluatedProperties | http://x.test/strict#/unevaluatedProperties | unevaluatedProperties | is not allowed`}},
		"$dynamicRef": {`{"$id":"http://x.test/list-of-nulls","$ref":"list","$defs":{"element":{"$dynamicAnchor":"e","type":"null"},"list":{"$id":"list","items":{"$dynamicRef":"#e"},"$defs":{"d":{"$dynamicAnchor":"e"}}}}}`,
			`[null,1]`, []string{`/1 | /$ref/items/$dynamicRef/type | http://x.test/list-of-nulls#/$defs/element/type | type | want null, have number`}},

		// Formats annotate, and unknown keywords do nothing.
		"annotations": {`{"format":"date","contentEncoding":"base64","foo":false,"type":"null"}`, `"x"`, []string{` | /type | type | want null, have string`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWalker(t, c.schema, nil)
			instance := decode(t, c.instance)
			result, err := w.Evaluate(instance)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, u := range result.Units {
				absolute := u.AbsoluteKeywordLocation + " | "
				if u.AbsoluteKeywordLocation == "#"+u.KeywordLocation && u.KeywordLocation != "" {
					absolute = ""
				}
				got = append(got, fmt.Sprintf("%s | %s | %s%s | %s", u.InstanceLocation, u.KeywordLocation, absolute, u.Keyword, u.Message))
			}
			if !reflect.DeepEqual(got, c.want) || result.Valid != (c.want == nil) || result.Truncated {
				t.Errorf("valid %v, truncated %v, units:\n%s\nwant:\n%s", result.Valid, result.Truncated, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if valid, err := w.Valid(instance); err != nil || valid != result.Valid {
				t.Errorf("Valid says %v, %v", valid, err)
			}
			if result.Valid {
				return
			}
			// The nesting can be rebuilt from the locations.
			if _, err := proviso.NewOutput(&proviso.ValidationError{Units: result.Units}, proviso.OutputDetailed); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestMessagesAreShort holds that messages show little of large schemas, whole
// characters, and nothing of the instance.
func TestMessagesAreShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1000)
	var values, names []string
	for i := range 50 {
		values = append(values, fmt.Sprintf("%d", i))
		names = append(names, fmt.Sprintf("%q", fmt.Sprintf("n%d", i)))
	}
	for schema, want := range map[string]string{
		`{"const":"a` + long + `"}`:                              `want "a` + long[:98] + `...`,
		`{"pattern":"^a` + long + `$"}`:                          `want a match of "^a` + long[:98] + `"...`,
		`{"enum":[` + strings.Join(values, ",") + `]}`:           `want one of ` + strings.Join(values[:20], ", ") + `, and 30 more`,
		`{"required":[` + strings.Join(names, ",") + `]}`:        `missing ` + strings.Join(names[:20], ", ") + `, and 30 more`,
		`{"propertyNames":{"const":"` + long + `"}}`:             `want "` + long[:98] + `...`,
		`{"exclusiveMaximum":-` + strings.Repeat("9", 200) + `}`: `want less than -` + strings.Repeat("9", 99) + `...`,
	} {
		instance := any("secret")
		if strings.Contains(schema, "required") || strings.Contains(schema, "propertyNames") {
			instance = map[string]any{"secret": "secret"}
		} else if strings.Contains(schema, "Maximum") {
			instance = 1
		}
		result, err := newWalker(t, schema, nil).Evaluate(instance)
		if err != nil || len(result.Units) != 1 {
			t.Errorf("%.40s: %+v, %v", schema, result, err)
			continue
		}
		if got := result.Units[0].Message; got != want {
			t.Errorf("%.40s: %s\nwant %s", schema, got, want)
		}
	}
}

func TestFormatAndContent(t *testing.T) {
	t.Parallel()
	options := &reference.Options{
		AssertFormat: true, AssertContent: true,
		Format: func(format string, value any) (bool, bool, error) {
			return format == "even", len(value.(string))%2 == 0, nil
		},
	}
	for _, c := range []struct{ schema, instance, want string }{
		{`{"format":"even"}`, `"ab"`, ``},
		{`{"format":"even"}`, `"abc"`, `at the root: format: want the format "even"`},
		{`{"format":"odd"}`, `"ab"`, ``},
		{`{"contentEncoding":"base64"}`, `"e30="`, ``},
		{`{"contentEncoding":"base64"}`, `"e30"`, `at the root: contentEncoding: want base64`},
		{`{"contentEncoding":"base64"}`, `1`, ``},
		{`{"contentEncoding":"base32","contentMediaType":"application/json"}`, `"PN6Q===="`, ``},
		{`{"contentMediaType":"application/json"}`, `"{]"`, `at the root: contentMediaType: want JSON`},
		{`{"contentMediaType":"application/json"}`, `"{\"a\":1,\"a\":2}"`, `at the root: contentMediaType: want JSON`},
		{`{"contentMediaType":"text/html"}`, `"{]"`, ``},
		{`{"contentEncoding":"base64","contentMediaType":"application/json","contentSchema":{"required":["a"]}}`, `"e30="`, `at the root: required: missing "a"`},
		{`{"contentSchema":false}`, `"e30="`, ``},
		{`{"items":{"contentMediaType":"application/json"}}`, `["` + nested(1001, "") + `"]`, `limit at /0`},
		{`{` + draft7 + `,"contentMediaType":"application/json","contentSchema":false}`, `"{}"`, ``},
	} {
		result, err := newWalker(t, c.schema, options).Evaluate(decode(t, c.instance))
		got := ""
		switch {
		case err != nil:
			if limit, ok := errors.AsType[*proviso.LimitError](err); ok && limit.Instance {
				got = "limit at " + limit.Location
			}
		case !result.Valid:
			got = (&proviso.ValidationError{Units: result.Units}).Units[0].String()
		}
		if got != c.want {
			t.Errorf("%s, %s: %q, %v; want %q", c.schema, c.instance, got, err, c.want)
		}
		if result, err := newWalker(t, c.schema, nil).Evaluate(decode(t, c.instance)); err != nil || !result.Valid {
			t.Errorf("%s, %s: without assertion: %+v, %v", c.schema, c.instance, result, err)
		}
	}
}
