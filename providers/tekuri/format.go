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
	provider *Provider
	compiled sync.Map // of func() (*jsonschema.Schema, error), by format
}

func (p *Provider) newFormats() *formats { return &formats{provider: p} }

func (f *formats) judge(format string, value any) (known, valid bool, err error) {
	schema, ok := f.compiled.Load(format)
	if !ok {
		schema, _ = f.compiled.LoadOrStore(format, sync.OnceValues(func() (*jsonschema.Schema, error) {
			return f.provider.compileFormat(format)
		}))
	}
	compiled, err := schema.(func() (*jsonschema.Schema, error))()
	if err != nil {
		return false, false, err
	}
	valid, err = judge(compiled, value)
	return true, valid, err
}

func (p *Provider) compileFormat(format string) (*jsonschema.Schema, error) {
	c := p.newCompiler(proviso.Draft202012, nil)
	c.AssertFormat()
	if err := c.AddResource(rootURL, map[string]any{"format": format}); err != nil {
		return nil, compileError(err)
	}
	schema, err := c.Compile(rootURL)
	if err != nil {
		return nil, compileError(err)
	}
	return schema, nil
}
