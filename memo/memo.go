package memo

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"
	"weak"

	"github.com/maypok86/otter/v2"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/canon"
)

// A Memo is a proviso.Provider that asks another one for each content once.
type Memo struct {
	inner   proviso.Provider
	options Options
	hasher  canon.Hasher
	// entries holds what the bounds keep, by the hash of the content; texts, by
	// the hash of the text, leads to it without decoding.
	entries *otter.Cache[uint64, *entry]
	texts   *otter.Cache[uint64, *alias]
	held    *held
	flights flights
	// epoch grows with each Purge: what is of an earlier one is not there.
	epoch atomic.Uint64
	count counters
}

// New returns a Memo in front of inner. Options may be nil. The error names an
// option that makes no sense.
func New(inner proviso.Provider, options *Options) (*Memo, error) {
	if inner == nil {
		return nil, fmt.Errorf("memo: no provider")
	}
	o, err := options.checked()
	if err != nil {
		return nil, err
	}
	m := &Memo{inner: inner, options: o, hasher: canon.NewHasher(), held: newHeld()}
	m.flights.byHash = make(map[uint64][]*flight)
	bytes, texts := m.shares()
	m.entries, err = otter.New(&otter.Options[uint64, *entry]{
		MaximumWeight:    uint64(bytes),
		Weigher:          func(_ uint64, e *entry) uint32 { return weight(e.bytes, bytes, o.MaxEntries) },
		OnAtomicDeletion: m.evicted,
		OnDeletion: func(e otter.DeletionEvent[uint64, *entry]) {
			if e.WasEvicted() {
				m.observe(Event{Kind: Evicted, Bytes: e.Value.bytes})
			}
		},
	})
	if err != nil {
		return nil, fmt.Errorf("memo: %w", err)
	}
	m.texts, err = otter.New(&otter.Options[uint64, *alias]{
		MaximumWeight: uint64(texts),
		Weigher:       func(_ uint64, a *alias) uint32 { return weight(a.bytes(), texts, maxTexts(o.MaxEntries)) },
	})
	if err != nil {
		return nil, fmt.Errorf("memo: %w", err)
	}
	return m, nil
}

// shares divides MaxBytes between entries and texts.
func (m *Memo) shares() (entries, texts int64) {
	texts = max(m.options.MaxBytes/textShare, 1)
	return max(m.options.MaxBytes-texts, 1), texts
}

// maxTexts is how many texts are kept: a few spellings of each schema.
func maxTexts(maxEntries int) int { return 4 * maxEntries }

func (a *alias) bytes() int64 { return int64(len(a.text)) + aliasOverhead }

// Validator implements proviso.Provider. The error may be one that was
// remembered; it is the caller's own.
func (m *Memo) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if text, ok := schema.Text(); ok {
		return m.byText(ctx, schema, text)
	}
	if value, ok := schema.Value(); ok {
		return m.byValue(ctx, schema, value)
	}
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	return m.byDocument(ctx, doc, nil)
}

// byText looks a text up without decoding it, and then by its content.
func (m *Memo) byText(ctx context.Context, schema proviso.Schema, text []byte) (proviso.Validator, error) {
	hash := m.hasher.Text(text)
	if a, ok := m.texts.GetIfPresent(hash); ok && a.text == string(text) && a.epoch == m.epoch.Load() {
		if a.err != nil {
			return m.hit(nil, a.err)
		}
		if e := a.entry.Value(); e != nil && m.current(e) {
			if _, kept := m.entries.GetIfPresent(e.hash); !kept {
				m.revive(e)
			}
			return m.hit(e, e.err)
		}
	}
	// The epoch is read before decoding, so that a Purge meanwhile outdates the alias.
	a := &alias{epoch: m.epoch.Load()}
	doc, err := schema.Document()
	if err != nil {
		m.remember(hash, a, text, err)
		return nil, privateError(err)
	}
	return m.byDocument(ctx, doc, func(e *entry) {
		a.entry = weak.Make(e)
		m.remember(hash, a, text, nil)
	})
}

// remember keeps a text, if it is not larger than all texts together may be.
func (m *Memo) remember(hash uint64, a *alias, text []byte, err error) {
	if _, texts := m.shares(); int64(len(text))+aliasOverhead > texts {
		return
	}
	a.text, a.err = string(text), privateError(err)
	m.texts.Set(hash, a)
}

// byValue looks a decoded value up by its hash as a tree. Any other Go value is
// marshalled and looked up as a text.
func (m *Memo) byValue(ctx context.Context, schema proviso.Schema, value any) (proviso.Validator, error) {
	switch value.(type) {
	case map[string]any, bool:
		if hash, ok := m.hasher.Tree(value); ok {
			if e, ok := m.entries.GetIfPresent(hash); ok && m.current(e) && canon.Equal(e.tree, value) {
				return m.hit(e, e.err)
			}
		}
	case nil:
	default:
		if text, ok := marshalled(value); ok {
			return m.byText(ctx, proviso.JSON(text), text)
		}
	}
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	return m.byDocument(ctx, doc, nil)
}

// marshalled returns the JSON of a value; where it has none, or its method
// panics, Schema.Document will say so.
func marshalled(value any) (text []byte, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = nil, false
		}
	}()
	text, err := json.Marshal(value)
	return text, err == nil
}

// byDocument finds the entry for a content, joins the compilation of it that is
// under way, or starts one. Kept, if not nil, is told the entry that the memo keeps.
func (m *Memo) byDocument(ctx context.Context, doc *proviso.Document, kept func(*entry)) (proviso.Validator, error) {
	tree := doc.Tree()
	hash, _ := m.hasher.Tree(tree)
	if e := m.find(hash, tree); e != nil {
		if kept != nil {
			kept(e)
		}
		return m.hit(e, e.err)
	}
	m.flights.mu.Lock()
	if e := m.find(hash, tree); e != nil {
		m.flights.mu.Unlock()
		if kept != nil {
			kept(e)
		}
		return m.hit(e, e.err)
	}
	f := m.flights.find(hash, tree)
	kind := Shared
	if f == nil {
		f, kind = m.start(ctx, hash, doc), Miss
	}
	f.waiters++
	m.flights.mu.Unlock()
	if kind == Miss {
		m.count.misses.Add(1)
	} else {
		m.count.shared.Add(1)
	}
	m.observe(Event{Kind: kind})
	e, err := m.wait(ctx, f)
	if err != nil {
		return nil, err
	}
	if kept != nil && (e.err == nil || rememberable(e.err)) {
		kept(e)
	}
	if e.err != nil {
		return nil, privateError(e.err)
	}
	return e, nil
}

// find returns the current entry with the content: one that is kept, or one
// that somebody holds.
func (m *Memo) find(hash uint64, tree any) *entry {
	if e, ok := m.entries.GetIfPresent(hash); ok && m.current(e) && canon.Equal(e.tree, tree) {
		return e
	}
	if e := m.held.find(hash); e != nil && m.current(e) && canon.Equal(e.tree, tree) {
		m.revive(e)
		return e
	}
	return nil
}

// current reports whether an entry has not been purged or forgotten.
func (m *Memo) current(e *entry) bool { return e.epoch == m.epoch.Load() && !e.forgotten.Load() }

// hit counts and returns what was there.
func (m *Memo) hit(e *entry, err error) (proviso.Validator, error) {
	m.count.hits.add()
	if err == nil {
		m.observe(Event{Kind: Hit})
		return e, nil
	}
	m.count.errorHits.add()
	err = privateError(err)
	m.observe(Event{Kind: Hit, Err: err})
	return nil, err
}

// keep puts an entry under the bounds, or, where it alone is over them, only
// keeps track of it while somebody holds it.
func (m *Memo) keep(e *entry) {
	if bytes, _ := m.shares(); e.bytes > bytes {
		m.held.add(e)
		return
	}
	m.entries.Set(e.hash, e)
}

// revive puts an entry that somebody holds back under the bounds.
func (m *Memo) revive(e *entry) {
	if bytes, _ := m.shares(); e.bytes > bytes {
		return
	}
	if _, set := m.entries.SetIfAbsent(e.hash, e); set {
		m.count.revived.Add(1)
	}
	if !m.current(e) {
		m.discard(e)
	}
}

// discard takes an entry out, if it is still the one that is kept.
func (m *Memo) discard(e *entry) {
	m.entries.ComputeIfPresent(e.hash, func(old *entry) (*entry, otter.ComputeOp) {
		if old == e {
			return nil, otter.InvalidateOp
		}
		return old, otter.CancelOp
	})
}

// evicted keeps track of an entry that the bounds have pushed out. It runs under
// a lock of the cache.
func (m *Memo) evicted(e otter.DeletionEvent[uint64, *entry]) {
	if !e.WasEvicted() {
		return
	}
	m.count.evictions.Add(1)
	if e.Value.err == nil {
		m.held.add(e.Value)
	}
}

// Forget drops what is known of a schema's content: the next request compiles it
// anew. Validators that were handed out go on working; a compilation under way
// serves those who wait for it and is then forgotten as well. The error is that of
// Schema.Document.
func (m *Memo) Forget(schema proviso.Schema) error {
	doc, err := schema.Document()
	if err != nil {
		if text, ok := schema.Text(); ok {
			m.texts.Invalidate(m.hasher.Text(text))
		}
		return err
	}
	tree := doc.Tree()
	hash, _ := m.hasher.Tree(tree)
	m.flights.mu.Lock()
	defer m.flights.mu.Unlock()
	if f := m.flights.find(hash, tree); f != nil {
		f.entry.forgotten.Store(true)
		m.flights.remove(f)
	}
	if e, ok := m.entries.GetEntryQuietly(hash); ok && canon.Equal(e.Value.tree, tree) {
		e.Value.forgotten.Store(true)
		m.discard(e.Value)
	}
	if e := m.held.find(hash); e != nil && canon.Equal(e.tree, tree) {
		e.forgotten.Store(true)
		m.held.remove(hash)
	}
	return nil
}

// Purge forgets everything, as Forget does for one schema.
func (m *Memo) Purge() {
	m.flights.mu.Lock()
	defer m.flights.mu.Unlock()
	m.epoch.Add(1)
	clear(m.flights.byHash)
	m.held.clear()
	m.entries.InvalidateAll()
	m.texts.InvalidateAll()
}

// Stats returns a snapshot of the counters and the size. While requests are
// under way, they may be counted in one field and not yet in another.
func (m *Memo) Stats() Stats {
	m.entries.CleanUp()
	m.texts.CleanUp()
	s := Stats{
		Hits: m.count.hits.sum(), ErrorHits: m.count.errorHits.sum(),
		Misses: m.count.misses.Load(), Shared: m.count.shared.Load(),
		Compilations: m.count.compilations.Load(), Errors: m.count.errors.Load(),
		CompileTime: time.Duration(m.count.compileNanos.Load()),
		Evictions:   uint64(m.count.evictions.Load()), Revived: uint64(m.count.revived.Load()),
	}
	for e := range m.entries.Values() {
		s.Entries++
		s.Bytes += e.bytes
	}
	for a := range m.texts.Values() {
		s.Texts++
		s.Bytes += a.bytes()
	}
	return s
}

func (m *Memo) observe(e Event) {
	if m.options.Observer != nil {
		m.options.Observer(e)
	}
}
