package conformance

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/proviso-go/proviso"
)

// hoard keeps what it is given.
type hoard struct {
	mu    sync.Mutex
	items []any
}

func (h *hoard) keep(item any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.items = append(h.items, item)
}

// forEver is a hoard that outlives its providers.
var forEver hoard

var retentionAnimals = []animal{
	{
		name:   "leaks each compilation",
		caught: []string{"retention/dropped-validators"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			kept := &hoard{}
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if err == nil {
					kept.keep(v)
				}
				return v, err
			})
		},
	},
	{
		name:   "leaks what its validators were compiled from",
		caught: []string{"retention/compiled-schemas"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			kept := &hoard{}
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if doc, docErr := schema.Document(); err == nil && docErr == nil {
					kept.keep(doc.Copy())
					text, _ := doc.MarshalJSON()
					kept.keep(text)
				}
				return v, err
			})
		},
	},
	{
		name:   "keeps schemas that failed",
		caught: []string{"retention/failed-compilations"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			kept := &hoard{}
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if doc, docErr := schema.Document(); err != nil && docErr == nil {
					kept.keep(doc.Copy())
					text, _ := doc.MarshalJSON()
					kept.keep(text)
				}
				return v, err
			})
		},
	},
	{
		name:   "keeps the caller's schema",
		caught: []string{"retention/schemas-are-not-kept"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			kept := &hoard{}
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				kept.keep(schema)
				return honest.Validator(ctx, schema)
			})
		},
	},
	{
		name:   "keeps the last instance",
		caught: []string{"retention/instances-are-not-kept"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			kept := &hoard{}
			return judging(honest, func(v proviso.Validator, instance any) error {
				kept.keep(instance)
				return v.Validate(instance)
			})
		},
	},
	{
		name:   "its errors hold the instance",
		caught: []string{"retention/instances-are-not-kept"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return judging(honest, func(v proviso.Validator, instance any) error {
				err := v.Validate(instance)
				if err == nil {
					return nil
				}
				return &withInstance{err, instance}
			})
		},
	},
	{
		name:   "outlives itself in a registry",
		caught: []string{"retention/dropped-provider"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			forEver.keep(honest)
			return honest
		},
	},
}

type withInstance struct {
	error
	instance any
}

func (e *withInstance) Unwrap() error { return e.error }

var errUntyped = errors.New("something went wrong")
