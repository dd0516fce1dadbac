package normalise

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/refs"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// MaxExponent and MaxDigits bound the numbers that are handed to engines, all
// of which expand them: beyond 10^±MaxExponent, or with more digits, a comparison
// can take minutes, and from 10^±1000000 on some engines panic.
const (
	MaxExponent = 1000
	MaxDigits   = 1000
)

// Expandable reports whether a number is within MaxExponent and MaxDigits.
func Expandable(number json.Number) bool { return magnitude(number) <= MaxDigits }

// magnitude returns the digits or the power of ten that a number's spelling asks an engine to
// expand, whichever is more, capped at a million.
func magnitude(number json.Number) int64 {
	if len(number) <= 18 && !strings.ContainsAny(string(number), "eE") {
		return int64(len(number)) // the usual case
	}
	mantissa, exponent := string(number), ""
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exponent = mantissa[:i], mantissa[i+1:]
	}
	digits := int64(len(mantissa))
	if exponent == "" {
		return digits
	}
	n, err := strconv.ParseInt(exponent, 10, 64)
	if err != nil || n > 1e6 || n < -1e6 {
		return 1e6
	}
	return max(digits, n, -n)
}

// numberLimit is the error for a number that is not Expandable.
func numberLimit(number json.Number) *proviso.LimitError {
	return &proviso.LimitError{
		Limit: proviso.LimitMagnitude, Max: MaxDigits, Seen: magnitude(number),
		Reason: "engines expand a number to all its digits",
	}
}

// MaxStack bounds how deeply an engine may recurse: the depth of an instance
// times the subschemas that each level of it can take. A goroutine's stack that
// overflows ends the process; the engines' do at 300,000 and more.
const MaxStack = 50_000

// LimitStack is how a *proviso.LimitError names MaxStack.
const LimitStack proviso.Limit = "depth of the instance times nested subschemas"

// CheckInstance finds a number within an instance that is not Expandable, and
// an instance that nests too deeply for a schema whose graph has the chain. It
// allocates nothing where there is neither.
func CheckInstance(instance any, chain int) error {
	depth, limit := checkNumbers(instance)
	if stack := int64(depth+1) * int64(chain); limit == nil && stack > MaxStack {
		limit = &proviso.LimitError{Limit: LimitStack, Max: MaxStack, Seen: stack}
	}
	if limit != nil {
		limit.Instance = true
		return limit
	}
	return nil
}

// checkNumbers returns how deeply a value nests, and the first number that is
// not Expandable. It leaves the location to the callers on the way out, each of which
// adds its token.
func checkNumbers(value any) (depth int, limit *proviso.LimitError) {
	switch v := value.(type) {
	case json.Number:
		if !Expandable(v) {
			return 0, numberLimit(v)
		}
	case []any:
		for i, element := range v {
			below, limit := checkNumbers(element)
			if limit != nil {
				limit.Location = proviso.AppendPointerIndex("", i) + limit.Location
				return depth, limit
			}
			depth = max(depth, below)
		}
		return depth + 1, nil
	case map[string]any:
		// The first by name, so that the same value always gets the same error.
		var of string
		for name, member := range v {
			below, found := checkNumbers(member)
			if found != nil && (limit == nil || name < of) {
				limit, of = found, name
			}
			depth = max(depth, below)
		}
		if limit != nil {
			limit.Location = proviso.AppendPointer("", of) + limit.Location
		}
		return depth + 1, limit
	}
	return 0, nil
}

// checkSchemaNumbers does the same for the numbers that a graph's assertions
// compare with.
func checkSchemaNumbers(g *refs.Graph) error {
	for _, n := range g.Nodes {
		if n.Object == nil || n.IgnoresSiblings() {
			continue
		}
		for _, keyword := range comparing {
			_, limit := checkNumbers(n.Object[keyword])
			if _, known := schemawalk.Lookup(n.Resource.Dialect, keyword); limit == nil || !known {
				continue
			}
			limit.URI = n.Document
			limit.Location = n.DocumentPointer + "/" + keyword + limit.Location
			return limit
		}
	}
	return nil
}

// comparing are the keywords that compare numbers.
var comparing = append([]string{
	"const", "enum", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
}, countKeywords...)

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
