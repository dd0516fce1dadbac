package dialect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/proviso-go/proviso"
)

// A Factory creates the engine for a dialect. It is called when the first
// schema of the dialect is asked for, once if it succeeds, and again with the next
// schema if it fails. The context has the values of the request that needs the
// engine; it ends when every request that waits for it has.
type Factory func(ctx context.Context, dialect proviso.Dialect) (proviso.Provider, error)

// Options say where schemas go.
type Options struct {
	// Routes are the factories by dialect. A dialect without one is refused.
	Routes map[proviso.Dialect]Factory
	// Engine has the DefaultDialect of schemas without $schema and the Resources
	// that may be custom meta-schemas; nil is the default. The factories' engines should
	// have the same.
	Engine *proviso.EngineOptions
}

// A Router is a proviso.Provider that hands each schema to the engine of its
// dialect.
type Router struct {
	engine *proviso.EngineOptions
	routes map[proviso.Dialect]*route
}

// New returns a Router. The error names an option that makes no sense.
func New(options *Options) (*Router, error) {
	if options == nil || len(options.Routes) == 0 {
		return nil, errors.New("dialect: no routes")
	}
	engine, err := options.Engine.Checked()
	if err != nil {
		return nil, fmt.Errorf("dialect: %w", err)
	}
	r := &Router{engine: engine, routes: make(map[proviso.Dialect]*route, len(options.Routes))}
	for d, factory := range options.Routes {
		if !d.Known() {
			return nil, fmt.Errorf("dialect: Routes: %d is not a dialect", d)
		}
		if factory == nil {
			return nil, fmt.Errorf("dialect: Routes: %s has no factory", d)
		}
		r.routes[d] = &route{dialect: d, factory: factory}
	}
	return r, nil
}

// Validator implements proviso.Provider. A text is decoded once, here. A factory's error
// is returned with the dialect's name; a *proviso.EngineError stands for one that
// panicked.
func (r *Router) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	d, err := doc.Dialect(r.engine)
	if err != nil {
		return nil, err
	}
	route, ok := r.routes[d]
	if !ok {
		return nil, &proviso.UnsupportedError{
			Dialect: d, Keyword: "$schema", Location: "/$schema",
			Reason: "no engine is routed for this dialect; routed are " + r.routed(),
		}
	}
	provider, err := route.provider(ctx)
	if err != nil {
		return nil, err
	}
	return provider.Validator(ctx, doc.Schema())
}

func (r *Router) routed() string {
	var names []string
	for _, d := range slices.Sorted(maps.Keys(r.routes)) {
		names = append(names, d.String())
	}
	return strings.Join(names, ", ")
}

// route is one dialect's engine, as soon as there is one.
type route struct {
	dialect proviso.Dialect
	factory Factory

	mu       sync.Mutex
	engine   proviso.Provider // nil until it is created
	creation *creation        // under way, if not nil
}

// creation is a call of the factory, and whoever waits for it.
type creation struct {
	done    chan struct{}
	engine  proviso.Provider
	err     error
	waiters int
	cancel  context.CancelFunc
}

// provider returns the engine, creating it if nobody has.
func (r *route) provider(ctx context.Context) (proviso.Provider, error) {
	r.mu.Lock()
	if r.engine != nil {
		defer r.mu.Unlock()
		return r.engine, nil
	}
	c := r.creation
	if c == nil {
		created, cancel := context.WithCancel(context.WithoutCancel(ctx))
		c = &creation{done: make(chan struct{}), cancel: cancel}
		r.creation = c
		go r.create(created, c)
	}
	c.waiters++
	r.mu.Unlock()
	select {
	case <-c.done:
		return c.engine, c.err
	case <-ctx.Done():
		r.mu.Lock()
		defer r.mu.Unlock()
		if c.waiters--; c.waiters == 0 {
			c.cancel()
			if r.creation == c {
				r.creation = nil // the next request starts anew
			}
		}
		err := ctx.Err()
		if cause := context.Cause(ctx); cause != err {
			err = fmt.Errorf("%w: %w", err, cause)
		}
		return nil, fmt.Errorf("dialect: left while the engine for %s was being created: %w", r.dialect, err)
	}
}

// create calls the factory and publishes what came of it.
func (r *route) create(ctx context.Context, c *creation) {
	// Stands if the factory neither returns nor panics (runtime.Goexit).
	c.err = &proviso.EngineError{Engine: "dialect", Op: "create", Reason: "the factory did not return"}
	defer func() {
		if p := recover(); p != nil {
			c.engine, c.err = nil, proviso.PanicError("dialect", "create", p, debug.Stack())
		}
		if c.err != nil {
			c.err = fmt.Errorf("dialect: no engine for %s: %w", r.dialect, c.err)
		}
		c.cancel()
		r.mu.Lock()
		if r.creation == c {
			r.creation = nil
			r.engine = c.engine
		}
		r.mu.Unlock()
		close(c.done)
	}()
	engine, err := r.factory(ctx, r.dialect)
	if err == nil && engine == nil {
		err = &proviso.EngineError{Engine: "dialect", Op: "create", Reason: "the factory returned neither an engine nor an error"}
	}
	if err != nil {
		engine = nil
	}
	c.engine, c.err = engine, err
}
