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

// unique returns the indices of the first pair of equal elements.
func unique(array []any) (first, second int, ok bool) {
	seen := make(map[string]int, len(array))
	var key strings.Builder
	for i, element := range array {
		key.Reset()
		writeKey(&key, element)
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
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
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
		number, _ := numberOf(v)
		b.WriteString(number.key())
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
