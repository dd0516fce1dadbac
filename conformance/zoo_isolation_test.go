package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
)

func idOf(root map[string]any) (string, bool) {
	for _, keyword := range []string{"$id", "id"} {
		if id, ok := root[keyword].(string); ok {
			return id, true
		}
	}
	return "", false
}

// nested looks for an identifier or an anchor among the definitions.
func nested(root map[string]any) (string, bool) {
	for _, keyword := range []string{"$defs", "definitions"} {
		definitions, _ := root[keyword].(map[string]any)
		for _, definition := range definitions {
			object, _ := definition.(map[string]any)
			if id, ok := idOf(object); ok {
				return id, true
			}
			if anchor, ok := object["$anchor"].(string); ok {
				return "#" + anchor, true
			}
		}
	}
	return "", false
}

// registry is a process-wide table, as some engines have.
var registry sync.Map

var isolationAnimals = []animal{
	{
		name:   "first $id wins",
		caught: []string{"isolation/one-id-two-contents"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return newKeyed(honest, func(schema proviso.Schema) (any, bool) { id, ok := idOf(rootOf(schema)); return id, ok })
		},
	},
	{
		name:   "last $id wins",
		caught: []string{"isolation/one-id-two-contents"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			var last sync.Map
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				id, ok := idOf(rootOf(schema))
				if err != nil || !ok {
					return v, err
				}
				last.Store(id, v)
				return &validatorFunc{func(instance any) error {
					v, _ := last.Load(id)
					return v.(proviso.Validator).Validate(instance)
				}}, nil
			})
		},
	},
	{
		name:   "files nested identifiers and anchors for all schemas",
		caught: []string{"isolation/one-nested-id-two-contents", "isolation/one-anchor-two-contents"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return newKeyed(honest, func(schema proviso.Schema) (any, bool) { return nested(rootOf(schema)) })
		},
	},
	{
		name:   "global registry",
		caught: []string{"isolation/reference-to-another-schema", "isolation/two-providers"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if load, ok := errors.AsType[*proviso.LoadError](err); ok {
					if known, ok := registry.Load(load.URI); ok {
						return known.(proviso.Validator), nil
					}
				}
				if id, ok := idOf(rootOf(schema)); ok && err == nil {
					registry.Store(id, v)
				}
				return v, err
			})
		},
	},
	{
		name:   "a failed compilation poisons its $id",
		caught: []string{"isolation/failed-compilation"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			var failed sync.Map
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				id, ok := idOf(rootOf(schema))
				if before, poisoned := failed.Load(id); ok && poisoned {
					return nil, before.(error)
				}
				v, err := honest.Validator(ctx, schema)
				if ok && err != nil {
					failed.Store(id, err)
				}
				return v, err
			})
		},
	},
	{
		name:   "an instance changes the verdict on the next",
		caught: []string{"isolation/other-instances"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			var seen atomic.Int64
			return judging(honest, func(v proviso.Validator, instance any) error {
				if seen.Add(1)%5 == 0 {
					return nil
				}
				return v.Validate(instance)
			})
		},
	},
	{
		name:   "shares an error slice",
		caught: []string{"isolation/earlier-errors", "isolation/interleaved-errors", "errors/order"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			var mu sync.Mutex
			shared := make([]proviso.Unit, 0, 100)
			return judging(honest, func(v proviso.Validator, instance any) error {
				err := v.Validate(instance)
				e, ok := errors.AsType[*proviso.ValidationError](err)
				if !ok {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				if len(e.Units) > 20 {
					shared = append(shared, e.Units[0]) // and the order is lost as well
				} else {
					shared = append(shared[:0], e.Units...)
				}
				return &proviso.ValidationError{Units: shared}
			})
		},
	},
	{
		name:   "hands one error to all",
		caught: []string{"isolation/callers-changes"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			var known sync.Map
			return judging(honest, func(v proviso.Validator, instance any) error {
				key := fmt.Sprint(instance)
				if err, ok := known.Load(key); ok {
					return err.(error)
				}
				err := v.Validate(instance)
				if err != nil {
					known.Store(key, err)
				}
				return err
			})
		},
	},
	{
		name:   "fills in defaults",
		caught: []string{"isolation/instances-are-read-only"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return judging(honest, func(v proviso.Validator, instance any) error {
				if object, ok := instance.(map[string]any); ok {
					object["d"] = 1
				}
				return v.Validate(instance)
			})
		},
	},
	{
		name:   "rewrites the caller's references",
		caught: []string{"isolation/schemas-are-read-only"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				value, _ := schema.Value()
				if object, ok := value.(map[string]any); ok && err == nil {
					if id, ok := object["$id"]; ok {
						object["$id"] = fmt.Sprint(id, "#")
					}
				}
				return v, err
			})
		},
	},
}

// scratch is the one place for what should be each call's own; it takes part
// in no data race, so that the race detector has nothing to say.
var scratch atomic.Pointer[proviso.Document]

// linger lets the others in.
func linger() {
	for range 3 {
		runtime.Gosched()
	}
	time.Sleep(100 * time.Microsecond)
}

func throughScratch(honest proviso.Provider, place *atomic.Pointer[proviso.Document]) proviso.Provider {
	return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
		doc, err := schema.Document()
		if err != nil {
			return honest.Validator(ctx, schema)
		}
		place.Store(doc)
		linger()
		return honest.Validator(ctx, place.Load().Schema())
	})
}

var concurrencyAnimals = []animal{
	{
		name:   "races on first use",
		caught: []string{"concurrency/one-validator"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if err != nil {
					return nil, err
				}
				var started, ready atomic.Bool
				return &validatorFunc{func(instance any) error {
					if !started.Swap(true) {
						linger() // the tables are being filled
						ready.Store(true)
					} else if !ready.Load() {
						return nil // empty tables find nothing wrong
					}
					return v.Validate(instance)
				}}, nil
			})
		},
	},
	{
		name:   "compiles in a place of the provider's",
		caught: []string{"concurrency/many-compilations", "concurrency/schema-errors"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return throughScratch(honest, new(atomic.Pointer[proviso.Document]))
		},
	},
	{
		name:   "compiles in a place of the process's",
		caught: []string{"concurrency/many-providers"},
		new:    func(_ testing.TB, honest proviso.Provider) proviso.Provider { return throughScratch(honest, &scratch) },
	},
	{
		name:   "hands out what is half compiled",
		caught: []string{"concurrency/same-schema"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			var under sync.Map
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				key, ok := byContent(schema)
				if _, busy := under.LoadOrStore(key, true); ok && busy {
					return agreeable(), nil
				}
				linger()
				defer under.Delete(key)
				return honest.Validator(ctx, schema)
			})
		},
	},
	{
		name:   "collects errors in a place of the validator's",
		caught: []string{"concurrency/errors"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if err != nil {
					return nil, err
				}
				var last atomic.Value
				return &validatorFunc{func(instance any) error {
					err := v.Validate(instance)
					if err == nil {
						return nil
					}
					last.Store(err)
					runtime.Gosched()
					return last.Load().(error)
				}}, nil
			})
		},
	},
}
