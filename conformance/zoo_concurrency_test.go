package conformance

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
)

// The animals here are broken in their logic, not by data races: their state
// is atomic, so that the race detector has nothing to say of them and they are
// caught without it. For data races see zoo_races_test.go.

// pause lets the other goroutines come in between.
func pause() { time.Sleep(200 * time.Microsecond) }

// scratch has room for one schema at a time, and takes no turns.
func scratch(tb testing.TB) proviso.Provider {
	var current atomic.Pointer[proviso.Document]
	return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		doc, err := schema.Document()
		if err != nil {
			return nil, err
		}
		current.Store(doc)
		pause()
		return next.Validator(ctx, current.Load().Schema())
	}})
}

// early hands a validator out before it is compiled, to all but the first who
// asks.
type early struct {
	next    proviso.Provider
	mu      sync.Mutex
	entries map[any]*promised
}

type promised struct {
	compiled atomic.Pointer[proviso.Validator]
}

func (p *promised) Validate(instance any) error {
	if v := p.compiled.Load(); v != nil {
		return (*v).Validate(instance)
	}
	return nil
}

func (e *early) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	key := content(schema, doc)
	e.mu.Lock()
	entry, ok := e.entries[key]
	if !ok {
		entry = new(promised)
		e.entries[key] = entry
	}
	e.mu.Unlock()
	if ok {
		return entry, nil
	}
	pause()
	v, err := e.next.Validator(ctx, schema)
	if err != nil {
		return nil, err
	}
	entry.compiled.Store(&v)
	return entry, nil
}

func concurrencyZoo() []animal {
	return []animal{
		{
			name: "is half ready during its first use",
			species: withState(func() func(proviso.Validator, any) error {
				var begun, ready atomic.Bool
				return func(next proviso.Validator, instance any) error {
					if !begun.Swap(true) {
						pause()
						ready.Store(true)
					}
					if !ready.Load() {
						return nil
					}
					return next.Validate(instance)
				}
			}),
			caughtBy: []string{"concurrency/one-validator"},
		},
		{
			name:     "has room for one compilation at a time",
			species:  each(scratch),
			caughtBy: []string{"concurrency/many-compilations"},
		},
		{
			name: "hands out what is not compiled yet",
			species: each(func(tb testing.TB) proviso.Provider {
				return &early{next: engine(tb), entries: make(map[any]*promised)}
			}),
			caughtBy: []string{"concurrency/same-schema"},
		},
		{
			name: "returns the last error to whoever asks",
			species: withState(func() func(proviso.Validator, any) error {
				var last atomic.Pointer[proviso.ValidationError]
				return func(next proviso.Validator, instance any) error {
					err := next.Validate(instance)
					e, ok := errors.AsType[*proviso.ValidationError](err)
					if !ok {
						return err
					}
					last.Store(e)
					pause()
					return last.Load()
				}
			}),
			caughtBy: []string{"concurrency/errors"},
		},
		{
			name: "returns the error of another compilation",
			species: each(func(tb testing.TB) proviso.Provider {
				var last atomic.Pointer[proviso.SchemaError]
				return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
					last.Store(nil)
					v, err := next.Validator(ctx, schema)
					if e, ok := errors.AsType[*proviso.SchemaError](err); ok {
						last.Store(e)
					}
					pause()
					if e := last.Load(); e != nil {
						return nil, e
					}
					return v, err
				}})
			}),
			caughtBy: []string{"concurrency/schema-errors"},
		},
	}
}
