package canon

import (
	"encoding/json"
	"hash/maphash"
	"math"

	"github.com/proviso-go/proviso"
)

// A Hasher hashes texts and values. It is immutable; the zero value is not
// ready for use.
type Hasher struct{ seed maphash.Seed }

// NewHasher returns a Hasher with a seed of its own.
func NewHasher() Hasher { return Hasher{maphash.MakeSeed()} }

// Text hashes a text byte by byte.
func (h Hasher) Text(text []byte) uint64 { return maphash.Bytes(h.seed, text) }

// The kinds of value, mixed into each hash.
const (
	kindNull uint64 = iota + 1
	kindFalse
	kindTrue
	kindString
	kindNumber
	kindArray
	kindObject
	kindMember
)

// Tree hashes a decoded value. It reports false for a value that is not made
// of the types of proviso.Decode and of Go's numbers, or that is deeper than
// proviso.MaxDepth or larger than proviso.MaxValues, as a cyclic one is.
func (h Hasher) Tree(v any) (uint64, bool) {
	t := treeHasher{seed: h.seed, budget: proviso.MaxValues}
	sum := t.value(v, 0)
	return sum, !t.failed
}

// Document hashes a tree as proviso.Document.Tree gives it, however large: the
// text it was decoded from bounds it. It agrees with Tree where Tree reports true.
func (h Hasher) Document(tree any) uint64 {
	t := treeHasher{seed: h.seed, budget: math.MaxInt}
	return t.value(tree, 0)
}

type treeHasher struct {
	seed   maphash.Seed
	budget int
	failed bool
}

// mix combines two hashes in order (the finaliser of SplitMix64 over both).
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

func (t *treeHasher) value(v any, depth int) uint64 {
	t.budget--
	if t.budget < 0 || t.failed {
		t.failed = true
		return 0
	}
	switch v := v.(type) {
	case nil:
		return t.kind(kindNull)
	case bool:
		if v {
			return t.kind(kindTrue)
		}
		return t.kind(kindFalse)
	case string:
		return mix(kindString, maphash.String(t.seed, v))
	case json.Number:
		return mix(kindNumber, maphash.String(t.seed, string(v)))
	case []any:
		if v == nil {
			return t.kind(kindNull)
		}
		if depth == proviso.MaxDepth {
			t.failed = true
			return 0
		}
		sum := t.kind(kindArray)
		for _, element := range v {
			sum = mix(sum, t.value(element, depth+1))
			if t.failed {
				return 0
			}
		}
		return sum
	case map[string]any:
		if v == nil {
			return t.kind(kindNull)
		}
		if depth == proviso.MaxDepth {
			t.failed = true
			return 0
		}
		// Members have no order: their hashes, each of a name with its value, are
		// added up.
		var sum uint64
		for name, member := range v {
			sum += mix(mix(kindMember, maphash.String(t.seed, name)), t.value(member, depth+1))
			if t.failed {
				return 0
			}
		}
		return mix(t.kind(kindObject)+sum, uint64(len(v)))
	}
	var buf [numberSize]byte
	text, ok := appendNumber(buf[:0], v)
	if !ok {
		t.failed = true
		return 0
	}
	return mix(kindNumber, maphash.Bytes(t.seed, text))
}

// kind is a hash of a kind alone; it depends on the seed as all others do.
func (t *treeHasher) kind(k uint64) uint64 {
	var b [1]byte
	b[0] = byte(k)
	return maphash.Bytes(t.seed, b[:])
}
