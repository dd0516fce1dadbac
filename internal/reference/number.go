package reference

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// decimal is the exact value of a number of JSON: ±0.DIGITS × 10^exponent, the
// digits without leading and trailing zeros. Zero has no digits. It never expands an
// exponent, so that 1e1000000000 costs no more than 1.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// maxExponent is where exponents saturate: no one compares numbers beyond it.
const maxExponent = 1 << 60

func parseDecimal(text string) decimal {
	var d decimal
	text, d.negative = strings.CutPrefix(text, "-")
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], strings.TrimPrefix(text[i+1:], "+")
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.digits = strings.TrimLeft(whole+fraction, "0")
	// 0.DIGITS: the point stands before the first digit that is not zero.
	d.exponent = int64(len(whole) - (len(whole) + len(fraction) - len(d.digits)))
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	if exponent != "" {
		e, err := strconv.ParseInt(exponent, 10, 64)
		if err != nil || e > maxExponent || e < -maxExponent {
			e = maxExponent
			if strings.HasPrefix(exponent, "-") {
				e = -maxExponent
			}
		}
		d.exponent += e
	}
	return d
}

// numberOf returns the decimal of any number that an instance may hold.
func numberOf(v any) (decimal, bool) {
	switch n := v.(type) {
	case json.Number:
		return parseDecimal(string(n)), true
	case float64:
		return parseDecimal(strconv.FormatFloat(n, 'e', -1, 64)), true
	case float32:
		return parseDecimal(strconv.FormatFloat(float64(n), 'e', -1, 32)), true
	case nil, bool, string, []any, map[string]any:
		return decimal{}, false
	}
	switch n := reflect.ValueOf(v); {
	case n.CanInt():
		return parseDecimal(strconv.FormatInt(n.Int(), 10)), true
	case n.CanUint():
		return parseDecimal(strconv.FormatUint(n.Uint(), 10)), true
	}
	return decimal{}, false
}

// integer reports whether the fraction is zero.
func (d decimal) integer() bool { return d.digits == "" || d.exponent >= int64(len(d.digits)) }

// compare returns -1, 0 or 1.
func (d decimal) compare(e decimal) int {
	switch {
	case d.digits == "" && e.digits == "":
		return 0
	case d.negative != e.negative || d.digits == "" || e.digits == "":
		return sign(d) - sign(e)
	}
	magnitude := 0
	switch {
	case d.exponent < e.exponent:
		magnitude = -1
	case d.exponent > e.exponent:
		magnitude = 1
	default:
		magnitude = strings.Compare(d.digits, e.digits)
	}
	if d.negative {
		return -magnitude
	}
	return magnitude
}

// sign is 0 for zero. Two numbers of unlike sign compare as their signs, whose
// difference may be 2.
func sign(d decimal) int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// scaled returns the digits as an integer, and the power of ten to multiply it by.
func (d decimal) scaled() (*big.Int, int64) {
	n, _ := new(big.Int).SetString("0"+d.digits, 10)
	return n, d.exponent - int64(len(d.digits))
}

// multipleOf reports whether d is an integral multiple of m, which is not zero.
func (d decimal) multipleOf(m decimal) bool {
	if d.digits == "" {
		return true
	}
	a, x := d.scaled()
	b, y := m.scaled()
	shift := x - y
	if shift < 0 {
		// b × 10^-shift would have to divide a, which ten does not: it has no
		// trailing zeros.
		return false
	}
	// a × 10^shift mod b, without expanding the power.
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), b)
	return power.Mul(power, a).Mod(power, b).Sign() == 0
}

// key spells a decimal so that equal values have equal spellings.
func (d decimal) key() string {
	if d.digits == "" {
		return "0"
	}
	s := d.digits + "e" + strconv.FormatInt(d.exponent, 10)
	if d.negative {
		return "-" + s
	}
	return s
}
