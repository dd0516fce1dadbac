package normalise

import (
	"encoding/json"
	"math/big"
)

// countKeywords are the assertions whose value is a count.
var countKeywords = []string{
	"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
}

// maxCount is more than any instance can have of anything.
var maxCount = big.NewInt(1 << 31)

// Counts spells the counts of a subschema as small plain integers: 2.0 becomes
// 2, and what is larger than any instance becomes a number that still is but
// fits an int.
func Counts(s *Subschema) {
	for _, keyword := range countKeywords {
		number, ok := s.Keywords[keyword].(json.Number)
		if !ok {
			continue
		}
		plain, ok := Integer(number)
		if !ok {
			continue // the meta-schema has none of these
		}
		if n, _ := new(big.Int).SetString(string(plain), 10); n.Cmp(maxCount) > 0 {
			plain = json.Number(maxCount.String())
		}
		s.Keywords[keyword] = plain
	}
}
