package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
)

// Options say what a provider claims. Nil claims every dialect and no cache.
type Options struct {
	// Dialects are those that the provider implements; the others it must refuse.
	// Nil stands for all.
	Dialects []proviso.Dialect
	// Keeps is how many validators the provider itself may keep alive, for one
	// with a cache: the bound that it was made with. A small one makes a fast test; it
	// must be at least MinKeeps, so that the caching cases have room. 0 is for a
	// provider that keeps none.
	Keeps int
	// Wrap, for a provider that memoises what another one compiles, puts it in
	// front of inner. It adds the cases of the group wrapping, in which inner is one
	// of the suite's own that counts, waits and fails.
	Wrap func(inner proviso.Provider) (proviso.Provider, error)
	// Skip gives the reason why a case, or all failing cases of a group, cannot
	// pass, by "group/case" or "group". The cases are run all the same: a
	// reason that is no longer needed fails the test, and so does an empty one.
	Skip map[string]string

	// timeLimit is defaultTimeLimit, except in tests of the suite itself.
	timeLimit time.Duration
}

// MinKeeps is the least bound with which a provider that keeps validators can
// pass the caching cases.
const MinKeeps = 64

// A Case is one promise with the code that finds out whether it is kept.
type Case struct {
	// Name is "group/case".
	Name string
	// Promise is the sentence that is false if the case fails.
	Promise string

	run func(*T)
	// perDialect runs the case once for each claimed dialect.
	perDialect bool
}

// Cases lists the cases in the order in which they run. Those of the group
// wrapping are run only with Options.Wrap.
func Cases() []Case {
	return slices.Concat(
		cachingCases, stalenessCases, isolationCases, concurrencyCases, retentionCases,
		errorCases, ioCases, dialectCases, wrappingCases,
	)
}

// Run tests the providers that newProvider makes, a new one for each case. They
// must have no Loader and no Resources, and the default dialect 2020-12. A case that
// fails prints its promise and what was seen instead.
//
// Run it under the race detector: the concurrency cases make the contention.
func Run(t *testing.T, newProvider func(testing.TB) proviso.Provider, options *Options) {
	t.Helper()
	o, err := options.checked()
	if err != nil {
		t.Fatal(err)
	}
	skips := newSkips(o.Skip)
	for _, c := range Cases() {
		group, name, _ := strings.Cut(c.Name, "/")
		if group == wrappingGroup && o.Wrap == nil {
			continue
		}
		skips.expect(c.Name, group)
		t.Run(group+"/"+name, func(t *testing.T) {
			failures := runCase(t, c, newProvider, o)
			if reason, ok := skips.done(len(failures) > 0, c.Name, group); ok {
				t.Skipf("the author says: %s (seen: %s)", reason, failures[0])
			}
			if len(failures) == 0 {
				return
			}
			t.Errorf("broken promise: %s", c.Promise)
			for _, failure := range failures {
				t.Errorf("  %s", failure)
			}
		})
	}
	for _, entry := range skips.stale() {
		t.Errorf("Skip[%q] is no longer needed: nothing of it fails. Take it out (its reason was: %s)", entry, o.Skip[entry])
	}
}

func (o *Options) checked() (*Options, error) {
	c := Options{}
	if o != nil {
		c = *o
	}
	if c.timeLimit == 0 {
		c.timeLimit = defaultTimeLimit
	}
	if c.Dialects == nil {
		c.Dialects = proviso.Dialects()
	}
	if len(c.Dialects) == 0 {
		return nil, fmt.Errorf("conformance: Options.Dialects is empty: a provider implements some dialect")
	}
	c.Dialects = slices.Sorted(slices.Values(c.Dialects))
	for _, d := range c.Dialects {
		if !d.Known() {
			return nil, fmt.Errorf("conformance: Options.Dialects: %d is not a dialect", d)
		}
	}
	if c.Keeps != 0 && c.Keeps < MinKeeps {
		return nil, fmt.Errorf("conformance: Options.Keeps is %d; the caching cases need at least %d", c.Keeps, MinKeeps)
	}
	known := make(map[string]bool)
	for _, kase := range Cases() {
		group, _, _ := strings.Cut(kase.Name, "/")
		if group != wrappingGroup || c.Wrap != nil {
			known[kase.Name], known[group] = true, true
		}
	}
	for entry, reason := range c.Skip {
		if !known[entry] {
			return nil, fmt.Errorf("conformance: Options.Skip has %q, which is no case and no group that would be run", entry)
		}
		if strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("conformance: Options.Skip[%q] has no reason", entry)
		}
	}
	return &c, nil
}
