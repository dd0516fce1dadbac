package suite_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance/suite"
	"github.com/proviso-go/proviso/providers/qri"
)

// A suite of one group, in place of a clone of the official one.
func ExampleMeasure() {
	root, err := os.MkdirTemp("", "suite")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	for name, text := range map[string]string{
		"tests/draft7/type.json": `[{"description": "strings", "schema": {"type": "string"}, "tests": [
			{"description": "a string", "data": "x", "valid": true}, {"description": "a number", "data": 1, "valid": false}]}]`,
		"remotes/string.json": `{"type": "string"}`,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			panic(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			panic(err)
		}
	}

	result, err := suite.Measure(func(o *proviso.EngineOptions) (proviso.Provider, error) { return qri.New(o) }, &suite.Options{
		Root: root, Dialect: proviso.Draft7,
		Refusals: map[string]string{"refRemote.json": "it was refused once"},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(result)
	fmt.Println(result.Failures)
	// Output:
	// 2 right, 0 refused, 0 wrong of 2
	// [refusal "refRemote.json" is no longer needed; take it off the list]
}
