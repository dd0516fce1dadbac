package tekuri

import (
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/proviso-go/proviso"
)

// formats judges values by the engine's own formats, for the walk that explains
// what the engine has found: each format is a schema of its own. There is one
// for each validator, so that the formats of strangers' schemas pile up nowhere.
type formats struct {
	compiled sync.Map // of func() (*jsonschema.Schema, error), by format
}

func (f *formats) judge(format string, value any) (known, valid bool, err error) {
	schema, ok := f.compiled.Load(format)
	if !ok {
		schema, _ = f.compiled.LoadOrStore(format, sync.OnceValues(func() (*jsonschema.Schema, error) {
			return compileFormat(format)
		}))
	}
	compiled, err := schema.(func() (*jsonschema.Schema, error))()
	if err != nil {
		return false, false, err
	}
	valid, err = judge(compiled, value)
	return true, valid, err
}

func compileFormat(format string) (*jsonschema.Schema, error) {
	const url = baseURL + "format"
	c := newCompiler()
	c.AssertFormat()
	schema := map[string]any{"$schema": proviso.DefaultDialect.URI(), "format": format}
	if err := c.AddResource(url, schema); err != nil {
		return nil, compileError(err)
	}
	compiled, err := c.Compile(url)
	if err != nil {
		return nil, compileError(err)
	}
	return compiled, nil
}
