package gojsonschema

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

// refusal is an error about a place within an instance, on its way out: each
// caller adds its token to the place.
type refusal struct {
	location string
	err      error
}

// instance returns the instance as the engine wants it, with each number a
// json.Number: the instance itself where that is so already. A number that the
// engine cannot compare, or would take too long to expand, is refused.
func (v *validator) instance(value any) (any, error) {
	converted, _, refused := v.convert(value)
	if refused == nil {
		return converted, nil
	}
	switch err := refused.err.(type) {
	case *proviso.UnsupportedError:
		err.Location = refused.location
	case *proviso.LimitError:
		err.Location = refused.location
	}
	return nil, refused.err
}

// convert returns the value, and whether it is another than it was.
func (v *validator) convert(value any) (any, bool, *refusal) {
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
		return nil, false, &refusal{err: &proviso.DecodeError{Reason: err.Error(), Err: err}}
	}
	number, _, refused := v.number(json.Number(text))
	return number, true, refused
}

func (v *validator) number(number json.Number) (any, bool, *refusal) {
	if !normalise.Expandable(number) {
		digits, exponent := normalise.Magnitude(number)
		return nil, false, &refusal{err: &proviso.LimitError{
			Limit: proviso.LimitMagnitude, Max: normalise.MaxDigits, Seen: int64(max(digits, exponent)), Instance: true,
			Reason: "the engine would expand the number to all its digits",
		}}
	}
	if isNegativeZero(string(number)) {
		return json.Number("0"), true, nil
	}
	if v.compares {
		if _, exact := normalise.Float(number); !exact {
			return nil, false, &refusal{err: &proviso.UnsupportedError{
				Engine: Name, Dialect: v.dialect, Instance: true,
				Reason: "the schema has const, enum or uniqueItems, for which the engine compares with float64, and float64 cannot represent this number",
			}}
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
func (v *validator) object(object map[string]any) (any, bool, *refusal) {
	var changed map[string]any
	for name, member := range object {
		converted, differs, refused := v.convert(member)
		if refused != nil {
			refused.location = proviso.AppendPointer("", name) + refused.location
			return nil, false, refused
		}
		if !differs {
			continue
		}
		if changed == nil {
			changed = maps.Clone(object)
		}
		changed[name] = converted
	}
	if changed == nil {
		return object, false, nil
	}
	return changed, true, nil
}

// array copies the array if an element has to be another.
func (v *validator) array(array []any) (any, bool, *refusal) {
	var changed []any
	for i, element := range array {
		converted, differs, refused := v.convert(element)
		if refused != nil {
			refused.location = proviso.AppendPointerIndex("", i) + refused.location
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
