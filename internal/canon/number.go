package canon

import (
	"math"
	"strconv"
)

// numberSize is enough for every Go number.
const numberSize = 32

// appendNumber spells a Go number as encoding/json does (ECMA-262, Number::toString,
// but for its two-digit exponents), which is how proviso.Value has it.
func appendNumber(buf []byte, v any) ([]byte, bool) {
	switch n := v.(type) {
	case int:
		return strconv.AppendInt(buf, int64(n), 10), true
	case int8:
		return strconv.AppendInt(buf, int64(n), 10), true
	case int16:
		return strconv.AppendInt(buf, int64(n), 10), true
	case int32:
		return strconv.AppendInt(buf, int64(n), 10), true
	case int64:
		return strconv.AppendInt(buf, n, 10), true
	case uint:
		return strconv.AppendUint(buf, uint64(n), 10), true
	case uint8:
		return strconv.AppendUint(buf, uint64(n), 10), true
	case uint16:
		return strconv.AppendUint(buf, uint64(n), 10), true
	case uint32:
		return strconv.AppendUint(buf, uint64(n), 10), true
	case uint64:
		return strconv.AppendUint(buf, n, 10), true
	case float64:
		return appendFloat(buf, n, 64)
	case float32:
		return appendFloat(buf, float64(n), 32)
	}
	return buf, false
}

func appendFloat(buf []byte, f float64, bits int) ([]byte, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return buf, false
	}
	// Most numbers of schemas are small whole ones.
	const exact = 1 << 53
	if n := int64(f); -exact < f && f < exact && float64(n) == f && (n != 0 || !math.Signbit(f)) && (bits == 64 || -1<<24 < n && n < 1<<24) {
		return strconv.AppendInt(buf, n, 10), true
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 {
		if bits == 64 && (abs < 1e-6 || abs >= 1e21) || bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21) {
			format = 'e'
		}
	}
	buf = strconv.AppendFloat(buf, f, format, -1, bits)
	if n := len(buf); format == 'e' && n >= 4 && buf[n-4] == 'e' && (buf[n-3] == '-' || buf[n-3] == '+') && buf[n-2] == '0' {
		buf[n-2] = buf[n-1] // e-09 is written e-9
		buf = buf[:n-1]
	}
	return buf, true
}
