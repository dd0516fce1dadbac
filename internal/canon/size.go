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

// TreeSize estimates the heap, in bytes, that a decoded value takes, as
// proviso.Decode makes it. Its maps cost more than the Content of the same value.
func TreeSize(tree any) int64 {
	const (
		group     = 8*2*pair + word // of a map: 8 slots and their control word
		mapHeader = 6 * word
	)
	switch v := tree.(type) {
	case []any:
		size := int64(header + pair*cap(v))
		for _, element := range v {
			size += TreeSize(element)
		}
		return size
	case map[string]any:
		size := mapHeader + max(int64(len(v)+6)/7, 1)*group
		for name, value := range v {
			size += rounded(len(name)) + TreeSize(value)
		}
		return size
	}
	return leafSize(tree)
}
