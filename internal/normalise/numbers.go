package normalise

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// MaxExponent and MaxDigits bound the numbers that are handed to engines which
// expand them: beyond 10^±MaxExponent, or with more digits, a comparison can take
// minutes.
const (
	MaxExponent = 1000
	MaxDigits   = 1000
)

// Magnitude returns the digits and the largest power of ten that a JSON number's
// spelling asks an engine to expand, both capped at a million.
func Magnitude(number json.Number) (digits, exponent int) {
	mantissa, exp, _ := strings.Cut(strings.ToLower(string(number)), "e")
	for _, c := range []byte(mantissa) {
		if '0' <= c && c <= '9' {
			digits++
		}
	}
	if exp == "" {
		return digits, 0
	}
	n, err := strconv.Atoi(exp)
	if err != nil || n > 1e6 || n < -1e6 {
		return digits, 1e6
	}
	return digits, max(n, -n)
}

// Expandable reports whether a number is within MaxExponent and MaxDigits.
func Expandable(number json.Number) bool {
	digits, exponent := Magnitude(number)
	return digits <= MaxDigits && exponent <= MaxExponent
}

// Rat returns the exact value of a number that is Expandable.
func Rat(number json.Number) (*big.Rat, bool) {
	if !Expandable(number) {
		return nil, false
	}
	return new(big.Rat).SetString(string(number))
}

// Float returns the float64 that a number rounds to, and whether it stands for
// that number and no other: its shortest decimal form has the number's value.
// Numbers for which it does compare as their floats do.
func Float(number json.Number) (float64, bool) {
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return f, false
	}
	exact, ok := Rat(number)
	if !ok {
		return f, false
	}
	shortest, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return f, ok && exact.Cmp(shortest) == 0
}

// Integer spells a number that is an integer without fraction or exponent
// (2.0 becomes 2), and reports whether it is one.
func Integer(number json.Number) (json.Number, bool) {
	exact, ok := Rat(number)
	if !ok || !exact.IsInt() {
		return number, false
	}
	return json.Number(exact.Num().String()), true
}

// AllFloats reports whether every number within a decoded value is a Float.
func AllFloats(value any) bool {
	switch v := value.(type) {
	case json.Number:
		_, ok := Float(v)
		return ok
	case []any:
		for _, element := range v {
			if !AllFloats(element) {
				return false
			}
		}
	case map[string]any:
		for _, member := range v {
			if !AllFloats(member) {
				return false
			}
		}
	}
	return true
}
