package gojsonschema

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/xeipuuv/gojsonschema"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

// Name is the provider's name, as errors give it; Module is the engine's
// module path.
const (
	Name   = "gojsonschema"
	Module = "github.com/xeipuuv/gojsonschema"
)

// Dialects returns the dialects that the provider implements.
func Dialects() []proviso.Dialect {
	return []proviso.Dialect{proviso.Draft4, proviso.Draft6, proviso.Draft7}
}

// A Provider compiles schemas with the engine, each with a loader of its own,
// and keeps none of them.
type Provider struct{ options *proviso.EngineOptions }

// New returns a provider; options may be nil. The error names an option that
// makes no sense.
func New(options *proviso.EngineOptions) (*Provider, error) {
	checked, err := options.Checked()
	if err != nil {
		return nil, fmt.Errorf("gojsonschema: %w", err)
	}
	return &Provider{options: checked}, nil
}

// Validator implements proviso.Provider.
func (p *Provider) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	rewriter := &rewriter{options: p.options}
	rewritten, err := normalise.Rewrite(ctx, rewriter.rules(), Dialects(), schema, p.options)
	if err != nil {
		return nil, err
	}
	compiled, err := compile(rewritten.Text, rewritten.Dialect)
	if err != nil {
		return nil, err
	}
	return &validator{
		dialect: rewritten.Dialect, schema: compiled, compares: rewriter.compares,
		explain: rewritten.Explain, chain: rewritten.Chain,
	}, nil
}

func compile(text []byte, dialect proviso.Dialect) (schema *gojsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			schema, err = nil, proviso.PanicError(Name, "compile", r, debug.Stack())
		}
	}()
	loader := gojsonschema.NewSchemaLoader()
	loader.AutoDetect = false // the text has no $schema
	switch dialect {
	case proviso.Draft4:
		loader.Draft = gojsonschema.Draft4
	case proviso.Draft6:
		loader.Draft = gojsonschema.Draft6
	default:
		loader.Draft = gojsonschema.Draft7
	}
	schema, err = loader.Compile(closedLoader{gojsonschema.NewBytesLoader(text)})
	if err != nil {
		return nil, &proviso.EngineError{Engine: Name, Op: "compile", Reason: err.Error(), Err: err}
	}
	return schema, nil
}

// closedLoader loads one text; what it makes for other documents, which no
// schema from here refers to, loads none. The engine's own would read files and
// the network.
type closedLoader struct{ gojsonschema.JSONLoader }

// LoaderFactory implements gojsonschema.JSONLoader.
func (closedLoader) LoaderFactory() gojsonschema.JSONLoaderFactory { return closedFactory{} }

type closedFactory struct{}

// New implements gojsonschema.JSONLoaderFactory.
func (closedFactory) New(source string) gojsonschema.JSONLoader {
	return refusingLoader{gojsonschema.NewReferenceLoader(source)}
}

type refusingLoader struct{ gojsonschema.JSONLoader }

// LoadJSON implements gojsonschema.JSONLoader.
func (refusingLoader) LoadJSON() (any, error) {
	return nil, errors.New("documents are not loaded while the engine compiles")
}

// LoaderFactory implements gojsonschema.JSONLoader.
func (refusingLoader) LoaderFactory() gojsonschema.JSONLoaderFactory { return closedFactory{} }

type validator struct {
	dialect  proviso.Dialect
	schema   *gojsonschema.Schema
	compares bool
	chain    int
	explain  *normalise.Explainer
}

// Validate implements proviso.Validator.
func (v *validator) Validate(instance any) error {
	instance, err := proviso.Instance(instance)
	if err != nil {
		return err
	}
	converted, err := v.instance(instance)
	if err != nil {
		return err
	}
	valid, err := v.judge(converted)
	if err != nil || valid {
		return err
	}
	return v.explain.Explain(instance)
}

func (v *validator) judge(instance any) (valid bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			valid, err = false, proviso.PanicError(Name, "validate", r, debug.Stack())
		}
	}()
	result, err := v.schema.Validate(treeLoader{tree: instance})
	if err != nil {
		return false, &proviso.EngineError{Engine: Name, Op: "validate", Reason: err.Error(), Err: err}
	}
	return result.Valid(), nil
}

// treeLoader hands over an instance that is decoded already.
type treeLoader struct {
	gojsonschema.JSONLoader
	tree any
}

// LoadJSON implements gojsonschema.JSONLoader.
func (l treeLoader) LoadJSON() (any, error) { return l.tree, nil }
