package conformance

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
	"github.com/proviso-go/proviso/providers/tekuri"
)

// animal is a provider that is broken on purpose, in one way.
type animal struct {
	name string
	// caughtBy are the cases that are meant to fail.
	caughtBy []string
	// species makes the providers. It is called once: what the result closes over
	// is the state of a whole process.
	species func() func(testing.TB) proviso.Provider
	// wrap is for wrappers, in place of species: it is tested in front of the
	// suite's own inner provider, and of an honest engine.
	wrap func(inner proviso.Provider) (proviso.Provider, error)
	// dialects are those that it claims; nil for all.
	dialects []proviso.Dialect
	// hangs shortens the time limit.
	hangs bool
}

// zoo lists the animals.
func zoo() []animal {
	return slices.Concat(
		cachingZoo(), stalenessZoo(), isolationZoo(), concurrencyZoo(), retentionZoo(),
		schemaErrorZoo(), instanceErrorZoo(), ioZoo(), dialectZoo(), wrappingZoo(),
	)
}

// engine is an honest provider that keeps nothing.
func engine(tb testing.TB) proviso.Provider {
	p, err := tekuri.New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// cached puts an honest cache in front of a provider.
func cached(tb testing.TB, inner proviso.Provider) proviso.Provider {
	p, err := honestWrap(inner)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func honestWrap(inner proviso.Provider) (proviso.Provider, error) {
	return memo.New(inner, &memo.Options{MaxEntries: MinKeeps})
}

func honest(tb testing.TB) proviso.Provider { return cached(tb, engine(tb)) }

// each is the species whose providers share nothing.
func each(newProvider func(testing.TB) proviso.Provider) func() func(testing.TB) proviso.Provider {
	return func() func(testing.TB) proviso.Provider { return newProvider }
}

// broken is a provider that does as next does, but for one method.
type broken struct {
	next proviso.Provider
	// compile, if set, is the provider's method.
	compile func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error)
	// validate, if set, is the method of its validators.
	validate func(next proviso.Validator, instance any) error
}

func (b *broken) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	compile := b.compile
	if compile == nil {
		compile = func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
			return next.Validator(ctx, schema)
		}
	}
	v, err := compile(ctx, b.next, schema)
	if err != nil || b.validate == nil {
		return v, err
	}
	return &brokenValidator{next: v, validate: b.validate}, nil
}

type brokenValidator struct {
	next     proviso.Validator
	validate func(next proviso.Validator, instance any) error
}

func (v *brokenValidator) Validate(instance any) error { return v.validate(v.next, instance) }

// always is a validator that says the same of everything.
type always struct{ err error }

func (a *always) Validate(any) error { return a.err }

// inside is a broken engine behind an honest cache: the break is all that is
// wrong with it.
func inside(tb testing.TB, b broken) proviso.Provider {
	b.next = engine(tb)
	return cached(tb, &b)
}

// outside is a broken provider in front of honest ones.
func outside(tb testing.TB, b broken) proviso.Provider {
	b.next = honest(tb)
	return &b
}

// edited returns the schema with f applied to each object in it, outermost
// first.
func edited(schema proviso.Schema, f func(object map[string]any)) (proviso.Schema, error) {
	doc, err := schema.Document()
	if err != nil {
		return schema, err
	}
	tree := doc.Copy()
	walk(tree, f)
	return proviso.Value(tree), nil
}

func walk(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walk(v[name], f)
		}
	case []any:
		for _, element := range v {
			walk(element, f)
		}
	}
}

// rewriting is an engine that compiles something else than it was given.
func rewriting(tb testing.TB, f func(object map[string]any)) proviso.Provider {
	return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		changed, err := edited(schema, f)
		if err != nil {
			return nil, err
		}
		return next.Validator(ctx, changed)
	}})
}

func (a *animal) options() *Options {
	o := &Options{Dialects: a.dialects, Keeps: MinKeeps, Wrap: honestWrap}
	if a.wrap != nil {
		o.Wrap = a.wrap
	}
	if a.hangs {
		o.timeLimit = time.Second
	}
	return o
}

func (a *animal) newProvider() func(testing.TB) proviso.Provider {
	if a.species != nil {
		return a.species()
	}
	return func(tb testing.TB) proviso.Provider {
		p, err := a.wrap(engine(tb))
		if err != nil {
			tb.Fatal(err)
		}
		return p
	}
}

// caseOf returns the case of a name.
func caseOf(t *testing.T, name string) Case {
	t.Helper()
	for _, c := range Cases() {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("there is no case %q", name)
	return Case{}
}

// measuresHeap tells which animals must be alone in the process.
func (a *animal) measuresHeap() bool {
	return slices.ContainsFunc(a.caughtBy, func(name string) bool { return strings.HasPrefix(name, "retention/") })
}

// TestZoo finds out that each animal is caught by each of the cases that are
// meant for it.
func TestZoo(t *testing.T) {
	for _, a := range zoo() {
		t.Run(a.name, func(t *testing.T) {
			if !a.measuresHeap() {
				t.Parallel()
			}
			if len(a.caughtBy) == 0 {
				t.Fatal("nothing is meant to catch it")
			}
			o, err := a.options().checked()
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range a.caughtBy {
				c := caseOf(t, name)
				failures := runCase(t, c, a.newProvider(), o)
				if len(failures) == 0 {
					t.Errorf("it is not caught by %s: %s", name, c.Promise)
					continue
				}
				t.Logf("%s: %.200s", name, failures[0])
			}
		})
	}
}

// TestZooHonest finds out that what all animals are made from is caught by
// nothing, so that the break is what is caught.
func TestZooHonest(t *testing.T) {
	Run(t, honest, &Options{Keeps: MinKeeps, Wrap: honestWrap})
}

// TestZooIsComplete finds out that every case can fail: one that no broken
// provider fails is no test.
func TestZooIsComplete(t *testing.T) {
	caught := make(map[string][]string)
	names := make(map[string]bool)
	for _, a := range zoo() {
		if names[a.name] {
			t.Errorf("two animals are called %q", a.name)
		}
		names[a.name] = true
		for _, name := range a.caughtBy {
			caught[name] = append(caught[name], a.name)
		}
	}
	promises := make(map[string]string)
	for _, c := range Cases() {
		if len(caught[c.Name]) == 0 {
			t.Errorf("no animal is meant for %s: %s", c.Name, c.Promise)
		}
		if c.Promise == "" || promises[c.Promise] != "" {
			t.Errorf("%s and %s have the same promise, or none", c.Name, promises[c.Promise])
		}
		promises[c.Promise] = c.Name
	}
}
