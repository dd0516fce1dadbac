package proviso_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/standard"
)

// The whole way from a schema to a verdict and what explains it.
func Example() {
	provider, err := standard.New(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	schema := proviso.JSON([]byte(`{"properties": {"port": {"type": "integer", "maximum": 65535}}, "required": ["port"]}`))
	validator, err := provider.Validator(context.Background(), schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = proviso.ValidateJSON(validator, []byte(`{"port": 70000}`))
	if invalid, ok := errors.AsType[*proviso.ValidationError](err); ok {
		for _, unit := range invalid.Units {
			fmt.Println(unit.InstanceLocation, unit.Keyword, unit.Message)
		}
	}
	// Output:
	// /port maximum want at most 65535
}

func ExampleNewOutput() {
	provider, err := standard.New(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	validator, err := provider.Validator(context.Background(), proviso.Value(map[string]any{"type": "string"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	output, err := proviso.NewOutput(validator.Validate(7), proviso.OutputBasic)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := json.Marshal(output)
	fmt.Println(string(text), err)
	// Output:
	// {"valid":false,"errors":[{"valid":false,"keywordLocation":"/type","instanceLocation":"","error":"want string, have number"}]} <nil>
}
