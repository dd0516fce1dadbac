package qri

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

// The engine's arithmetic is exact for integers up to these.
const (
	maxDividend = 1 << 52 // quotients
	maxInteger  = 1 << 63 // conversion to int, which decides what is an integer
)

// instance returns a copy of an instance in which every number is a float64,
// the one kind that the engine handles. A number that float64 cannot represent, or
// that the engine would judge wrongly, is a *proviso.UnsupportedError.
func (v *validator) instance(value any) (any, *proviso.UnsupportedError) {
	switch value := value.(type) {
	case nil, bool, string:
		return value, nil
	case map[string]any:
		object := make(map[string]any, len(value))
		// Of several refusals the first by name counts, so that the same instance
		// always gets the same error.
		var first *proviso.UnsupportedError
		var of string
		for name, member := range value {
			converted, refused := v.instance(member)
			if refused != nil && (first == nil || name < of) {
				first, of = refused, name
			}
			object[name] = converted
		}
		if first != nil {
			first.Location = proviso.AppendPointer("", of) + first.Location
			return nil, first
		}
		return object, nil
	case []any:
		array := make([]any, len(value))
		for i, element := range value {
			converted, err := v.instance(element)
			if err != nil {
				err.Location = proviso.AppendPointerIndex("", i) + err.Location
				return nil, err
			}
			array[i] = converted
		}
		return array, nil
	}
	f, exact := float(value)
	switch {
	case !exact:
		return nil, v.undecided("a number that float64, with which the engine computes, cannot represent")
	case math.Abs(f) >= maxInteger:
		return nil, v.undecided("a number of 2^63 or more, which the engine takes for a fraction")
	case v.divides && (f != math.Trunc(f) || math.Abs(f) > maxDividend):
		return nil, v.undecided("the schema has multipleOf, and the engine divides exactly only integers up to 2^52")
	}
	return f, nil
}

// undecided leaves the location to the callers, each of which adds its token.
func (v *validator) undecided(reason string) *proviso.UnsupportedError {
	return &proviso.UnsupportedError{Engine: Name, Dialect: v.dialect, Instance: true, Reason: reason}
}

// float converts a number of any type that an instance may hold.
func float(value any) (f float64, exact bool) {
	switch n := value.(type) {
	case json.Number:
		return normalise.Float(n)
	case float64:
		return n, true
	case float32:
		return normalise.Float(json.Number(fmt.Sprint(n)))
	}
	switch n := reflect.ValueOf(value); {
	case n.CanInt():
		return normalise.Float(json.Number(fmt.Sprint(n.Int())))
	case n.CanUint():
		return normalise.Float(json.Number(fmt.Sprint(n.Uint())))
	}
	return 0, false
}
