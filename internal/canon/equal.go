package canon

import (
	"encoding/json"

	"github.com/proviso-go/proviso"
)

// Equal reports whether v has the content of tree, which is a document's. Like
// Hasher.Tree it says no to a value that is too deep; the document bounds the rest.
func Equal(tree, v any) bool { return equal(tree, v, 0) }

func equal(tree, v any, depth int) bool {
	switch x := tree.(type) {
	case nil:
		switch y := v.(type) {
		case nil:
			return true
		case map[string]any:
			return y == nil
		case []any:
			return y == nil
		}
		return false
	case bool:
		y, ok := v.(bool)
		return ok && x == y
	case string:
		y, ok := v.(string)
		return ok && x == y
	case json.Number:
		if y, ok := v.(json.Number); ok {
			return x == y
		}
		var buf [numberSize]byte
		text, ok := appendNumber(buf[:0], v)
		return ok && string(text) == string(x)
	case []any:
		y, ok := v.([]any)
		if !ok || y == nil || len(x) != len(y) || depth == proviso.MaxDepth {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i], depth+1) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := v.(map[string]any)
		if !ok || y == nil || len(x) != len(y) || depth == proviso.MaxDepth {
			return false
		}
		for name, member := range x {
			other, ok := y[name]
			if !ok || !equal(member, other, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
