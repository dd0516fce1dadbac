package memo

import (
	"runtime"
	"sync"
	"weak"
)

// held finds entries that the bounds no longer keep, as long as somebody holds
// their validator.
type held struct {
	mu      sync.Mutex
	entries map[uint64]weak.Pointer[entry]
}

func newHeld() *held { return &held{entries: make(map[uint64]weak.Pointer[entry])} }

// add keeps track of an entry. It is called with a lock of the cache held, and
// takes no other.
func (h *held) add(e *entry) {
	pointer := weak.Make(e)
	h.mu.Lock()
	h.entries[e.hash] = pointer
	h.mu.Unlock()
	if !e.tracked.CompareAndSwap(false, true) {
		return
	}
	// The table must not be kept by the entry's cleanup, nor the entry by the
	// table: else a memo that is dropped would keep itself.
	runtime.AddCleanup(e, func(t tracked) {
		if table := t.table.Value(); table != nil {
			table.drop(t.hash, t.pointer)
		}
	}, tracked{weak.Make(h), e.hash, pointer})
}

type tracked struct {
	table   weak.Pointer[held]
	hash    uint64
	pointer weak.Pointer[entry]
}

// drop removes an entry if it is still the one that the hash leads to.
func (h *held) drop(hash uint64, pointer weak.Pointer[entry]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.entries[hash] == pointer {
		delete(h.entries, hash)
	}
}

// find returns the entry with the hash, nil if nobody holds one.
func (h *held) find(hash uint64) *entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	pointer, ok := h.entries[hash]
	if !ok {
		return nil
	}
	return pointer.Value()
}

func (h *held) remove(hash uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.entries, hash)
}

func (h *held) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.entries)
}
