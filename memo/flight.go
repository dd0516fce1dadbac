package memo

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/canon"
)

// A flight is a compilation that is under way, and whoever waits for it.
type flight struct {
	entry   *entry // its content; the outcome once done is closed
	done    chan struct{}
	cancel  context.CancelFunc
	waiters int // guarded by flights.mu
}

// flights are the compilations under way, by the hash of their content; those
// of one hash differ in content.
type flights struct {
	mu     sync.Mutex
	byHash map[uint64][]*flight
}

// find returns the flight for a content. The lock is held.
func (f *flights) find(hash uint64, tree any) *flight {
	for _, flight := range f.byHash[hash] {
		if canon.Equal(flight.entry.tree, tree) {
			return flight
		}
	}
	return nil
}

func (f *flights) add(flight *flight) {
	f.byHash[flight.entry.hash] = append(f.byHash[flight.entry.hash], flight)
}

// remove takes a flight off the table, so that nobody joins it any more, and
// reports whether it was there. The lock is held.
func (f *flights) remove(flight *flight) bool {
	all := f.byHash[flight.entry.hash]
	for i, other := range all {
		if other != flight {
			continue
		}
		if len(all) == 1 {
			delete(f.byHash, flight.entry.hash)
		} else {
			f.byHash[flight.entry.hash] = append(all[:i:i], all[i+1:]...)
		}
		return true
	}
	return false
}

// start begins a compilation on a context that has the caller's values but
// ends only when all waiters have left. The lock is held.
func (m *Memo) start(ctx context.Context, hash uint64, doc *proviso.Document) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{entry: newEntry(hash, doc, m.epoch.Load()), done: make(chan struct{}), cancel: cancel}
	m.flights.add(f)
	go m.compile(ctx, f, doc)
	return f
}

// compile runs one compilation to its end, whatever the inner provider does.
func (m *Memo) compile(ctx context.Context, f *flight, doc *proviso.Document) {
	started := time.Now()
	e := f.entry
	// Stands if the inner provider neither returns nor panics (runtime.Goexit).
	e.err = &proviso.EngineError{Engine: "memo", Op: "compile", Reason: "the provider did not return"}
	defer func() {
		if r := recover(); r != nil {
			e.validator, e.err = nil, proviso.PanicError("memo", "compile", r, debug.Stack())
		}
		m.land(f, time.Since(started))
	}()
	validator, err := m.inner.Validator(ctx, doc.Schema())
	if err == nil && validator == nil {
		err = &proviso.EngineError{Engine: "memo", Op: "compile", Reason: "the provider returned neither a validator nor an error"}
	}
	e.validator, e.err = validator, err
	if err != nil {
		e.validator = nil
	}
}

// land keeps the outcome of a compilation, unless it was forgotten or
// abandoned meanwhile or may be another next time, and lets the waiters go.
func (m *Memo) land(f *flight, took time.Duration) {
	e := f.entry
	e.settle()
	m.flights.mu.Lock()
	wanted := m.flights.remove(f)
	if wanted && e.epoch == m.epoch.Load() && (e.err == nil || rememberable(e.err)) {
		m.keep(e)
	}
	m.flights.mu.Unlock()
	f.cancel()
	m.count.compilations.Add(1)
	m.count.compileNanos.Add(int64(took))
	if e.err != nil {
		m.count.errors.Add(1)
	}
	close(f.done)
	m.observe(Event{Kind: Compiled, Duration: took, Err: e.err, Bytes: e.bytes})
}

// wait returns the outcome, or the context's error as soon as it ends. The last
// waiter to leave cancels the compilation.
func (m *Memo) wait(ctx context.Context, f *flight) (*entry, error) {
	select {
	case <-f.done:
		return f.entry, nil
	default:
	}
	select {
	case <-f.done:
		return f.entry, nil
	case <-ctx.Done():
		m.flights.mu.Lock()
		f.waiters--
		if f.waiters == 0 {
			m.flights.remove(f)
			f.cancel()
		}
		m.flights.mu.Unlock()
		return nil, fmt.Errorf("memo: left a compilation under way: %w", context.Cause(ctx))
	}
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
