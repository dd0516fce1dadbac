package dialect_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/dialect"
)

// engine remembers the dialect that it was created for, and what it was given.
type engine struct {
	dialect proviso.Dialect
	given   atomic.Pointer[proviso.Document]
	text    atomic.Bool // it was given a text
}

func (e *engine) Validator(_ context.Context, schema proviso.Schema) (proviso.Validator, error) {
	doc, err := schema.Document()
	e.given.Store(doc)
	_, isText := schema.Text()
	e.text.Store(isText)
	return e, err
}

func (e *engine) Validate(any) error { return nil }

func router(t *testing.T, o *dialect.Options) *dialect.Router {
	t.Helper()
	r, err := dialect.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func all(f dialect.Factory) *dialect.Options {
	o := &dialect.Options{Routes: map[proviso.Dialect]dialect.Factory{}}
	for _, d := range proviso.Dialects() {
		o.Routes[d] = f
	}
	return o
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	created := map[proviso.Dialect]int{}
	r := router(t, all(func(_ context.Context, d proviso.Dialect) (proviso.Provider, error) {
		created[d]++
		return &engine{dialect: d}, nil
	}))
	if len(created) != 0 {
		t.Error("engines are created before a schema needs them")
	}
	for range 2 {
		for _, d := range proviso.Dialects() {
			bare := strings.TrimSuffix(d.URI(), "#")
			for _, uri := range []string{bare, bare + "#", strings.Replace(bare, "http:", "https:", 1), strings.Replace(bare, "https:", "http:", 1)} {
				v, err := r.Validator(context.Background(), proviso.Value(map[string]any{"$schema": uri}))
				if err != nil || v.(*engine).dialect != d {
					t.Errorf("%s: %v, %v", uri, v, err)
				}
			}
		}
	}
	v, err := r.Validator(context.Background(), proviso.JSON([]byte(`true`)))
	if err == nil && v.(*engine).text.Load() {
		t.Error("the engine was given the text, to decode it once more")
	}
	if err != nil || v.(*engine).dialect != proviso.DefaultDialect {
		t.Errorf("without $schema: %v, %v", v, err)
	}
	for d, n := range created {
		if n != 1 {
			t.Errorf("%s: %d engines", d, n)
		}
	}
	doc, err := proviso.JSON([]byte(`{}`)).Document()
	if err != nil {
		t.Fatal(err)
	}
	if v, err := r.Validator(context.Background(), doc.Schema()); err != nil || v.(*engine).given.Load() != doc {
		t.Errorf("a document was decoded again: %v", err)
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	r := router(t, &dialect.Options{Routes: map[proviso.Dialect]dialect.Factory{
		proviso.Draft7: func(context.Context, proviso.Dialect) (proviso.Provider, error) { return &engine{}, nil },
	}})
	for schema, want := range map[string]string{
		`{}`: "draft-07", `{"$schema":"http://json-schema.org/draft-04/schema#"}`: "draft-07", `{"$schema":"http://example.org/x"}`: "https://json-schema.org/draft/2020-12/schema",
	} {
		_, err := r.Validator(context.Background(), proviso.JSON([]byte(schema)))
		if e, ok := errors.AsType[*proviso.UnsupportedError](err); !ok || !strings.Contains(e.Reason, want) {
			t.Errorf("%s: %v; want an *UnsupportedError that lists %s", schema, err, want)
		}
	}
	for name, o := range map[string]*dialect.Options{
		"nil": nil, "empty": {}, "no factory": {Routes: map[proviso.Dialect]dialect.Factory{proviso.Draft7: nil}},
		"no dialect":     {Routes: map[proviso.Dialect]dialect.Factory{77: func(context.Context, proviso.Dialect) (proviso.Provider, error) { return nil, nil }}},
		"engine options": {Routes: all(nil).Routes, Engine: &proviso.EngineOptions{DefaultDialect: 77}},
	} {
		if _, err := dialect.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestFailedCreation(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	calls := 0
	r := router(t, all(func(context.Context, proviso.Dialect) (proviso.Provider, error) {
		calls++
		switch calls {
		case 1:
			return nil, down
		case 2:
			panic("boom")
		case 3:
			runtime.Goexit()
		case 4:
			return nil, nil
		}
		return &engine{}, nil
	}))
	ask := func() error {
		_, err := r.Validator(context.Background(), proviso.JSON([]byte(`{}`)))
		return err
	}
	if err := ask(); !errors.Is(err, down) || !strings.Contains(err.Error(), "2020-12") {
		t.Errorf("%v", err)
	}
	for _, what := range []string{"a panic", "an exit", "nothing"} {
		err := ask()
		if e, ok := errors.AsType[*proviso.EngineError](err); !ok || (what == "a panic" && len(e.Stack) == 0) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := ask(); err != nil || calls != 5 {
		t.Errorf("the creation is not tried again: %v", err)
	}
	if err := ask(); err != nil || calls != 5 {
		t.Errorf("a second engine was created: %v", err)
	}
}

func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		calls := 0
		r := router(t, all(func(ctx context.Context, _ proviso.Dialect) (proviso.Provider, error) {
			calls++
			select {
			case <-release:
				return &engine{}, nil
			case <-ctx.Done():
				return nil, ctx.Err() // somebody still waits: this must not be
			}
		}))
		leaver, leave := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		errs := make([]error, 20)
		for i := range errs {
			ctx := context.Background()
			if i == 0 {
				ctx = leaver
			}
			wg.Go(func() { _, errs[i] = r.Validator(ctx, proviso.JSON([]byte(`{}`))) })
			synctest.Wait()
		}
		leave()
		synctest.Wait()
		close(release)
		wg.Wait()
		if _, err := r.Validator(context.Background(), proviso.JSON([]byte(`{}`))); err != nil || calls != 1 {
			t.Errorf("%d engines, %v", calls, err)
		}
		if !errors.Is(errs[0], context.Canceled) {
			t.Errorf("the one that left: %v", errs[0])
		}
		for _, err := range errs[1:] {
			if err != nil {
				t.Error(err)
			}
		}
	})
}

func TestEveryoneLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		r := router(t, all(func(ctx context.Context, _ proviso.Dialect) (proviso.Provider, error) {
			if calls++; calls == 1 {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return &engine{}, nil
		}))
		cause := errors.New("shutting down")
		ctx, cancel := context.WithCancelCause(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := r.Validator(ctx, proviso.JSON([]byte(`{}`))); !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
				t.Error(err)
			}
		})
		synctest.Wait()
		cancel(cause)
		wg.Wait()
		if _, err := r.Validator(ctx, proviso.JSON([]byte(`{}`))); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that has ended: %v", err)
		}
		if _, err := r.Validator(context.Background(), proviso.JSON([]byte(`{}`))); err != nil || calls != 2 {
			t.Errorf("after everyone left: %v, %d calls", err, calls)
		}
	})
}
