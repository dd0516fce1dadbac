package canon_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/canon"
)

// values draws decoded values and Go numbers of every kind.
func values() *rapid.Generator[any] {
	numbers := rapid.OneOf(
		rapid.Map(rapid.Int(), func(i int) any { return i }),
		rapid.Map(rapid.Uint64(), func(i uint64) any { return i }),
		rapid.Map(rapid.Int8(), func(i int8) any { return i }),
		rapid.Map(rapid.Float32(), func(f float32) any { return f }),
		rapid.Map(rapid.Float64(), func(f float64) any { return f }),
		rapid.Map(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 1e21, 1e20, 1e-6, 1e-7, 1.5e-9, 123456789012345680000}), func(f float64) any { return f }),
		rapid.Map(rapid.SampledFrom([]string{"0", "-0", "1", "1.0", "1e2", "100", "1E2", "9007199254740993"}), func(s string) any { return json.Number(s) }),
	)
	leaves := rapid.OneOf(numbers, rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Map(rapid.StringN(0, 4, -1), func(s string) any { return s }), rapid.Just[any](nil))
	var nested func(depth int) *rapid.Generator[any]
	nested = func(depth int) *rapid.Generator[any] {
		if depth == 0 {
			return leaves
		}
		return rapid.OneOf(
			leaves,
			rapid.Map(rapid.SliceOfN(nested(depth-1), 0, 4), func(s []any) any { return s }),
			rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "é"}), nested(depth-1), 0, 4), func(m map[string]any) any { return m }),
		)
	}
	return nested(3)
}

// document returns the content that a value stands for, wrapped so that it may be of
// any type.
func document(t *rapid.T, v any) any {
	doc, err := proviso.Value(map[string]any{"x": v}).Document()
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	return doc.Tree().(map[string]any)["x"]
}

// TestContent holds hash and equality to what Document makes of a value.
func TestContent(t *testing.T) {
	t.Parallel()
	h := canon.NewHasher()
	rapid.Check(t, func(t *rapid.T) {
		a, b := values().Draw(t, "a"), values().Draw(t, "b")
		if f, ok := a.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			t.Skip("no JSON")
		}
		if f, ok := b.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			t.Skip("no JSON")
		}
		treeA, treeB := document(t, a), document(t, b)
		hashA, okA := h.Tree(a)
		hashTree, okTree := h.Tree(treeA)
		if !okA || !okTree || hashA != hashTree {
			t.Fatalf("%#v hashes to %d, %v and its document %#v to %d, %v", a, hashA, okA, treeA, hashTree, okTree)
		}
		if !canon.ContentOf(treeA).Equal(a) {
			t.Fatalf("%#v is not equal to its document %#v", a, treeA)
		}
		same := reflect.DeepEqual(treeA, treeB)
		hashB, _ := h.Tree(b)
		if canon.ContentOf(treeA).Equal(b) != same || (hashA == hashB) != same {
			t.Fatalf("%#v and %#v: documents equal %v, Equal %v, hashes equal %v", a, b, same, canon.ContentOf(treeA).Equal(b), hashA == hashB)
		}
	})
}

// TestNumbers holds the spelling of Go numbers to that of encoding/json.
func TestNumbers(t *testing.T) {
	t.Parallel()
	h := canon.NewHasher()
	for _, v := range []any{
		0, -1, int8(-128), int16(-32768), int32(-1 << 31), int64(math.MinInt64), uint(7), uint8(255), uint16(65535), uint32(1<<32 - 1), uint64(math.MaxUint64),
		0.0, math.Copysign(0, -1), 1.0, 1.5, -2.5e-7, 1e-6, 9.999e-7, 1e-7, 1.5e-9, 1e-10, 1e-99, 1e-100, 1e20, 1e21, 1.5e22, 1e100, 5e-324, math.MaxFloat64, 123456789012345680000.0,
		1<<53 - 1.0, float64(1 << 53), float64(1<<53 + 2), -(1<<53 - 1.0), float32(1<<24 - 1), float32(1 << 24), float32(1<<24 + 2), float32(-1 << 24), float32(33554436), float32(math.Copysign(0, -1)),
		float32(0), float32(1.1), float32(1e-6), float32(1e-7), float32(3e-9), float32(1e20), float32(1e21), float32(math.MaxFloat32), float32(math.SmallestNonzeroFloat32),
	} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		number := json.Number(text)
		hash, ok := h.Tree(v)
		want, _ := h.Tree(number)
		if !ok || hash != want || !canon.ContentOf(number).Equal(v) || canon.ContentOf(json.Number("17")).Equal(v) {
			t.Errorf("%T %v is not %s", v, v, text)
		}
	}
}

func TestLargeDocuments(t *testing.T) {
	t.Parallel()
	h := canon.NewHasher()
	large := make([]any, proviso.MaxValues+1)
	if _, ok := h.Tree(large); ok {
		t.Error("a value beyond proviso.MaxValues hashes")
	}
	hash := h.Document(large)
	large[proviso.MaxValues] = true
	if h.Document(large) == hash {
		t.Error("the hash of a large document leaves out its end")
	}
	small := map[string]any{"a": []any{true}}
	if hash, _ := h.Tree(small); hash != h.Document(small) {
		t.Error("Document and Tree disagree")
	}
}

func TestEstimates(t *testing.T) {
	t.Parallel()
	content := canon.ContentOf(map[string]any{"ab": []any{"cde", nil, json.Number("1")}, "f": map[string]any{}})
	if values, text := content.Count(); values != 6 || text != 6 {
		t.Errorf("%d values, %d bytes of text", values, text)
	}
	// Two objects, an array, and the boxes of a string and a number.
	if size := content.Size(); size < 200 || size > 400 {
		t.Errorf("%d bytes", size)
	}
}

func TestNotTrees(t *testing.T) {
	t.Parallel()
	h := canon.NewHasher()
	cyclic := map[string]any{}
	cyclic["x"] = []any{cyclic}
	bomb := any("x")
	for range 60 {
		bomb = []any{bomb, bomb}
	}
	for name, v := range map[string]any{
		"cyclic": cyclic, "bomb": bomb, "NaN": math.NaN(), "infinity": []any{float32(math.Inf(1))}, "struct": struct{}{}, "strings": []string{"a"}, "channel": make(chan int),
	} {
		if _, ok := h.Tree(v); ok {
			t.Errorf("%s hashes", name)
		}
		if canon.ContentOf(map[string]any{"x": []any{}}).Equal(v) {
			t.Errorf("%s is equal to something", name)
		}
	}
	null, _ := h.Tree(nil)
	for _, v := range []any{map[string]any(nil), []any(nil)} {
		if hash, ok := h.Tree(v); !ok || hash != null || !canon.ContentOf(nil).Equal(v) {
			t.Errorf("%#v is not null, as encoding/json has it", v)
		}
	}
}

func TestMembersAreNotInterchangeable(t *testing.T) {
	t.Parallel()
	h := canon.NewHasher()
	seen := map[uint64]string{}
	for _, text := range []string{
		`{}`, `[]`, `null`, `""`, `"null"`, `0`, `"0"`, `false`, `[[]]`, `[{}]`, `{"a":1,"b":2}`, `{"a":2,"b":1}`, `{"a":{"b":1}}`, `{"b":{"a":1}}`,
		`[1,2]`, `[2,1]`, `[[1],2]`, `[1,[2]]`, `{"a":"b"}`, `{"b":"a"}`, `["a","b"]`, `{"a":null}`, `{"a":[]}`, `{"a":1,"b":1}`, `{"ab":1}`,
	} {
		v, err := proviso.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		hash, _ := h.Tree(v)
		if other, ok := seen[hash]; ok {
			t.Errorf("%s and %s have one hash", text, other)
		}
		seen[hash] = text
	}
}

func TestNoAllocations(t *testing.T) {
	v := map[string]any{"type": "object", "n": []any{1, 2.5, json.Number("3"), nil, true, uint8(1)}, "properties": map[string]any{"a": map[string]any{}}}
	doc, err := proviso.Value(v).Document()
	if err != nil {
		t.Fatal(err)
	}
	h := canon.NewHasher()
	content := canon.ContentOf(doc.Tree())
	if n := testing.AllocsPerRun(100, func() {
		if _, ok := h.Tree(v); !ok || !content.Equal(v) {
			t.Fatal("no")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
