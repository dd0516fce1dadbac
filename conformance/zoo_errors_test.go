package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/tekuri"
)

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func always(error) bool { return true }

// units changes the units of errors.
func units(change func([]proviso.Unit, any) []proviso.Unit) func(testing.TB, proviso.Provider) proviso.Provider {
	return func(_ testing.TB, honest proviso.Provider) proviso.Provider {
		return judging(honest, func(v proviso.Validator, instance any) error {
			err := v.Validate(instance)
			if e, ok := errors.AsType[*proviso.ValidationError](err); ok {
				e.Units = change(e.Units, instance)
			}
			return err
		})
	}
}

var errorAnimals = []animal{
	{
		name: "takes whatever is refused", caught: []string{"errors/deep-schemas", "errors/go-values", "errors/typed", "errors/nothing-lost", "errors/broken-references", "errors/bad-patterns"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider { return lenient(honest, always) },
	},
	{
		name: "decodes as encoding/json does", caught: []string{"errors/not-json"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				var v any
				if text, ok := schema.Text(); ok && json.NewDecoder(strings.NewReader(string(text))).Decode(&v) == nil {
					schema = proviso.Value(v)
				}
				return honest.Validator(ctx, schema)
			})
		},
	},
	{
		name: "checks no meta-schema", caught: []string{"errors/not-a-schema", "isolation/callers-changes"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return lenient(honest, is[*proviso.SchemaError])
		},
	},
	{
		name: "hangs on a cyclic value", caught: []string{"errors/go-values"}, hangs: true,
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				if value, ok := schema.Value(); ok {
					if object, ok := value.(map[string]any); ok && reflect.ValueOf(object["not"]) == reflect.ValueOf(any(object)) || cycles(object) {
						select {}
					}
				}
				return honest.Validator(ctx, schema)
			})
		},
	},
	{
		name: "resolves references when they are reached", caught: []string{"errors/broken-references"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return lenient(honest, is[*proviso.LoadError])
		},
	},
	{
		name: "calls a broken reference a bad schema", caught: []string{"errors/broken-references"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return failing(honest, func(err error) error {
				if is[*proviso.LoadError](err) {
					return &proviso.SchemaError{Reason: "bad"}
				}
				return err
			})
		},
	},
	{
		name: "follows a reference to itself until it is bored", caught: []string{"errors/in-place-cycles"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return lenient(honest, is[*proviso.LimitError])
		},
	},
	{
		name: "takes a bad pattern for one that never matches", caught: []string{"errors/bad-patterns"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return lenient(honest, func(err error) bool {
				e, ok := errors.AsType[*proviso.SchemaError](err)
				return ok && strings.HasPrefix(e.Keyword, "pattern")
			})
		},
	},
	{
		name: "ignores contexts", caught: []string{"errors/contexts"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				return honest.Validator(context.WithoutCancel(ctx), schema)
			})
		},
	},
	{
		name: "remembers that a context ended", caught: []string{"errors/contexts"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			failed := map[any]error{}
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				key, _ := byContent(schema)
				if err, ok := failed[key]; ok {
					return nil, err
				}
				v, err := honest.Validator(ctx, schema)
				if err != nil {
					failed[key] = err
				}
				return v, err
			})
		},
	},
	{
		name: "has errors of its own", caught: []string{"errors/typed"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return failing(honest, func(error) error { return errUntyped })
		},
	},
	{
		name: "gives a validator beside the error", caught: []string{"errors/typed"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if err != nil {
					v = agreeable()
				}
				return v, err
			})
		},
	},
	{
		name: "loses everything to a bad schema", caught: []string{"errors/nothing-lost"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			var broken atomic.Bool
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if err != nil {
					broken.Store(true)
					return nil, err
				}
				return &validatorFunc{func(instance any) error {
					if broken.Load() {
						return nil
					}
					return v.Validate(instance)
				}}, nil
			})
		},
	},
	{name: "says invalid and not why", caught: []string{"errors/units"}, new: units(func([]proviso.Unit, any) []proviso.Unit { return nil })},
	{name: "loses the instance location", caught: []string{"errors/units"}, new: units(func(all []proviso.Unit, _ any) []proviso.Unit {
		for i := range all {
			all[i].InstanceLocation = ""
		}
		return all
	})},
	{name: "unstable order of errors", caught: []string{"errors/order"}, new: units(func(all []proviso.Unit, _ any) []proviso.Unit {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all
	})},
	{name: "a fixed order of its own", caught: []string{"errors/order"}, new: units(func(all []proviso.Unit, _ any) []proviso.Unit {
		slices.Reverse(all)
		return all
	})},
	{name: "stops at some error", caught: []string{"errors/order"}, new: units(func(all []proviso.Unit, _ any) []proviso.Unit {
		return []proviso.Unit{all[rand.IntN(len(all))]}
	})},
	{name: "shows what it was given", caught: []string{"errors/secrets"}, new: units(func(all []proviso.Unit, instance any) []proviso.Unit {
		all[0].Message = fmt.Sprintf("got %v", instance)
		return all
	})},
	{
		name: "calls an unknown verdict invalid", caught: []string{"errors/unknown-verdicts"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return judging(honest, func(v proviso.Validator, instance any) error {
				err := v.Validate(instance)
				if err != nil && !is[*proviso.ValidationError](err) {
					return &proviso.ValidationError{Units: []proviso.Unit{{Message: err.Error()}}}
				}
				return err
			})
		},
	},
	{
		name: "calls an unknown verdict valid", caught: []string{"errors/unknown-verdicts"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return judging(honest, func(v proviso.Validator, instance any) error {
				err := v.Validate(instance)
				if is[*proviso.ValidationError](err) {
					return err
				}
				return nil
			})
		},
	},
	{
		name: "panics on strange instances", caught: []string{"errors/no-panics"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return judging(honest, func(v proviso.Validator, instance any) error {
				if strings, ok := instance.([]string); ok {
					instance = any(strings).([]any)
				}
				return v.Validate(instance)
			})
		},
	},
	{
		name: "panics on bad schemas", caught: []string{"errors/typed", "errors/not-json", "errors/not-a-schema"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return failing(honest, func(err error) error { panic(err) })
		},
	},
	{
		name: "is never the same after a panic", caught: []string{"errors/no-panics"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if err != nil {
					return nil, err
				}
				var dead error
				return &validatorFunc{func(instance any) error {
					if dead != nil {
						return dead
					}
					err := v.Validate(instance)
					if err != nil && !is[*proviso.ValidationError](err) {
						dead = err
					}
					return err
				}}, nil
			})
		},
	},
	{
		name: "takes numbers for what their Go type is called", caught: []string{"errors/go-numbers"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return judging(honest, func(v proviso.Validator, instance any) error {
				if object, ok := instance.(map[string]any); ok {
					if n, ok := object["a"].(json.Number); ok {
						object = maps.Clone(object)
						object["a"] = string(n)
						instance = object
					}
				}
				return v.Validate(instance)
			})
		},
	},
}

// cycles reports whether a map holds itself, directly or in a list.
func cycles(object map[string]any) bool {
	return object != nil && reflect.ValueOf(object["not"]).Kind() == reflect.Map && reflect.ValueOf(object["not"]).Pointer() == reflect.ValueOf(object).Pointer()
}

// failing changes the errors of the honest provider.
func failing(honest proviso.Provider, change func(error) error) proviso.Provider {
	return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
		v, err := honest.Validator(ctx, schema)
		if err != nil {
			return nil, change(err)
		}
		return v, nil
	})
}

// reach reads whatever a URI names, as engines do that mean well.
func reach(_ context.Context, uri string) ([]byte, error) {
	if path, ok := strings.CutPrefix(uri, "file://"); ok {
		return os.ReadFile(path)
	}
	if !strings.HasPrefix(uri, "http://127.0.0.1") {
		return nil, errors.New("not on this machine")
	}
	response, err := http.Get(uri)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

var ioAnimals = []animal{
	{
		name: "reads files and the network", caught: []string{"io/files", "io/network"},
		new: func(tb testing.TB, _ proviso.Provider) proviso.Provider {
			p, err := tekuri.New(&proviso.EngineOptions{Loader: proviso.LoaderFunc(reach)})
			if err != nil {
				tb.Fatal(err)
			}
			return p
		},
	},
	{
		name: "reads files beside it", caught: []string{"io/working-directory"},
		new: func(tb testing.TB, _ proviso.Provider) proviso.Provider {
			p, err := tekuri.New(&proviso.EngineOptions{Loader: proviso.LoaderFunc(reach)})
			if err != nil {
				tb.Fatal(err)
			}
			here, err := filepath.Abs(".")
			if err != nil {
				tb.Fatal(err)
			}
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				root := rootOf(schema)
				if _, has := idOf(root); root == nil || has {
					return p.Validator(ctx, schema)
				}
				root = maps.Clone(root)
				root["$id"], root["id"] = "file://"+here+"/", "file://"+here+"/"
				return p.Validator(ctx, proviso.Value(root))
			})
		},
	},
	{
		name: "fetches meta-schemas", caught: []string{"io/meta-schemas"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if uri, _ := rootOf(schema)["$schema"].(string); is[*proviso.UnsupportedError](err) && uri != "" {
					if _, err := reach(ctx, uri); err == nil {
						return agreeable(), nil
					}
				}
				return v, err
			})
		},
	},
	{
		name: "fetches identifiers", caught: []string{"io/identifiers"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := honest.Validator(ctx, schema)
				if id, ok := idOf(rootOf(schema)); ok && err == nil {
					return &validatorFunc{func(instance any) error {
						_, _ = reach(context.Background(), id)
						return v.Validate(instance)
					}}, nil
				}
				return v, err
			})
		},
	},
}
