package leak

import (
	"context"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
	"github.com/proviso-go/proviso/providers/tekuri"
)

// leaky keeps what it hands out.
type leaky struct {
	proviso.Provider
	kept []proviso.Validator
}

func (l *leaky) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	validator, err := l.Provider.Validator(ctx, schema)
	l.kept = append(l.kept, validator)
	return validator, err
}

// TestLeakyProvider measures a provider that leaks, which is caught, and the
// same behind a memo, which asks it once for each tool.
func TestLeakyProvider(t *testing.T) {
	e := engine.Engine{Name: "leaky", Dialects: tekuri.Dialects(), New: func(o *proviso.EngineOptions) (proviso.Provider, error) {
		inner, err := tekuri.New(o)
		return &leaky{Provider: inner}, err
	}}
	for use, over := range map[string]bool{"provider": true, "memo": false} {
		m, err := Measure(e, use)
		if err != nil || m.OverLimit() != over || m.Naive || m.Validations != Tools*Refreshes {
			t.Errorf("%s: %+v, %v; over the limit: want %v", use, m, err, over)
		}
	}
	if _, err := Measure(e, "naive"); err == nil || !strings.Contains(err.Error(), "there are provider, memo") {
		t.Errorf("a use that the engine has not: %v", err)
	}
}

func TestOutputSchema(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for tool := range Tools {
		text, err := outputSchema(tool, "")
		if err != nil || len(text) < 320 || len(text) > 380 || seen[string(text)] {
			t.Errorf("tool %d: %d bytes, %v", tool, len(text), err)
		}
		seen[string(text)] = true
	}
}
