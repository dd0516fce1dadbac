package naive

import (
	"bytes"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// newTekuri keeps one Compiler, which keeps each document and each schema.
func newTekuri() Validate {
	compiler := jsonschema.NewCompiler()
	return func(uri string, schema, instance []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
		if err != nil {
			return err
		}
		if err := compiler.AddResource(uri, doc); err != nil {
			return err
		}
		compiled, err := compiler.Compile(uri)
		if err != nil {
			return err
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(instance))
		if err != nil {
			return err
		}
		return compiled.Validate(value)
	}
}
