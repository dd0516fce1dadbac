package tekuri_test

import (
	"slices"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance/suite"
	"github.com/proviso-go/proviso/internal/corpus"
	"github.com/proviso-go/proviso/providers/tekuri"
)

func newProvider(o *proviso.EngineOptions) (proviso.Provider, error) { return tekuri.New(o) }

// required is how many cases of each dialect have to be right.
var required = map[proviso.Dialect]int{
	proviso.Draft4: 618, proviso.Draft6: 839, proviso.Draft7: 927, proviso.Draft201909: 1259, proviso.Draft202012: 1299,
}

func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	root := corpus.Path(t, "json-schema-test-suite")
	for _, d := range tekuri.Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			r := suite.Run(t, newProvider, &suite.Options{Root: root, Dialect: d})
			if r.Right != required[d] {
				t.Errorf("%d right; %d have to be", r.Right, required[d])
			}
		})
	}
}

// wrongOptional are the optional cases that are not followed, on purpose.
var wrongOptional = map[proviso.Dialect][]string{
	// 1.0 is an integer in every dialect here, as in all later ones.
	proviso.Draft4: {"optional/zeroTerminatedFloats.json: some languages do not distinguish between different types of numeric value: a float is not an integer even without fractional part: the verdict is <nil>; it should be valid=false"},
}

// TestOptionalSuite leaves out the formats, which the engine knows as well as it
// does.
func TestOptionalSuite(t *testing.T) {
	t.Parallel()
	root := corpus.Path(t, "json-schema-test-suite")
	for _, d := range tekuri.Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			r, err := suite.Measure(newProvider, &suite.Options{Root: root, Dialect: d, Which: suite.Optional, AssertContent: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %s", d, r)
			if !slices.Equal(r.Failures, wrongOptional[d]) {
				t.Errorf("the failures are\n%q\nand should be\n%q", r.Failures, wrongOptional[d])
			}
		})
	}
}
