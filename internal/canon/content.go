package canon

import (
	"encoding/json"

	"github.com/proviso-go/proviso"
)

// Content is what a document holds, in a form of its own that takes less memory
// than maps and is faster to compare. It is immutable. The zero value is null.
type Content struct{ root any }

// object holds the members of an object, in no order.
type object []member

type member struct {
	name  string
	value any
}

// ContentOf returns the content of a tree as proviso.Document.Tree gives it. It
// shares the tree's strings and nothing that can change.
func ContentOf(tree any) Content { return Content{freeze(tree)} }

func freeze(v any) any {
	switch v := v.(type) {
	case map[string]any:
		o := make(object, 0, len(v))
		for name, value := range v {
			o = append(o, member{name, freeze(value)})
		}
		return o
	case []any:
		a := make([]any, len(v))
		for i, element := range v {
			a[i] = freeze(element)
		}
		return a
	}
	return v
}

// Equal reports whether v stands for the content: whether the document that
// proviso.Value makes of v holds it. It does not allocate. Of Go values it knows
// those that Hasher.Tree knows; to others, and to what is deeper than
// proviso.MaxDepth, it says no. A cyclic v ends where the content ends.
func (c Content) Equal(v any) bool { return equal(c.root, v, 0) }

func equal(content, v any, depth int) bool {
	switch x := content.(type) {
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
	case object:
		y, ok := v.(map[string]any)
		if !ok || y == nil || len(x) != len(y) || depth == proviso.MaxDepth {
			return false
		}
		for i := range x {
			other, ok := y[x[i].name]
			if !ok || !equal(x[i].value, other, depth+1) {
				return false
			}
		}
		return true
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
	}
	return false
}
