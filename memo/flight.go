package memo

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/proviso-go/proviso"
)

// A flight is a compilation that is under way, and whoever waits for it.
type flight struct {
	entry *entry // its content; with the outcome once done is closed
	alias *alias // the text of who started it
	done  chan struct{}
	// forgotten is closed when Forget or Purge takes the flight off: those who wait
	// begin again.
	forgotten chan struct{}
	cancel    context.CancelFunc
	waiters   int // guarded by Memo.mu
}

// join returns the entry for a content: one that is there, that of the
// compilation under way, or that of a new one. Text, if not nil, led to the content and is
// remembered for it.
func (m *Memo) join(ctx context.Context, hash uint64, doc *proviso.Document, a *alias) (*entry, EventKind, error) {
	var e *entry // what a new flight would have
	var own *alias
	for {
		chain := m.contents.find(hash)
		if found := match(chain, hash, doc.Tree()); found != nil {
			m.addText(found, a)
			return found, Hit, nil
		}
		if e == nil {
			e = newEntry(hash, doc)
			own = e.copyText(a)
		}
		m.mu.Lock()
		if m.contents.find(hash) != chain {
			// Something has landed since, perhaps this content.
			m.mu.Unlock()
			continue
		}
		f, kind := m.flights[hash], Shared
		if f == nil {
			kind = Miss
			var inner context.Context
			f, inner = newFlight(e, own)
			m.flights[hash] = f
			go m.compile(inner, f, doc)
		}
		f.waiters++
		m.mu.Unlock()
		if kind == Shared && !f.entry.content.Equal(doc.Tree()) {
			// Another content with the same hash. It happens once in 2^64 times, and
			// gets a compilation that nobody shares and that is not remembered.
			m.leave(f)
			var inner context.Context
			f, inner = newFlight(e, nil)
			f.waiters, kind = 1, Miss
			go m.compile(inner, f, doc)
		}
		m.count.began(kind)
		m.observe(Event{Kind: kind})
		again, err := m.wait(ctx, f)
		if err != nil {
			return nil, kind, err
		}
		if again {
			e = nil
			continue
		}
		if f.entry.record != nil {
			m.addText(f.entry, a)
		}
		return f.entry, kind, nil
	}
}

func newFlight(e *entry, a *alias) (*flight, context.Context) {
	// No caller's context: its values are not for those who share the outcome.
	ctx, cancel := context.WithCancel(context.Background())
	return &flight{entry: e, alias: a, done: make(chan struct{}), forgotten: make(chan struct{}), cancel: cancel}, ctx
}

// wait returns when the flight is done, or with again set when it was
// forgotten, or with the context's error as soon as it ends.
func (m *Memo) wait(ctx context.Context, f *flight) (again bool, err error) {
	select {
	case <-f.done:
	case <-f.forgotten:
	case <-ctx.Done():
		m.leave(f)
		return false, ctx.Err()
	}
	select {
	case <-f.forgotten:
		return true, ctx.Err()
	default:
		return false, nil
	}
}

// leave is for a caller that no longer waits. The last one cancels the
// compilation, and what comes of it is not remembered.
func (m *Memo) leave(f *flight) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f.waiters--
	if f.waiters == 0 {
		m.takeOff(f)
		f.cancel()
	}
}

// takeOff removes a flight, so that nobody joins it any more, and reports
// whether it was there. Memo.mu is held.
func (m *Memo) takeOff(f *flight) bool {
	if m.flights[f.entry.hash] != f {
		return false
	}
	delete(m.flights, f.entry.hash)
	return true
}

// forget ends a flight whose outcome nobody may get. Memo.mu is held.
func (m *Memo) forget(f *flight) {
	if m.takeOff(f) {
		close(f.forgotten)
		f.cancel()
	}
}

// compile runs one compilation to its end, whatever the inner provider does.
func (m *Memo) compile(ctx context.Context, f *flight, doc *proviso.Document) {
	started := time.Now()
	var validator proviso.Validator
	// Stands if the inner provider neither returns nor panics (runtime.Goexit).
	var err error = &proviso.EngineError{Engine: "memo", Op: "compile", Reason: "the provider ended its goroutine instead of returning"}
	defer func() {
		if r := recover(); r != nil {
			validator, err = nil, proviso.PanicError("memo", "compile", r, debug.Stack())
		}
		m.land(f, validator, err, time.Since(started))
	}()
	validator, err = m.inner.Validator(ctx, doc.Schema())
	switch {
	case err != nil:
		validator = nil
	case validator == nil:
		err = &proviso.EngineError{Engine: "memo", Op: "compile", Reason: "the provider returned neither a validator nor an error"}
	}
}

// land keeps the outcome of a compilation, unless it was forgotten or
// abandoned meanwhile or may be another next time, and lets the waiters go.
func (m *Memo) land(f *flight, validator proviso.Validator, err error, took time.Duration) {
	e := f.entry
	e.settle(validator, privateError(err))
	m.mu.Lock()
	kept := m.takeOff(f) && (err == nil || rememberable(err))
	if kept {
		if f.alias != nil && !m.store.fits(e, f.alias) {
			f.alias = nil
		}
		m.insert(e, f.alias)
	}
	m.mu.Unlock()
	f.cancel()
	if kept {
		m.store.admit(e)
	}
	m.count.ended(err, took)
	defer close(f.done)
	m.observe(Event{Kind: Compiled, Duration: took, Err: privateError(err), Bytes: e.size})
	m.observeEvicted()
}
