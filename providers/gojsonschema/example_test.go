package gojsonschema_test

import (
	"context"
	"fmt"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/gojsonschema"
)

func Example() {
	provider, err := gojsonschema.New(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	validator, err := provider.Validator(context.Background(), proviso.JSON([]byte(`{
		"$schema": "http://json-schema.org/draft-07/schema#",
		"required": ["name"]
	}`)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(validator.Validate(map[string]any{"name": "proviso"}))
	fmt.Println(validator.Validate(map[string]any{}))
	// Output:
	// <nil>
	// invalid: at the root: required: missing "name"
}
