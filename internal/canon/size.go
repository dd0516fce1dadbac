package canon

import "encoding/json"

// Size estimates the heap, in bytes, that a decoded value takes.
func Size(tree any) int64 {
	const (
		word      = 8
		iface     = 2 * word
		header    = 3 * word
		group     = 8*(2*word+iface) + word // of a map, with 8 slots
		mapHeader = 6 * word
	)
	switch v := tree.(type) {
	case string:
		return 2*word + int64(len(v)+word-1)/word*word
	case json.Number:
		return 2*word + int64(len(v)+word-1)/word*word
	case []any:
		size := int64(header + iface*cap(v))
		for _, element := range v {
			size += Size(element)
		}
		return size
	case map[string]any:
		groups := int64(len(v)+6) / 7
		size := mapHeader + max(groups, 1)*group
		for name, member := range v {
			size += int64(len(name)+word-1)/word*word + Size(member)
		}
		return size
	}
	return 0
}
