package dialect_test

import (
	"context"
	"fmt"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/dialect"
	"github.com/proviso-go/proviso/providers/gojsonschema"
	"github.com/proviso-go/proviso/providers/tekuri"
)

func Example() {
	router, err := dialect.New(&dialect.Options{Routes: map[proviso.Dialect]dialect.Factory{
		proviso.Draft7:      func(context.Context, proviso.Dialect) (proviso.Provider, error) { return gojsonschema.New(nil) },
		proviso.Draft202012: func(context.Context, proviso.Dialect) (proviso.Provider, error) { return tekuri.New(nil) },
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, schema := range []string{
		`{"$schema": "http://json-schema.org/draft-07/schema", "items": [{"type": "string"}]}`,
		`{"prefixItems": [{"type": "string"}]}`,
		`{"$schema": "https://json-schema.org/draft/2019-09/schema"}`,
	} {
		validator, err := router.Validator(context.Background(), proviso.JSON([]byte(schema)))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(validator.Validate([]any{7}))
	}
	// Output:
	// invalid: at "/0": type: want string, have number
	// invalid: at "/0": type: want string, have number
	// not supported in 2019-09: schema, at "/$schema": $schema: no engine is routed for this dialect; routed are draft-07, 2020-12
}
