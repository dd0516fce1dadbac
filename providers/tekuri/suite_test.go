package tekuri_test

import (
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance/suite"
	"github.com/proviso-go/proviso/internal/testdata"
	"github.com/proviso-go/proviso/providers/tekuri"
)

func newProvider(o *proviso.EngineOptions) (proviso.Provider, error) { return tekuri.New(o) }

func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	root := testdata.Path(t, "json-schema-test-suite")
	for _, d := range tekuri.Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			suite.Run(t, newProvider, &suite.Options{Root: root, Dialect: d})
		})
	}
}
