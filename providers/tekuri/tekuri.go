package tekuri

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
	"github.com/proviso-go/proviso/internal/reference"
	"github.com/proviso-go/proviso/internal/refs"
)

// Name is the provider's name, as errors give it; Module is the engine's
// module path.
const (
	Name   = "tekuri"
	Module = "github.com/santhosh-tekuri/jsonschema/v6"
)

// Dialects returns the dialects that the provider implements: all.
func Dialects() []proviso.Dialect { return proviso.Dialects() }

// A Provider compiles schemas with the engine, each with a compiler of its
// own, and keeps none of them.
type Provider struct{ options *proviso.EngineOptions }

// New returns a provider; options may be nil. The error names an option that
// makes no sense.
func New(options *proviso.EngineOptions) (*Provider, error) {
	checked, err := options.Checked()
	if err != nil {
		return nil, fmt.Errorf("tekuri: %w", err)
	}
	return &Provider{options: checked}, nil
}

// Validator implements proviso.Provider.
func (p *Provider) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	graph, err := normalise.Prepare(ctx, Name, Dialects(), schema, p.options)
	if err != nil {
		return nil, err
	}
	if err := normalise.CheckPatterns(Name, graph, p.backtracking()); err != nil {
		return nil, err
	}
	compiled, err := p.compile(graph)
	if err != nil {
		return nil, err
	}
	walk := &reference.Options{
		Backtracking:  p.backtracking(),
		AssertFormat:  p.options.Format == proviso.FormatAssert,
		AssertContent: p.options.AssertContent,
		Format:        p.newFormats().judge,
	}
	return &validator{schema: compiled, explain: normalise.NewExplainer(Name, graph, walk)}, nil
}

func (p *Provider) backtracking() bool { return p.options.Regexp == proviso.RegexpAny }

// rootURL is where the engine finds the schema that was given. References have
// been resolved before, so that no schema can refer to it by this name.
const rootURL = "proviso://schema/"

var drafts = map[proviso.Dialect]*jsonschema.Draft{
	proviso.Draft4: jsonschema.Draft4, proviso.Draft6: jsonschema.Draft6, proviso.Draft7: jsonschema.Draft7,
	proviso.Draft201909: jsonschema.Draft2019, proviso.Draft202012: jsonschema.Draft2020,
}

// newCompiler returns a compiler that reads nothing but documents.
func (p *Provider) newCompiler(dialect proviso.Dialect, documents map[string]any) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(drafts[dialect])
	c.UseRegexpEngine(p.regexpEngine)
	c.UseLoader(loader{documents: documents, resources: p.options.Resources})
	if p.options.Format == proviso.FormatAssert {
		c.AssertFormat()
	}
	if p.options.AssertContent {
		c.AssertContent()
	}
	return c
}

func (p *Provider) compile(graph *refs.Graph) (schema *jsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			schema, err = nil, proviso.PanicError(Name, "compile", r, debug.Stack())
		}
	}()
	documents := p.rewrite(graph)
	c := p.newCompiler(graph.Root.Resource.Dialect, documents)
	if err := c.AddResource(rootURL, documents[""]); err != nil {
		return nil, compileError(err)
	}
	schema, err = c.Compile(rootURL)
	if err != nil {
		return nil, compileError(err)
	}
	return schema, nil
}

// compileError is for what the checks before should have found.
func compileError(err error) error {
	return &proviso.EngineError{Engine: Name, Op: "compile", Reason: err.Error(), Err: err}
}

// loader hands the engine the documents that were loaded before it, and the
// caller's resources, among which are its meta-schemas.
type loader struct {
	documents map[string]any
	resources map[string]*proviso.Document
}

// Load implements jsonschema.URLLoader.
func (l loader) Load(url string) (any, error) {
	if document, ok := l.documents[url]; ok && url != "" {
		return document, nil
	}
	if document, ok := l.resources[url]; ok {
		return document.Copy(), nil
	}
	return nil, errors.New("documents are not loaded while the engine compiles")
}

type validator struct {
	schema  *jsonschema.Schema
	explain *normalise.Explainer
}

// Validate implements proviso.Validator.
func (v *validator) Validate(instance any) error {
	instance, err := proviso.Instance(instance)
	if err != nil {
		return err
	}
	if err := normalise.CheckNumbers(instance); err != nil {
		return err
	}
	valid, err := judge(v.schema, instance)
	if err != nil || valid {
		return err
	}
	return v.explain.Explain(instance)
}

// judge asks the engine. Its own account of an invalid instance is dropped:
// it comes in random order, and its form is the engine's own.
func judge(schema *jsonschema.Schema, instance any) (valid bool, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case matchFailure:
			valid, err = false, r.err
		default:
			valid, err = false, proviso.PanicError(Name, "validate", r, debug.Stack())
		}
	}()
	err = schema.Validate(instance)
	if err == nil {
		return true, nil
	}
	if _, invalid := errors.AsType[*jsonschema.ValidationError](err); invalid {
		return false, nil
	}
	return false, &proviso.EngineError{Engine: Name, Op: "validate", Reason: err.Error(), Err: err}
}
