package memo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/canon"
)

// A Memo is a proviso.Provider that asks another one for each content once. It
// is safe for concurrent use.
type Memo struct {
	inner    proviso.Provider
	observer func(Event)
	hasher   canon.Hasher
	// mask is applied to each hash: all ones, but in tests of collisions.
	mask uint64
	// contents and texts lead to what is remembered, by the hashes of contents and
	// of their spellings. Reading them needs no lock.
	contents, texts *index
	store           *store
	count           counters

	// mu guards changes of the indexes and all of the flights. It is held for
	// moments only: never while anything is compiled, decoded or compared.
	mu      sync.Mutex
	flights map[uint64]*flight
}

// New returns a Memo in front of inner. Options may be nil. The error names an
// option that makes no sense.
func New(inner proviso.Provider, options *Options) (*Memo, error) {
	if inner == nil {
		return nil, errors.New("memo: there is no provider to put a memo in front of")
	}
	o, err := options.checked()
	if err != nil {
		return nil, err
	}
	s, err := newStore(o)
	if err != nil {
		return nil, err
	}
	return &Memo{
		inner: inner, observer: o.Observer, hasher: canon.NewHasher(), mask: math.MaxUint64,
		contents: newIndex(), texts: newIndex(), store: s, flights: make(map[uint64]*flight),
	}, nil
}

// Validator implements proviso.Provider. The error may be one that was
// remembered; it is the caller's own. If ctx has ended already, its error is returned
// even for what is there; if it ends while a compilation is under way, at once.
func (m *Memo) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if text, ok := schema.Text(); ok {
		return m.byText(ctx, schema, text)
	}
	value, ok := schema.Value()
	if !ok {
		return m.byDocument(ctx, schema, nil)
	}
	switch value.(type) {
	case map[string]any, bool:
		if hash, ok := m.hasher.Tree(value); ok {
			hash &= m.mask
			if e := match(m.contents.find(hash), hash, value); e != nil {
				return m.hit(e)
			}
		}
	case nil:
	default:
		return m.byMarshalling(ctx, schema, value)
	}
	return m.byDocument(ctx, schema, nil)
}

// match returns the entry of a chain that has the content of a decoded value.
func match(chain *node, hash uint64, value any) *entry {
	for n := chain; n != nil; n = n.next {
		if n.hash != hash {
			continue
		}
		if e := n.record.find(); e != nil && e.content.Equal(value) {
			return e
		}
	}
	return nil
}

// matchText returns the entry that a text leads to, and its alias.
func (m *Memo) matchText(hash uint64, text []byte) (*entry, *alias) {
	for n := m.texts.find(hash); n != nil; n = n.next {
		if n.hash != hash {
			continue
		}
		if e := n.record.find(); e != nil {
			if a := e.alias(hash, text); a != nil {
				return e, a
			}
		}
	}
	return nil, nil
}

// byText looks a text up without decoding it, and then by its content.
func (m *Memo) byText(ctx context.Context, schema proviso.Schema, text []byte) (proviso.Validator, error) {
	hash := m.hasher.Text(text) & m.mask
	if e, a := m.matchText(hash, text); e != nil {
		if !a.used.Load() {
			a.used.Store(true)
		}
		return m.hit(e)
	}
	return m.byDocument(ctx, schema, &alias{hash: hash, text: text})
}

// byMarshalling looks a Go value up that is not decoded JSON, as its JSON text.
func (m *Memo) byMarshalling(ctx context.Context, schema proviso.Schema, value any) (proviso.Validator, error) {
	if text, ok := marshalled(value); ok {
		marshalled := proviso.JSON(text)
		if e, a := m.matchText(m.hasher.Text(text)&m.mask, text); e != nil && e.decoded {
			a.used.Store(true)
			return m.hit(e)
		}
		// The text that was marshalled must be the one that is remembered: the next
		// may be another.
		if doc, err := marshalled.Document(); err == nil {
			return m.byDocument(ctx, doc.Schema(), &alias{hash: m.hasher.Text(text) & m.mask, text: text})
		}
	}
	return m.byDocument(ctx, schema, nil)
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

// byDocument decodes a schema and looks its content up. The alias, if there is
// one, has the caller's text.
func (m *Memo) byDocument(ctx context.Context, schema proviso.Schema, a *alias) (proviso.Validator, error) {
	doc, err := schema.Document()
	if err != nil {
		if a != nil {
			m.rememberUndecodable(a, err)
		}
		return nil, err
	}
	e, kind, err := m.join(ctx, m.hasher.Document(doc.Tree())&m.mask, doc, a)
	switch {
	case err != nil:
		return nil, err
	case kind == Hit:
		return m.hit(e)
	case e.err != nil:
		return nil, privateError(e.err)
	}
	return e, nil
}

// hit counts and returns what was there.
func (m *Memo) hit(e *entry) (proviso.Validator, error) {
	if e.record.lease.Load() != nil {
		m.store.touch(e)
	} else if m.store.admit(e) {
		// It was evicted, but somebody holds it, or it is not collected yet.
		m.count.revived.Add(1)
		m.observeEvicted()
	}
	m.count.hits.add()
	if e.err == nil {
		if m.observer != nil {
			m.observer(Event{Kind: Hit})
		}
		return e, nil
	}
	m.count.errorHits.add()
	m.observe(Event{Kind: Hit, Err: privateError(e.err)})
	return nil, privateError(e.err)
}

// addText makes the alias lead to an entry, with a copy of its text.
func (m *Memo) addText(e *entry, a *alias) {
	if a == nil || e.alias(a.hash, a.text) != nil {
		return
	}
	if a = e.copyText(a); a == nil || !m.store.fits(e, a) {
		return
	}
	m.mu.Lock()
	add := !e.record.forgotten.Load() && e.alias(a.hash, a.text) == nil
	if add {
		m.spell(e, a)
	}
	m.mu.Unlock()
	if add {
		m.store.admit(e)
		m.observeEvicted()
	}
}

// rememberUndecodable keeps the error of a text that has no content.
func (m *Memo) rememberUndecodable(a *alias, err error) {
	e := &entry{hash: a.hash}
	e.settle(nil, privateError(err))
	if !rememberable(err) || !m.store.fits(e, a) {
		return
	}
	own := &alias{hash: a.hash, text: bytes.Clone(a.text)}
	m.mu.Lock()
	m.insert(e, own)
	m.mu.Unlock()
	m.store.admit(e)
	m.observeEvicted()
}

// Forget drops what is known of a schema's content, in all its spellings: a call of Validator that
// begins after Forget has returned compiles it anew. A compilation of it that is
// under way is cancelled, and those who wait for it get what another one gives.
// Validators that were handed out go on working. The error is that of
// Schema.Document; the text that gives it is forgotten as well.
func (m *Memo) Forget(schema proviso.Schema) error {
	defer m.observeEvicted()
	doc, err := schema.Document()
	if err != nil {
		if text, ok := schema.Text(); ok {
			hash := m.hasher.Text(text) & m.mask
			m.forgetAll(m.texts, hash, func(e *entry) bool { return !e.decoded && e.alias(hash, text) != nil })
		}
		return err
	}
	hash := m.hasher.Document(doc.Tree()) & m.mask
	m.forgetAll(m.contents, hash, func(e *entry) bool { return e.content.Equal(doc.Tree()) })
	return nil
}

// forgetAll forgets the entries of an index that have the hash and are meant,
// and the flight that is.
func (m *Memo) forgetAll(x *index, hash uint64, meant func(*entry) bool) {
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.flights[hash]; f != nil && meant(f.entry) {
		m.forget(f)
	}
	for n := x.find(hash); n != nil; n = n.next {
		if n.hash != hash {
			continue
		}
		if e := n.record.find(); e != nil && meant(e) {
			n.record.forgotten.Store(true)
			n.record.lease.Store(nil)
			m.remove(n.record)
			m.store.drop(n.record)
		}
	}
}

// Purge forgets everything, as Forget does one content.
func (m *Memo) Purge() {
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.flights {
		m.forget(f)
	}
	for _, x := range []*index{m.contents, m.texts} {
		x.each(func(n *node) {
			n.record.forgotten.Store(true)
			n.record.lease.Store(nil)
		})
		x.clear()
	}
	m.store.cache.InvalidateAll()
}

// Stats returns a snapshot. While requests are under way, one of them may be
// counted in one field and not yet in another.
func (m *Memo) Stats() Stats {
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	s := m.count.snapshot()
	s.Evictions = m.store.evictions.Load()
	s.Entries, s.Texts, s.Bytes = int(m.store.entries.Load()), int(m.store.texts.Load()), m.store.bytes.Load()
	return s
}

func (m *Memo) observe(e Event) {
	if m.observer != nil {
		m.observer(e)
	}
}

// observeEvicted tells of evictions, by whoever has caused them and when no lock is
// held any more.
func (m *Memo) observeEvicted() {
	if m.observer == nil {
		return
	}
	for _, size := range m.store.takeEvicted() {
		m.observer(Event{Kind: Evicted, Bytes: size})
	}
}
