package reference

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// equal is equality of instances (2020-12 Core, section 4.2.2): numbers by
// their value, whatever their spelling and Go type.
func equal(a, b any) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	case string:
		y, ok := b.(string)
		return ok && x == y
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equal)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, equal)
	}
	x, ok := numberOf(a)
	if !ok {
		return false
	}
	y, ok := numberOf(b)
	return ok && x.compare(y) == 0
}

// A set is the values of enum. Those that are not arrays or objects are found by
// their key, so that a long list costs no more than a short one.
type set struct {
	scalars map[string]bool
	others  []any
}

func newSet(values []any) *set {
	s := &set{scalars: make(map[string]bool, len(values))}
	for _, value := range values {
		if key, ok := scalarKey(value); ok {
			s.scalars[key] = true
		} else {
			s.others = append(s.others, value)
		}
	}
	return s
}

func (s *set) has(v any) bool {
	if key, ok := scalarKey(v); ok {
		return s.scalars[key]
	}
	return slices.ContainsFunc(s.others, func(allowed any) bool { return equal(allowed, v) })
}

// scalarKey spells a value that is not an array or object so that equal values
// have equal spellings, and others have others.
func scalarKey(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(v), true
	case string:
		return `"` + v, true
	case []any, map[string]any:
		return "", false
	}
	number, _ := numberOf(v)
	return number.key(), true
}

// bytesPerStep is how much of a spelling is made at the price of one step.
const bytesPerStep = 8

// unique returns the indices of the first pair of equal elements.
func (r *run) unique(array []any, at *place) (first, second int, ok bool) {
	if len(array) < 2 {
		return 0, 0, true
	}
	seen := make(map[string]int, len(array))
	var key strings.Builder
	for i, element := range array {
		key.Reset()
		writeKey(&key, element)
		if !r.charge(1+key.Len()/bytesPerStep, at) {
			return 0, 0, true
		}
		if j, twice := seen[key.String()]; twice {
			return j, i, false
		}
		seen[key.String()] = i
	}
	return 0, 0, true
}

// writeKey spells a value so that equal values have equal spellings, and others
// have others.
func writeKey(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(strconv.Quote(v))
	case []any:
		b.WriteByte('[')
		for _, element := range v {
			writeKey(b, element)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strconv.Quote(name))
			b.WriteByte(':')
			writeKey(b, v[name])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	default:
		key, _ := scalarKey(v)
		b.WriteString(key)
	}
}

// typeOf is the JSON type of an instance; numbers are "number" also where they
// are integers.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}
