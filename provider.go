package proviso

import "context"

// A Provider compiles schemas. See the package documentation for the contract
// that each implementation keeps.
type Provider interface {
	// Validator returns a validator for the schema's content.
	//
	// The error is nil or, found with errors.As, one of: *SchemaError (not a
	// valid schema), *UnsupportedError (this engine does not implement the dialect
	// or a keyword), *LimitError (refused for its size or shape), *LoadError (a
	// referenced document could not be had), *EngineError (the engine failed). If
	// ctx ends first, errors.Is finds ctx.Err() in it.
	Validator(ctx context.Context, schema Schema) (Validator, error)
}

// A Validator judges instances against one schema.
type Validator interface {
	// Validate returns nil if the instance is valid and a *ValidationError if it
	// is not. Any other error says that the verdict is unknown: *DecodeError (the
	// instance has no JSON form), *LimitError, *UnsupportedError, *EngineError.
	//
	// The instance is decoded JSON: nil, bool, string, json.Number or any Go
	// integer or float type, []any and map[string]any. Numbers decoded with
	// json.Number keep their exact value. Any other Go value is judged as the
	// JSON that encoding/json makes of it.
	Validate(instance any) error
}

// ValidateJSON decodes text strictly, as [Decode] does, and validates the
// value. A text that is not one JSON value is a *DecodeError (or *LimitError):
// there is no instance that could be valid or invalid.
func ValidateJSON(v Validator, text []byte) error {
	instance, err := Decode(text)
	if err != nil {
		return err
	}
	return v.Validate(instance)
}
