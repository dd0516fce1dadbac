package naive

import (
	"errors"

	"github.com/xeipuuv/gojsonschema"
)

// newGojsonschema keeps one SchemaLoader, which keeps each document.
func newGojsonschema() Validate {
	loader := gojsonschema.NewSchemaLoader()
	return func(uri string, schema, instance []byte) error {
		if err := loader.AddSchema(uri, gojsonschema.NewBytesLoader(schema)); err != nil {
			return err
		}
		compiled, err := loader.Compile(gojsonschema.NewReferenceLoader(uri))
		if err != nil {
			return err
		}
		result, err := compiled.Validate(gojsonschema.NewBytesLoader(instance))
		if err != nil {
			return err
		}
		if !result.Valid() {
			return errors.New("the instance is invalid")
		}
		return nil
	}
}
