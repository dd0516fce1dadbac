package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/proviso-go/proviso"
)

// answering is an engine whose errors for bad schemas pass through answer.
func answering(answer func(schema proviso.Schema, err error) (proviso.Validator, error)) func() func(testing.TB) proviso.Provider {
	return each(func(tb testing.TB) proviso.Provider {
		return inFront(tb, answer)
	})
}

func inFront(tb testing.TB, answer func(schema proviso.Schema, err error) (proviso.Validator, error)) proviso.Provider {
	return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		v, err := next.Validator(ctx, schema)
		if err != nil && ctx.Err() == nil {
			return answer(schema, err)
		}
		return v, err
	}})
}

// accept is a validator for all that a check lets pass.
func accept(is func(schema proviso.Schema, err error) bool, verdict error) func() func(testing.TB) proviso.Provider {
	return answering(func(schema proviso.Schema, err error) (proviso.Validator, error) {
		if is(schema, err) {
			return &always{verdict}, nil
		}
		return nil, err
	})
}

// decodes tells whether a schema has a content.
func decodes(schema proviso.Schema) bool {
	_, err := schema.Document()
	return err == nil
}

// lenient decodes texts with encoding/json.
func lenient(tb testing.TB) proviso.Provider {
	return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		if text, ok := schema.Text(); ok {
			decoder := json.NewDecoder(bytes.NewReader(text))
			decoder.UseNumber()
			var tree any
			if decoder.Decode(&tree) == nil {
				schema = proviso.Value(tree)
			}
		}
		return next.Validator(ctx, schema)
	}})
}

// deaf does not look at the context.
func deaf(tb testing.TB) proviso.Provider {
	return outside(tb, broken{compile: func(_ context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		return next.Validator(context.Background(), schema)
	}})
}

// elephant remembers the error of a context.
func elephant(tb testing.TB) proviso.Provider {
	var known sync.Map
	return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		doc, docErr := schema.Document()
		if docErr != nil {
			return next.Validator(ctx, schema)
		}
		if err, ok := known.Load(content(schema, doc)); ok && ctx.Err() == nil {
			return nil, err.(error)
		}
		v, err := next.Validator(ctx, schema)
		if ctx.Err() != nil {
			known.Store(content(schema, doc), err)
		}
		return v, err
	}})
}

// fragile works until the first schema that is bad.
func fragile(tb testing.TB) proviso.Provider {
	var failed atomic.Bool
	return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		if failed.Load() {
			return nil, &proviso.EngineError{Engine: "zoo", Op: "compile", Reason: "failed before"}
		}
		v, err := next.Validator(ctx, schema)
		failed.Store(err != nil)
		return v, err
	}})
}

// poisoned works until then as well, and its validators with it.
func poisoned(tb testing.TB) proviso.Provider {
	var failed atomic.Bool
	b := broken{
		compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
			v, err := next.Validator(ctx, schema)
			if err != nil {
				failed.Store(true)
			}
			return v, err
		},
		validate: func(next proviso.Validator, instance any) error {
			if failed.Load() {
				return nil
			}
			return next.Validate(instance)
		},
	}
	return inside(tb, b)
}

func hasNoContent(schema proviso.Schema, _ error) bool {
	_, isValue := schema.Value()
	return isValue && !decodes(schema)
}

func schemaErrorZoo() []animal {
	return []animal{
		{name: "decodes schemas leniently", species: each(lenient), caughtBy: []string{"errors/not-json"}},
		{
			name: "checks no schema against its meta-schema",
			species: accept(func(schema proviso.Schema, err error) bool {
				e, ok := errors.AsType[*proviso.SchemaError](err)
				return ok && decodes(schema) && e.Keyword != "pattern" && e.Keyword != "patternProperties"
			}, nil),
			caughtBy: []string{"errors/not-a-schema"},
		},
		{
			name:     "takes a Go value without JSON form for an empty schema",
			species:  accept(hasNoContent, nil),
			caughtBy: []string{"errors/go-values", "caching/uncacheable-schemas"},
		},
		{
			name: "hangs on a Go value without JSON form",
			species: answering(func(schema proviso.Schema, err error) (proviso.Validator, error) {
				if hasNoContent(schema, err) {
					select {}
				}
				return nil, err
			}),
			hangs:    true,
			caughtBy: []string{"errors/go-values"},
		},
		{
			name: "panics on a Go value without JSON form",
			species: answering(func(schema proviso.Schema, err error) (proviso.Validator, error) {
				if hasNoContent(schema, err) {
					panic(err)
				}
				return nil, err
			}),
			caughtBy: []string{"errors/go-values", "errors/typed"},
		},
		{
			name:     "has no limits",
			species:  accept(func(_ proviso.Schema, err error) bool { return isLimit(err) }, nil),
			caughtBy: []string{"errors/deep-schemas", "errors/in-place-cycles"},
		},
		{
			name:     "looks for references when it validates",
			species:  accept(func(_ proviso.Schema, err error) bool { return isLoadError(err) }, &proviso.LoadError{Reason: "not found"}),
			caughtBy: []string{"errors/broken-references"},
		},
		{
			name: "compiles patterns when it validates",
			species: accept(func(schema proviso.Schema, err error) bool {
				if !decodes(schema) || (!isSchemaError(err) && !isUnsupported(err)) {
					return false
				}
				_, unpatterned := edited(schema, func(map[string]any) {})
				return unpatterned == nil
			}, &proviso.UnsupportedError{Keyword: "pattern", Reason: "not an expression"}),
			caughtBy: []string{"errors/bad-patterns"},
		},
		{name: "ignores the context", species: each(deaf), caughtBy: []string{"errors/contexts"}},
		{name: "remembers the error of a context", species: each(elephant), caughtBy: []string{"errors/contexts"}},
		{
			name: "has errors without a type",
			species: answering(func(_ proviso.Schema, err error) (proviso.Validator, error) {
				return nil, errors.New(err.Error())
			}),
			caughtBy: []string{"errors/typed", "errors/not-json", "errors/not-a-schema", "errors/broken-references", "errors/in-place-cycles", "errors/bad-patterns", "errors/deep-schemas", "dialects/not-claimed"},
		},
		{
			name: "returns a validator beside the error",
			species: answering(func(_ proviso.Schema, err error) (proviso.Validator, error) {
				return &always{err}, err
			}),
			caughtBy: []string{"errors/typed"},
		},
		{
			name: "says of a bad schema that the instance is invalid",
			species: answering(func(_ proviso.Schema, err error) (proviso.Validator, error) {
				return nil, &proviso.ValidationError{Units: []proviso.Unit{{Message: err.Error()}}}
			}),
			caughtBy: []string{"errors/typed"},
		},
		{name: "compiles nothing after a bad schema", species: each(fragile), caughtBy: []string{"errors/nothing-lost", "isolation/failed-compilation"}},
		{name: "judges nothing after a bad schema", species: each(poisoned), caughtBy: []string{"errors/nothing-lost"}},
		{
			name: "panics on a bad schema",
			species: answering(func(_ proviso.Schema, err error) (proviso.Validator, error) {
				panic(fmt.Sprint("zoo: ", err))
			}),
			caughtBy: []string{"errors/typed", "errors/not-a-schema", "errors/nothing-lost"},
		},
	}
}
