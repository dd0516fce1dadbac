package source_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	const text = "\n {\"é\": [1,\n\t{\"a/b\" : [ ] , \"c\":\"x\"}], \"\": {\"\":null}, \"n\" :-1.5 , \"\\u0065\\\"\":\"]},\"\r\n}"
	want := map[string]source.Position{
		"": {2, 2}, "/é": {2, 8}, "/é/0": {2, 9}, "/é/1": {3, 2}, "/é/1/a~1b": {3, 11}, "/é/1/c": {3, 21},
		"/": {3, 32}, "//": {3, 36}, "/n": {3, 48}, `/e"`: {3, 66},
	}
	// Together, and each alone; what is not there is not found.
	nothing := []string{"/x", "/é/2", "/é/01", "/é/-", "/é/1/a~1b/0", "/n/0", "é", "/~2", "/é/0/0"}
	all := append(slices.Collect(maps.Keys(want)), nothing...)
	if got := source.Locate([]byte(text), all...); !reflect.DeepEqual(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
	for _, pointer := range all {
		at, ok := want[pointer]
		got, found := source.Locate([]byte(text), pointer)[pointer]
		if got != at || found != ok {
			t.Errorf("%q: %v, %v; want %v, %v", pointer, got, found, at, ok)
		}
	}
}

// TestLocateMalformed finds what comes before the fault, and ends.
func TestLocateMalformed(t *testing.T) {
	t.Parallel()
	for text, found := range map[string][]string{
		"": nil, "  ": nil, "{": {""}, `{"a":`: {""}, `{"a":1`: {"", "/a"}, `{"a" 1}`: {""}, `{"a":,"b":1}`: {"", "/a", "/b"}, "[1,": {""}, `{"b":[1`: {"", "/b", "/b/0"},
		`{"x":[}],"a":1}`: {""}, `{"a`: {""}, `{"a\`: {""}, "]": {""}, ",": {""}, strings.Repeat("[", 1<<20): {""}, strings.Repeat(`{"a":`, 1<<20): {"", "/a"},
	} {
		got := slices.Sorted(maps.Keys(source.Locate([]byte(text), "", "/a", "/b", "/b/0")))
		if !slices.Equal(got, found) {
			t.Errorf("%.40q: found %q; want %q", text, got, found)
		}
	}
}

// TestLocateOnce has as many locations as the text has values: to read it once
// for each would take minutes.
func TestLocateOnce(t *testing.T) {
	t.Parallel()
	const n = 200_000
	text := "[" + strings.Repeat("1,\n", n-1) + "1]"
	pointers := make([]string, n)
	for i := range pointers {
		pointers[i] = fmt.Sprintf("/%d", i)
	}
	start := time.Now()
	at := source.Locate([]byte(text), pointers...)
	if len(at) != n || at[pointers[n-1]] != (source.Position{Line: n, Column: 1}) {
		t.Errorf("%d found, the last at %v", len(at), at[pointers[n-1]])
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// FuzzLocate compares with the decoder: where a value is said to begin, the
// value begins.
func FuzzLocate(f *testing.F) {
	for _, text := range []string{`{"a":[1,{"b":null}],"c/d":{"~":"x\\\"]"}}`, "[[],{},\n[1 , \"\\u00e9\"]]", `{"":{"":[]}}`, `{"a":}`, "\"", "[1,]", "{\"a\":1,,}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := proviso.Decode(text)
		if err != nil {
			source.Locate(text, "", "/a", "/a/0", "/0/0", "//") // ends
			return
		}
		values := make(map[string]any)
		collect(values, "", root)
		at := source.Locate(text, slices.Collect(maps.Keys(values))...)
		lines := bytes.SplitAfter(text, []byte("\n"))
		for pointer, want := range values {
			p, ok := at[pointer]
			if !ok {
				t.Fatalf("%q: %q is not found", text, pointer)
			}
			rest := []byte(string([]rune(string(lines[p.Line-1]))[p.Column-1:]))
			rest = append(rest, bytes.Join(lines[p.Line:], nil)...)
			decoder := json.NewDecoder(bytes.NewReader(rest))
			decoder.UseNumber()
			var got any
			if bytes.ContainsAny(rest[:1], " \t\r\n,:") || decoder.Decode(&got) != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q: %q is at %v: %v; want %v", text, pointer, p, got, want)
			}
		}
	})
}

func collect(values map[string]any, pointer string, v any) {
	values[pointer] = v
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			collect(values, proviso.AppendPointer(pointer, name), member)
		}
	case []any:
		for i, element := range v {
			collect(values, proviso.AppendPointerIndex(pointer, i), element)
		}
	}
}
