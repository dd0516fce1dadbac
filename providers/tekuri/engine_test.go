package tekuri

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance/suite"
	"github.com/proviso-go/proviso/internal/corpus"
	"github.com/proviso-go/proviso/internal/refs"
)

func newTestProvider(tb testing.TB) *Provider {
	tb.Helper()
	p, err := New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func compileTest(tb testing.TB, p *Provider, schema string) *validator {
	tb.Helper()
	v, err := p.Validator(context.Background(), proviso.JSON([]byte(schema)))
	if err != nil {
		tb.Fatalf("%s: %v", schema, err)
	}
	return v.(*validator)
}

// TestPanics has a compiled schema that the engine cannot use.
func TestPanics(t *testing.T) {
	t.Parallel()
	v := compileTest(t, newTestProvider(t), `{}`)
	v.schema = nil
	err, ok := errors.AsType[*proviso.EngineError](v.Validate(1))
	if !ok || err.Op != "validate" || len(err.Stack) == 0 {
		t.Errorf("a panic of the engine: %v", err)
	}
}

// TestDisagreement has a compiled schema that is not that of the walk: the
// verdict must not be one of the two.
func TestDisagreement(t *testing.T) {
	t.Parallel()
	p := newTestProvider(t)
	v := compileTest(t, p, `{}`)
	v.schema = compileTest(t, p, `false`).schema
	if err, ok := errors.AsType[*proviso.EngineError](v.Validate(1)); !ok {
		t.Errorf("the engine says invalid and the walk valid: %v", err)
	}
}

// TestNestingIsCutUp has a schema on which the engine by itself takes seconds.
func TestNestingIsCutUp(t *testing.T) {
	t.Parallel()
	const levels = 600
	schema := bytes.Repeat([]byte(`{"items":`), levels)
	schema = append(append(schema, `{"type":"number"}`...), bytes.Repeat([]byte(`}`), levels)...)
	v := compileTest(t, newTestProvider(t), string(schema))
	instance := func(leaf string) []byte {
		return slices.Concat(bytes.Repeat([]byte(`[`), levels), []byte(leaf), bytes.Repeat([]byte(`]`), levels))
	}
	if err := proviso.ValidateJSON(v, instance("1")); err != nil {
		t.Error(err)
	}
	if _, ok := errors.AsType[*proviso.ValidationError](proviso.ValidateJSON(v, instance("null"))); !ok {
		t.Error("the innermost schema is lost")
	}
	deepest := 0
	for at := v.schema; at != nil; at = at.Items2020 {
		if at.Ref != nil {
			at = at.Ref
		}
		deepest = max(deepest, bytes.Count([]byte(at.Location), []byte("/items")))
	}
	if deepest == 0 || deepest > 50 {
		t.Errorf("the engine has a schema %d levels deep", deepest)
	}
}

// dynamicList is the list of the specification's example, of strings and of numbers.
const dynamicList = `"list":{"$id":"http://e/list","items":{"$dynamicRef":"#n"},"$defs":{"n":{"$dynamicAnchor":"n"}}},
	"strings":{"$id":"http://e/strings","$ref":"http://e/list","$defs":{"n":{"$dynamicAnchor":"n","type":"string"}}},
	"numbers":{"$id":"http://e/numbers","$ref":"http://e/list","$defs":{"n":{"$dynamicAnchor":"n","type":"number"}}}`

// TestUnfinishedAnalysis has too few states for the search to come to its end:
// what would be fine is refused, and nothing is left out.
func TestUnfinishedAnalysis(t *testing.T) {
	t.Parallel()
	options, err := (*proviso.EngineOptions)(nil).Checked()
	if err != nil {
		t.Fatal(err)
	}
	for schema, want := range map[string]bool{
		`{"propertyNames":{"$ref":"http://e/numbers"},"$defs":{` + dynamicList + `,"x":{"$ref":"http://e/strings"}},"allOf":[{"$ref":"#/$defs/x"}]}`: true,
		`{"properties":{"a":{"$ref":"http://e/numbers"}},"$defs":{` + dynamicList + `},"items":{"$ref":"http://e/strings"}}`:                         false,
	} {
		doc, err := proviso.JSON([]byte(schema)).Document()
		if err != nil {
			t.Fatal(err)
		}
		graph, err := refs.Load(context.Background(), doc, options)
		if err != nil {
			t.Fatal(err)
		}
		targets, err := dynamicTargets(graph, false, 1)
		if _, refused := errors.AsType[*proviso.UnsupportedError](err); refused != want {
			t.Errorf("%s: %v", schema, err)
		}
		for _, n := range graph.Nodes {
			if n.Dynamic != nil && len(targets[n]) != 3 {
				t.Errorf("%s: %d targets of %s", schema, len(targets[n]), n.Absolute())
			}
		}
	}
}

// TestDynamicReferences has those whose target depends on the way, of which
// the engine gets most right and the others must be refused.
func TestDynamicReferences(t *testing.T) {
	t.Parallel()
	const tree = `"tree":{"$id":"http://e/tree","$recursiveAnchor":true,"properties":{"child":{"$recursiveRef":"#"}}},
		"strict":{"$id":"http://e/strict","$recursiveAnchor":true,"$ref":"http://e/tree","unevaluatedProperties":false}`
	p, err := New(&proviso.EngineOptions{AssertContent: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ schema, instance, want string }{
		{`{"properties":{"s":{"$ref":"http://e/strings"},"n":{"$ref":"http://e/numbers"}},"$defs":{` + dynamicList + `}}`, `{"s":["a"],"n":[1]}`, "valid"},
		{`{"properties":{"s":{"$ref":"http://e/strings"},"n":{"$ref":"http://e/numbers"}},"$defs":{` + dynamicList + `}}`, `{"s":[1]}`, "invalid"},
		{`{"properties":{"s":{"$ref":"http://e/strings"},"n":{"$ref":"http://e/numbers"}},"$defs":{` + dynamicList + `}}`, `{"n":["a"]}`, "invalid"},
		{`{"propertyNames":{"anyOf":[{"$ref":"http://e/strings"},{"$ref":"http://e/numbers"}]},"$defs":{` + dynamicList + `}}`, ``, "/$defs/list/items/$dynamicRef"},
		{`{"contentMediaType":"application/json","contentSchema":{"anyOf":[{"$ref":"http://e/strings"},{"$ref":"http://e/numbers"}]},"$defs":{` + dynamicList + `}}`, ``, "/$defs/list/items/$dynamicRef"},
		// Only one way leads there, which makes propertyNames harmless.
		{`{"propertyNames":{"$ref":"http://e/numbers"},"$defs":{` + dynamicList + `}}`, `{"a":1}`, "valid"},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"t":{"$ref":"http://e/tree"},"s":{"$ref":"http://e/strict"}},"$defs":{` + tree + `}}`, `{"t":{"child":{"x":1}},"s":{"child":{}}}`, "valid"},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"t":{"$ref":"http://e/tree"},"s":{"$ref":"http://e/strict"}},"$defs":{` + tree + `}}`, `{"s":{"child":{"x":1}}}`, "invalid"},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"t":{"$ref":"http://e/tree#/properties/child"},"s":{"$ref":"http://e/strict"}},"$defs":{` + tree + `}}`, ``, "/$defs/tree/properties/child/$recursiveRef"},
	} {
		v, err := p.Validator(context.Background(), proviso.JSON([]byte(c.schema)))
		got := ""
		if refused, ok := errors.AsType[*proviso.UnsupportedError](err); ok {
			got = refused.Location
		} else if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		} else if err = proviso.ValidateJSON(v, []byte(c.instance)); err == nil {
			got = "valid"
		} else if _, ok := errors.AsType[*proviso.ValidationError](err); ok {
			got = "invalid"
		}
		if got != c.want {
			t.Errorf("%s\n%s\nis %q; it should be %q (%v)", c.schema, c.instance, got, c.want, err)
		}
	}
}

// TestDocumentsAreNotChanged lets many compilations share the documents of the
// whole suite: the race detector would see the engine write to one, and the text
// shows whether anything did.
func TestDocumentsAreNotChanged(t *testing.T) {
	t.Parallel()
	root := corpus.Path(t, "json-schema-test-suite")
	remotes, err := suite.Remotes(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range Dialects() {
		groups, err := suite.Load(root, d, suite.Required)
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(&proviso.EngineOptions{DefaultDialect: d, Resources: remotes})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			doc, err := proviso.JSON(g.Schema).Document()
			if err != nil {
				t.Fatal(err)
			}
			before, _ := doc.MarshalJSON()
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					v, err := p.Validator(context.Background(), doc.Schema())
					if err != nil {
						t.Error(err)
						return
					}
					for _, test := range g.Tests {
						_ = proviso.ValidateJSON(v, test.Data)
					}
				})
			}
			wg.Wait()
			if after, _ := doc.MarshalJSON(); !bytes.Equal(before, after) {
				t.Errorf("%s: %s: the document was changed:\n%s\n%s", g.File, g.Description, before, after)
			}
		}
	}
	for uri, doc := range remotes {
		if again, err := suite.Remotes(root); err != nil || fmt.Sprint(again[uri].Tree()) != fmt.Sprint(doc.Tree()) {
			t.Errorf("the resource %s was changed (%v)", uri, err)
		}
		break // one is as good as all: they are shared by every compilation
	}
}

// concurrent are schemas whose parts engines tend to keep in one place for all.
var concurrent = []string{
	`{"title":"%d","type":"number"}`,
	`{"$id":"http://example.org/same","$comment":"%d","type":"number"}`,
	`{"$ref":"#/$defs/n","$defs":{"n":{"title":"%d","type":"number"}}}`,
	`{"$ref":"#n","$defs":{"n":{"$anchor":"n","title":"%d","type":"number"}}}`,
	`{"$dynamicRef":"#n","$defs":{"n":{"$dynamicAnchor":"n","title":"%d","type":"number","pattern":"^(?=a)"}}}`,
}

func TestConcurrency(t *testing.T) {
	t.Parallel()
	p := newTestProvider(t)
	shared := make([]*validator, len(concurrent))
	for i, schema := range concurrent {
		shared[i] = compileTest(t, p, fmt.Sprintf(schema, -1))
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for n := range 20 {
				for i, schema := range concurrent {
					own, err := p.Validator(context.Background(), proviso.JSON(fmt.Appendf(nil, schema, g*100+n)))
					if err != nil {
						t.Error(err)
						return
					}
					for _, v := range []proviso.Validator{own, shared[i]} {
						if err := v.Validate(n); err != nil {
							t.Errorf("%s: %v", schema, err)
						}
						if _, ok := errors.AsType[*proviso.ValidationError](v.Validate("ab")); !ok {
							t.Errorf("%s: a string is a number", schema)
						}
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestDroppedValidatorsAreGarbage watches the engine's own compiled schemas.
func TestDroppedValidatorsAreGarbage(t *testing.T) {
	t.Parallel()
	p := newTestProvider(t)
	var watched []weak.Pointer[jsonschema.Schema]
	for n := range 20 {
		for _, schema := range concurrent {
			v := compileTest(t, p, fmt.Sprintf(schema, n))
			if err := v.Validate("ab"); err == nil { // so that the walk is there as well
				t.Fatalf("%s: a string is a number", schema)
			}
			watched = append(watched, weak.Make(v.schema))
		}
	}
	for range 10 {
		runtime.GC()
		watched = slices.DeleteFunc(watched, func(w weak.Pointer[jsonschema.Schema]) bool { return w.Value() == nil })
		if len(watched) == 0 {
			return
		}
	}
	t.Errorf("%d of 100 compiled schemas are still alive", len(watched))
	runtime.KeepAlive(p)
}
