package cli

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
)

// failing is an engine whose every compilation ends with the error.
type failing struct{ err error }

func (f failing) Validator(context.Context, proviso.Schema) (proviso.Validator, error) {
	return nil, f.err
}

// TestCompileErrors knows an exit code for each kind of error, whatever the
// engines make of it today.
func TestCompileErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		code int
		want string
	}{
		{&proviso.SchemaError{Location: "/a"}, exitUsage, "(standard input):2:5: not a valid schema"},
		{&proviso.SchemaError{URI: "http://example.org/other", Location: "/a"}, exitUsage, "(standard input): not a valid schema: in http://example.org/other"},
		{&proviso.LoadError{Reference: "http://example.org/x#/a", URI: "http://example.org/x#/a", Location: "/a"}, exitUsage, "--resource http://example.org/x=FILE"},
		{&proviso.UnsupportedError{Engine: "e", Dialect: proviso.Draft7, Location: "/a"}, exitUnknown, "(standard input):2:5: not supported by e"},
		{&proviso.LimitError{Location: "/a"}, exitUnknown, "(standard input):2:5: over a limit"},
		{&proviso.EngineError{Engine: "e", Op: "compile", Reason: "panic: \x1b"}, exitUnknown, `(standard input): engine failure: e, compile: panic: \x1b`},
		{context.Canceled, exitUnknown, "(standard input): context canceled"},
		{errors.New("of no kind"), exitUnknown, "of no kind"},
	} {
		e := engine.Engine{Name: "e", New: func(*proviso.EngineOptions) (proviso.Provider, error) { return failing{c.err}, nil }}
		_, err := compile(context.Background(), e, nil, "-", nil, strings.NewReader("{\n\"a\":1}"))
		got, ok := errors.AsType[*exit](err)
		if !ok || got.code != c.code || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v; want exit code %d and %s", c.err, err, c.code, c.want)
		}
	}
}
