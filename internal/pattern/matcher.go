package pattern

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/proviso-go/proviso"
)

// MaxTime bounds one attempt by the backtracking matcher. A match that it breaks
// off is tried again, until twice the time has passed.
const MaxTime = 250 * time.Millisecond

// A Matcher finds out whether a pattern matches somewhere in a string. It can be
// the key of a map, which is what engines make of it.
type Matcher interface {
	// Match's error is a *proviso.LimitError for a match that took too long.
	Match(s string) (bool, error)
}

// Compile returns the pattern's matcher: Go's regexp, or, if that cannot
// express it and backtracking is allowed, one that backtracks for at most MaxTime.
// The error is a *SyntaxError or an *InexpressibleError.
func Compile(pattern string, backtracking bool) (Matcher, error) {
	translated, err := Translate(pattern)
	if err == nil {
		compiled, err := regexp.Compile(translated)
		if err == nil {
			return linear{compiled}, nil
		}
		return nil, &InexpressibleError{pattern, err.Error()}
	}
	if _, beyond := errors.AsType[*InexpressibleError](err); !beyond || !backtracking {
		return nil, err
	}
	return compileBacktracking(pattern)
}

func compileBacktracking(pattern string) (Matcher, error) {
	translated, err := translate(pattern, true)
	if err != nil {
		return nil, err
	}
	// The mode makes a reference to a group that was not matched match an empty
	// string; all else is written out.
	compiled, err := regexp2.Compile(translated, regexp2.ECMAScript)
	if err != nil {
		return nil, &InexpressibleError{pattern, err.Error()}
	}
	compiled.MatchTimeout = MaxTime
	return &backtracker{compiled.MatchString, pattern}, nil
}

type linear struct{ *regexp.Regexp }

func (m linear) Match(s string) (bool, error) { return m.MatchString(s), nil }

type backtracker struct {
	match   func(string) (bool, error)
	pattern string
}

func (m *backtracker) Match(s string) (bool, error) {
	start := time.Now()
	for {
		ok, err := m.match(s)
		if err == nil {
			return ok, nil
		}
		// Its only error is that of the time; its text has the string in it. It
		// reads a clock that a goroutine advances: on a machine with much to do that
		// may stand still and then leap, so that the shortest match seems to take long.
		if took := time.Since(start); took > 2*MaxTime {
			return false, &proviso.LimitError{
				Limit: proviso.LimitPatternTime, Max: MaxTime.Milliseconds(), Seen: took.Milliseconds(), Instance: true,
				Reason: fmt.Sprintf("matching %.100q", m.pattern),
			}
		}
	}
}
