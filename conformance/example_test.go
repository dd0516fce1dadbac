package conformance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance"
	"github.com/proviso-go/proviso/providers/qri"
)

// What the test file of a provider holds.
func ExampleRun() {
	_ = func(t *testing.T) { // func TestConformance(t *testing.T)
		conformance.Run(t, func(tb testing.TB) proviso.Provider {
			provider, err := qri.New(nil)
			if err != nil {
				tb.Fatal(err)
			}
			return provider
		}, &conformance.Options{
			Dialects: qri.Dialects(),
			Skip:     map[string]string{"caching": "it compiles each time it is asked; memo is what caches"},
		})
	}
}

func ExampleCases() {
	for _, c := range conformance.Cases() {
		if strings.HasPrefix(c.Name, "io/") {
			fmt.Printf("%s: %s\n", c.Name, c.Promise)
		}
	}
	// Output:
	// io/files: no file is read, whatever a schema refers to
	// io/working-directory: no file is read relative to the working directory
	// io/network: no connection is made, whatever a schema refers to
	// io/meta-schemas: the meta-schema that $schema names is not fetched
	// io/identifiers: an identifier is a name: nothing is fetched from it, at compilation or at validation
}
