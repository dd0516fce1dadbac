package normalise

import (
	"sync"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/reference"
	"github.com/proviso-go/proviso/internal/refs"
)

// An Explainer says why an instance is invalid that an engine has judged to be
// so: by a walk over the original schema, which gives every engine the same errors
// in the same order. It costs nothing until it is asked.
type Explainer struct {
	engine string
	walker func() (*reference.Walker, error)
}

// NewExplainer returns an Explainer for one schema.
func NewExplainer(engine string, g *refs.Graph, options *reference.Options) *Explainer {
	return &Explainer{engine: engine, walker: sync.OnceValues(func() (*reference.Walker, error) {
		return reference.New(g, options)
	})}
}

// Explain returns a *proviso.ValidationError. Where the walk finds nothing
// wrong, one of the two is mistaken, and the verdict is unknown: a
// *proviso.EngineError.
func (e *Explainer) Explain(instance any) error {
	walker, err := e.walker()
	if err != nil {
		return err
	}
	result, err := walker.Evaluate(instance)
	if err != nil {
		return err
	}
	if result.Valid {
		return &proviso.EngineError{
			Engine: e.engine, Op: "validate",
			Reason: "the engine says invalid, and a second look at the schema as it was given finds nothing wrong; one of them is mistaken",
		}
	}
	return &proviso.ValidationError{Units: result.Units, Truncated: result.Truncated}
}
