package tekuri_test

import (
	"context"
	"fmt"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/tekuri"
)

func Example() {
	provider, err := tekuri.New(&proviso.EngineOptions{Format: proviso.FormatAssert})
	if err != nil {
		fmt.Println(err)
		return
	}
	validator, err := provider.Validator(context.Background(), proviso.JSON([]byte(`{
		"properties": {"address": {"format": "ipv4"}},
		"required": ["address", "port"]
	}`)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(proviso.ValidateJSON(validator, []byte(`{"address": "127.0.0.1", "port": 80}`)))
	fmt.Println(proviso.ValidateJSON(validator, []byte(`{"address": "localhost"}`)))
	// Output:
	// <nil>
	// invalid, for 2 reasons:
	//   at the root: required: missing "port"
	//   at "/address": format: want the format "ipv4"
}
