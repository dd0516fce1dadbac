package canon

import "encoding/json"

const (
	word    = 8
	pair    = 2 * word // an interface, or a string's pointer and length
	header  = 3 * word // a slice's
	minimum = 2 * word // the smallest that a box of a string takes
)

// Size estimates the heap, in bytes, that the content takes with its strings.
func (c Content) Size() int64 { return contentSize(c.root) }

func contentSize(v any) int64 {
	switch v := v.(type) {
	case object:
		size := int64(header)
		for i := range v {
			size += 2*pair + rounded(len(v[i].name)) + contentSize(v[i].value)
		}
		return size
	case []any:
		size := int64(header + pair*len(v))
		for _, element := range v {
			size += contentSize(element)
		}
		return size
	}
	return leafSize(v)
}

// Count returns how many values the content has, and how many bytes there are in
// its strings and member names.
func (c Content) Count() (values, text int64) { return count(c.root) }

func count(v any) (values, text int64) {
	values = 1
	switch v := v.(type) {
	case object:
		for i := range v {
			n, t := count(v[i].value)
			values, text = values+n, text+t+int64(len(v[i].name))
		}
	case []any:
		for _, element := range v {
			n, t := count(element)
			values, text = values+n, text+t
		}
	case string:
		text = int64(len(v))
	}
	return values, text
}

func leafSize(v any) int64 {
	switch v := v.(type) {
	case string:
		return minimum + rounded(len(v))
	case json.Number:
		return minimum + rounded(len(v))
	}
	return 0
}

func rounded(n int) int64 { return int64(n+word-1) / word * word }
