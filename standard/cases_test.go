package standard_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/corpus"
)

// smallCase is an input that some engine, used directly, judges wrongly or dies
// of.
type smallCase struct {
	ID, Kind, Dialect string
	Schema, Instance  json.RawMessage
	Want              string
	Remotes           map[string]json.RawMessage
	Before            []struct{ Instance json.RawMessage }
}

const mustRefuse = "must be refused"

// TestSmallCases holds every engine to the right verdict or a refusal.
func TestSmallCases(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(corpus.Path(t, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []smallCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 20 {
		t.Fatalf("%d cases", len(cases))
	}
	judged := map[string]int{}
	for _, c := range cases {
		for _, e := range engines() {
			got := c.ask(t, e)
			judged[got]++
			switch {
			case got == "engine failure":
				// The engine's verdict was caught to be wrong: nothing was judged.
			case got == "refused":
			case c.Want == mustRefuse:
				t.Errorf("%s (%s): %s says %s; it must refuse", c.ID, c.Kind, e.name, got)
			case got != c.Want:
				t.Errorf("%s (%s): %s says %s; want %s", c.ID, c.Kind, e.name, got, c.Want)
			}
		}
	}
	t.Logf("%v", judged)
}

func (c smallCase) ask(t *testing.T, e engine) string {
	t.Helper()
	d, err := proviso.ParseDialect(c.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(e.dialects, d) {
		return "refused"
	}
	options := &proviso.EngineOptions{DefaultDialect: d, Resources: map[string]*proviso.Document{}}
	for uri, text := range c.Remotes {
		if options.Resources[uri], err = proviso.JSON(text).Document(); err != nil {
			t.Fatal(err)
		}
	}
	v, err := must(t)(e.with(options)).Validator(context.Background(), proviso.JSON(c.Schema))
	if err != nil {
		return "refused"
	}
	for _, before := range c.Before {
		_ = proviso.ValidateJSON(v, before.Instance)
	}
	err = proviso.ValidateJSON(v, c.Instance)
	if err == nil {
		return "valid"
	}
	if _, invalid := errors.AsType[*proviso.ValidationError](err); invalid {
		return "invalid"
	}
	if _, failed := errors.AsType[*proviso.EngineError](err); failed {
		t.Logf("%s: %s: %v", c.ID, e.name, err)
		return "engine failure"
	}
	return "refused"
}
