package memo

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/maypok86/otter/v2"
)

// A store decides which entries stay within the bounds. The policy is otter's
// (W-TinyLFU), which knows one bound, a weight: an entry weighs its bytes, and at
// least what leaves room for MaxEntries of them. So small schemas are bounded by
// their number, large ones by their size, and a mixture by both.
type store struct {
	// mu is held while entries are admitted and dropped, so that the policy is
	// told in the order in which things happen. Memo.mu may be taken under it, not the
	// other way round.
	mu       sync.Mutex
	cache    *otter.Cache[uint64, *lease]
	maximum  int64
	observed bool
	evicted  evictions
	// period grows with each admission. Nothing is evicted between two of them, so one
	// touch in each period is all that the policy needs to know of a hit, and hits
	// write nothing that other hits read.
	period atomic.Uint64

	entries, texts, bytes atomic.Int64
	evictions             atomic.Uint64
}

// evictions waits to be told to the observer when no lock is held.
type evictions struct {
	mu    sync.Mutex
	bytes []int64
}

func newStore(o Options) (*store, error) {
	least := (o.MaxBytes-1)/int64(o.MaxEntries) + 1
	// Weights are of 32 bits: beyond 4 GiB they count larger units than bytes.
	unit := o.MaxBytes/math.MaxUint32 + 1
	weight := func(bytes int64) uint64 { return uint64((max(bytes, least)-1)/unit + 1) }
	s := &store{maximum: o.MaxBytes, observed: o.Observer != nil}
	cache, err := otter.New(&otter.Options[uint64, *lease]{
		// MaxBytes, rounded up to whole weights of the smallest entry.
		MaximumWeight:    weight(0) * uint64(o.MaxEntries),
		Weigher:          func(_ uint64, l *lease) uint32 { return uint32(weight(l.bytes)) },
		OnAtomicDeletion: s.deleted,
		// The policy's work is done by whoever causes it, at once: the bounds hold
		// whenever admit has returned.
		Executor: func(work func()) { work() },
	})
	if err != nil {
		return nil, fmt.Errorf("memo: %w", err)
	}
	s.cache = cache
	return s, nil
}

// touch tells the policy that an entry is in use.
func (s *store) touch(e *entry) {
	if period := s.period.Load(); e.touched.Load() != period {
		e.touched.Store(period)
		s.cache.GetIfPresent(e.hash)
	}
}

// admit puts an entry under the bounds, with its present size. One that is
// larger than all may be together stays outside: it is found as long as somebody holds
// it, and costs the others nothing.
func (s *store) admit(e *entry) bool {
	if e.bytes() > s.maximum {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.record.forgotten.Load() {
		return false
	}
	l := &lease{entry: e, bytes: e.bytes()}
	if p := e.texts.Load(); p != nil {
		l.texts = int64(len(*p))
	}
	s.entries.Add(1)
	s.texts.Add(l.texts)
	s.bytes.Add(l.bytes)
	e.record.lease.Store(l)
	s.cache.Set(e.hash, l)
	s.cache.CleanUp()
	s.period.Add(1)
	return true
}

// fits reports whether a text may be added to an entry: it must not push the
// entry out of the bounds.
func (s *store) fits(e *entry, a *alias) bool {
	return e.size > s.maximum || e.bytes()+int64(len(a.text))+aliasOverhead <= s.maximum
}

// drop takes an entry out that was forgotten. The store's mu is held.
func (s *store) drop(r *record) {
	s.cache.ComputeIfPresent(r.hash, func(l *lease) (*lease, otter.ComputeOp) {
		if l.entry.record == r {
			return nil, otter.InvalidateOp
		}
		return l, otter.CancelOp
	})
}

// deleted is told of each lease that ends: replaced by another one, dropped, or
// evicted. It runs under a lock of the cache.
func (s *store) deleted(e otter.DeletionEvent[uint64, *lease]) {
	l := e.Value
	l.entry.record.lease.CompareAndSwap(l, nil)
	s.entries.Add(-1)
	s.texts.Add(-l.texts)
	s.bytes.Add(-l.bytes)
	if !e.WasEvicted() {
		return
	}
	s.evictions.Add(1)
	if s.observed {
		s.evicted.mu.Lock()
		s.evicted.bytes = append(s.evicted.bytes, l.bytes)
		s.evicted.mu.Unlock()
	}
}

// takeEvicted returns the sizes of what was evicted since the last call.
func (s *store) takeEvicted() []int64 {
	s.evicted.mu.Lock()
	defer s.evicted.mu.Unlock()
	bytes := s.evicted.bytes
	s.evicted.bytes = nil
	return bytes
}

// insert makes an entry found, by its content and by text. Memo.mu is held.
func (m *Memo) insert(e *entry, a *alias) {
	r := &record{entry: weak.Make(e), hash: e.hash}
	e.record = r
	if e.decoded {
		m.contents.add(e.hash, r)
	}
	if a != nil {
		m.spell(e, a)
	}
	// The cleanup must keep neither the entry nor the memo: it is a root of
	// the collector.
	runtime.AddCleanup(e, collected, tracked{weak.Make(m), r.entry, e.hash, e.decoded})
}

// spell makes an entry found by a text. Memo.mu is held.
func (m *Memo) spell(e *entry, a *alias) {
	if replaced, full := e.spell(a); full {
		m.texts.remove(replaced, e.record)
		for i, hash := range e.record.texts {
			if hash == replaced {
				e.record.texts[i] = a.hash
				break
			}
		}
	} else {
		e.record.texts = append(e.record.texts, a.hash)
	}
	m.texts.add(a.hash, e.record)
}

// remove undoes insert and spell. Memo.mu is held.
func (m *Memo) remove(r *record) {
	m.contents.remove(r.hash, r)
	for _, hash := range r.texts {
		m.texts.remove(hash, r)
	}
	r.texts = nil
}

// tracked names an entry that the collector has taken.
type tracked struct {
	memo    weak.Pointer[Memo]
	entry   weak.Pointer[entry]
	hash    uint64
	decoded bool
}

// collected removes what led to an entry that nobody holds any more.
func collected(t tracked) {
	m := t.memo.Value()
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	index := m.contents
	if !t.decoded {
		index = m.texts
	}
	for n := index.find(t.hash); n != nil; n = n.next {
		if n.hash == t.hash && n.record.entry == t.entry {
			m.remove(n.record)
			return
		}
	}
}
