package tekuri

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/proviso-go/proviso/internal/pattern"
)

// compileRegexp is the engine's compiler of patterns. Backtracking is allowed
// here whatever the policy: the schema's own patterns have been checked before,
// and for the format "regex" the engine only asks whether a string is one.
func compileRegexp(expr string) (jsonschema.Regexp, error) {
	m, err := pattern.Compile(expr, true)
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

// MatchString implements jsonschema.Regexp. It panics with a failure.
func (m matcher) MatchString(s string) bool {
	ok, err := m.Match(s)
	if err != nil {
		panic(failure{err: err, text: s})
	}
	return ok
}
