package proviso

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// MaxValues is how many values a Go value that stands for a schema or an
// instance may hold. A text is bounded by its length; a Go value that names one
// map many times over is not.
const MaxValues = 1 << 20

// Instance returns the value that engines judge in v's place: v itself where
// it is made of the types that [Validator] names, without allocating, and
// otherwise an equivalent tree that shares nothing with v. Providers call it
// first in Validate.
//
// The error is a *DecodeError for what has no strict JSON form (a channel, NaN,
// a json.Number that is none, invalid UTF-8, a cycle that encoding/json
// reports), or a *LimitError beyond [MaxDepth] or [MaxValues].
func Instance(v any) (any, error) {
	budget := MaxValues
	if isTree(v, MaxDepth, &budget) {
		return v, nil
	}
	tree, err := copyTree(v)
	if limit, ok := err.(*LimitError); ok {
		limit.Instance = true
	}
	return tree, err
}

// isTree reports whether v is made of the types of a decoded instance, within
// the limits, and has no fault.
func isTree(v any, depth int, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	switch v := v.(type) {
	case nil, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return true
	case string:
		return utf8.ValidString(v)
	case json.Number:
		return validNumber(string(v))
	case float64:
		return isFinite(v)
	case float32:
		return isFinite(float64(v))
	case map[string]any:
		if v == nil || depth == 0 {
			return false
		}
		for name, member := range v {
			if !utf8.ValidString(name) || !isTree(member, depth-1, budget) {
				return false
			}
		}
		return true
	case []any:
		if v == nil || depth == 0 {
			return false
		}
		for _, element := range v {
			if !isTree(element, depth-1, budget) {
				return false
			}
		}
		return true
	}
	return false
}

func validNumber(s string) bool { return s != "" && numberLength(s) == len(s) }

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// copyTree returns v as [Decode] would have made it from v's JSON.
func copyTree(v any) (any, error) {
	c := copier{budget: MaxValues}
	return c.copy(v, "", 0)
}

type copier struct{ budget int }

func (c *copier) copy(v any, at string, depth int) (any, error) {
	if c.budget--; c.budget < 0 {
		return nil, &LimitError{Limit: LimitValues, Max: MaxValues, Seen: MaxValues + 1, Location: at}
	}
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		if !utf8.ValidString(v) {
			return nil, &DecodeError{Location: at, Reason: "a string is not valid UTF-8"}
		}
		return v, nil
	case json.Number:
		if !validNumber(string(v)) {
			return nil, &DecodeError{Location: at, Reason: fmt.Sprintf("json.Number %.40q is not a number of JSON", string(v))}
		}
		return v, nil
	case int:
		return json.Number(strconv.Itoa(v)), nil
	case map[string]any:
		if v == nil {
			return nil, nil // as encoding/json has it
		}
		if depth == MaxDepth {
			return nil, tooDeep(at)
		}
		object := make(map[string]any, len(v))
		// In order, so that the same value always gets the same error.
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member := v[name]
			if !utf8.ValidString(name) {
				return nil, &DecodeError{Location: at, Reason: "a member name is not valid UTF-8"}
			}
			tree, err := c.copy(member, AppendPointer(at, name), depth+1)
			if err != nil {
				return nil, err
			}
			object[name] = tree
		}
		return object, nil
	case []any:
		if v == nil {
			return nil, nil
		}
		if depth == MaxDepth {
			return nil, tooDeep(at)
		}
		array := make([]any, len(v))
		for i, element := range v {
			tree, err := c.copy(element, AppendPointerIndex(at, i), depth+1)
			if err != nil {
				return nil, err
			}
			array[i] = tree
		}
		return array, nil
	}
	return c.marshalled(v, at, depth)
}

func tooDeep(at string) error {
	return &LimitError{Limit: LimitDepth, Max: MaxDepth, Seen: MaxDepth + 1, Location: at, Reason: "the Go value is cyclic or nests too deeply"}
}

// marshalled takes any other Go value through its JSON text.
func (c *copier) marshalled(v any, at string, depth int) (any, error) {
	text, err := marshal(v)
	if err != nil {
		return nil, &DecodeError{Location: at, Reason: err.Error(), Err: err}
	}
	tree, err := Decode(text)
	if err != nil {
		return nil, &DecodeError{Location: at, Reason: fmt.Sprintf("the JSON of a %T: %v", v, err), Err: err}
	}
	if number, ok := tree.(json.Number); ok {
		return number, nil
	}
	// Once more through copy, which counts depth and values from here.
	return c.copy(tree, at, depth)
}

// marshal is json.Marshal, which lets a panic of a MarshalJSON method through.
func marshal(v any) (text []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%T: its JSON encoding panicked: %v", v, r)
		}
	}()
	return json.Marshal(v)
}
