package pattern_test

import (
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/proviso-go/proviso/internal/pattern"
)

// FuzzTranslate holds that a pattern is refused by one of the two errors or
// becomes what Go's regexp takes, and that both matchers then agree.
func FuzzTranslate(f *testing.F) {
	for _, c := range matches {
		f.Add(c.pattern, "a")
		for _, s := range append(c.yes, c.not...) {
			f.Add(c.pattern, s)
		}
	}
	for _, seed := range []string{`(?<n>a)\k<n>`, `(?=(a+)+$)`, `(?m)^a$`, `{`, `\p{Script=Greek}`, `(?:(a)|b)*\1`} {
		f.Add(seed, "ab")
	}
	f.Fuzz(func(t *testing.T, p, s string) {
		translated, err := pattern.Translate(p)
		if err == nil {
			if _, err := regexp.Compile(translated); err != nil {
				t.Fatalf("%q became %q: %v", p, translated, err)
			}
		} else if !typed(err) {
			t.Fatalf("%q: %v", p, err)
		}
		backtracking, backtrackingErr := pattern.CompileBacktracking(p)
		if backtrackingErr != nil {
			if !typed(backtrackingErr) {
				t.Fatalf("%q: %v", p, backtrackingErr)
			}
			_, notOne := errors.AsType[*pattern.SyntaxError](backtrackingErr)
			if notOne && err == nil {
				t.Fatalf("%q is a regular expression to Go's matcher alone: %v", p, backtrackingErr)
			}
			return
		}
		if err != nil || len(p) > 100 || len(s) > 20 {
			return
		}
		linear, err := pattern.Compile(p, false)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		want, err := linear.Match(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := backtracking.Match(s); err == nil && got != want && time.Since(start) < pattern.MaxTime {
			t.Fatalf("%q on %q: linear %v, backtracking %v", p, s, want, got)
		}
	})
}

func typed(err error) bool {
	_, syntax := errors.AsType[*pattern.SyntaxError](err)
	_, beyond := errors.AsType[*pattern.InexpressibleError](err)
	return syntax || beyond
}
