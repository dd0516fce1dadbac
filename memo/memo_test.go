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

// TestTextsAreCopied changes texts after the call.
func TestTextsAreCopied(t *testing.T) {
	t.Parallel()
	m := newMemo(t, &fake{}, nil)
	for _, original := range []string{`{"a":1}`, ` {"a":1}`, `{"a":`} {
		text := []byte(original)
		_, _ = m.Validator(context.Background(), proviso.JSON(text))
		text[0] = '['
		if !memo.Knows(m, []byte(original)) {
			t.Errorf("%q is not known", original)
		}
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

func TestObserver(t *testing.T) {
	t.Parallel()
	var m *memo.Memo
	var mu sync.Mutex
	seen, failed := map[memo.EventKind]int{}, map[memo.EventKind]int{}
	m = newMemo(t, &fake{}, &memo.Options{MaxEntries: 1, Observer: func(e memo.Event) {
		mu.Lock()
		seen[e.Kind]++
		if e.Err != nil {
			failed[e.Kind]++
		}
		mu.Unlock()
		if known := e.Kind == memo.Compiled || e.Kind == memo.Evicted; known != (e.Bytes > 0) || e.Duration > 0 && e.Kind != memo.Compiled {
			t.Errorf("%+v", e)
		}
		// No lock is held: an observer may do what a caller may do.
		m.Stats()
		_ = m.Forget(proviso.Value(false))
	}})
	for i := range 40 {
		content(t, m, proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i)))
		content(t, m, proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i)))
	}
	for range 2 {
		_, _ = m.Validator(context.Background(), proviso.JSON([]byte(`{"do":"schema error"}`)))
	}
	s := m.Stats()
	mu.Lock()
	defer mu.Unlock()
	if seen[memo.Compiled] != 41 || seen[memo.Miss] != 41 || uint64(seen[memo.Evicted]) != s.Evictions || s.Evictions < 39 || uint64(seen[memo.Hit]) != s.Hits {
		t.Errorf("%v; %+v", seen, s)
	}
	if len(failed) != 2 || failed[memo.Compiled] != 1 || failed[memo.Hit] != 1 {
		t.Errorf("events with errors: %v", failed)
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
