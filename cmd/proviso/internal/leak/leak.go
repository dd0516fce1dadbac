// Package leak replays the report that this project began with: a client that
// refreshes its catalogue of tools again and again, and validates each tool's
// result by the schema that comes with it.
package leak

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
	"github.com/proviso-go/proviso/memo"
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
	// Naive marks the use that the engine's own documentation suggests; the others
	// are held to MaxBytes.
	Naive         bool    `json:"naive"`
	Validations   int     `json:"validations"`
	Retained      int64   `json:"retainedBytes"`
	PerValidation float64 `json:"bytesPerValidation"`
}

// OverLimit reports whether the use is held to MaxBytes and above it.
func (m Measurement) OverLimit() bool { return !m.Naive && m.PerValidation > MaxBytes }

// text is the output schema of a tool, as it arrives with each refresh; id,
// if any, is its identifier.
func text(tool int, id string) []byte {
	schema := map[string]any{
		"type":  "object",
		"title": fmt.Sprintf("Result of tool %d", tool),
		"properties": map[string]any{
			"temperature": map[string]any{"type": "number", "description": "in degrees Celsius"},
			"conditions":  map[string]any{"type": "string"},
			"humidity":    map[string]any{"type": "number", "minimum": 0, "maximum": 100},
			"alerts":      map[string]any{"type": "array", "items": map[string]any{"type": "string"}},
		},
		"required": []string{"temperature", "conditions", "humidity"},
	}
	if id != "" {
		schema["$id"] = id
	}
	encoded, err := json.Marshal(schema)
	if err != nil {
		panic(err) // the value is the program's own
	}
	return encoded
}

const result = `{"temperature":12.5,"conditions":"clouds","humidity":61,"alerts":["wind"]}`

// use validates one tool's result by its schema, as it came with one refresh.
type use interface {
	validate(tool, refresh int) error
}

// measure runs a use through the report and returns what it retains: how much
// the heap has grown since the first refresh, which every cache is allowed.
func measure(name, kind string, naive bool, u use) (Measurement, error) {
	m := Measurement{Engine: name, Use: kind, Naive: naive, Validations: Tools * Refreshes}
	if err := refresh(u, 0); err != nil {
		return m, err
	}
	before := heap()
	for n := range Refreshes {
		if err := refresh(u, n+1); err != nil {
			return m, err
		}
	}
	m.Retained = heap() - before
	m.PerValidation = float64(m.Retained) / float64(m.Validations)
	runtime.KeepAlive(u)
	return m, nil
}

func refresh(u use, n int) error {
	for tool := range Tools {
		if err := u.validate(tool, n); err != nil {
			return fmt.Errorf("tool %d, refresh %d: %w", tool, n, err)
		}
	}
	return nil
}

// heap is the size of the live heap.
func heap() int64 {
	var stats runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// providerUse asks a provider for a validator each time and drops it.
type providerUse struct {
	provider proviso.Provider
	schema   string // $schema, for engines that do not implement the default dialect
}

func (p providerUse) validate(tool, _ int) error {
	decoded, err := proviso.Decode(text(tool, ""))
	if err != nil {
		return err
	}
	schema := decoded.(map[string]any)
	schema["$schema"] = p.schema
	validator, err := p.provider.Validator(context.Background(), proviso.Value(schema))
	if err != nil {
		return err
	}
	return proviso.ValidateJSON(validator, []byte(result))
}

// Measure runs the naive use of an engine, its provider, and its provider
// behind a memo, one after the other.
func Measure(e engine.Engine) ([]Measurement, error) {
	naive, ok := naives[e.Name]
	if !ok {
		return nil, fmt.Errorf("there is no naive use of %s to compare with", e.Name)
	}
	var all []Measurement
	add := func(kind string, naive bool, u use) error {
		m, err := measure(e.Name, kind, naive, u)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", e.Name, kind, err)
		}
		all = append(all, m)
		return nil
	}
	if err := add(naive.kind, true, naive.new()); err != nil {
		return nil, err
	}
	provider, err := e.New(nil)
	if err != nil {
		return nil, err
	}
	uri := e.Dialects[len(e.Dialects)-1].URI()
	if err := add("provider", false, providerUse{provider, uri}); err != nil {
		return nil, err
	}
	memoised, err := memo.New(provider, nil)
	if err != nil {
		return nil, err
	}
	if err := add("provider behind memo", false, providerUse{memoised, uri}); err != nil {
		return nil, err
	}
	return all, nil
}
