package proviso

import (
	"cmp"
	"slices"
	"strings"
)

// SortUnits puts units into the order of [ValidationError]: by instance
// location, then keyword location, parents before children and array indices by
// their number. Units that are equal in all fields become one.
func SortUnits(units []Unit) []Unit {
	slices.SortStableFunc(units, compareUnits)
	return slices.Compact(units)
}

func compareUnits(a, b Unit) int {
	return cmp.Or(
		comparePointers(a.InstanceLocation, b.InstanceLocation),
		comparePointers(a.KeywordLocation, b.KeywordLocation),
		cmp.Compare(a.AbsoluteKeywordLocation, b.AbsoluteKeywordLocation),
		cmp.Compare(a.Keyword, b.Keyword),
		cmp.Compare(a.Message, b.Message),
	)
}

func comparePointers(a, b string) int {
	for a != "" && b != "" {
		var x, y string
		x, a = nextToken(a)
		y, b = nextToken(b)
		if x == y {
			continue
		}
		i, iok := arrayIndex(x)
		j, jok := arrayIndex(y)
		if iok && jok {
			return cmp.Compare(i, j)
		}
		return cmp.Compare(x, y)
	}
	return cmp.Compare(len(a), len(b))
}

// nextToken splits a pointer after its first, still escaped, token.
func nextToken(pointer string) (token, rest string) {
	pointer = strings.TrimPrefix(pointer, "/")
	if i := strings.IndexByte(pointer, '/'); i >= 0 {
		return pointer[:i], pointer[i:]
	}
	return pointer, ""
}
