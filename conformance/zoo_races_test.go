package conformance

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
)

// racing are animals with real data races. Only the race detector sees them,
// and it fails the whole process, so that they are run in one of their own. Each is
// named after the case that is to make the race happen.
var racing = map[string]func(testing.TB) proviso.Provider{
	"concurrency/one-validator": withState(func() func(proviso.Validator, any) error {
		var ready map[string]bool
		return func(next proviso.Validator, instance any) error {
			if ready == nil { // as if it were alone
				ready = map[string]bool{"ready": true}
			}
			return next.Validate(instance)
		}
	})(),
	"concurrency/errors": withState(func() func(proviso.Validator, any) error {
		var buffer []proviso.Unit
		return func(next proviso.Validator, instance any) error {
			err := next.Validate(instance)
			if e, ok := errors.AsType[*proviso.ValidationError](err); ok {
				buffer = append(buffer[:0], e.Units...)
			}
			return err
		}
	})(),
	"concurrency/many-compilations": func(tb testing.TB) proviso.Provider {
		compilations := 0
		return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
			compilations++
			return next.Validator(ctx, schema)
		}})
	},
}

// TestZooRaces finds out that the cases make the contention that the race
// detector needs.
func TestZooRaces(t *testing.T) {
	if !raceDetector {
		t.Skip("data races are seen by the race detector alone: go test -race")
	}
	t.Parallel()
	for name := range racing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passed, output := child(t, name, name)
			if passed || !strings.Contains(output, "WARNING: DATA RACE") {
				t.Errorf("passed: %v; the output:\n%s", passed, output)
			}
		})
	}
}
