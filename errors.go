package proviso

import (
	"fmt"
	"strings"
)

// A Unit is one reason why an instance is invalid: an output unit in the terms
// of the specification (JSON Schema 2020-12 Core, section 12.3).
type Unit struct {
	// InstanceLocation is a JSON Pointer into the instance; "" is its root.
	InstanceLocation string
	// KeywordLocation is the path that evaluation took through the schema to
	// the keyword, as a JSON Pointer that passes through $ref and the like. It is
	// "" for a boolean schema false at the root, or where the engine cannot tell.
	KeywordLocation string
	// AbsoluteKeywordLocation is where the keyword stands: a URI with a JSON
	// Pointer as its fragment. Without an $id the URI part is empty.
	AbsoluteKeywordLocation string
	// Keyword is the keyword that failed, such as "required"; "" for a boolean
	// schema false.
	Keyword string
	// Message says what was expected. It holds no value of the instance.
	Message string
}

// ValidationError says that an instance is invalid, and why.
type ValidationError struct {
	// Units has at least one unit. They are sorted by instance location, then
	// keyword location, and the same instance always gets the same units.
	Units []Unit
	// Truncated says that there were more units than the list holds.
	Truncated bool
}

// maxErrorUnits is how many units an error's text lists.
const maxErrorUnits = 10

// Error lists the first few units, a line each.
func (e *ValidationError) Error() string {
	if len(e.Units) == 1 && !e.Truncated {
		return "invalid: " + e.Units[0].String()
	}
	var b strings.Builder
	more := ""
	if e.Truncated {
		more = " or more"
	}
	fmt.Fprintf(&b, "invalid, for %d%s reasons:", len(e.Units), more)
	for i, u := range e.Units {
		if i == maxErrorUnits {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Units)-i)
			break
		}
		b.WriteString("\n  " + u.String())
	}
	return b.String()
}

// String returns the unit as one line: location, keyword and message.
func (u Unit) String() string {
	if u.Keyword == "" {
		return fmt.Sprintf("at %s: %s", where(u.InstanceLocation), u.Message)
	}
	return fmt.Sprintf("at %s: %s: %s", where(u.InstanceLocation), u.Keyword, u.Message)
}

// maxLocation is how much of a location an error's text shows.
const maxLocation = 200

// where writes a location for a person, who cannot see an empty string.
func where(pointer string) string {
	if pointer == "" {
		return "the root"
	}
	if len(pointer) > maxLocation {
		return fmt.Sprintf("%q...", pointer[:maxLocation])
	}
	return fmt.Sprintf("%q", pointer)
}

// DecodeError says that a text, or a Go value, is not the strict JSON that
// [Decode] describes.
type DecodeError struct {
	// Offset, Line and Column say where in a text: bytes from 0, lines and
	// characters from 1. Line is 0 for a Go value, which has no text.
	Offset       int64
	Line, Column int
	// Location is a JSON Pointer to the value within which the fault lies.
	Location string
	// Reason says what is wrong there.
	Reason string
	// Err is the cause, if another error is, such as one of encoding/json.
	Err error
}

// Error tells where and why.
func (e *DecodeError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("not a JSON value: at %s: %s", where(e.Location), e.Reason)
	}
	return fmt.Sprintf("not JSON: line %d, column %d, at %s: %s", e.Line, e.Column, where(e.Location), e.Reason)
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// SchemaError says that a schema is not valid in its dialect, or not JSON.
type SchemaError struct {
	// URI names the document where it is not the schema that was given but one
	// that it refers to.
	URI string
	// Location is a JSON Pointer into the schema.
	Location string
	// Keyword is the keyword at fault, "" if none is.
	Keyword string
	// Reason says what is wrong.
	Reason string
	// Err is the cause: a *DecodeError for a schema that is not JSON, a
	// *ValidationError (its instance is the schema) for one that its meta-schema
	// rejects.
	Err error
}

// Error tells where and why.
func (e *SchemaError) Error() string {
	return "not a valid schema: " + place(e.URI, e.Location, e.Keyword) + e.Reason
}

// Unwrap returns the cause.
func (e *SchemaError) Unwrap() error { return e.Err }

// place writes the common beginning of errors that point into a schema.
func place(uri, location, keyword string) string {
	var b strings.Builder
	if uri != "" {
		fmt.Fprintf(&b, "in %s, ", uri)
	}
	fmt.Fprintf(&b, "at %s: ", where(location))
	if keyword != "" {
		fmt.Fprintf(&b, "%s: ", keyword)
	}
	return b.String()
}

// UnsupportedError says that an engine cannot honour a schema, or cannot judge
// an instance, and so refuses rather than be silently wrong.
type UnsupportedError struct {
	// Engine is the provider's name, such as "qri"; "" if none was reached,
	// because no engine is known for the dialect.
	Engine string
	// Dialect is the schema's dialect; zero if $schema names none that is known.
	Dialect Dialect
	// Keyword is the keyword that the engine cannot honour, such as "$schema".
	Keyword string
	// URI and Location say where: see SchemaError. With Instance set, Location
	// points into the instance.
	URI      string
	Location string
	Instance bool
	// Reason says what the engine cannot do.
	Reason string
}

// Error tells who, where and why.
func (e *UnsupportedError) Error() string {
	engine := ""
	if e.Engine != "" {
		engine = " by " + e.Engine
	}
	if e.Dialect.Known() {
		engine += " in " + e.Dialect.String()
	}
	return "not supported" + engine + ": " + subject(e.Instance) + place(e.URI, e.Location, e.Keyword) + e.Reason
}

func subject(instance bool) string {
	if instance {
		return "instance, "
	}
	return "schema, "
}

// A Limit names a bound in a LimitError.
type Limit string

// The limits that this package applies itself. Wrappers and engines have more.
const (
	// LimitDepth bounds the nesting of arrays and objects.
	LimitDepth Limit = "depth"
	// LimitValues bounds the number of values in a Go value.
	LimitValues Limit = "number of values"
	// LimitInPlaceCycle refuses references that lead back to themselves without
	// consuming any of the instance.
	LimitInPlaceCycle Limit = "in-place reference cycle"
	// LimitMagnitude bounds the digits and the exponent of a number.
	LimitMagnitude Limit = "digits or exponent of a number"
	// LimitPatternTime bounds the time of one match of a regular expression, in
	// milliseconds.
	LimitPatternTime Limit = "pattern match milliseconds"
)

// LimitError says that a schema or an instance was refused for its size or its
// shape. Nothing was judged.
type LimitError struct {
	// Limit says which bound; Max is its value and Seen what was found, which is
	// a lower bound where counting stopped at the limit.
	Limit     Limit
	Max, Seen int64
	// URI and Location say where: see SchemaError. With Instance set, Location
	// points into the instance.
	URI      string
	Location string
	Instance bool
	// Reason says more, where the limit's name is not enough.
	Reason string
}

// Error tells the limit and where it was passed.
func (e *LimitError) Error() string {
	msg := "over a limit: " + subject(e.Instance) + place(e.URI, e.Location, "") + string(e.Limit)
	if e.Max > 0 {
		msg += fmt.Sprintf(": at most %d allowed, saw %d", e.Max, e.Seen)
	}
	if e.Reason != "" {
		msg += ": " + e.Reason
	}
	return msg
}

// LoadError says that the target of a reference could not be had.
type LoadError struct {
	// Reference is the reference as written; URI is what it resolves to.
	Reference, URI string
	// From and Location say where the reference stands: the document's URI (""
	// for the schema that was given) and a JSON Pointer to the keyword.
	From, Location string
	// Reason says why; Err is the Loader's error, if it was called.
	Reason string
	Err    error
}

// Error tells which reference, where, and why.
func (e *LoadError) Error() string {
	msg := fmt.Sprintf("reference not found: %s%q", place(e.From, e.Location, ""), e.Reference)
	if e.URI != "" && e.URI != e.Reference {
		msg += fmt.Sprintf(" (%s)", e.URI)
	}
	return msg + ": " + e.Reason
}

// Unwrap returns the Loader's error.
func (e *LoadError) Unwrap() error { return e.Err }

// EngineError says that an engine broke its promise: it panicked, or its
// answer cannot be trusted. The verdict is unknown; later calls are unaffected.
type EngineError struct {
	// Engine is the provider's name; Op is what it was doing, "compile" or
	// "validate".
	Engine, Op string
	// Reason says what happened.
	Reason string
	// Stack is the stack of a panic, as runtime/debug.Stack writes it.
	Stack []byte
	// Err is the panic's value, if it was an error, or the engine's error.
	Err error
}

// Error tells what happened, without the stack.
func (e *EngineError) Error() string {
	return fmt.Sprintf("engine failure: %s, %s: %s", e.Engine, e.Op, e.Reason)
}

// Unwrap returns the cause.
func (e *EngineError) Unwrap() error { return e.Err }

// PanicError makes the *EngineError for a recovered panic; call it in the
// deferred function itself, so that the stack still shows the place.
func PanicError(engine, op string, recovered any, stack []byte) *EngineError {
	e := &EngineError{Engine: engine, Op: op, Reason: fmt.Sprintf("panic: %v", recovered), Stack: stack}
	if err, ok := recovered.(error); ok {
		e.Err = err
	}
	return e
}
