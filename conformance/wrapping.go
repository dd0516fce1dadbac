package conformance

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/proviso-go/proviso"
)

const wrappingGroup = "wrapping"

// inner is the provider that the wrapper under test is put in front of.
type inner struct {
	compilations atomic.Int64
	// compile, if set, is called for each; n counts from 1.
	compile func(ctx context.Context, n int64, doc *proviso.Document) error
	// given, if set, is called before the schema that was handed on is looked at.
	given func()
}

// judged is inner's validator: it says what it was compiled from.
type judged struct{ tree any }

func (j *judged) Validate(any) error {
	return &proviso.ValidationError{Units: []proviso.Unit{{Keyword: "content", Message: fmt.Sprint(j.tree)}}}
}

func (i *inner) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	n := i.compilations.Add(1)
	if i.given != nil {
		i.given()
	}
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	if i.compile != nil {
		if err := i.compile(ctx, n, doc); err != nil {
			return nil, err
		}
	}
	return &judged{doc.Tree()}, nil
}

// wrap puts the wrapper under test in front of i.
func (t *T) wrap(i *inner) proviso.Provider {
	p, err := t.options.Wrap(i)
	if err != nil || p == nil {
		t.Fatalf("Options.Wrap: %v, %v", p, err)
	}
	return p
}

// ask asks for the schema with a title, which inner compiles whatever it says.
func ask(ctx context.Context, p proviso.Provider, title string) (proviso.Validator, error) {
	return p.Validator(ctx, proviso.Value(map[string]any{"title": title}))
}

// soon waits until a condition holds.
func (t *T) soon(what string, holds func() bool) {
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to it that %s", what)
		}
	}
}

var wrappingCases = []Case{
	{Name: "wrapping/compiles-once", Promise: "each content is compiled once, however often and in whatever form it is asked for", run: func(t *T) {
		i := &inner{}
		p := t.wrap(i)
		for round := range 5 {
			for n := range 10 {
				for _, s := range []proviso.Schema{
					proviso.JSON(fmt.Appendf(nil, `{"title":"%d","type":"string"}`, n)), proviso.JSON(fmt.Appendf(nil, ` { "type" : "string", "title" : "%d" } `, n)),
					proviso.Value(map[string]any{"title": fmt.Sprint(n), "type": "string"}),
				} {
					if _, err := p.Validator(context.Background(), s); err != nil {
						t.Fatalf("round %d: %v", round, err)
					}
				}
			}
		}
		if n := i.compilations.Load(); n != 10 {
			t.Errorf("10 contents were compiled %d times", n)
		}
	}},
	{Name: "wrapping/concurrent-misses", Promise: "requests for one content that come together share one compilation", run: func(t *T) {
		release := make(chan struct{})
		i := &inner{compile: func(context.Context, int64, *proviso.Document) error { <-release; return nil }}
		p := t.wrap(i)
		go func() {
			// Time for the others to come, and to start a second one if they do.
			time.Sleep(50 * time.Millisecond)
			close(release)
		}()
		t.parallel(goroutines, func(int) {
			if _, err := ask(context.Background(), p, "shared"); err != nil {
				t.Errorf("%v", err)
			}
		})
		if n := i.compilations.Load(); n != 1 {
			t.Errorf("%d requests at once compiled one content %d times", goroutines, n)
		}
	}},
	{Name: "wrapping/one-slow-schema", Promise: "a slow compilation keeps no request for another schema waiting", run: func(t *T) {
		release := make(chan struct{})
		i := &inner{compile: func(_ context.Context, n int64, _ *proviso.Document) error {
			if n == 1 {
				<-release
			}
			return nil
		}}
		p := t.wrap(i)
		var wg sync.WaitGroup
		wg.Go(func() { defer t.recover(); _, _ = ask(context.Background(), p, "slow") })
		t.soon("the slow one is under way", func() bool { return i.compilations.Load() == 1 })
		quick := make(chan struct{})
		go func() { defer close(quick); defer t.recover(); _, _ = ask(context.Background(), p, "quick") }()
		select {
		case <-quick:
		case <-time.After(5 * time.Second):
			t.Errorf("a request for another schema was still waiting after 5 seconds")
		}
		close(release)
		wg.Wait()
	}},
	{Name: "wrapping/a-caller-leaves", Promise: "a caller whose context ends leaves at once, and the others still get their validator", run: func(t *T) {
		release := make(chan struct{})
		i := &inner{compile: func(ctx context.Context, _ int64, _ *proviso.Document) error {
			select {
			case <-release:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		p := t.wrap(i)
		ctx, cancel := context.WithCancel(context.Background())
		left, stayed := make(chan error, 1), make(chan error, 1)
		go func() { defer t.recover(); _, err := ask(ctx, p, "left"); left <- err }()
		t.soon("the compilation is under way", func() bool { return i.compilations.Load() == 1 })
		go func() { defer t.recover(); _, err := ask(context.Background(), p, "left"); stayed <- err }()
		time.Sleep(20 * time.Millisecond)
		cancel()
		select {
		case err := <-left:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the one that left got %v", err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("the one whose context ended is still waiting")
		}
		close(release)
		select {
		case err := <-stayed:
			if err != nil {
				t.Errorf("the one that stayed got %v", err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("the one that stayed is still waiting")
		}
	}},
	{Name: "wrapping/passing-errors", Promise: "errors that may pass (a reference that could not be loaded, a context's, an engine's failure) are not remembered", run: func(t *T) {
		for what, err := range map[string]error{
			"a *LoadError": &proviso.LoadError{URI: "http://example.org/x", Reason: "down"}, "context.DeadlineExceeded": context.DeadlineExceeded,
			"a wrapped context.Canceled": fmt.Errorf("loading: %w", context.Canceled), "an *EngineError": &proviso.EngineError{Engine: "inner", Op: "compile", Reason: "failed"},
		} {
			i := &inner{compile: func(_ context.Context, n int64, _ *proviso.Document) error {
				if n == 1 {
					return err
				}
				return nil
			}}
			p := t.wrap(i)
			if _, got := ask(context.Background(), p, "passing"); !errors.Is(got, err) {
				t.Errorf("%s is handed on as %v", what, got)
			}
			if _, got := ask(context.Background(), p, "passing"); got != nil {
				t.Errorf("%s is remembered: %v", what, got)
			}
		}
	}},
	{Name: "wrapping/lasting-errors", Promise: "errors that will come again (a schema that is none, one that is refused) are remembered", run: func(t *T) {
		for what, err := range map[string]error{
			"a *SchemaError": &proviso.SchemaError{Reason: "none"}, "an *UnsupportedError": &proviso.UnsupportedError{Engine: "inner", Reason: "refused"}, "a *LimitError": &proviso.LimitError{Limit: "x"},
		} {
			i := &inner{compile: func(context.Context, int64, *proviso.Document) error { return err }}
			p := t.wrap(i)
			for range 3 {
				_, got := ask(context.Background(), p, "lasting")
				if reflect.TypeOf(got) != reflect.TypeOf(err) {
					t.Errorf("%s is handed on as %T", what, got)
				}
			}
			if n := i.compilations.Load(); n != 1 {
				t.Errorf("%s: compiled %d times in 3 requests", what, n)
			}
		}
	}},
	{Name: "wrapping/panics", Promise: "a compilation that panics is an *EngineError for all who wait for it, and is tried again", run: func(t *T) {
		i := &inner{compile: func(_ context.Context, n int64, _ *proviso.Document) error {
			if n == 1 {
				time.Sleep(20 * time.Millisecond)
				panic("inner")
			}
			return nil
		}}
		p := t.wrap(i)
		t.parallel(2, func(int) {
			_, err := ask(context.Background(), p, "panic")
			if _, ok := errors.AsType[*proviso.EngineError](err); !ok && (err != nil || i.compilations.Load() < 2) {
				t.Errorf("the error is %T: %v", err, err)
			}
		})
		if _, err := ask(context.Background(), p, "panic"); err != nil {
			t.Errorf("the next request: %v", err)
		}
	}},
	{Name: "wrapping/own-content", Promise: "the inner provider compiles the very content that was looked up, and not what the caller may have made of it since", run: func(t *T) {
		object := map[string]any{"title": "own", "enum": []any{"a"}}
		text := []byte(`{"title":"own text"}`)
		for _, c := range []struct {
			schema proviso.Schema
			change func() // what a caller does who changes its schema too early
			want   string
		}{
			{proviso.Value(object), func() { object["enum"].([]any)[0] = "b" }, "map[enum:[a] title:own]"},
			{proviso.JSON(text), func() { copy(text, `{"title":"new text"}`) }, "map[title:own text]"},
		} {
			p := t.wrap(&inner{given: c.change})
			v, err := p.Validator(context.Background(), c.schema)
			if err != nil {
				t.Fatalf("%v", err)
			}
			if units := t.units(v, nil); units[0].Message != c.want {
				t.Errorf("the inner provider compiled %s; it should be %s", units[0].Message, c.want)
			}
		}
	}},
}
