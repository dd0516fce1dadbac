package conformance

import (
	"context"
	"encoding/json"
	"reflect"
	"sync"
	"testing"

	"github.com/proviso-go/proviso"
)

// zoo lists all animals.
func zoo() []animal {
	var all []animal
	for _, wing := range [][]animal{
		cachingAnimals, stalenessAnimals, isolationAnimals, concurrencyAnimals, retentionAnimals, errorAnimals, ioAnimals, dialectAnimals, wrappingAnimals,
	} {
		all = append(all, wing...)
	}
	return all
}

// keyed is a cache without bound, by whatever key says; no key, no cache.
type keyed struct {
	inner proviso.Provider
	key   func(schema proviso.Schema) (any, bool)
	mu    sync.Mutex
	cache map[any]proviso.Validator
}

func newKeyed(inner proviso.Provider, key func(proviso.Schema) (any, bool)) *keyed {
	return &keyed{inner: inner, key: key, cache: make(map[any]proviso.Validator)}
}

func (k *keyed) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key, ok := k.key(schema)
	if !ok {
		return k.inner.Validator(ctx, schema)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if v, ok := k.cache[key]; ok {
		return v, nil
	}
	v, err := k.inner.Validator(ctx, schema)
	if err == nil {
		k.cache[key] = v
	}
	return v, err
}

func byText(schema proviso.Schema) (any, bool) {
	text, ok := schema.Text()
	return string(text), ok
}

func byMapPointer(schema proviso.Schema) (any, bool) {
	value, _ := schema.Value()
	object, ok := value.(map[string]any)
	if !ok || object == nil {
		return nil, false
	}
	return reflect.ValueOf(object).Pointer(), true
}

func byContent(schema proviso.Schema) (any, bool) {
	doc, err := schema.Document()
	if err != nil {
		return nil, false
	}
	text, err := json.Marshal(doc)
	return string(text), err == nil
}

func byTextFields(schema proviso.Schema) (any, bool) {
	value, ok := schema.Value()
	if !ok {
		return nil, false
	}
	switch value.(type) {
	case map[string]any:
		return byContent(schema)
	}
	return nil, false
}

var cachingAnimals = []animal{
	{
		name: "compiles each time it is asked",
		caught: []string{
			"caching/same-text", "caching/other-spelling", "caching/decoded-values", "caching/text-and-value", "caching/go-struct", "caching/equal-content-under-one-id",
			"caching/concurrent-requests", "caching/uncacheable-schemas", "caching/refreshes", "caching/held-validators",
		},
		new: func(tb testing.TB, _ proviso.Provider) proviso.Provider { return bare(tb) },
	},
	{
		name:   "caches by text",
		caught: []string{"caching/other-spelling", "caching/text-and-value", "caching/decoded-values", "caching/go-struct"},
		new:    func(tb testing.TB, _ proviso.Provider) proviso.Provider { return newKeyed(bare(tb), byText) },
	},
	{
		name:   "caches maps alone",
		caught: []string{"caching/same-text", "caching/go-struct", "caching/text-and-value"},
		new:    func(tb testing.TB, _ proviso.Provider) proviso.Provider { return newKeyed(bare(tb), byTextFields) },
	},
	{
		name:   "compiles twice for two that ask at once",
		caught: []string{"caching/concurrent-requests"},
		new: func(tb testing.TB, _ proviso.Provider) proviso.Provider {
			inner, cache := bare(tb), new(sync.Map)
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				key, _ := byContent(schema)
				if v, ok := cache.Load(key); ok {
					return v.(proviso.Validator), nil
				}
				linger() // a compilation takes its time
				v, err := inner.Validator(ctx, schema)
				if err == nil {
					cache.Store(key, v)
				}
				return v, err
			})
		},
	},
	{
		name:   "empties its cache when a schema is no good",
		caught: []string{"caching/uncacheable-schemas"},
		new: func(tb testing.TB, _ proviso.Provider) proviso.Provider {
			var mu sync.Mutex
			current := honest(tb)
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				mu.Lock()
				defer mu.Unlock()
				v, err := current.Validator(ctx, schema)
				if err != nil {
					current = honest(tb)
				}
				return v, err
			})
		},
	},
	{
		name:   "has a cache of ten",
		caught: []string{"caching/refreshes", "caching/held-validators"},
		new: func(tb testing.TB, _ proviso.Provider) proviso.Provider {
			k := newKeyed(bare(tb), byContent)
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				k.mu.Lock()
				if len(k.cache) > 10 {
					clear(k.cache)
				}
				k.mu.Unlock()
				return k.Validator(ctx, schema)
			})
		},
	},
}

var stalenessAnimals = []animal{
	{
		name:   "identity cache: a map's address is the key",
		caught: []string{"staleness/changed-in-place", "staleness/changed-below", "staleness/changed-back"},
		new:    func(_ testing.TB, honest proviso.Provider) proviso.Provider { return newKeyed(honest, byMapPointer) },
	},
	{
		name:   "remembers by content what the identity cache found",
		caught: []string{"staleness/no-poison-by-content"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return newKeyed(newKeyed(honest, byMapPointer), byContent)
		},
	},
	{
		name:   "one validator for all",
		caught: []string{"staleness/changed-schema", "staleness/small-differences"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return newKeyed(honest, func(proviso.Schema) (any, bool) { return "all", true })
		},
	},
	{
		name:   "keys by the beginning of the text",
		caught: []string{"staleness/small-differences"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return newKeyed(honest, func(schema proviso.Schema) (any, bool) {
				text, ok := schema.Text()
				return string(text[:min(len(text), 4096)]), ok && len(text) > 4096
			})
		},
	},
	{
		name:   "keys by the length of the text",
		caught: []string{"staleness/changed-schema", "staleness/small-differences", "staleness/reused-buffer"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return newKeyed(honest, func(schema proviso.Schema) (any, bool) {
				text, ok := schema.Text()
				return len(text), ok
			})
		},
	},
	{
		name:   "keeps the caller's map and compiles on use",
		caught: []string{"staleness/handed-out", "staleness/first-use-after-change"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				if _, err := honest.Validator(ctx, schema); err != nil {
					return nil, err
				}
				return &validatorFunc{func(instance any) error {
					v, err := honest.Validator(context.Background(), schema)
					if err != nil {
						return err
					}
					return v.Validate(instance)
				}}, nil
			})
		},
	},
	{
		name:   "keeps the caller's text",
		caught: []string{"staleness/reused-buffer"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if _, ok := schema.Text(); !ok || err != nil {
					return v, err
				}
				return &validatorFunc{func(instance any) error {
					v, err := honest.Validator(context.Background(), schema)
					if err != nil {
						return err
					}
					return v.Validate(instance)
				}}, nil
			})
		},
	},
}
