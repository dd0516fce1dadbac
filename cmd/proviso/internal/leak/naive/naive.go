// Package naive uses the engines directly, as a program does that keeps one
// compiler, loader or registry for its whole life. It is what the providers are
// compared with; nothing else in the command imports an engine.
package naive

// A Use is a way to use an engine.
type Use struct {
	// Name says what is kept for the program's life.
	Name string
	// WithID says that the schema must have an $id: without one, the engine
	// keeps nothing and finds nothing again.
	WithID bool
	// New begins a program's life.
	New func() Validate
}

// Validate compiles the schema, under the URI that the program files it by, and
// returns nil if the instance is valid.
type Validate func(uri string, schema, instance []byte) error

// Find returns the use of the engine that a provider is named after.
func Find(engine string) (Use, bool) {
	switch engine {
	case "tekuri":
		return Use{Name: "one Compiler", New: newTekuri}, true
	case "gojsonschema":
		return Use{Name: "one SchemaLoader", New: newGojsonschema}, true
	case "qri":
		return Use{Name: "its registry, with $id", WithID: true, New: newQri}, true
	}
	return Use{}, false
}
