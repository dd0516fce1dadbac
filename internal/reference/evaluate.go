package reference

import (
	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/refs"
)

// The bounds on one evaluation: how many subschemas are applied, how deeply they
// nest, and how many units are kept.
const (
	maxSteps = 10_000_000
	maxNest  = 50_000
	maxUnits = 1000
)

// LimitEvaluations bounds how often one evaluation applies a subschema, and
// LimitNesting how deeply.
const (
	LimitEvaluations proviso.Limit = "applications of subschemas"
	LimitNesting     proviso.Limit = "nested applications of subschemas"
)

// A Result is a verdict with, where it is invalid, the units that explain it,
// sorted.
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
	return &Result{Units: proviso.SortUnits(r.units), Truncated: r.truncated}, nil
}

// Valid judges an instance without explaining. The errors are those of Evaluate.
func (w *Walker) Valid(instance any) (bool, error) {
	r := run{walker: w, quiet: 1}
	valid := r.apply(w.root, instance, nil, nil, nil)
	return valid, r.err
}

// place is a location, as a list from its end to the root; nil where nobody
// will ask for it.
type place struct {
	parent  *place
	token   string
	index   int // instead of token, if isIndex
	isIndex bool
}

func (p *place) child(token string) *place {
	if p == nil {
		return nil
	}
	return &place{parent: p, token: token}
}

func (p *place) element(i int) *place {
	if p == nil {
		return nil
	}
	return &place{parent: p, index: i, isIndex: true}
}

func (p *place) String() string {
	if p == nil || p.parent == nil {
		return ""
	}
	if p.isIndex {
		return proviso.AppendPointerIndex(p.parent.String(), p.index)
	}
	return proviso.AppendPointer(p.parent.String(), p.token)
}

// run is the state of one evaluation.
type run struct {
	walker *Walker
	scope  []*refs.Resource // the dynamic scope, outermost first
	quiet  int              // over 0: no units are wanted
	units  []proviso.Unit
	steps  int
	nest   int
	err    error // ends the evaluation

	truncated bool
}

// apply evaluates n against the instance v. Where that is valid, and evaluated
// is not nil, it adds what was evaluated of v.
func (r *run) apply(n *node, v any, evaluated *evaluated, at, path *place) bool {
	if r.err != nil {
		return false
	}
	r.steps++
	if r.steps > maxSteps || r.nest >= maxNest {
		limit, bound, seen := LimitEvaluations, maxSteps, r.steps
		if r.steps <= maxSteps {
			limit, bound, seen = LimitNesting, maxNest, r.nest+1
		}
		r.err = &proviso.LimitError{Limit: limit, Max: int64(bound), Seen: int64(seen), Instance: true, Location: at.String()}
		return false
	}
	if n.Object == nil {
		if !n.Bool {
			r.fail(n, "", at, path, "is not allowed")
		}
		return n.Bool
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

// attempt is apply without units.
func (r *run) attempt(n *node, v any, evaluated *evaluated, at *place) bool {
	r.quiet++
	valid := r.apply(n, v, evaluated, at, nil)
	r.quiet--
	return valid
}

// fail adds a unit, unless none is wanted. The keyword "" stands for the
// schema itself, which is false.
func (r *run) fail(n *node, keyword string, at, path *place, message string) {
	if r.quiet > 0 || r.err != nil {
		return
	}
	if len(r.units) == maxUnits {
		r.truncated = true
		return
	}
	u := proviso.Unit{
		InstanceLocation: at.String(), KeywordLocation: path.String(), AbsoluteKeywordLocation: n.Absolute(),
		Keyword: keyword, Message: message,
	}
	if keyword != "" {
		u.KeywordLocation = proviso.AppendPointer(u.KeywordLocation, keyword)
		u.AbsoluteKeywordLocation = proviso.AppendPointer(u.AbsoluteKeywordLocation, keyword)
	} else if path != nil && path.parent != nil {
		u.Keyword = lastKeyword(path)
	}
	r.units = append(r.units, u)
}

// lastKeyword names the keyword that a false subschema stands under:
// properties rather than the property's name.
func lastKeyword(path *place) string {
	if path.isIndex || namesMembers(path.parent) {
		return path.parent.token
	}
	return path.token
}

// namesMembers reports whether the token that follows is the name of a
// subschema and not a keyword.
func namesMembers(p *place) bool {
	if p.parent == nil || p.isIndex {
		return false
	}
	switch p.token {
	case "properties", "patternProperties", "dependentSchemas", "dependencies":
		// Unless it is itself such a name.
		return !namesMembers(p.parent)
	}
	return false
}

// mark and rewind take back the units of branches that turned out not to
// matter.
func (r *run) mark() (int, bool) { return len(r.units), r.truncated }

func (r *run) rewind(length int, truncated bool) {
	r.units, r.truncated = r.units[:length], truncated
}

// done says that nothing more has to be looked at: the verdict is invalid and
// nobody wants to know more.
func (r *run) done(valid bool) bool { return r.err != nil || (!valid && r.quiet > 0) }
