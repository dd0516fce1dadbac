package conformance

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
	"github.com/proviso-go/proviso/providers/tekuri"
)

// An animal is a provider that is broken on purpose in one way, with the cases
// that are meant to catch it.
type animal struct {
	name   string
	caught []string
	// new makes the provider; honest is the one to break.
	new func(tb testing.TB, honest proviso.Provider) proviso.Provider
	// wrap makes the wrapper, for the cases of the group wrapping.
	wrap func(inner proviso.Provider) (proviso.Provider, error)
	// dialects are what it claims, if not all.
	dialects []proviso.Dialect
	// hangs says that it does, so that it need not be given much time.
	hangs bool
}

// honest is the provider that every animal but for its fault is: the engine
// that implements all dialects, behind a memo with a small bound.
func honest(tb testing.TB) proviso.Provider {
	p, err := honestMemo(bare(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func bare(tb testing.TB) proviso.Provider {
	p, err := tekuri.New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func honestMemo(inner proviso.Provider) (proviso.Provider, error) {
	return memo.New(inner, &memo.Options{MaxEntries: MinKeeps})
}

func zooOptions(t *testing.T, a animal) *Options {
	t.Helper()
	wrap := a.wrap
	if wrap == nil {
		wrap = honestMemo
	}
	o, err := (&Options{Keeps: MinKeeps, Wrap: wrap, Dialects: a.dialects}).checked()
	if err != nil {
		t.Fatal(err)
	}
	if a.hangs {
		o.timeLimit = 3 * time.Second
	}
	return o
}

func caseNamed(t *testing.T, name string) Case {
	t.Helper()
	cases := Cases()
	i := slices.IndexFunc(cases, func(c Case) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("there is no case %s", name)
	}
	return cases[i]
}

// TestZoo shows each animal to the cases that are meant to catch it.
func TestZoo(t *testing.T) {
	for _, a := range zoo() {
		t.Run(a.name, func(t *testing.T) {
			o := zooOptions(t, a)
			newProvider := func(tb testing.TB) proviso.Provider {
				if a.new == nil {
					return honest(tb)
				}
				return a.new(tb, honest(tb))
			}
			for _, name := range a.caught {
				c := caseNamed(t, name)
				failures := runCase(t, c, newProvider, o)
				if len(failures) == 0 {
					t.Errorf("%s does not catch it; the promise is: %s", name, c.Promise)
				}
				for _, failure := range failures {
					t.Logf("%s: %.200s", name, failure)
				}
			}
		})
	}
}

// TestZooIsComplete finds cases that no animal fails: they are worth nothing.
func TestZooIsComplete(t *testing.T) {
	caught := make(map[string]bool)
	for _, a := range zoo() {
		if len(a.caught) == 0 {
			t.Errorf("%s is caught by nothing", a.name)
		}
		for _, name := range a.caught {
			caught[name] = true
		}
	}
	for _, c := range Cases() {
		if !caught[c.Name] {
			t.Errorf("no broken provider fails %s", c.Name)
		}
		if c.Promise == "" || strings.Count(c.Name, "/") != 1 {
			t.Errorf("%q has no promise, or no group", c.Name)
		}
	}
	if len(Cases()) < 24 {
		t.Errorf("%d cases", len(Cases()))
	}
}

// TestZooHonest shows the provider that every animal is made of to all cases.
func TestZooHonest(t *testing.T) {
	o := zooOptions(t, animal{})
	for _, c := range Cases() {
		for _, failure := range runCase(t, c, honest, o) {
			t.Errorf("%s: %s", c.Name, failure)
		}
	}
}

// TestZooSkips finds out whether reasons for skipping are held to be true.
func TestZooSkips(t *testing.T) {
	for name, o := range map[string]*Options{
		"no such case": {Skip: map[string]string{"caching/nothing": "because"}}, "no reason": {Skip: map[string]string{"caching": "  "}},
		"not run": {Skip: map[string]string{"wrapping/panics": "because"}}, "no dialect": {Dialects: []proviso.Dialect{}}, "unknown dialect": {Dialects: []proviso.Dialect{77}}, "small bound": {Keeps: 1},
	} {
		if _, err := o.checked(); err == nil {
			t.Errorf("%s: the options are taken", name)
		}
	}
}

// A provider made of a function.
type providerFunc func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error)

func (f providerFunc) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	return f(ctx, schema)
}

// A validator made of a function; a pointer, so that it can be compared.
type validatorFunc struct{ validate func(any) error }

func (v *validatorFunc) Validate(instance any) error { return v.validate(instance) }

// agreeable finds everything valid.
func agreeable() proviso.Validator { return &validatorFunc{func(any) error { return nil }} }

// lenient gives an agreeable validator where the honest provider gives an error
// that the check recognises.
func lenient(honest proviso.Provider, check func(error) bool) proviso.Provider {
	return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
		v, err := honest.Validator(ctx, schema)
		if err != nil && check(err) {
			return agreeable(), nil
		}
		return v, err
	})
}

// judging changes what the honest provider's validators say.
func judging(honest proviso.Provider, judge func(v proviso.Validator, instance any) error) proviso.Provider {
	return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
		v, err := honest.Validator(ctx, schema)
		if err != nil {
			return nil, err
		}
		return &validatorFunc{func(instance any) error { return judge(v, instance) }}, nil
	})
}

// rootOf returns the schema's root object, nil if it has none.
func rootOf(schema proviso.Schema) map[string]any {
	doc, err := schema.Document()
	if err != nil {
		return nil
	}
	root, _ := doc.Tree().(map[string]any)
	return root
}
