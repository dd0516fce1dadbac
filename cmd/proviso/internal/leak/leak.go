// Package leak replays the report that this project began with: a client that
// refreshes its catalogue of tools again and again, and validates each tool's
// output by the schema that comes with it.
package leak

import (
	"fmt"
	"runtime"

	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
)

// The report's numbers, and what a validation may retain.
const (
	Tools     = 50
	Refreshes = 40
	// MaxBytes is 0.2 KB.
	MaxBytes = 0.2 * 1024
)

// A Measurement is what one use of an engine retains.
type Measurement struct {
	Engine string `json:"engine"`
	// Use says how the engine was used.
	Use string `json:"use"`
	// Naive marks the use of the engine without a provider; the others are held
	// to MaxBytes.
	Naive bool `json:"naive"`
	// FirstRefresh is what the heap gained by the first refresh, which is not
	// counted below: a cache may hold what it needs, once.
	FirstRefresh int64 `json:"firstRefreshBytes"`
	// Validations were made after the first refresh, each with a compilation
	// or what stands for it; Retained is what the heap gained by them.
	Validations   int     `json:"validations"`
	Retained      int64   `json:"retainedBytes"`
	PerValidation float64 `json:"bytesPerValidation"`
}

// OverLimit reports whether the use is held to MaxBytes and above it.
func (m Measurement) OverLimit() bool { return !m.Naive && m.PerValidation > MaxBytes }

// Measure makes the report's refreshes, after one that is not counted. The
// process should be new: what others left in its heap, or take from it meanwhile, would be
// measured too. See [Child].
func Measure(e engine.Engine, use string) (Measurement, error) {
	m := Measurement{Engine: e.Name, Validations: Tools * Refreshes}
	u, err := find(e, use)
	if err != nil {
		return m, err
	}
	m.Use, m.Naive = u.name, u.naive
	validate, err := u.new()
	if err != nil {
		return m, fmt.Errorf("%s, %s: %w", e.Name, u.name, err)
	}
	empty := heap()
	if err := refresh(validate, 0); err != nil {
		return m, fmt.Errorf("%s, %s: %w", e.Name, u.name, err)
	}
	first := heap()
	for n := range Refreshes {
		if err := refresh(validate, n+1); err != nil {
			return m, fmt.Errorf("%s, %s: %w", e.Name, u.name, err)
		}
	}
	last := heap()
	runtime.KeepAlive(validate)
	m.FirstRefresh, m.Retained = first-empty, last-first
	m.PerValidation = float64(m.Retained) / float64(m.Validations)
	return m, nil
}

func refresh(validate validateTool, n int) error {
	for tool := range Tools {
		if err := validate(tool, n); err != nil {
			return fmt.Errorf("tool %d, refresh %d: %w", tool, n, err)
		}
	}
	return nil
}

// heap is the size of the live heap. One collection is not enough: pools, and
// what finalizers and cleanups hold, go with a later one.
func heap() int64 {
	var stats runtime.MemStats
	for range 5 {
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
