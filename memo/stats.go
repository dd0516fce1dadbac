package memo

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Stats is a snapshot of a Memo's counters, since it was made, and of its size.
// It marshals to JSON, for expvar and the like.
type Stats struct {
	// Hits are requests that were answered with what was there, remembered errors
	// among them, which ErrorHits counts as well.
	Hits, ErrorHits uint64
	// Misses are requests that started a compilation, Shared those that waited for
	// one that was under way. One that had to begin again, because what it waited for
	// was forgotten, counts again. Requests that end before they can be looked up (a
	// context that has ended, a schema that cannot be decoded and is not remembered yet) do
	// not count.
	Misses, Shared uint64
	// Compilations are those that ended; Errors are those of them that gave an
	// error, and CompileTime is the time they took, added up, in nanoseconds.
	Compilations, Errors uint64
	CompileTime          time.Duration
	// Evictions are schemas that the bounds have pushed out; Revived are those that
	// came back without a compilation, because somebody still held them or the garbage
	// collector had not come by.
	Evictions, Revived uint64
	// Entries is how many schemas are kept, Texts how many texts lead to them, and
	// Bytes the estimated size of both.
	Entries, Texts int
	Bytes          int64
}

// An EventKind names what an Observer is told.
type EventKind uint8

// The kinds of events.
const (
	// Hit: a request was answered with what was there.
	Hit EventKind = iota + 1
	// Miss: a request started a compilation.
	Miss
	// Shared: a request waits for a compilation that is under way.
	Shared
	// Compiled: a compilation has ended, after Event.Duration, with Event.Err.
	Compiled
	// Evicted: the bounds have pushed a schema out.
	Evicted
)

// String returns the kind's name in lower case.
func (k EventKind) String() string {
	names := [...]string{Hit: "hit", Miss: "miss", Shared: "shared", Compiled: "compiled", Evicted: "evicted"}
	if int(k) >= len(names) || names[k] == "" {
		return "unknown"
	}
	return names[k]
}

// An Event is what an Observer is told.
type Event struct {
	Kind EventKind
	// Duration is how long the compilation took, for Compiled.
	Duration time.Duration
	// Err is what a compilation gave, for Compiled, or the remembered error of a Hit.
	Err error
	// Bytes is the estimated size of the schema, for Compiled and Evicted.
	Bytes int64
}

// counters are the counts of rare events; hits, which many goroutines count at
// once, are spread over stripes.
type counters struct {
	hits, errorHits striped
	revived         atomic.Uint64

	mu    sync.Mutex
	rarer Stats // the other counts
}

// began counts a request that was not a hit.
func (c *counters) began(kind EventKind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kind == Miss {
		c.rarer.Misses++
	} else {
		c.rarer.Shared++
	}
}

// ended counts a compilation.
func (c *counters) ended(err error, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rarer.Compilations++
	c.rarer.CompileTime += took
	if err != nil {
		c.rarer.Errors++
	}
}

func (c *counters) snapshot() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.rarer
	s.Hits, s.ErrorHits, s.Revived = c.hits.sum(), c.errorHits.sum(), c.revived.Load()
	return s
}

const stripes = 32 // a power of two

// striped is a counter without a single place for which all cores compete.
type striped [stripes]struct {
	n atomic.Uint64
	_ [120]byte // two cache lines each, since processors fetch them in pairs
}

func (s *striped) add() { s[stripe()].n.Add(1) }

// stripe returns a number that is mostly another one for another goroutine, and
// the same for the same: a random one would make the cores take the stripes from each
// other. Goroutines have stacks of their own, so it is made from an address on
// the stack; nothing is read or written through it.
func stripe() uint64 {
	var here byte
	page := uint64(uintptr(unsafe.Pointer(&here))) >> 11
	return page * 0x9e3779b97f4a7c15 >> 59
}

func (s *striped) sum() (sum uint64) {
	for i := range s {
		sum += s[i].n.Load()
	}
	return sum
}
