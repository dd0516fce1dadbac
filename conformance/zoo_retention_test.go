package conformance

import (
	"context"
	"sync"
	"testing"

	"github.com/proviso-go/proviso"
)

// pile keeps what is thrown on it.
type pile struct {
	mu   sync.Mutex
	kept []any
}

func (p *pile) keep(v any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = append(p.kept, v)
}

// hoarding makes a provider with a pile, in front of honest ones or within them.
func hoarding(place func(testing.TB, broken) proviso.Provider, keep func(p *pile, schema proviso.Schema, v proviso.Validator, err error)) func() func(testing.TB) proviso.Provider {
	return each(func(tb testing.TB) proviso.Provider {
		kept := new(pile)
		return place(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
			v, err := next.Validator(ctx, schema)
			keep(kept, schema, v, err)
			return v, err
		}})
	})
}

func retentionZoo() []animal {
	return []animal{
		{
			name:     "keeps each validator",
			species:  hoarding(outside, func(p *pile, _ proviso.Schema, v proviso.Validator, _ error) { p.keep(v) }),
			caughtBy: []string{"retention/dropped-validators"},
		},
		{
			name:     "leaks each compilation",
			species:  hoarding(inside, func(p *pile, _ proviso.Schema, v proviso.Validator, _ error) { p.keep(v) }),
			caughtBy: []string{"retention/compiled-schemas"},
		},
		{
			name: "keeps the schemas that failed",
			species: hoarding(inside, func(p *pile, schema proviso.Schema, _ proviso.Validator, err error) {
				if doc, docErr := schema.Document(); err != nil && docErr == nil {
					p.keep(doc)
				}
			}),
			caughtBy: []string{"retention/failed-compilations"},
		},
		{
			name:     "keeps the caller's schemas",
			species:  hoarding(outside, func(p *pile, schema proviso.Schema, _ proviso.Validator, _ error) { p.keep(schema) }),
			caughtBy: []string{"retention/schemas-are-not-kept"},
		},
		{
			name: "keeps the last instance",
			species: withState(func() func(proviso.Validator, any) error {
				var mu sync.Mutex
				var last any
				return func(next proviso.Validator, instance any) error {
					mu.Lock()
					last = instance
					mu.Unlock()
					_ = last
					return next.Validate(instance)
				}
			}),
			caughtBy: []string{"retention/instances-are-not-kept"},
		},
		{
			name: "keeps the instance in the error",
			species: each(func(tb testing.TB) proviso.Provider {
				return outside(tb, broken{validate: func(next proviso.Validator, instance any) error {
					if err := next.Validate(instance); err != nil {
						return &about{err, instance}
					}
					return nil
				}})
			}),
			caughtBy: []string{"retention/instances-are-not-kept"},
		},
		{
			name: "a list of all providers",
			species: func() func(testing.TB) proviso.Provider {
				all := new(pile)
				return func(tb testing.TB) proviso.Provider {
					p := honest(tb)
					all.keep(p)
					return p
				}
			},
			caughtBy: []string{"retention/dropped-provider"},
		},
	}
}

// about is an error that knows its instance.
type about struct {
	error
	instance any
}

func (a *about) Unwrap() error { return a.error }
