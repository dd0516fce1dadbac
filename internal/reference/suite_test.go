package reference_test

import (
	"context"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance/suite"
	"github.com/proviso-go/proviso/internal/corpus"
	"github.com/proviso-go/proviso/internal/reference"
	"github.com/proviso-go/proviso/internal/refs"
)

// required is how many cases each dialect has to get right.
var required = map[proviso.Dialect]int{
	proviso.Draft4: 618, proviso.Draft6: 839, proviso.Draft7: 927, proviso.Draft201909: 1259, proviso.Draft202012: 1299,
}

// exceptions are the optional files that the walk alone does not follow.
var exceptions = map[string]string{
	"draft-04 optional/zeroTerminatedFloats.json": "1.0 is an integer in every dialect here, as in all later ones",
	"2020-12 optional/format-assertion.json":      "the walk has no formats of its own",
}

func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	root := corpus.Path(t, "json-schema-test-suite")
	remotes, err := suite.Remotes(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range proviso.Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			o, err := (&proviso.EngineOptions{DefaultDialect: d, Resources: remotes}).Checked()
			if err != nil {
				t.Fatal(err)
			}
			groups, err := suite.Load(root, d, suite.Required)
			if err != nil {
				t.Fatal(err)
			}
			right := 0
			for _, g := range groups {
				right += judge(t, g, o)
			}
			if right != required[d] {
				t.Errorf("%d right of %d", right, required[d])
			}
			optional, err := suite.Load(root, d, suite.Optional)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range optional {
				if reason, ok := exceptions[d.String()+" "+g.File]; ok {
					t.Logf("%s is left out: %s", g.File, reason)
					continue
				}
				judge(t, g, o)
			}
		})
	}
}

// judge runs one group and returns how many verdicts are right.
func judge(t *testing.T, g suite.Group, o *proviso.EngineOptions) (right int) {
	t.Helper()
	doc, err := proviso.JSON(g.Schema).Document()
	if err != nil {
		t.Errorf("%s: %s: %v", g.File, g.Description, err)
		return 0
	}
	graph, err := refs.Load(context.Background(), doc, o)
	if err != nil {
		t.Errorf("%s: %s: %v", g.File, g.Description, err)
		return 0
	}
	walker, err := reference.New(graph, &reference.Options{Backtracking: true, AssertContent: strings.HasPrefix(g.File, "optional/content")})
	if err != nil {
		t.Errorf("%s: %s: %v", g.File, g.Description, err)
		return 0
	}
	for _, test := range g.Tests {
		instance, err := proviso.Decode(test.Data)
		if err != nil {
			t.Errorf("%s: %s: %s: %v", g.File, g.Description, test.Description, err)
			continue
		}
		result, err := walker.Evaluate(instance)
		if err != nil || result.Valid != test.Valid {
			t.Errorf("%s: %s: %s: %+v, %v; want valid=%v", g.File, g.Description, test.Description, result, err, test.Valid)
			continue
		}
		if !result.Valid && len(result.Units) == 0 {
			t.Errorf("%s: %s: %s: invalid without a unit", g.File, g.Description, test.Description)
		}
		if valid, err := walker.Valid(instance); err != nil || valid != test.Valid {
			t.Errorf("%s: %s: %s: Valid says %v, %v", g.File, g.Description, test.Description, valid, err)
		}
		right++
	}
	return right
}
