package gojsonschema

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

// instance returns the instance as the engine wants it, with each number a
// json.Number: the instance itself where that is so already. A number that the
// engine cannot compare is refused.
func (v *validator) instance(value any) (any, error) {
	if err := normalise.CheckInstance(value, v.chain); err != nil {
		return nil, err
	}
	converted, _, refused := v.convert(value)
	if refused != nil {
		return nil, refused
	}
	return converted, nil
}

// undecided leaves the location to the callers, each of which adds its token.
func (v *validator) undecided(reason string) *proviso.UnsupportedError {
	return &proviso.UnsupportedError{Engine: Name, Dialect: v.dialect, Instance: true, Reason: reason}
}

// convert returns the value, and whether it is another than it was.
func (v *validator) convert(value any) (any, bool, *proviso.UnsupportedError) {
	switch value := value.(type) {
	case nil, bool, string:
		return value, false, nil
	case json.Number:
		return v.number(value)
	case map[string]any:
		return v.object(value)
	case []any:
		return v.array(value)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, false, v.undecided(err.Error())
	}
	number, _, refused := v.number(json.Number(text))
	return number, true, refused
}

func (v *validator) number(number json.Number) (any, bool, *proviso.UnsupportedError) {
	if isNegativeZero(string(number)) {
		return json.Number("0"), true, nil
	}
	if v.compares {
		if _, exact := normalise.Float(number); !exact {
			return nil, false, v.undecided("the schema has const, enum or uniqueItems, for which the engine compares with float64, and float64 cannot represent this number")
		}
	}
	return number, false, nil
}

// isNegativeZero reports whether a number of JSON is -0, however it is spelled.
func isNegativeZero(number string) bool {
	if !strings.HasPrefix(number, "-") {
		return false
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	return strings.Trim(mantissa, "-0.") == ""
}

// object copies the object if a member has to be another.
func (v *validator) object(object map[string]any) (any, bool, *proviso.UnsupportedError) {
	var changed map[string]any
	// Of several refusals the first by name counts, so that the same instance
	// always gets the same error.
	var first *proviso.UnsupportedError
	var of string
	for name, member := range object {
		converted, differs, refused := v.convert(member)
		if refused != nil && (first == nil || name < of) {
			first, of = refused, name
		}
		if !differs || first != nil {
			continue
		}
		if changed == nil {
			changed = maps.Clone(object)
		}
		changed[name] = converted
	}
	if first != nil {
		first.Location = proviso.AppendPointer("", of) + first.Location
		return nil, false, first
	}
	if changed == nil {
		return object, false, nil
	}
	return changed, true, nil
}

// array copies the array if an element has to be another.
func (v *validator) array(array []any) (any, bool, *proviso.UnsupportedError) {
	var changed []any
	for i, element := range array {
		converted, differs, refused := v.convert(element)
		if refused != nil {
			refused.Location = proviso.AppendPointerIndex("", i) + refused.Location
			return nil, false, refused
		}
		if !differs {
			continue
		}
		if changed == nil {
			changed = slices.Clone(array)
		}
		changed[i] = converted
	}
	if changed == nil {
		return array, false, nil
	}
	return changed, true, nil
}
