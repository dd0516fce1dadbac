package memo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
)

// fake is a provider that counts, waits and fails as it is told: by the content
// of the schemas.
type fake struct {
	compilations atomic.Int64
	before       func(ctx context.Context) error
}

// verdict remembers the content it was compiled from.
type verdict struct {
	content string
	ballast []byte
}

func (v *verdict) Validate(any) error {
	return &proviso.ValidationError{Units: []proviso.Unit{{Message: v.content}}}
}

func (f *fake) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	f.compilations.Add(1)
	if f.before != nil {
		if err := f.before(ctx); err != nil {
			return nil, err
		}
	}
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	switch root, _ := doc.Tree().(map[string]any); root["do"] {
	case "schema error":
		return nil, &proviso.SchemaError{Reason: "no schema", Err: &proviso.ValidationError{Units: []proviso.Unit{{Message: "wrong"}}}}
	case "load error":
		return nil, &proviso.LoadError{Reason: "down"}
	case "panic":
		panic("engine")
	case "exit":
		runtime.Goexit()
	case "nothing":
		return nil, nil
	}
	return &verdict{content: string(text), ballast: make([]byte, 1024)}, nil
}

func newMemo(t testing.TB, inner proviso.Provider, o *memo.Options) *memo.Memo {
	t.Helper()
	m, err := memo.New(inner, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// content asks for a validator and returns the content it was compiled from.
func content(t testing.TB, p proviso.Provider, schema proviso.Schema) string {
	t.Helper()
	v, err := p.Validator(context.Background(), schema)
	if err != nil {
		t.Fatal(err)
	}
	invalid, ok := errors.AsType[*proviso.ValidationError](v.Validate(nil))
	if !ok {
		t.Fatal("no verdict")
	}
	return invalid.Units[0].Message
}

func TestOneContentOneCompilation(t *testing.T) {
	t.Parallel()
	inner := &fake{}
	m := newMemo(t, inner, nil)
	type schema struct {
		Type  string `json:"type"`
		Count int    `json:"count"`
	}
	doc, err := proviso.JSON([]byte(`{"count":1,"type":"é"}`)).Document()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"count":1,"type":"é"}`
	for i, s := range []proviso.Schema{
		proviso.JSON([]byte(want)), proviso.JSON([]byte(want)),
		proviso.JSON([]byte(" {\n\"type\" : \"\\u00e9\", \"count\":1}")),
		proviso.Value(map[string]any{"type": "é", "count": 1}), proviso.Value(map[string]any{"type": "é", "count": 1.0}),
		proviso.Value(map[string]any{"type": "é", "count": json.Number("1")}), proviso.Value(schema{"é", 1}), proviso.Value(&schema{"é", 1}),
		proviso.Value(json.RawMessage(want)), doc.Schema(),
	} {
		if got := content(t, m, s); got != want {
			t.Errorf("request %d: %s", i, got)
		}
	}
	if n := inner.compilations.Load(); n != 1 {
		t.Errorf("%d compilations", n)
	}
	if s := m.Stats(); s.Hits != 9 || s.Misses != 1 || s.Entries != 1 {
		t.Errorf("%+v", s)
	}
	// Another spelling of a number is another content.
	content(t, m, proviso.JSON([]byte(`{"count":1.0,"type":"é"}`)))
	if n := inner.compilations.Load(); n != 2 {
		t.Errorf("%d compilations with another number", n)
	}
}

func TestMutationIsAnotherContent(t *testing.T) {
	t.Parallel()
	m := newMemo(t, &fake{}, nil)
	value := map[string]any{"properties": map[string]any{"a": map[string]any{"type": "string"}}}
	first := content(t, m, proviso.Value(value))
	value["properties"].(map[string]any)["a"].(map[string]any)["type"] = "number"
	if second := content(t, m, proviso.Value(value)); second == first || !strings.Contains(second, "number") {
		t.Errorf("after a change: %s", second)
	}
	value["properties"].(map[string]any)["a"].(map[string]any)["type"] = "string"
	if again := content(t, m, proviso.Value(value)); again != first {
		t.Errorf("changed back: %s", again)
	}
	text := []byte(`{"type":"string"}`)
	first = content(t, m, proviso.JSON(text))
	copy(text, `{"type":"number"}`)
	if second := content(t, m, proviso.JSON(text)); second == first {
		t.Errorf("after a change of the text: %s", second)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema     string
		remembered bool
	}{
		{`{"do":"schema error"}`, true}, {`{"do":"load error"}`, false}, {`{"do":"panic"}`, false}, {`{"do":"exit"}`, false}, {`{"do":"nothing"}`, false},
	} {
		inner := &fake{}
		m := newMemo(t, inner, nil)
		for range 3 {
			if v, err := m.Validator(context.Background(), proviso.JSON([]byte(c.schema))); err == nil || v != nil {
				t.Errorf("%s: %v, %v", c.schema, v, err)
			}
		}
		want := int64(3)
		if c.remembered {
			want = 1
		}
		if n := inner.compilations.Load(); n != want {
			t.Errorf("%s: %d compilations; want %d", c.schema, n, want)
		}
	}
	for _, broken := range []string{``, `{`, `7`, `{"a":1,"a":1}`, strings.Repeat("[", 5000)} {
		inner := &fake{}
		m := newMemo(t, inner, nil)
		for range 2 {
			if _, err := m.Validator(context.Background(), proviso.JSON([]byte(broken))); err == nil {
				t.Errorf("%.20q: no error", broken)
			}
		}
		if inner.compilations.Load() != 0 {
			t.Errorf("%.20q reached the provider", broken)
		}
	}
}

func TestRememberedErrorsArePrivate(t *testing.T) {
	t.Parallel()
	m := newMemo(t, &fake{}, nil)
	for range 3 {
		_, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"do":"schema error"}`)))
		e, ok := errors.AsType[*proviso.SchemaError](err)
		if !ok || e.Reason != "no schema" {
			t.Fatalf("%v", err)
		}
		invalid, _ := errors.AsType[*proviso.ValidationError](err)
		if invalid.Units[0].Message != "wrong" {
			t.Fatal("a caller's change shows")
		}
		e.Reason, invalid.Units[0].Message = "scribble", "scribble"
	}
}

func TestSharedCompilation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		inner := &fake{before: func(ctx context.Context) error {
			select {
			case <-release:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		m := newMemo(t, inner, nil)
		var got [10]proviso.Validator
		var wg sync.WaitGroup
		leaver, leave := context.WithCancel(context.Background())
		for i := range got {
			ctx := context.Background()
			if i == 0 {
				ctx = leaver // the one that starts the compilation
			}
			wg.Go(func() { got[i], _ = m.Validator(ctx, proviso.JSON([]byte(`{"a":1}`))) })
			synctest.Wait()
		}
		leave()
		synctest.Wait()
		close(release)
		wg.Wait()
		if n := inner.compilations.Load(); n != 1 {
			t.Errorf("%d compilations", n)
		}
		if got[0] != nil {
			t.Error("the one that left got a validator")
		}
		for _, v := range got[1:] {
			if v == nil || v != got[1] {
				t.Error("the others did not get the same validator")
			}
		}
		if s := m.Stats(); s.Shared != 9 || s.Misses != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestLastWaiterCancels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cancelled := false
		inner := &fake{}
		inner.before = func(ctx context.Context) error {
			if inner.compilations.Load() > 1 {
				return nil
			}
			<-ctx.Done()
			cancelled = true
			return ctx.Err()
		}
		m := newMemo(t, inner, nil)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := m.Validator(ctx, proviso.JSON([]byte(`{"a":1}`)))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		synctest.Wait()
		if !cancelled {
			t.Error("the compilation goes on for nobody")
		}
		if _, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"a":1}`))); err != nil {
			t.Errorf("the next request: %v", err)
		}
		done, end := context.WithCancel(context.Background())
		end()
		if _, err := m.Validator(done, proviso.JSON([]byte(`{"a":1}`))); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that has ended: %v", err)
		}
	})
}

func TestForgetAndPurge(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(*memo.Memo) error{
		"Forget": func(m *memo.Memo) error { return m.Forget(proviso.Value(map[string]any{"a": 1})) },
		"Purge":  func(m *memo.Memo) error { m.Purge(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{}, 10)
				inner := &fake{before: func(context.Context) error { <-release; return nil }}
				m := newMemo(t, inner, nil)
				ask := func() proviso.Validator {
					v, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"a":1}`)))
					if err != nil {
						t.Error(err)
					}
					return v
				}
				release <- struct{}{}
				held := ask()
				if ask() != held {
					t.Error("not memoised")
				}
				if err := forget(m); err != nil {
					t.Fatal(err)
				}
				var early, late proviso.Validator
				var wg sync.WaitGroup
				wg.Go(func() { early = ask() })
				synctest.Wait() // a compilation is under way
				if err := forget(m); err != nil {
					t.Fatal(err)
				}
				wg.Go(func() { late = ask() })
				synctest.Wait()
				release <- struct{}{}
				release <- struct{}{}
				wg.Wait()
				// Both get what was compiled after the forgetting.
				if early == held || late == held || early != late {
					t.Error("what was forgotten was handed out")
				}
				if ask() != late || inner.compilations.Load() != 3 {
					t.Error("what was compiled since is not kept")
				}
				runtime.KeepAlive(held)
			})
		})
	}
}

func TestObserver(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[memo.EventKind]int{}
	m := newMemo(t, &fake{}, &memo.Options{MaxEntries: 1, Observer: func(e memo.Event) {
		mu.Lock()
		defer mu.Unlock()
		seen[e.Kind]++
	}})
	for i := range 40 {
		content(t, m, proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i)))
	}
	content(t, m, proviso.JSON([]byte(`{"n":39}`)))
	m.Stats()
	deadline := time.Now().Add(5 * time.Second)
	for {
		mu.Lock()
		done := seen[memo.Evicted] >= 39
		mu.Unlock()
		if done || time.Now().After(deadline) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	mu.Lock()
	defer mu.Unlock()
	if seen[memo.Compiled] < 40 || seen[memo.Miss] < 40 || seen[memo.Evicted] < 39 {
		t.Errorf("%v", seen)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, o := range []*memo.Options{{MaxEntries: -1}, {MaxBytes: -1}} {
		if _, err := memo.New(&fake{}, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	if _, err := memo.New(nil, nil); err == nil {
		t.Error("no provider is taken")
	}
}

func TestContention(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{0, 2, 63} {
		t.Run(fmt.Sprintf("%d bits", bits), func(t *testing.T) {
			t.Parallel()
			inner := &fake{}
			m := newMemo(t, inner, &memo.Options{MaxEntries: 50, Observer: func(memo.Event) {}})
			memo.Narrow(m, bits)
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() { contend(t, m, g) })
			}
			wg.Wait()
			// Compilations that everybody left may still be ending.
			s := m.Stats()
			for i := 0; i < 1000 && s.Misses != s.Compilations; i++ {
				time.Sleep(time.Millisecond)
				s = m.Stats()
			}
			if s.Entries > 50 || s.Misses != s.Compilations {
				t.Errorf("%+v", s)
			}
			m.Purge()
			if s := m.Stats(); s.Entries != 0 || s.Bytes != 0 || s.Texts != 0 {
				t.Errorf("after Purge: %+v", s)
			}
		})
	}
}

func contend(t *testing.T, m *memo.Memo, g int) {
	for i := range 2000 {
		n := (i*7 + g) % 100
		want := fmt.Sprintf(`{"n":%d}`, n)
		s := proviso.JSON([]byte(want))
		if i%3 == 0 {
			s = proviso.Value(map[string]any{"n": n})
		}
		ctx, cancel := context.WithCancel(context.Background())
		if i%50 == 7 {
			go cancel()
		}
		v, err := m.Validator(ctx, s)
		cancel()
		if errors.Is(err, context.Canceled) && i%50 == 7 {
			continue
		}
		if err != nil {
			t.Error(err)
			return
		}
		if invalid, _ := errors.AsType[*proviso.ValidationError](v.Validate(nil)); invalid.Units[0].Message != want {
			t.Errorf("%s for %s", invalid.Units[0].Message, want)
			return
		}
		switch i % 500 {
		case 100:
			m.Purge()
		case 300:
			_ = m.Forget(s)
		case 400:
			m.Stats()
		}
	}
}
