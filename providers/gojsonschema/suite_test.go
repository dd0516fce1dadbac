package gojsonschema_test

import (
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance/suite"
	"github.com/proviso-go/proviso/internal/corpus"
	"github.com/proviso-go/proviso/providers/gojsonschema"
)

func newProvider(o *proviso.EngineOptions) (proviso.Provider, error) { return gojsonschema.New(o) }

func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	root := corpus.Path(t, "json-schema-test-suite")
	for _, d := range gojsonschema.Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			suite.Run(t, newProvider, &suite.Options{Root: root, Dialect: d})
		})
	}
}
