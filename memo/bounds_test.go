package memo_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
)

// collected reports whether p's target is garbage within some collections.
func collected[T any](p weak.Pointer[T]) bool {
	for range 50 {
		runtime.GC()
		if p.Value() == nil {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// recording is a fake that keeps weak pointers to its validators.
type recording struct {
	fake
	mu   sync.Mutex
	made []weak.Pointer[verdict]
}

func (r *recording) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	v, err := r.fake.Validator(ctx, schema)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made = append(r.made, weak.Make(v.(*verdict)))
	return v, nil
}

// alive counts the validators that are not garbage, until they are at most want
// or some collections have passed.
func (r *recording) alive(want int) (n int) {
	for range 50 {
		runtime.GC()
		n = 0
		r.mu.Lock()
		for _, p := range r.made {
			if p.Value() != nil {
				n++
			}
		}
		r.mu.Unlock()
		if n <= want {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return n
}

func TestEvictionFrees(t *testing.T) {
	t.Parallel()
	inner := &recording{}
	m := newMemo(t, inner, &memo.Options{MaxEntries: 10})
	held, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"held":true}`)))
	if err != nil {
		t.Fatal(err)
	}
	flood := func() {
		for i := range 500 {
			content(t, m, proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i)))
			content(t, m, proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i)))
		}
	}
	flood()
	if s := m.Stats(); s.Entries > 10 || s.Entries < 5 || s.Evictions < 480 || s.Texts > 40 {
		t.Errorf("%+v", s)
	}
	if alive := inner.alive(11); alive > 11 {
		t.Errorf("%d of %d compiled validators are alive; 10 are kept and one is held", alive, len(inner.made))
	}
	before := inner.compilations.Load()
	again, err := m.Validator(context.Background(), proviso.Value(map[string]any{"held": true}))
	if err != nil || again != held || inner.compilations.Load() != before {
		t.Errorf("a validator that somebody holds was not found again: %v", err)
	}
	if m.Stats().Revived == 0 {
		t.Error("a validator that was found again does not come back under the bounds")
	}
	runtime.KeepAlive(held)
	pointer := inner.made[0]
	held, again = nil, nil
	_, _ = held, again
	flood()
	if !collected(pointer) {
		t.Error("a validator that nobody holds is alive after its eviction")
	}
	runtime.KeepAlive(m)
}

func TestTooLargeForTheBounds(t *testing.T) {
	t.Parallel()
	inner := &fake{}
	m := newMemo(t, inner, &memo.Options{MaxBytes: 64 << 10})
	content(t, m, proviso.JSON([]byte(`{"small":1}`)))
	large := []byte(`{"large":"` + strings.Repeat("x", 1<<20) + `"}`)
	v, err := m.Validator(context.Background(), proviso.JSON(large))
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.Validator(context.Background(), proviso.JSON(large))
	if err != nil || again != v {
		t.Error("one that is held was compiled again")
	}
	content(t, m, proviso.JSON([]byte(`{"small":1}`)))
	if n := inner.compilations.Load(); n != 2 {
		t.Errorf("%d compilations", n)
	}
	if s := m.Stats(); s.Entries != 1 || s.Bytes > 64<<10 || s.Evictions != 0 || s.Revived != 0 {
		t.Errorf("%+v", s)
	}
	runtime.KeepAlive(v)
}

func TestDroppedMemoIsGarbage(t *testing.T) {
	t.Parallel()
	m := newMemo(t, &fake{}, &memo.Options{MaxEntries: 2})
	for i := range 20 {
		content(t, m, proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i)))
	}
	m.Stats()
	pointer := weak.Make(m)
	m = nil
	_ = m
	if !collected(pointer) {
		t.Error("a memo that nobody holds is alive")
	}
}

func TestBoundsHoldAlways(t *testing.T) {
	t.Parallel()
	for _, o := range []memo.Options{{MaxEntries: 1}, {MaxEntries: 3, MaxBytes: 1 << 20}, {MaxEntries: 1000, MaxBytes: 100_000}, {MaxEntries: 7, MaxBytes: 50_000}, {MaxEntries: 2, MaxBytes: 1 << 40}} {
		m := newMemo(t, &fake{}, &o)
		most := 0
		for i := range 400 {
			text := fmt.Appendf(nil, `{"n":%d,"x":"%s"}`, i%90, strings.Repeat("x", i%50*100))
			content(t, m, proviso.JSON(text))
			if i%7 == 0 {
				_, _ = m.Validator(context.Background(), proviso.JSON(fmt.Appendf(nil, `{"do":"schema error","n":%d}`, i)))
				_, _ = m.Validator(context.Background(), proviso.JSON(fmt.Appendf(nil, `{"not JSON":%d`, i)))
			}
			s := m.Stats()
			if s.Entries > o.MaxEntries || o.MaxBytes > 0 && s.Bytes > o.MaxBytes+int64(o.MaxEntries) {
				t.Fatalf("%+v: request %d: %+v", o, i, s)
			}
			most = max(most, s.Entries)
		}
		if most < min(o.MaxEntries, 7) {
			t.Errorf("%+v: never more than %d entries", o, most)
		}
	}
}

// TestHotSetStays floods a memo with schemas that are asked for once.
func TestHotSetStays(t *testing.T) {
	t.Parallel()
	inner := &fake{}
	m := newMemo(t, inner, &memo.Options{MaxEntries: 100})
	hot := func(i int) proviso.Schema { return proviso.JSON(fmt.Appendf(nil, `{"hot":%d}`, i)) }
	missed, asked := 0, 0
	for i := range 6_000 {
		content(t, m, proviso.JSON(fmt.Appendf(nil, `{"once":%d}`, i)))
		before := m.Stats()
		content(t, m, hot(i%50))
		if s := m.Stats(); i > 1000 {
			asked++
			// One that was evicted and not collected yet counts as missed.
			missed += int(s.Misses - before.Misses + s.Revived - before.Revived)
		}
	}
	if missed*100 > asked {
		t.Errorf("%d of %d requests for the hot set were not hits", missed, asked)
	}
}

func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	m := newMemo(t, &fake{}, &memo.Options{MaxEntries: 20})
	for i := range 500 {
		for _, format := range []string{`{"do":"schema error","n":%d}`, `{"not JSON":%d`} {
			if _, err := m.Validator(context.Background(), proviso.JSON(fmt.Appendf(nil, format, i))); err == nil {
				t.Fatal("no error")
			}
		}
	}
	if s := m.Stats(); s.Entries != 20 || s.Evictions != 980 {
		t.Errorf("%+v", s)
	}
}

func TestSpellings(t *testing.T) {
	m := newMemo(t, &fake{}, nil)
	spelling := func(i int) proviso.Schema {
		return proviso.JSON([]byte(`{"type":` + strings.Repeat(" ", i) + `"string"}`))
	}
	for i := range 300 {
		content(t, m, spelling(i))
		content(t, m, spelling(0))
	}
	s := m.Stats()
	if s.Compilations != 1 || s.Entries != 1 || s.Texts != 8 || s.Bytes > 20_000 {
		t.Errorf("after many spellings of one schema: %+v", s)
	}
	// Others do not push out a spelling that is in use.
	for i := range 7 {
		content(t, m, spelling(300+i))
	}
	if text, _ := spelling(0).Text(); !memo.Knows(m, text) {
		t.Error("the spelling in use was pushed out")
	}
	if text, _ := spelling(1).Text(); memo.Knows(m, text) {
		t.Error("the spelling that was not in use is still there")
	}
	// White space beyond measure is not kept.
	content(t, m, spelling(1<<20))
	if grown := m.Stats().Bytes - s.Bytes; grown > 1000 {
		t.Errorf("a text of white space is kept: %d bytes", grown)
	}
	runtime.KeepAlive(m)
}

func TestHitsDoNotAllocate(t *testing.T) {
	m := newMemo(t, &fake{}, nil)
	text := toolSchema(1000)
	decoded, err := proviso.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := proviso.JSON(text).Document()
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]proviso.Schema{"text": proviso.JSON(text), "value": proviso.Value(decoded), "document": doc.Schema()} {
		content(t, m, s)
		if n := testing.AllocsPerRun(100, func() {
			if _, err := m.Validator(context.Background(), s); err != nil {
				t.Error(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestKeysAreFreed drops everything that was evicted: nothing may lead to it
// any more.
func TestKeysAreFreed(t *testing.T) {
	t.Parallel()
	m := newMemo(t, &recording{}, &memo.Options{MaxEntries: 4})
	for i := range 200 {
		content(t, m, proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i)))
		_, _ = m.Validator(context.Background(), proviso.JSON(fmt.Appendf(nil, `{"not JSON":%d`, i)))
	}
	var contents, texts int
	for range 100 {
		runtime.GC()
		contents, texts = memo.Indexed(m)
		if contents <= 4 && texts <= 4 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if contents+texts > 8 || texts != 4 {
		t.Errorf("%d contents and %d texts are indexed for 4 entries", contents, texts)
	}
	m.Purge()
	if contents, texts := memo.Indexed(m); contents != 0 || texts != 0 {
		t.Errorf("after Purge, %d contents and %d texts are indexed", contents, texts)
	}
	if s := m.Stats(); s.Entries != 0 || s.Bytes != 0 || s.Texts != 0 {
		t.Errorf("after Purge: %+v", s)
	}
}

// TestHolderDoesNotKeepTheMemo drops a memo while a validator of it is held.
func TestHolderDoesNotKeepTheMemo(t *testing.T) {
	t.Parallel()
	inner := &recording{}
	m := newMemo(t, inner, nil)
	held, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"held":true}`)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		content(t, m, proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i)))
	}
	m = nil
	_ = m
	if alive := inner.alive(1); alive > 1 {
		t.Errorf("%d validators are alive; one is held", alive)
	}
	if _, ok := errors.AsType[*proviso.ValidationError](held.Validate(nil)); !ok {
		t.Error("the one that is held does not work any more")
	}
}
