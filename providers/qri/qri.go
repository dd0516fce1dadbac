package qri

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/qri-io/jsonschema"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

// Name is the provider's name, as errors give it; Module is the engine's
// module path.
const (
	Name   = "qri"
	Module = "github.com/qri-io/jsonschema"
)

// Dialects returns the dialects that the provider implements: 2019-09, which is
// the engine's own, and draft-07, which is rewritten to it.
func Dialects() []proviso.Dialect {
	return []proviso.Dialect{proviso.Draft7, proviso.Draft201909}
}

// A Provider compiles schemas with the engine. It keeps none of them.
type Provider struct{ options *proviso.EngineOptions }

// New returns a provider; options may be nil. The error names an option that
// makes no sense.
func New(options *proviso.EngineOptions) (*Provider, error) {
	checked, err := options.Checked()
	if err != nil {
		return nil, fmt.Errorf("qri: %w", err)
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
	v := &validator{
		dialect: rewritten.Dialect,
		text:    rewritten.Text,
		divides: rewriter.divides,
		chain:   rewritten.Chain,
		explain: rewritten.Explain,
		idle:    make(chan *jsonschema.Schema, runtime.GOMAXPROCS(0)),
	}
	parsed, err := v.parse()
	if err != nil {
		return nil, err
	}
	v.idle <- parsed
	return v, nil
}

// loadKeywords fills the engine's process-wide tables, once and before any use:
// the engine would do so on first use, without a lock, and its registry of schemas
// is created in the same way. Nothing is ever put into that registry, since no
// schema that the engine gets from here has an identifier.
var loadKeywords = sync.OnceFunc(func() {
	if !jsonschema.IsRegistryLoaded() {
		jsonschema.LoadDraft2019_09() // a second time would leave its $recursiveRef to chance
	}
	jsonschema.GetSchemaRegistry()
})

// A validator keeps the text that the engine parses, and the results of parsing
// that are not in use. The engine resolves references into its parsed schema
// while it validates, so that only one goroutine may use one at a time.
type validator struct {
	dialect proviso.Dialect
	text    []byte
	divides bool
	chain   int
	explain *normalise.Explainer
	idle    chan *jsonschema.Schema
}

func (v *validator) parse() (schema *jsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			schema, err = nil, proviso.PanicError(Name, "compile", r, debug.Stack())
		}
	}()
	loadKeywords()
	schema = new(jsonschema.Schema)
	if err := schema.UnmarshalJSON(v.text); err != nil {
		return nil, &proviso.EngineError{Engine: Name, Op: "compile", Reason: err.Error(), Err: err}
	}
	return schema, nil
}

// Validate implements proviso.Validator.
func (v *validator) Validate(instance any) error {
	instance, err := proviso.Instance(instance)
	if err != nil {
		return err
	}
	if err := normalise.CheckInstance(instance, v.chain); err != nil {
		return err
	}
	converted, undecided := v.instance(instance)
	if undecided != nil {
		return undecided
	}
	valid, err := v.judge(converted)
	if err != nil || valid {
		return err
	}
	return v.explain.Explain(instance)
}

// judge asks the engine, with a parsed schema that nobody else uses meanwhile.
// One in which the engine panicked is not used again.
func (v *validator) judge(instance any) (valid bool, err error) {
	var schema *jsonschema.Schema
	select {
	case schema = <-v.idle:
	default:
		if schema, err = v.parse(); err != nil {
			return false, err
		}
	}
	defer func() {
		if r := recover(); r != nil {
			valid, err = false, proviso.PanicError(Name, "validate", r, debug.Stack())
			return
		}
		select {
		case v.idle <- schema:
		default:
		}
	}()
	return schema.Validate(context.Background(), instance).IsValid(), nil
}
