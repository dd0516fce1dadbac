package qri_test

import (
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance"
	"github.com/proviso-go/proviso/providers/qri"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, func(tb testing.TB) proviso.Provider {
		p, err := qri.New(nil)
		if err != nil {
			tb.Fatal(err)
		}
		return p
	}, &conformance.Options{
		Dialects: qri.Dialects(),
		Skip:     map[string]string{"caching": "the provider compiles each time it is asked; the memo wrapper is what caches"},
	})
}
