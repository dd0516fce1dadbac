package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/proviso-go/proviso"
)

// spellings are the ways to write a dialect's $schema.
func spellings(d proviso.Dialect) []string {
	_, rest, _ := strings.Cut(strings.TrimSuffix(d.URI(), "#"), "://")
	return []string{"http://" + rest, "http://" + rest + "#", "https://" + rest, "https://" + rest + "#"}
}

// telling are schemas whose verdict differs between dialects: in those from
// first to last the instance is valid, or not, as is says, and otherwise in the others.
var telling = []struct {
	schema, instance string
	first, last      proviso.Dialect
	is               string
}{
	{`{"const":1}`, `2`, proviso.Draft6, proviso.Draft202012, invalid},
	{`{"contains":{"enum":["x"]}}`, `[]`, proviso.Draft6, proviso.Draft202012, invalid},
	{`{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, proviso.Draft6, proviso.Draft202012, invalid},
	{`{"if":{"type":"string"},"then":{"maxLength":1}}`, `"ab"`, proviso.Draft7, proviso.Draft202012, invalid},
	{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, proviso.Draft201909, proviso.Draft202012, invalid},
	{`{"contains":{"enum":["x"]},"minContains":2}`, `["x"]`, proviso.Draft201909, proviso.Draft202012, invalid},
	{`{"prefixItems":[{"type":"string"}]}`, `[1]`, proviso.Draft202012, proviso.Draft202012, invalid},
	{`{"properties":{"a":{"$ref":"#/@defs/any","type":"string"}},"@defs":{"any":{}}}`, `{"a":1}`, proviso.Draft201909, proviso.Draft202012, invalid},
	{`{"Type":"string","MINIMUM":5,"$Ref":"#/nowhere"}`, `1`, proviso.Draft4, proviso.Draft202012, valid},
	{`{"unknown":{"type":"string"},"minimun":5}`, `1`, proviso.Draft4, proviso.Draft202012, valid},
	{`{"format":"email"}`, `12`, proviso.Draft4, proviso.Draft202012, valid},
	{`{"format":"email"}`, `"no"`, proviso.Draft4, proviso.Draft202012, valid},
	{`{"dependencies":{"a":["b"]}}`, `{"a":1}`, proviso.Draft4, proviso.Draft7, invalid},
}

// alsoElsewhere are the schemas of telling whose verdict outside of the range
// is left to the engine.
const alsoElsewhere = `{"dependencies":{"a":["b"]}}`

// only are schemas that some dialects have and the others reject or read
// otherwise.
var only = []struct {
	schema, instance string
	dialects         []proviso.Dialect
	is               string
}{
	{`{"maximum":5,"exclusiveMaximum":true}`, `5`, []proviso.Dialect{proviso.Draft4}, invalid},
	{`{"exclusiveMaximum":5}`, `5`, []proviso.Dialect{proviso.Draft6, proviso.Draft7, proviso.Draft201909, proviso.Draft202012}, invalid},
	{`{"items":[{"type":"string"}]}`, `[1]`, []proviso.Dialect{proviso.Draft4, proviso.Draft6, proviso.Draft7, proviso.Draft201909}, invalid},
	{`{"items":[{}],"additionalItems":false}`, `[1,2]`, []proviso.Dialect{proviso.Draft4, proviso.Draft6, proviso.Draft7, proviso.Draft201909}, invalid},
}

var dialectCases = []Case{
	{Name: "dialects/spellings", Promise: "every spelling of a claimed dialect's $schema is that dialect", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, uri := range spellings(t.dialect) {
			v, err := p.Validator(context.Background(), proviso.JSON(fmt.Appendf(nil, `{"$schema":%q,"type":"string"}`, uri)))
			if err != nil {
				t.Errorf("%s: %v", uri, err)
				continue
			}
			t.want(v, "x", valid, uri)
			t.want(v, 1, invalid, uri)
			// What distinguishes it from its neighbours must go with every spelling.
			for _, c := range telling {
				text := textFor(t.dialect, c.schema)
				text = strings.Replace(text, fmt.Sprintf("%q", t.dialect.URI()), fmt.Sprintf("%q", uri), 1)
				t.tells(p, text, c.instance, c.is, c.first <= t.dialect && t.dialect <= c.last, c.schema == alsoElsewhere)
			}
		}
	}},
	{Name: "dialects/keywords", Promise: "a schema is judged by the keywords of its own dialect, and by no others", perDialect: true, run: func(t *T) {
		p := t.provider()
		for _, c := range telling {
			t.tells(p, t.text(c.schema), c.instance, c.is, c.first <= t.dialect && t.dialect <= c.last, c.schema == alsoElsewhere)
		}
		for _, c := range only {
			if slices.Contains(c.dialects, t.dialect) {
				t.tells(p, t.text(c.schema), c.instance, c.is, true, false)
			} else if v, err := p.Validator(context.Background(), t.json(c.schema)); err == nil {
				t.Errorf("%s is no schema of this dialect, and gives a validator, which says %s", c.schema, verdict(v, nil))
			}
		}
	}},
	{Name: "dialects/references", Promise: "up to draft-07 nothing beside $ref counts, and from 2019-09 on everything does", perDialect: true, run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"properties":{"a":{"$ref":"#/@defs/s","maxLength":1,"enum":["x"]}},"@defs":{"s":{"type":"string"}}}`))
		want := valid
		if t.dialect >= proviso.Draft201909 {
			want = invalid
		}
		t.want(v, map[string]any{"a": "long"}, want, "what stands beside the reference is broken")
		t.want(v, map[string]any{"a": 1}, invalid, "the reference is broken")
	}},
	{Name: "dialects/not-claimed", Promise: "a dialect that the provider does not implement is an *UnsupportedError", run: func(t *T) {
		p := t.provider()
		for _, d := range proviso.Dialects() {
			if slices.Contains(t.options.Dialects, d) {
				continue
			}
			for _, uri := range spellings(d) {
				t.refusedAs(p, uri, proviso.JSON(fmt.Appendf(nil, `{"$schema":%q,"type":"string"}`, uri)), "an *UnsupportedError", isUnsupported)
			}
		}
		for _, uri := range []string{"http://example.org/unknown", "http://json-schema.org/draft-03/schema#", "http://json-schema.org/schema#", "http://json-schema.org/draft-07/schema#x", ""} {
			if uri == "" {
				continue // as if there were none
			}
			t.refusedAs(p, uri, proviso.JSON(fmt.Appendf(nil, `{"$schema":%q,"type":"string"}`, uri)), "an *UnsupportedError", isUnsupported)
		}
		t.refusedAs(p, "$schema that is a number", proviso.JSON([]byte(`{"$schema":7}`)), "a *SchemaError", isSchemaError)
	}},
	{Name: "dialects/unknown-lists-known", Promise: "the error for an unknown $schema names it and says which dialects are known", run: func(t *T) {
		err := t.refused(t.provider(), "an unknown $schema", proviso.JSON([]byte(`{"$schema":"http://example.org/unknown"}`)))
		e, ok := errors.AsType[*proviso.UnsupportedError](err)
		if !ok {
			t.Fatalf("the error is %T: %v", err, err)
		}
		if !strings.Contains(e.Error(), "http://example.org/unknown") || !strings.Contains(e.Error(), t.dialect.URI()) {
			t.Errorf("%v", e)
		}
	}},
	{Name: "dialects/default", Promise: "a schema without $schema is of 2020-12", run: func(t *T) {
		p := t.provider()
		for what, schema := range map[string]proviso.Schema{
			"a text": proviso.JSON([]byte(`{"prefixItems":[{"type":"string"}]}`)), "a value": proviso.Value(map[string]any{"prefixItems": []any{map[string]any{"type": "string"}}}),
		} {
			v, err := p.Validator(context.Background(), schema)
			if !slices.Contains(t.options.Dialects, proviso.Draft202012) {
				if !isUnsupported(err) {
					t.Errorf("%s: 2020-12 is not claimed, and there is no *UnsupportedError but %v", what, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			t.want(v, []any{1}, invalid, what)
			t.want(v, []any{"x"}, valid, what)
		}
	}},
	{Name: "dialects/booleans", Promise: "true and false are schemas, but not in draft-04", perDialect: true, run: func(t *T) {
		p := t.provider()
		v, err := p.Validator(context.Background(), t.json(`{"properties":{"a":true,"b":false}}`))
		if t.dialect == proviso.Draft4 {
			if err == nil {
				t.Errorf("draft-04 has no boolean schemas, and this one gives a validator that says %s", verdict(v, nil))
			}
			return
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		t.want(v, map[string]any{"a": 1}, valid, "true")
		t.want(v, map[string]any{"b": 1}, invalid, "false")
	}},
}

// tells checks a verdict that depends on the dialect. An engine may refuse the
// schema.
func (t *T) tells(p proviso.Provider, text, instance, is string, in, open bool) {
	if !in {
		if open {
			return
		}
		is = map[string]string{valid: invalid, invalid: valid}[is]
	}
	v, err := p.Validator(context.Background(), proviso.JSON([]byte(text)))
	if isUnsupported(err) {
		return
	}
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	value, err := proviso.Decode([]byte(instance))
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.want(v, value, is, text)
}
