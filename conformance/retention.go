package conformance

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"time"
	"unsafe"
	"weak"

	"github.com/proviso-go/proviso"
)

// watch returns a weak pointer to what a pointer, map or slice in an interface
// refers to, and whether there is such a thing.
func watch(v any) (weak.Pointer[byte], bool) {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if p := r.UnsafePointer(); p != nil {
			return weak.Make((*byte)(unsafe.Pointer(p))), true
		}
	}
	return weak.Pointer[byte]{}, false
}

// alive collects garbage until at most enough of the pointers are alive, and
// returns how many are after a while.
func alive(pointers []weak.Pointer[byte], enough int) int {
	n := 0
	for range 40 {
		runtime.GC()
		n = 0
		for _, p := range pointers {
			if p.Value() != nil {
				n++
			}
		}
		if n <= enough {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	return n
}

// distinct are schemas that differ by n, of each kind that engines file
// differently.
func distinct(kind string, n int) string {
	switch kind {
	case "an identifier of its own":
		return fmt.Sprintf(`{"@id":"http://example.org/retained/%d","type":"string","enum":["%d"]}`, n, n)
	case "one identifier":
		return fmt.Sprintf(`{"@id":"http://example.org/retained","type":"string","enum":["%d"]}`, n)
	case "nested identifiers":
		return fmt.Sprintf(`{"properties":{"a":{"$ref":"http://example.org/inner/%d"}},"@defs":{"x":{"@id":"http://example.org/inner/%d","type":"string"}}}`, n, n)
	case "anchors":
		return fmt.Sprintf(`{"properties":{"a":{"$ref":"#x%d"}},"@defs":{"x":{"@anchor":"x%d","type":"string"}}}`, n, n)
	case "references":
		return fmt.Sprintf(`{"properties":{"a":{"$ref":"#/@defs/x"},"b":{"$ref":"#"}},"@defs":{"x":{"enum":["%d"]}}}`, n)
	}
	return fmt.Sprintf(`{"type":"object","properties":{"a":{"enum":["%d"]}}}`, n)
}

var retainedKinds = []string{"no identifier", "an identifier of its own", "one identifier", "nested identifiers", "anchors", "references"}

// slack is how many validators may be alive beyond the bound: those on the way
// into or out of a cache.
const slack = 4

// retain compiles n schemas, uses each validator once, drops it, and returns
// weak pointers to the validators.
func (t *T) retain(p proviso.Provider, kind string, n int) []weak.Pointer[byte] {
	var pointers []weak.Pointer[byte]
	for i := range n {
		v := t.compile(p, t.json(distinct(kind, i)))
		_ = v.Validate(map[string]any{"a": "x"})
		_ = v.Validate("x")
		if pointer, ok := watch(v); ok {
			pointers = append(pointers, pointer)
		}
	}
	return pointers
}

// copies is how many of a schema's content a cache may keep for each entry: as
// text, decoded, and compiled.
const copies = 5

// bulk is the size and the number of schemas that show in the heap if they are
// kept: half of them is more than noise and more than what the bound keeps.
func (t *T) bulk() (size, n int) {
	if t.options.Keeps == 0 {
		return 64 << 10, 60
	}
	return 8 << 10, 60 + 12*t.options.Keeps
}

var retentionCases = []Case{
	{Name: "retention/dropped-validators", Promise: "a validator that the caller drops is garbage, but for those that the provider's bound keeps", run: func(t *T) {
		for _, kind := range retainedKinds {
			p := t.provider()
			n := 3*t.options.Keeps + 50
			pointers := t.retain(p, kind, n)
			if left := alive(pointers, t.options.Keeps+slack); left > t.options.Keeps+slack {
				t.Errorf("%s: %d of %d dropped validators are alive; the bound is %d", kind, left, n, t.options.Keeps)
			}
			runtime.KeepAlive(p)
		}
	}},
	{Name: "retention/compiled-schemas", Promise: "all that was compiled for a dropped validator is garbage, but for what the provider's bound keeps", run: func(t *T) {
		size, n := t.bulk()
		for _, kind := range retainedKinds {
			p := t.provider()
			before := heap()
			for i := range n {
				// The content is in an enum, which an engine cannot do without.
				filler := strings.Repeat(string(rune('a'+i%26)), size)
				schema := strings.Replace(distinct(kind, i), `"enum":["`, `"enum":["`+filler, 1)
				if schema == distinct(kind, i) {
					schema = strings.Replace(schema, `"type":"string"`, `"enum":["`+filler+`"]`, 1)
				}
				v := t.compile(p, t.json(schema))
				_ = v.Validate(map[string]any{"a": "x"})
				_ = v.Validate("x")
			}
			grown := heap() - before
			if limit := int64(n*size/2 + t.options.Keeps*size*copies); grown > limit {
				t.Errorf("%s: after %d dropped schemas of %d KiB the heap has grown by %d KiB", kind, n, size>>10, grown>>10)
			}
			runtime.KeepAlive(p)
		}
	}},
	{Name: "retention/failed-compilations", Promise: "schemas that do not compile leave nothing behind", run: func(t *T) {
		size, n := t.bulk()
		p := t.provider()
		before := heap()
		for i := range n {
			t.refused(p, "a schema with a broken reference", t.json(fmt.Sprintf(`{"@id":"http://example.org/failed/%d","$ref":"#/nowhere","enum":["%s"]}`, i, strings.Repeat(string(rune('a'+i%26)), size))))
		}
		if grown := heap() - before; grown > int64(n*size/2+t.options.Keeps*size*copies) {
			t.Errorf("after %d failed compilations of %d KiB the heap has grown by %d KiB", n, size>>10, grown>>10)
		}
		runtime.KeepAlive(p)
	}},
	{Name: "retention/schemas-are-not-kept", Promise: "the provider keeps neither the object nor the text that it was given", perDialect: true, run: func(t *T) {
		p := t.provider()
		var pointers []weak.Pointer[byte]
		var validators []proviso.Validator
		for i := range 5 {
			object := t.tree(distinct("references", i))
			text := []byte(t.text(distinct("references", 100+i)))
			inner := object["properties"].(map[string]any)
			for _, v := range []any{object, inner, inner["a"], text} {
				pointer, _ := watch(v)
				pointers = append(pointers, pointer)
			}
			for _, v := range []proviso.Validator{t.compile(p, proviso.Value(object)), t.compile(p, proviso.JSON(text))} {
				_ = v.Validate(map[string]any{"a": "x"})
				validators = append(validators, v)
			}
		}
		if left := alive(pointers, 0); left > 0 {
			t.Errorf("%d of %d objects and texts are kept by a validator or by the provider", left, len(pointers))
		}
		runtime.KeepAlive(validators)
		runtime.KeepAlive(p)
	}},
	{Name: "retention/instances-are-not-kept", Promise: "nothing of an instance is kept after Validate returns", perDialect: true, run: func(t *T) {
		p := t.provider()
		v := t.compile(p, t.json(`{"properties":{"a":{"items":{"type":"number"}}},"required":["a"]}`))
		var pointers []weak.Pointer[byte]
		var errs []error
		for i := range 10 {
			array := []any{1, 2, "x"}[:2+i%2]
			instance := map[string]any{"a": array}
			for _, v := range []any{instance, array} {
				pointer, _ := watch(v)
				pointers = append(pointers, pointer)
			}
			errs = append(errs, v.Validate(instance))
		}
		if left := alive(pointers, 0); left > 0 {
			t.Errorf("%d of %d maps and arrays of instances are kept, by the validator or by its errors", left, len(pointers))
		}
		runtime.KeepAlive(errs)
		runtime.KeepAlive(v)
		runtime.KeepAlive(p)
	}},
	{Name: "retention/dropped-provider", Promise: "a provider that is dropped is garbage, with all that it kept", run: func(t *T) {
		var pointers []weak.Pointer[byte]
		for i := range 5 {
			p := t.provider()
			pointers = append(pointers, t.retain(p, retainedKinds[i%len(retainedKinds)], 10)...)
		}
		if left := alive(pointers, 0); left > 0 {
			t.Errorf("%d of %d validators are alive although their providers were dropped", left, len(pointers))
		}
	}},
}

// heap returns the bytes of the heap that are in use after a collection.
func heap() int64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
