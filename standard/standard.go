package standard

import (
	"context"
	"fmt"
	"maps"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/dialect"
	"github.com/proviso-go/proviso/memo"
	"github.com/proviso-go/proviso/providers/tekuri"
)

// Options are those of the parts. Nil and the zero value are safe.
type Options struct {
	// Engine is for the engine of every dialect that Routes does not name, and has
	// the default dialect and the resources that the router looks at.
	Engine *proviso.EngineOptions
	// Memo bounds what is kept.
	Memo *memo.Options
	// Routes name other engines for some dialects.
	Routes map[proviso.Dialect]dialect.Factory
}

// A Stack is a proviso.Provider: a memo.Memo with all behind it.
type Stack struct{ memo *memo.Memo }

// New returns a Stack. The error names an option that makes no sense.
func New(options *Options) (*Stack, error) {
	o := Options{}
	if options != nil {
		o = *options
	}
	engine, err := o.Engine.Checked()
	if err != nil {
		return nil, fmt.Errorf("standard: %w", err)
	}
	routes := make(map[proviso.Dialect]dialect.Factory)
	for _, d := range tekuri.Dialects() {
		routes[d] = func(context.Context, proviso.Dialect) (proviso.Provider, error) { return tekuri.New(engine) }
	}
	maps.Copy(routes, o.Routes)
	router, err := dialect.New(&dialect.Options{Routes: routes, Engine: engine})
	if err != nil {
		return nil, fmt.Errorf("standard: %w", err)
	}
	m, err := memo.New(router, o.Memo)
	if err != nil {
		return nil, fmt.Errorf("standard: %w", err)
	}
	return &Stack{m}, nil
}

// Validator implements proviso.Provider.
func (s *Stack) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	return s.memo.Validator(ctx, schema)
}

// Stats is that of memo.Memo.
func (s *Stack) Stats() memo.Stats { return s.memo.Stats() }

// Forget is that of memo.Memo.
func (s *Stack) Forget(schema proviso.Schema) error { return s.memo.Forget(schema) }

// Purge is that of memo.Memo.
func (s *Stack) Purge() { s.memo.Purge() }
