package naive

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/qri-io/jsonschema"
)

// newQri keeps nothing itself: the engine's registry, which is the process's,
// keeps each schema that has an $id.
func newQri() Validate {
	return func(_ string, schema, instance []byte) error {
		compiled := &jsonschema.Schema{}
		if err := json.Unmarshal(schema, compiled); err != nil {
			return err
		}
		wrong, err := compiled.ValidateBytes(context.Background(), instance)
		if err != nil {
			return err
		}
		if len(wrong) > 0 {
			return errors.New("the instance is invalid")
		}
		return nil
	}
}
