package tekuri

import (
	"context"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
	"github.com/proviso-go/proviso/internal/reference"
)

// Name is the provider's name, as errors give it; Module is the engine's
// module path.
const (
	Name   = "tekuri"
	Module = "github.com/santhosh-tekuri/jsonschema/v6"
)

// Dialects returns the dialects that the provider implements: all.
func Dialects() []proviso.Dialect { return proviso.Dialects() }

// A Provider is a proviso.Provider that compiles each schema with a compiler of its
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

// Validator implements proviso.Provider. What is an *proviso.UnsupportedError is
// in the package's documentation.
func (p *Provider) Validator(ctx context.Context, schema proviso.Schema) (v proviso.Validator, err error) {
	// Also for a Loader that panics.
	defer recoverInto(&err, "compile")
	graph, err := normalise.Prepare(ctx, Name, Dialects(), schema, p.options)
	if err != nil {
		return nil, err
	}
	if err := normalise.CheckPatterns(Name, graph, p.backtracking()); err != nil {
		return nil, err
	}
	documents, err := newDocuments(graph, p.options)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	compiled, err := compile(documents)
	if err != nil {
		return nil, err
	}
	walk := &reference.Options{
		Backtracking:  p.backtracking(),
		AssertFormat:  p.options.Format == proviso.FormatAssert,
		AssertContent: p.options.AssertContent,
		Format:        (&formats{}).judge,
	}
	return &validator{schema: compiled, chain: graph.Chain, explain: normalise.NewExplainer(Name, graph, walk)}, nil
}

func (p *Provider) backtracking() bool { return p.options.Regexp == proviso.RegexpAny }

type validator struct {
	schema  *jsonschema.Schema
	chain   int
	explain *normalise.Explainer
}

// Validate implements proviso.Validator.
func (v *validator) Validate(instance any) (err error) {
	instance, err = proviso.Instance(instance)
	if err != nil {
		return err
	}
	if err := normalise.CheckInstance(instance, v.chain); err != nil {
		return err
	}
	valid, err := judge(v.schema, instance)
	if err != nil || valid {
		return err
	}
	defer recoverInto(&err, "validate")
	return v.explain.Explain(instance)
}
