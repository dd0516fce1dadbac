package standard_test

import (
	"context"
	"errors"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/dialect"
	"github.com/proviso-go/proviso/memo"
	"github.com/proviso-go/proviso/standard"
)

// labelled is a provider that compiles nothing, and a validator that says whose
// it is.
type labelled struct{ label string }

func (l labelled) Validator(context.Context, proviso.Schema) (proviso.Validator, error) {
	return l, nil
}

func (l labelled) Validate(any) error { return &proviso.LimitError{Limit: proviso.Limit(l.label)} }

func factory(p proviso.Provider) dialect.Factory {
	return func(context.Context, proviso.Dialect) (proviso.Provider, error) { return p, nil }
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	routes := map[proviso.Dialect]dialect.Factory{proviso.Draft4: factory(labelled{"other"})}
	stack, err := standard.New(&standard.Options{Routes: routes})
	if err != nil {
		t.Fatal(err)
	}
	routes[proviso.Draft7] = factory(labelled{"too late"})
	for _, d := range proviso.Dialects() {
		v, err := stack.Validator(context.Background(), proviso.Value(map[string]any{"$schema": d.URI(), "type": "string"}))
		if err != nil {
			t.Fatal(err)
		}
		limit, isOther := errors.AsType[*proviso.LimitError](v.Validate(1))
		_, isInvalid := errors.AsType[*proviso.ValidationError](v.Validate(1))
		if other := d == proviso.Draft4; isOther != other || isInvalid == other || (other && limit.Limit != "other") {
			t.Errorf("%s: %v", d, v.Validate(1))
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]*standard.Options{
		"engine": {Engine: &proviso.EngineOptions{DefaultDialect: 77}},
		"memo":   {Memo: &memo.Options{MaxEntries: -1}},
		"route":  {Routes: map[proviso.Dialect]dialect.Factory{proviso.Draft4: nil}},
	} {
		if _, err := standard.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// The engine's options reach the engine, and the resources the router.
	custom, err := proviso.JSON([]byte(`{"$schema":"http://json-schema.org/draft-07/schema#"}`)).Document()
	if err != nil {
		t.Fatal(err)
	}
	resources := map[string]*proviso.Document{"http://example.org/custom": custom}
	stack, err := standard.New(&standard.Options{Engine: &proviso.EngineOptions{Format: proviso.FormatAssert, Resources: resources}})
	if err != nil {
		t.Fatal(err)
	}
	delete(resources, "http://example.org/custom")
	v, err := stack.Validator(context.Background(), proviso.JSON([]byte(`{"$schema":"http://example.org/custom","format":"ipv4"}`)))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := errors.AsType[*proviso.ValidationError](v.Validate("x")); !ok {
		t.Errorf("format does not assert: %v", v.Validate("x"))
	}
}

// TestMemo finds out whether the memo is there, and can be asked and emptied.
func TestMemo(t *testing.T) {
	t.Parallel()
	stack, err := standard.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	schema := proviso.JSON([]byte(`{"type":"string"}`))
	ask := func() {
		t.Helper()
		if _, err := stack.Validator(context.Background(), schema); err != nil {
			t.Fatal(err)
		}
	}
	compilations := func(want uint64, what string) {
		t.Helper()
		if got := stack.Stats().Compilations; got != want {
			t.Errorf("%s: %d compilations; want %d", what, got, want)
		}
	}
	ask()
	ask()
	compilations(1, "asked twice")
	if err := stack.Forget(schema); err != nil {
		t.Fatal(err)
	}
	ask()
	compilations(2, "forgotten")
	stack.Purge()
	if s := stack.Stats(); s.Entries != 0 {
		t.Errorf("purged, and %d entries", s.Entries)
	}
	ask()
	compilations(3, "purged")
}
