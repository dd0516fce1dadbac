package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/tekuri"
)

// registry is what an engine may keep from schema to schema: what each
// identifier and each anchor first meant.
type registry struct {
	mu    sync.Mutex
	known map[string]*proviso.Document
}

// apply puts what is known in the place of what a schema says.
func (r *registry) apply(object map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, keyword := range []string{"$id", "id", "$anchor"} {
		name, ok := object[keyword].(string)
		if !ok {
			continue
		}
		name = keyword + name
		if first, ok := r.known[name]; ok {
			clear(object)
			maps.Copy(object, first.Copy().(map[string]any))
			return
		}
		doc, err := proviso.Value(object).Document()
		if err != nil {
			return
		}
		if r.known == nil {
			r.known = make(map[string]*proviso.Document)
		}
		r.known[name] = doc
		return
	}
}

// remembering is an engine to which every schema can refer that was compiled
// before, by its identifier.
type remembering struct {
	mu        sync.Mutex
	resources map[string]*proviso.Document
}

func (r *remembering) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := tekuri.New(&proviso.EngineOptions{Resources: r.resources})
	if err != nil {
		return nil, err
	}
	v, err := p.Validator(ctx, schema)
	if err != nil {
		return nil, err
	}
	if doc, err := schema.Document(); err == nil && strings.HasPrefix(identifier(doc), "http") {
		if r.resources == nil {
			r.resources = make(map[string]*proviso.Document)
		}
		r.resources[identifier(doc)] = doc
	}
	return v, nil
}

// resentful refuses an identifier under which a compilation has failed.
func resentful(tb testing.TB) proviso.Provider {
	var failed sync.Map
	return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		doc, err := schema.Document()
		if err != nil {
			return nil, err
		}
		id := identifier(doc)
		if err, ok := failed.Load(id); ok && id != "" {
			return nil, err.(error)
		}
		v, err := next.Validator(ctx, schema)
		if err != nil {
			failed.Store(id, err)
		}
		return v, err
	}})
}

// withState is the species whose validators have a state of their own, which
// newValidate makes.
func withState(newValidate func() func(next proviso.Validator, instance any) error) func() func(testing.TB) proviso.Provider {
	return each(func(tb testing.TB) proviso.Provider {
		return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
			v, err := next.Validator(ctx, schema)
			if err != nil {
				return nil, err
			}
			return &brokenValidator{next: v, validate: newValidate()}, nil
		}})
	})
}

func isolationZoo() []animal {
	return []animal{
		{
			name: "the first schema of an identifier wins",
			species: keyed(func(schema proviso.Schema, doc *proviso.Document) any {
				if id := identifier(doc); id != "" {
					return id
				}
				return content(schema, doc)
			}),
			caughtBy: []string{"isolation/one-id-two-contents"},
		},
		{
			name:     "a registry of identifiers and anchors",
			species:  each(func(tb testing.TB) proviso.Provider { return rewriting(tb, new(registry).apply) }),
			caughtBy: []string{"isolation/one-id-two-contents", "isolation/one-nested-id-two-contents", "isolation/one-anchor-two-contents"},
		},
		{
			name: "a registry for the whole process",
			species: func() func(testing.TB) proviso.Provider {
				var global registry
				return func(tb testing.TB) proviso.Provider { return rewriting(tb, global.apply) }
			},
			caughtBy: []string{"isolation/two-providers", "concurrency/many-providers"},
		},
		{
			name:     "schemas can refer to those compiled before",
			species:  each(func(tb testing.TB) proviso.Provider { return cached(tb, new(remembering)) }),
			caughtBy: []string{"isolation/reference-to-another-schema"},
		},
		{
			name:     "a failed compilation poisons its identifier",
			species:  each(resentful),
			caughtBy: []string{"isolation/failed-compilation"},
		},
		{
			name: "once invalid, always invalid",
			species: withState(func() func(proviso.Validator, any) error {
				var sticky sync.Map
				return func(next proviso.Validator, instance any) error {
					err := next.Validate(instance)
					if err == nil {
						if before, ok := sticky.Load("error"); ok {
							return before.(error)
						}
					} else {
						sticky.Store("error", err)
					}
					return err
				}
			}),
			caughtBy: []string{"isolation/other-instances"},
		},
		{
			name: "shares an error slice",
			species: withState(func() func(proviso.Validator, any) error {
				var mu sync.Mutex
				var units []proviso.Unit
				return func(next proviso.Validator, instance any) error {
					err := next.Validate(instance)
					if e, ok := errors.AsType[*proviso.ValidationError](err); ok {
						mu.Lock()
						defer mu.Unlock()
						units = append(units[:0], e.Units...)
						return &proviso.ValidationError{Units: units}
					}
					return err
				}
			}),
			caughtBy: []string{"isolation/earlier-errors", "isolation/interleaved-errors"},
		},
		{
			name: "hands one error to all who ask about an instance",
			species: withState(func() func(proviso.Validator, any) error {
				var known sync.Map
				return func(next proviso.Validator, instance any) error {
					err := next.Validate(instance)
					if e, ok := errors.AsType[*proviso.ValidationError](err); ok {
						first, _ := known.LoadOrStore(fmt.Sprint(instance), e)
						return first.(error)
					}
					return err
				}
			}),
			caughtBy: []string{"isolation/callers-changes"},
		},
		{
			name: "hands out the error that it remembers",
			species: each(func(tb testing.TB) proviso.Provider {
				var known sync.Map
				return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
					v, err := next.Validator(ctx, schema)
					if e, ok := errors.AsType[*proviso.SchemaError](err); ok {
						first, _ := known.LoadOrStore(e.Location, e)
						return nil, first.(error)
					}
					return v, err
				}})
			}),
			caughtBy: []string{"isolation/callers-changes"},
		},
		{
			name: "rewrites the numbers of an instance",
			species: each(func(tb testing.TB) proviso.Provider {
				return outside(tb, broken{validate: func(next proviso.Validator, instance any) error {
					err := next.Validate(instance)
					if object, ok := instance.(map[string]any); ok {
						if array, ok := object["a"].([]any); ok {
							for i := range array {
								if number, ok := array[i].(json.Number); ok {
									array[i], _ = number.Float64()
								}
							}
						}
					}
					return err
				}})
			}),
			caughtBy: []string{"isolation/instances-are-read-only"},
		},
		{
			name: "rewrites the references of a schema",
			species: each(func(tb testing.TB) proviso.Provider {
				return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
					v, err := next.Validator(ctx, schema)
					if value, ok := schema.Value(); ok && err == nil {
						walk(value, func(object map[string]any) {
							if ref, ok := object["$ref"].(string); ok {
								object["$ref"] = "http://example.org/read-only" + ref
							}
						})
					}
					return v, err
				}})
			}),
			caughtBy: []string{"isolation/schemas-are-read-only"},
		},
		{
			name: "uses the text as its buffer",
			species: each(func(tb testing.TB) proviso.Provider {
				return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
					v, err := next.Validator(ctx, schema)
					if text, ok := schema.Text(); ok && err == nil {
						clear(text)
					}
					return v, err
				}})
			}),
			caughtBy: []string{"isolation/schemas-are-read-only"},
		},
	}
}
