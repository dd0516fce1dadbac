package reference

import (
	"cmp"
	"encoding/json"
	"math/big"
	"math/bits"
	"reflect"
	"strconv"
	"strings"

	"github.com/proviso-go/proviso"
)

// decimal is the exact value of a number of JSON: ±0.DIGITS × 10^exponent, the
// digits without leading and trailing zeros. Zero has no digits. It never expands an
// exponent, so that 1e1000000000 costs no more than 1.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// maxExponent is where exponents saturate. Numbers beyond it compare by their
// digits alone; providers refuse them long before.
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
		return cmp.Compare(sign(d), sign(e))
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

// sign is 0 for zero.
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

// A divisor is the value of multipleOf.
type divisor struct {
	digits   *big.Int
	words    int
	exponent int64
}

func newDivisor(d decimal) *divisor {
	n, exponent := d.scaled()
	return &divisor{digits: n, words: words(d), exponent: exponent}
}

// words is about how many machine words the digits take.
func words(d decimal) int { return len(d.digits)/19 + 1 }

// maxDigits bounds the digits of a number that is to be divided, or to divide.
const maxDigits = 20_000

// multipleOf reports whether number is an integral multiple of the node's
// multipleOf, which is not zero.
func (r *run) multipleOf(n *node, number decimal, at *place) bool {
	if number.digits == "" {
		return true
	}
	d := n.multipleOf
	size := max(d.words, words(number))
	if digits := int64(max(len(number.digits), 19*(d.words-1))); digits > maxDigits {
		if r.err == nil {
			r.err = &proviso.LimitError{
				Limit: proviso.LimitMagnitude, Max: maxDigits, Seen: digits, Instance: true, Location: at.String(),
				Reason: "multipleOf divides exactly",
			}
		}
		return false
	}
	shift := number.exponent - int64(len(number.digits)) - d.exponent
	if shift < 0 {
		// The digits of d times ten to some power would have to divide those of
		// number, which ten does not: they have no trailing zero.
		return false
	}
	if !r.charge(bits.Len64(uint64(shift))*(size*size/256), at) {
		return false
	}
	digits, _ := number.scaled()
	// digits × 10^shift mod d, without expanding the power.
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), d.digits)
	return power.Mul(power, digits).Mod(power, d.digits).Sign() == 0
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
