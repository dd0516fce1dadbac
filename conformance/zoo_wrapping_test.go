package conformance

import (
	"context"
	"errors"
	"sync"

	"github.com/proviso-go/proviso"
)

// A flight is one compilation that several wait for.
type flight struct {
	done chan struct{}
	v    proviso.Validator
	err  error
}

// sharing is a cache with one compilation for those who ask at once, as it is
// first written.
type sharing struct {
	next proviso.Provider
	// ownContext lets a compilation end with the context of the caller that began
	// it.
	ownContext bool
	// patient lets no caller leave.
	patient bool
	// forget says which errors are not remembered.
	forget func(error) bool
	// recovers tells whether a panic becomes an error.
	recovers bool

	mu      sync.Mutex
	flights map[any]*flight
}

// passing are the errors that are rightly forgotten.
func passing(err error) bool {
	_, schema := errors.AsType[*proviso.SchemaError](err)
	_, unsupported := errors.AsType[*proviso.UnsupportedError](err)
	_, limit := errors.AsType[*proviso.LimitError](err)
	return !schema && !unsupported && !limit
}

func (s *sharing) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	key := content(schema, doc)
	s.mu.Lock()
	f, ok := s.flights[key]
	if !ok {
		f = &flight{done: make(chan struct{})}
		if s.flights == nil {
			s.flights = make(map[any]*flight)
		}
		s.flights[key] = f
	}
	s.mu.Unlock()
	if !ok {
		flightContext := ctx
		if !s.ownContext {
			flightContext = context.WithoutCancel(ctx)
		}
		if s.recovers {
			go s.fly(flightContext, key, f, doc)
		} else {
			s.fly(flightContext, key, f, doc)
		}
	}
	if s.patient {
		ctx = context.Background()
	}
	select {
	case <-f.done:
		return f.v, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *sharing) fly(ctx context.Context, key any, f *flight, doc *proviso.Document) {
	defer close(f.done)
	defer func() {
		if s.recovers {
			if r := recover(); r != nil {
				f.v, f.err = nil, proviso.PanicError("zoo", "compile", r, nil)
			}
		}
		if f.err != nil && s.forget(f.err) {
			s.mu.Lock()
			delete(s.flights, key)
			s.mu.Unlock()
		}
	}()
	f.v, f.err = s.next.Validator(ctx, doc.Schema())
}

func never(error) bool { return false }

func wrappingZoo() []animal {
	return []animal{
		{
			name: "a wrapper that does nothing",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) { return inner, nil },
			caughtBy: []string{
				"wrapping/compiles-once", "wrapping/concurrent-misses", "wrapping/lasting-errors", "wrapping/panics",
			},
		},
		{
			name: "a lock held while it compiles",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) {
				return &cache{next: inner, key: content}, nil
			},
			caughtBy: []string{"wrapping/one-slow-schema"},
		},
		{
			name: "the first caller's context for all",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) {
				return &sharing{next: inner, ownContext: true, recovers: true, forget: passing}, nil
			},
			caughtBy: []string{"wrapping/a-caller-leaves"},
		},
		{
			name: "no caller can leave",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) {
				return &sharing{next: inner, patient: true, recovers: true, forget: passing}, nil
			},
			caughtBy: []string{"wrapping/a-caller-leaves"},
		},
		{
			name: "remembers every error",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) {
				return &sharing{next: inner, recovers: true, forget: never}, nil
			},
			caughtBy: []string{"wrapping/passing-errors", "wrapping/panics"},
		},
		{
			name: "remembers no error",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) {
				return &sharing{next: inner, recovers: true, forget: func(error) bool { return true }}, nil
			},
			caughtBy: []string{"wrapping/lasting-errors"},
		},
		{
			name: "lets a panic through",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) {
				return &sharing{next: inner, forget: passing}, nil
			},
			caughtBy: []string{"wrapping/panics"},
		},
		{
			name: "looks one content up and compiles another",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) {
				return &cache{next: inner, key: content}, nil
			},
			caughtBy: []string{"wrapping/own-content"},
		},
	}
}
