package tekuri

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/proviso-go/proviso/internal/pattern"
)

// regexpEngine is the engine's matcher of patterns.
func (p *Provider) regexpEngine(expr string) (jsonschema.Regexp, error) {
	m, err := pattern.Compile(expr, p.backtracking())
	if err != nil {
		return nil, err
	}
	return matcher{Matcher: m, expr: expr}, nil
}

type matcher struct {
	pattern.Matcher
	expr string
}

// String implements jsonschema.Regexp.
func (m matcher) String() string { return m.expr }

// matchFailure carries the error of a match through the engine, which has no
// room for one: a match that took too long is not a mismatch.
type matchFailure struct{ err error }

// MatchString implements jsonschema.Regexp. It panics with a matchFailure.
func (m matcher) MatchString(s string) bool {
	ok, err := m.Match(s)
	if err != nil {
		panic(matchFailure{err})
	}
	return ok
}
