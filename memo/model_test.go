package memo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
)

// model is what a memo must be like, seen from outside: what the caller holds
// is found again until it is forgotten, what was forgotten never is, and with room
// enough nothing is compiled twice.
type model struct {
	inner *fake
	memo  *memo.Memo
	fail  error // of the next compilation
	roomy bool
	max   int

	maps     []map[string]any             // of the caller, changed in place
	held     map[string]proviso.Validator // by content
	outdated map[proviso.Validator]string // forgotten, by validator
	known    map[string]bool              // contents that must be there if there is room
	requests uint64                       // that got as far as a look-up
}

func newModel(t *rapid.T) *model {
	m := &model{inner: &fake{}, held: map[string]proviso.Validator{}, outdated: map[proviso.Validator]string{}, known: map[string]bool{}}
	m.inner.before = func(context.Context) error {
		err := m.fail
		m.fail = nil
		return err
	}
	m.max = rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "MaxEntries")
	bits := rapid.SampledFrom([]int{0, 1, 63}).Draw(t, "bits of each hash")
	m.roomy = m.max == 1000 && bits == 63
	var err error
	if m.memo, err = memo.New(m.inner, &memo.Options{MaxEntries: m.max}); err != nil {
		t.Fatal(err)
	}
	memo.Narrow(m.memo, bits)
	for range 3 {
		m.maps = append(m.maps, map[string]any{})
	}
	return m
}

// draw returns a schema in some form, with its content.
func (m *model) draw(t *rapid.T) (schema proviso.Schema, content string) {
	object := rapid.SampledFrom(m.maps).Draw(t, "object")
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	content = string(text)
	switch rapid.SampledFrom([]string{"map", "text", "spaced", "marshaler", "document"}).Draw(t, "form") {
	case "map":
		return proviso.Value(object), content
	case "text":
		return proviso.JSON(text), content
	case "spaced":
		return proviso.JSON(fmt.Appendf(nil, " %s\n", text)), content
	case "marshaler":
		return proviso.Value(json.RawMessage(text)), content
	}
	doc, err := proviso.Value(object).Document()
	if err != nil {
		t.Fatal(err)
	}
	return doc.Schema(), content
}

func (m *model) change(t *rapid.T) {
	object := rapid.SampledFrom(m.maps).Draw(t, "object")
	name := rapid.SampledFrom([]string{"a", "b", "do"}).Draw(t, "name")
	switch {
	case name == "do":
		object[name] = rapid.SampledFrom([]string{"schema error", "something", "panic"}).Draw(t, "do")
	case rapid.Bool().Draw(t, "delete"):
		delete(object, name)
	default:
		object[name] = rapid.IntRange(1, 3).Draw(t, "value")
	}
}

func (m *model) request(t *rapid.T) {
	schema, content := m.draw(t)
	before := m.inner.compilations.Load()
	v, err := m.memo.Validator(context.Background(), schema)
	compiled := m.inner.compilations.Load() - before
	m.requests++
	if held, ok := m.held[content]; ok && (v != held || compiled != 0) {
		t.Fatalf("%s is held, but was not found: %v, %d compilations", content, err, compiled)
	}
	if known := m.known[content]; compiled > 1 || m.roomy && known != (compiled == 0) {
		t.Fatalf("%s: %d compilations; known: %v", content, compiled, known)
	}
	switch {
	case err == nil:
		invalid, ok := errors.AsType[*proviso.ValidationError](v.Validate(nil))
		if !ok || invalid.Units[0].Message != content {
			t.Fatalf("%s got the validator of %v", content, invalid)
		}
		if forgotten, ok := m.outdated[v]; ok {
			t.Fatalf("%s was forgotten and is handed out again", forgotten)
		}
		if rapid.Bool().Draw(t, "hold") {
			m.held[content] = v
		}
		m.known[content] = true
	case v != nil:
		t.Fatalf("%s: a validator and %v", content, err)
	default:
		if e, ok := errors.AsType[*proviso.SchemaError](err); ok {
			if e.Reason != "no schema" {
				t.Fatalf("a caller's change of an error shows: %v", err)
			}
			e.Reason = "changed"
			m.known[content] = true
		} else if compiled != 1 {
			t.Fatalf("%v is remembered", err)
		}
	}
}

func (m *model) forget(t *rapid.T) {
	schema, content := m.draw(t)
	if err := m.memo.Forget(schema); err != nil {
		t.Fatal(err)
	}
	m.outdate(content)
}

func (m *model) outdate(content string) {
	if v, ok := m.held[content]; ok {
		m.outdated[v] = content
	}
	delete(m.held, content)
	delete(m.known, content)
}

func (m *model) purge(*rapid.T) {
	m.memo.Purge()
	for content := range m.known {
		m.outdate(content)
	}
}

func (m *model) drop(t *rapid.T) {
	for content := range m.held {
		if rapid.Bool().Draw(t, "drop") {
			delete(m.held, content)
		}
	}
	runtime.GC()
}

func (m *model) failNext(t *rapid.T) {
	m.fail = rapid.SampledFrom([]error{
		&proviso.LoadError{Reason: "down"}, context.DeadlineExceeded, fmt.Errorf("no type of its own"),
		&proviso.LimitError{Limit: proviso.LimitPatternTime}, &proviso.EngineError{Reason: "failed"},
	}).Draw(t, "error")
}

func (m *model) cancelled(t *rapid.T) {
	schema, content := m.draw(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := m.inner.compilations.Load()
	if v, err := m.memo.Validator(ctx, schema); v != nil || !errors.Is(err, context.Canceled) || m.inner.compilations.Load() != before {
		t.Fatalf("%s with a context that has ended: %v, %v", content, v, err)
	}
}

func (m *model) check(t *rapid.T) {
	s := m.memo.Stats()
	if s.Entries > m.max || s.Entries < 0 || s.Bytes < 0 || s.Texts < 0 || s.Entries == 0 && s.Bytes+int64(s.Texts) != 0 {
		t.Fatalf("%+v", s)
	}
	if s.Hits+s.Misses != m.requests || s.Compilations != uint64(m.inner.compilations.Load()) || s.Misses != s.Compilations || s.Shared != 0 {
		t.Fatalf("%d requests, %d compilations, but %+v", m.requests, m.inner.compilations.Load(), s)
	}
	if m.roomy && s.Entries != len(m.known) {
		t.Fatalf("%d entries for %d known contents", s.Entries, len(m.known))
	}
}

func TestModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(t)
		t.Repeat(map[string]func(*rapid.T){
			"": m.check, "change": m.change, "request": m.request, "again": m.request, "forget": m.forget, "purge": m.purge,
			"drop": m.drop, "fail": m.failNext, "cancelled": m.cancelled,
		})
	})
}
