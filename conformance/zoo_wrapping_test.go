package conformance

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/proviso-go/proviso"
)

// as gives every schema another $schema.
func as(honest proviso.Provider, uri func(proviso.Schema) (string, bool)) proviso.Provider {
	return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
		root := rootOf(schema)
		to, ok := uri(schema)
		if root == nil || !ok {
			return honest.Validator(ctx, schema)
		}
		root = maps.Clone(root)
		root["$schema"] = to
		return honest.Validator(ctx, proviso.Value(root))
	})
}

var dialectAnimals = []animal{
	{
		name: "judges all schemas by the newest dialect", caught: []string{"dialects/keywords", "dialects/references", "dialects/booleans"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return as(honest, func(proviso.Schema) (string, bool) { return proviso.Draft202012.URI(), true })
		},
	},
	{
		name: "knows one spelling of each dialect", caught: []string{"dialects/spellings"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				if uri, ok := rootOf(schema)["$schema"].(string); ok {
					if d, known := proviso.DialectOf(uri); known && d.URI() != uri {
						return nil, &proviso.UnsupportedError{Reason: "unknown " + uri}
					}
				}
				return honest.Validator(ctx, schema)
			})
		},
	},
	{
		name: "takes the other spellings for the default dialect", caught: []string{"dialects/spellings"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return as(honest, func(schema proviso.Schema) (string, bool) {
				uri, _ := rootOf(schema)["$schema"].(string)
				d, known := proviso.DialectOf(uri)
				return proviso.Draft202012.URI(), known && d.URI() != uri
			})
		},
	},
	{
		name: "compiles dialects that it does not implement", caught: []string{"dialects/not-claimed"}, dialects: []proviso.Dialect{proviso.Draft7},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider { return honest },
	},
	{
		name: "takes an unknown $schema for the default", caught: []string{"dialects/not-claimed", "dialects/unknown-lists-known"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return lenient(honest, is[*proviso.UnsupportedError])
		},
	},
	{
		name: "does not say what it knows", caught: []string{"dialects/unknown-lists-known"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return failing(honest, func(err error) error {
				if is[*proviso.UnsupportedError](err) {
					return &proviso.UnsupportedError{Reason: "no"}
				}
				return err
			})
		},
	},
	{
		name: "has another default dialect", caught: []string{"dialects/default"},
		new: func(_ testing.TB, honest proviso.Provider) proviso.Provider {
			return as(honest, func(schema proviso.Schema) (string, bool) {
				_, has := rootOf(schema)["$schema"]
				return proviso.Draft7.URI(), !has
			})
		},
	},
}

// brokenMemo is a memo with switches for what is wrong with it.
type brokenMemo struct {
	inner proviso.Provider
	mu    sync.Mutex
	known map[string]*outcome

	compilesTwice, locksAll, usesCallersContext, remembersAll, forgetsErrors, lateStore, handsOn bool
}

type outcome struct {
	done chan struct{}
	v    proviso.Validator
	err  error
}

func (m *brokenMemo) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	text, _ := doc.MarshalJSON()
	key := string(text)
	m.mu.Lock()
	o, ok := m.known[key]
	if ok {
		m.mu.Unlock()
		<-o.done
		return o.v, o.err
	}
	o = &outcome{done: make(chan struct{})}
	if !m.lateStore {
		m.known[key] = o
	}
	if !m.locksAll {
		m.mu.Unlock()
	}
	if m.usesCallersContext {
		o.v, o.err = m.inner.Validator(ctx, doc.Schema())
	} else {
		o.v, o.err = m.compile(schema, doc)
	}
	close(o.done)
	if !m.locksAll {
		m.mu.Lock()
	}
	defer m.mu.Unlock()
	lasting := is[*proviso.SchemaError](o.err) || is[*proviso.UnsupportedError](o.err) || is[*proviso.LimitError](o.err)
	switch {
	case o.err == nil:
		m.known[key] = o
	case m.forgetsErrors || (!lasting && !m.remembersAll):
		delete(m.known, key)
	}
	return o.v, o.err
}

func (m *brokenMemo) compile(schema proviso.Schema, doc *proviso.Document) (proviso.Validator, error) {
	if !m.handsOn {
		schema = doc.Schema()
	}
	if m.compilesTwice {
		if _, err := m.inner.Validator(context.Background(), schema); err != nil {
			return nil, err
		}
	}
	return m.inner.Validator(context.Background(), schema)
}

func broken(set func(*brokenMemo)) func(proviso.Provider) (proviso.Provider, error) {
	return func(inner proviso.Provider) (proviso.Provider, error) {
		m := &brokenMemo{inner: inner, known: make(map[string]*outcome)}
		set(m)
		return m, nil
	}
}

var wrappingAnimals = []animal{
	{name: "double compilation", caught: []string{"wrapping/compiles-once"}, wrap: broken(func(m *brokenMemo) { m.compilesTwice = true })},
	{name: "shares no compilation", caught: []string{"wrapping/concurrent-misses"}, wrap: broken(func(m *brokenMemo) { m.lateStore = true })},
	{name: "compiles under its lock", caught: []string{"wrapping/one-slow-schema"}, wrap: broken(func(m *brokenMemo) { m.locksAll = true })},
	{name: "compiles on the first caller's context", caught: []string{"wrapping/a-caller-leaves"}, wrap: broken(func(m *brokenMemo) { m.usesCallersContext = true })},
	{name: "waits for a compilation whatever the context says", caught: []string{"wrapping/a-caller-leaves"}, wrap: broken(func(*brokenMemo) {})},
	{name: "remembers every error", caught: []string{"wrapping/passing-errors"}, wrap: broken(func(m *brokenMemo) { m.remembersAll = true })},
	{name: "remembers no error", caught: []string{"wrapping/lasting-errors"}, wrap: broken(func(m *brokenMemo) { m.forgetsErrors = true })},
	{name: "lets a panic through", caught: []string{"wrapping/panics"}, hangs: true, wrap: broken(func(*brokenMemo) {})},
	{
		name: "hands the caller's object on", caught: []string{"wrapping/own-content"},
		wrap: func(inner proviso.Provider) (proviso.Provider, error) {
			return providerFunc(func(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
				v, err := inner.Validator(ctx, schema)
				value, _ := schema.Value()
				if err != nil {
					return v, err
				}
				return &validatorFunc{func(any) error {
					return &proviso.ValidationError{Units: []proviso.Unit{{Message: strings.Join(titles(value), " ")}}}
				}}, nil
			}), nil
		},
	},
	{
		name: "swallows errors", caught: []string{"wrapping/lasting-errors", "wrapping/passing-errors"},
		wrap: func(inner proviso.Provider) (proviso.Provider, error) {
			return failing(inner, func(error) error { return errors.New("no validator") }), nil
		},
	},
}

func titles(value any) []string {
	object, _ := value.(map[string]any)
	title, _ := object["title"].(string)
	return []string{title}
}
