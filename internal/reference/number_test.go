package reference

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// number draws a number of JSON in any spelling, small enough for big.Rat.
func number(t *rapid.T, label string) json.Number {
	return json.Number(rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?`).Draw(t, label))
}

func rational(t *rapid.T, n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		t.Fatalf("%s is no number", n)
	}
	return r
}

// TestNumbersAreExact compares with math/big.
func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := number(t, "a"), number(t, "b")
		if rapid.Bool().Draw(t, "multiple") {
			product := new(big.Rat).Mul(rational(t, b), new(big.Rat).SetInt64(rapid.Int64Range(-50, 50).Draw(t, "factor")))
			a = json.Number(product.FloatString(110))
		}
		x, y := parseDecimal(string(a)), parseDecimal(string(b))
		p, q := rational(t, a), rational(t, b)
		if got, want := x.compare(y), p.Cmp(q); got != want {
			t.Fatalf("compare %s, %s: %d, want %d", a, b, got, want)
		}
		if got, want := x.key() == y.key(), p.Cmp(q) == 0; got != want {
			t.Fatalf("keys of %s, %s: %s, %s", a, b, x.key(), y.key())
		}
		if x.integer() != p.IsInt() {
			t.Fatalf("%s an integer: %v", a, x.integer())
		}
		if q.Sign() == 0 {
			return
		}
		r := newRun()
		got := r.multipleOf(&node{multipleOf: newDivisor(y)}, x, nil)
		if want := new(big.Rat).Quo(p, q).IsInt(); got != want || r.err != nil {
			t.Fatalf("%s a multiple of %s: %v, %v", a, b, got, r.err)
		}
	})
}

func newRun() *run { return &run{walker: &Walker{maxSteps: maxSteps}} }

func TestHugeNumbers(t *testing.T) {
	t.Parallel()
	r := newRun()
	for _, c := range []struct {
		a, b     string
		compare  int
		multiple bool
	}{
		{"1e1000000000", "1e999999999", 1, true},
		{"-1e1000000000", "1", -1, true},
		{"1e-1000000000", "0.5", -1, false},
		{"1e-1000000000", "1e-1000000001", 1, true},
		{"7e1000000000", "3", 1, false},
		{"9e1000000000", "3e-1000000000", 1, true},
		{"10e999999999", "1e1000000000", 0, true},
		{"1e99999999999999999999999", "1", 1, true},
		{"1e-99999999999999999999999", "1", -1, false},
		{"0e99999999999999999999999", "1", -1, true},
	} {
		a, b := parseDecimal(c.a), parseDecimal(c.b)
		if got := a.compare(b); got != c.compare {
			t.Errorf("compare %s, %s: %d", c.a, c.b, got)
		}
		if got := r.multipleOf(&node{multipleOf: newDivisor(b)}, a, nil); got != c.multiple || r.err != nil {
			t.Errorf("%s a multiple of %s: %v, %v", c.a, c.b, got, r.err)
		}
	}
}

func TestEqualAndUnique(t *testing.T) {
	t.Parallel()
	values := []any{
		nil, false, true, "", "null", "1", json.Number("1"), json.Number("1.5"), 0.1, uint8(2), json.Number("-3"), 1e300,
		[]any{}, []any{nil}, []any{"a", "b"}, []any{"a,b"}, []any{`a","b`}, []any{[]any{"a"}, "b"},
		map[string]any{}, map[string]any{"a": nil}, map[string]any{"a": json.Number("1")}, map[string]any{"b": json.Number("1")}, map[string]any{`a":1,"b`: json.Number("1")},
	}
	others := map[int][]any{
		6: {json.Number("1.0"), json.Number("10e-1"), 1, 1.0, int64(1), float32(1)}, 8: {json.Number("0.1"), json.Number("1E-1"), float32(0.1)},
		9: {2, 2.0}, 10: {-3, -3.0}, 11: {json.Number("1e+300")}, 20: {map[string]any{"a": 1.0}},
	}
	for i, a := range values {
		for j, b := range values {
			check(t, a, b, i == j)
		}
		for _, b := range others[i] {
			check(t, a, b, true)
			check(t, b, a, true)
		}
	}
	check(t, json.Number("-0"), 0, true)
	check(t, json.Number("9007199254740993"), json.Number("9007199254740992"), false)
	check(t, json.Number("1e400"), json.Number("1e401"), false)
}

func check(t *testing.T, a, b any, want bool) {
	t.Helper()
	r := newRun()
	_, _, distinct := r.unique([]any{a, b}, nil)
	for way, got := range map[string]bool{"equal": equal(a, b), "unique": !distinct, "enum": newSet([]any{"x", a}).has(b)} {
		if got != want {
			t.Errorf("%s: %s and %s: %v", way, fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b), got)
		}
	}
}
