package proviso

import (
	"fmt"
	"strconv"
	"strings"
)

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// AppendPointer returns the JSON Pointer (RFC 6901) of the member or element
// that token names below the value at pointer.
func AppendPointer(pointer, token string) string {
	if strings.ContainsAny(token, "~/") {
		token = pointerEscaper.Replace(token)
	}
	return pointer + "/" + token
}

// AppendPointerIndex is [AppendPointer] for an array index.
func AppendPointerIndex(pointer string, index int) string {
	return pointer + "/" + strconv.Itoa(index)
}

// PointerTokens splits a JSON Pointer (RFC 6901, section 3) into its unescaped
// reference tokens; the empty pointer has none. The error names a missing
// leading slash or a bad escape.
func PointerTokens(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, fmt.Errorf("JSON Pointer %q does not begin with /", pointer)
	}
	for i := 0; i < len(pointer); i++ {
		if pointer[i] == '~' && (i+1 == len(pointer) || (pointer[i+1] != '0' && pointer[i+1] != '1')) {
			return nil, fmt.Errorf("JSON Pointer %q has a ~ that is neither ~0 nor ~1", pointer)
		}
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, t := range tokens {
		if strings.Contains(t, "~") {
			tokens[i] = pointerUnescaper.Replace(t)
		}
	}
	return tokens, nil
}

// EvalPointer returns the value that pointer names within the decoded JSON
// value root (RFC 6901, section 4), and whether there is one. A malformed
// pointer names nothing.
func EvalPointer(root any, pointer string) (any, bool) {
	tokens, err := PointerTokens(pointer)
	if err != nil {
		return nil, false
	}
	for _, t := range tokens {
		switch v := root.(type) {
		case map[string]any:
			child, ok := v[t]
			if !ok {
				return nil, false
			}
			root = child
		case []any:
			i, ok := arrayIndex(t)
			if !ok || i >= len(v) {
				return nil, false
			}
			root = v[i]
		default:
			return nil, false
		}
	}
	return root, true
}

// arrayIndex reads an array index as RFC 6901 writes it: no sign, no leading
// zeros.
func arrayIndex(token string) (int, bool) {
	if token == "" || len(token) > 9 || (len(token) > 1 && token[0] == '0') {
		return 0, false
	}
	n := 0
	for i := 0; i < len(token); i++ {
		if token[i] < '0' || token[i] > '9' {
			return 0, false
		}
		n = n*10 + int(token[i]-'0')
	}
	return n, true
}
