package standard_test

import (
	"context"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance"
	"github.com/proviso-go/proviso/dialect"
	"github.com/proviso-go/proviso/memo"
	"github.com/proviso-go/proviso/providers/gojsonschema"
	"github.com/proviso-go/proviso/providers/qri"
	"github.com/proviso-go/proviso/providers/tekuri"
	"github.com/proviso-go/proviso/standard"
)

// engine is a provider as the stacks below are made of it.
type engine struct {
	name     string
	dialects []proviso.Dialect
	with     func(*proviso.EngineOptions) (proviso.Provider, error)
}

func (e engine) new() (proviso.Provider, error) { return e.with(nil) }

func engines() []engine {
	return []engine{
		{tekuri.Name, tekuri.Dialects(), func(o *proviso.EngineOptions) (proviso.Provider, error) { return tekuri.New(o) }},
		{gojsonschema.Name, gojsonschema.Dialects(), func(o *proviso.EngineOptions) (proviso.Provider, error) { return gojsonschema.New(o) }},
		{qri.Name, qri.Dialects(), func(o *proviso.EngineOptions) (proviso.Provider, error) { return qri.New(o) }},
	}
}

const keeps = conformance.MinKeeps

func wrap(inner proviso.Provider) (proviso.Provider, error) {
	return memo.New(inner, &memo.Options{MaxEntries: keeps})
}

func must(tb testing.TB) func(proviso.Provider, error) proviso.Provider {
	return func(p proviso.Provider, err error) proviso.Provider {
		if err != nil {
			tb.Fatal(err)
		}
		return p
	}
}

func TestConformanceOfMemo(t *testing.T) {
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			conformance.Run(t, func(tb testing.TB) proviso.Provider { return must(tb)(wrap(must(tb)(e.new()))) },
				&conformance.Options{Dialects: e.dialects, Keeps: keeps, Wrap: wrap})
		})
	}
}

var cachesNothing = map[string]string{"caching": "a router compiles each time it is asked; the memo wrapper is what caches"}

func TestConformanceOfRouter(t *testing.T) {
	for _, e := range engines()[:1] {
		t.Run(e.name, func(t *testing.T) {
			conformance.Run(t, func(tb testing.TB) proviso.Provider {
				routes := map[proviso.Dialect]dialect.Factory{}
				for _, d := range e.dialects {
					routes[d] = func(context.Context, proviso.Dialect) (proviso.Provider, error) { return e.new() }
				}
				return must(tb)(dialect.New(&dialect.Options{Routes: routes}))
			}, &conformance.Options{Dialects: e.dialects, Skip: cachesNothing})
		})
	}
	t.Run("an engine for each dialect", func(t *testing.T) {
		conformance.Run(t, func(tb testing.TB) proviso.Provider { return must(tb)(dialect.New(&dialect.Options{Routes: mixed()})) },
			&conformance.Options{Skip: cachesNothing})
	})
}

// mixed sends the dialects to different engines.
func mixed() map[proviso.Dialect]dialect.Factory {
	all := engines()
	use := func(i int) dialect.Factory {
		return func(context.Context, proviso.Dialect) (proviso.Provider, error) { return all[i].new() }
	}
	return map[proviso.Dialect]dialect.Factory{
		proviso.Draft4: use(1), proviso.Draft6: use(1), proviso.Draft7: use(2), proviso.Draft201909: use(2), proviso.Draft202012: use(0),
	}
}

func TestConformanceOfStandard(t *testing.T) {
	for name, routes := range map[string]map[proviso.Dialect]dialect.Factory{"tekuri": nil, "mixed": mixed()} {
		t.Run(name, func(t *testing.T) {
			conformance.Run(t, func(tb testing.TB) proviso.Provider {
				return must(tb)(standard.New(&standard.Options{Memo: &memo.Options{MaxEntries: keeps}, Routes: routes}))
			}, &conformance.Options{Keeps: keeps, Wrap: wrap})
		})
	}
}
