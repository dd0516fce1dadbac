package reference_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/pattern"
	"github.com/proviso-go/proviso/internal/reference"
	"github.com/proviso-go/proviso/internal/refs"
)

func nested(depth int, inner string) string {
	return strings.Repeat("[", depth) + inner + strings.Repeat("]", depth)
}

func TestEvaluationsAreBounded(t *testing.T) {
	t.Parallel()
	elements := strings.Repeat("1,", 3000) + "1"
	for name, c := range map[string]struct {
		schema, instance string
		limit            proviso.Limit
		location         string
	}{
		"exponential":           {`{"items":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}`, nested(30, ""), reference.LimitEvaluations, "/0/0"},
		"unique at each level":  {`{"uniqueItems":true,"items":{"$ref":"#"}}`, strings.Repeat("[1,", 900) + `["` + strings.Repeat("x", 1<<14) + `"]` + strings.Repeat("]", 900), reference.LimitEvaluations, "/1"},
		"long lists":            {`{"items":{"enum":[[],` + strings.Repeat("[1],", 99_999) + `[2]]}}`, `[` + strings.Repeat("[],", 2000) + `[]]`, reference.LimitEvaluations, "/"},
		"many patterns":         {`{"patternProperties":{` + members(2000, `"^a%d$":true`) + `}}`, `{` + members(6000, `"k%d":1`) + `}`, reference.LimitEvaluations, ""},
		"depth times chain":     {`{"items":` + strings.Repeat(`{"allOf":[`, 60) + `{"$ref":"#"}` + strings.Repeat(`]}`, 60) + `}`, nested(1000, ""), reference.LimitNesting, "/0/0"},
		"digits":                {`{"multipleOf":3}`, strings.Repeat("3", 100_000), proviso.LimitMagnitude, ""},
		"digits of the divisor": {`{"items":{"multipleOf":` + strings.Repeat("3", 100_000) + `}}`, `[1,3]`, proviso.LimitMagnitude, "/0"},
		"division":              {`{"items":{"items":{"multipleOf":` + strings.Repeat("7", 5000) + `}}}`, `[` + strings.Repeat(`[1e900000000000000,1e800000000000000],`, 60) + `[]]`, reference.LimitEvaluations, "/"},
		"backtracking":          {`{"items":{"pattern":"^(?=(a+)+$)"}}`, `["` + strings.Repeat("a", 50) + `!",` + elements + `]`, proviso.LimitPatternTime, "/0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWalker(t, c.schema, &reference.Options{Backtracking: true})
			w.SetMaxSteps(100_000)
			instance := decode(t, c.instance)
			result, err := w.Evaluate(instance)
			limit, ok := errors.AsType[*proviso.LimitError](err)
			if !ok || limit.Limit != c.limit || !strings.HasPrefix(limit.Location, c.location) || !limit.Instance {
				t.Fatalf("%+v, %.300v; want %s below %q", result, err, c.limit, c.location)
			}
			if strings.Contains(err.Error(), "aaaa") {
				t.Errorf("the error shows the instance: %v", err)
			}
			if valid, err := w.Valid(instance); valid && err == nil {
				t.Error("Valid says valid")
			}
		})
	}
}

func members(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(all, ",")
}

// TestCycle holds that a graph which refs.Load would refuse ends in an error.
func TestCycle(t *testing.T) {
	t.Parallel()
	resource := &refs.Resource{Dialect: proviso.Draft202012, Vocabularies: refs.Vocabularies{Applicator: true, Validation: true}}
	n := &refs.Node{Resource: resource, Object: map[string]any{"$ref": "#"}}
	n.Ref, resource.Root = n, n
	w, err := reference.New(&refs.Graph{Root: n, Nodes: []*refs.Node{n}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Evaluate(true)
	if limit, ok := errors.AsType[*proviso.LimitError](err); !ok || limit.Limit != reference.LimitNesting {
		t.Errorf("%v; want a *LimitError", err)
	}
}

// TestUnitsAreBounded holds that no instance can be turned into much more than
// itself, and that what is left out is said to be.
func TestUnitsAreBounded(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("n", 1<<20)
	for what, c := range map[string]struct {
		schema, instance string
		units, bytes     int
	}{
		"many":               {`{"items":false}`, `[` + strings.Repeat("1,", 2000) + `1]`, 1000, 1 << 20},
		"as many as fit":     {`{"items":{"type":"string"}}`, `[` + strings.Repeat("1,", 999) + `1]`, 1000, 1 << 20},
		"one long name":      {`{"additionalProperties":{"items":false}}`, `{"` + name + `":[` + strings.Repeat("1,", 50) + `1]}`, 7, 9 << 20},
		"one very long":      {`{"additionalProperties":{"items":false}}`, `{"` + strings.Repeat(name, 10) + `":[1,1]}`, 1, 11 << 20},
		"deep":               {`{"items":{"$ref":"#/$defs/x"},"$defs":{"x":{"type":"array","allOf":[{"allOf":[{"$ref":"#"}]}]}}}`, nested(1000, elementsOf(1500)), 100, 9 << 20},
		"a branch with many": {`{"anyOf":[{"items":false},{"items":false}]}`, `[` + strings.Repeat("1,", 2000) + `1]`, 1000, 1 << 20},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			result, err := newWalker(t, c.schema, nil).Evaluate(decode(t, c.instance))
			if err != nil {
				t.Fatal(err)
			}
			size := 0
			for _, u := range result.Units {
				size += len(u.InstanceLocation) + len(u.KeywordLocation) + len(u.AbsoluteKeywordLocation) + len(u.Message)
			}
			if len(result.Units) < min(c.units, 100) || len(result.Units) > c.units || size > c.bytes || result.Truncated != (what != "as many as fit") {
				if what != "deep" || len(result.Units) == 0 || size > c.bytes || !result.Truncated {
					t.Errorf("%d units of %d bytes, truncated: %v", len(result.Units), size, result.Truncated)
				}
			}
			if what == "a branch with many" && result.Units[0].Keyword != "anyOf" {
				t.Errorf("the first unit is %s, not that of anyOf", result.Units[0])
			}
		})
	}
}

func elementsOf(n int) string { return strings.Repeat("1,", n-1) + "1" }

// TestSameEveryTime holds that results do not depend on the order of maps, nor
// on what goes on at the same time.
func TestSameEveryTime(t *testing.T) {
	t.Parallel()
	w := newWalker(t, `{"$id":"http://x.test/","additionalProperties":{"$ref":"#/$defs/a"},"propertyNames":{"pattern":"^(?!k1)"},"patternProperties":{"^k2":{"type":"null"}},
		"not":{"additionalProperties":{"enum":["x"]}},"$defs":{"a":{"anyOf":[{"type":"null"},{"items":{"$dynamicRef":"#d"}}]},"d":{"$dynamicAnchor":"d","unevaluatedProperties":{"const":1}}}}`,
		&reference.Options{Backtracking: true})
	instance := decode(t, `{`+members(60, `"k%d":[{"a":2,"b":[1],"c":null}]`)+`}`)
	want, err := w.Evaluate(instance)
	if err != nil || want.Valid {
		t.Fatal(want, err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				got, err := w.Evaluate(instance)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("another result: %v", err)
					return
				}
			}
		})
	}
	group.Wait()
	// One member ends the evaluation by its verdict, the other by a limit: which
	// comes first must not be left to a map.
	w = newWalker(t, `{"not":{"additionalProperties":{"if":{"type":"array"},"then":{"items":{"$ref":"#/$defs/x"}},"else":false}},"$defs":{"x":{"items":{"allOf":[{"$ref":"#/$defs/x"},{"$ref":"#/$defs/x"}]}}}}`, nil)
	instance = decode(t, `{"a":1,"b":`+nested(40, "")+`}`)
	for range 20 {
		if result, err := w.Evaluate(instance); err != nil || !result.Valid {
			t.Fatal(result, err)
		}
	}
}

func TestNewRefusesPatterns(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{`{"pattern":"(?=a)"}`, `{"items":{"patternProperties":{"(?=a)":true}}}`} {
		doc, err := proviso.JSON([]byte(schema)).Document()
		if err != nil {
			t.Fatal(err)
		}
		o, err := (*proviso.EngineOptions)(nil).Checked()
		if err != nil {
			t.Fatal(err)
		}
		graph, err := refs.Load(t.Context(), doc, o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = reference.New(graph, nil)
		if _, ok := errors.AsType[*pattern.InexpressibleError](err); !ok {
			t.Errorf("%s: %v", schema, err)
		}
		if _, err := reference.New(graph, &reference.Options{Backtracking: true}); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}
