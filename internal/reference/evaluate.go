package reference

import (
	"fmt"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/refs"
)

// The bounds on one evaluation: its steps, of which the application of a
// subschema is one, how deeply those nest, how many units are kept and, since one long
// name can be part of all their locations, how many bytes these take.
const (
	maxSteps         = 10_000_000
	maxNest          = 50_000
	maxUnits         = 1000
	maxLocationBytes = 8 << 20
)

// LimitEvaluations bounds how often one evaluation applies a subschema, or does
// other work of about that cost, and LimitNesting how deeply subschemas nest.
const (
	LimitEvaluations proviso.Limit = "applications of subschemas"
	LimitNesting     proviso.Limit = "nested applications of subschemas"
)

// A Result is a verdict with, where it is invalid, the units that explain it,
// sorted: at least one. Truncated says that there were more.
type Result struct {
	Valid     bool
	Units     []proviso.Unit
	Truncated bool
}

// Evaluate judges an instance and explains an invalid one. The instance is
// as proviso.Instance returns it. The error is a *proviso.LimitError, or one that a
// format returned.
func (w *Walker) Evaluate(instance any) (*Result, error) {
	r := run{walker: w}
	valid := r.apply(w.root, instance, nil, &place{}, &place{})
	if r.err != nil {
		return nil, r.err
	}
	if valid {
		return &Result{Valid: true}, nil
	}
	units, truncated := r.units()
	return &Result{Units: proviso.SortUnits(units), Truncated: truncated}, nil
}

// Valid judges an instance without explaining. The errors are those of Evaluate.
func (w *Walker) Valid(instance any) (bool, error) {
	r := run{walker: w, quiet: 1}
	valid := r.apply(w.root, instance, nil, nil, nil)
	return valid, r.err
}

// run is the state of one evaluation.
type run struct {
	walker   *Walker
	scope    []*refs.Resource // the dynamic scope, outermost first
	quiet    int              // over 0: no units are wanted
	failures []failure
	steps    int
	nest     int
	err      error // ends the evaluation

	truncated bool
}

// apply evaluates n against the instance v. Where that is valid, and evaluated
// is not nil, it adds what was evaluated of v.
func (r *run) apply(n *node, v any, evaluated *evaluated, at, path *place) bool {
	if !r.charge(1+n.weight, at) {
		return false
	}
	if n.Object == nil {
		if !n.Bool {
			r.fail(n, "", at, path, "is not allowed")
		}
		return n.Bool
	}
	if r.nest == maxNest {
		r.err = &proviso.LimitError{Limit: LimitNesting, Max: maxNest, Seen: maxNest + 1, Instance: true, Location: at.String()}
		return false
	}
	r.nest++
	pushed := len(r.scope) == 0 || r.scope[len(r.scope)-1] != n.Resource
	if pushed {
		r.scope = append(r.scope, n.Resource)
	}
	valid := r.keywords(n, v, evaluated, at, path)
	if pushed {
		r.scope = r.scope[:len(r.scope)-1]
	}
	r.nest--
	return valid
}

// charge counts steps, and reports whether evaluation may go on.
func (r *run) charge(steps int, at *place) bool {
	if r.err != nil {
		return false
	}
	if limit := r.walker.maxSteps; steps > limit-r.steps {
		r.err = &proviso.LimitError{Limit: LimitEvaluations, Max: int64(limit), Seen: int64(limit) + 1, Instance: true, Location: at.String()}
		return false
	}
	r.steps += steps
	return true
}

// attempt is apply without units.
func (r *run) attempt(n *node, v any, evaluated *evaluated, at *place) bool {
	r.quiet++
	valid := r.apply(n, v, evaluated, at, nil)
	r.quiet--
	return valid
}

// fail adds a failure, unless none is wanted. The keyword "" stands for the
// schema itself, which is false.
func (r *run) fail(n *node, keyword string, at, path *place, format string, args ...any) {
	switch {
	case r.quiet > 0 || r.err != nil:
	case len(r.failures) == maxUnits:
		r.truncated = true
	default:
		message := format
		if len(args) > 0 {
			message = fmt.Sprintf(format, args...)
		}
		r.failures = append(r.failures, failure{n, keyword, at, path, message})
	}
}

// mark and rewind take back the failures of branches that turned out not to
// matter.
func (r *run) mark() (int, bool) { return len(r.failures), r.truncated }

func (r *run) rewind(length int, truncated bool) {
	r.failures, r.truncated = r.failures[:length], truncated
}

// done says that nothing more has to be looked at: the verdict is invalid and
// nobody wants to know more.
func (r *run) done(valid bool) bool { return r.err != nil || (!valid && r.quiet > 0) }
