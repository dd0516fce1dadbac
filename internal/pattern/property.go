package pattern

import (
	"slices"
	"strings"
	"unicode"
)

// property translates \p{...} and \P{...}, after the p: general categories by
// short and long names, scripts by long ones, and the binary properties that Go's
// unicode package has, or has the makings of.
func (t *translator) property(negated bool) (atom, error) {
	name, _, ok := strings.Cut(t.rest(), "}")
	if !ok || !strings.HasPrefix(name, "{") {
		return atom{}, t.syntax(`\p without a property in braces`)
	}
	t.pos += len(name) + 1
	name = name[1:]
	key, value, hasValue := strings.Cut(name, "=")
	letter := `\p{`
	if negated {
		letter = `\P{`
	}
	set := atom{isSet: true}
	switch {
	case !hasValue:
		if tables, ok := binary(name); ok {
			set.members = tableMembers(tables, negated)
			return set, nil
		}
		value = name
		fallthrough
	case key == "General_Category" || key == "gc":
		if short, long := categories[value]; long {
			value = short
		}
		if _, known := unicode.Categories[value]; known && len(value) <= 2 {
			set.members = letter + value + "}"
			return set, nil
		}
	case key == "Script" || key == "sc":
		if _, known := unicode.Scripts[value]; known {
			set.members = letter + value + "}"
			return set, nil
		}
	}
	t.beyond("the property %.60s", name)
	return set, nil
}

// binary returns the tables whose union is a binary property of ECMA-262.
func binary(name string) ([]*unicode.RangeTable, bool) {
	if tables, ok := derived[name]; ok {
		return tables, true
	}
	table, ok := unicode.Properties[name]
	if !ok || strings.HasPrefix(name, "Other_") || name == "Hyphen" || name == "Prepended_Concatenation_Mark" {
		return nil, false
	}
	return []*unicode.RangeTable{table}, true
}

// derived are the properties that Unicode defines by others (DerivedCoreProperties.txt).
var derived = map[string][]*unicode.RangeTable{
	"Any":        {{R32: []unicode.Range32{{Lo: 0, Hi: unicode.MaxRune, Stride: 1}}}},
	"ASCII":      {{R16: []unicode.Range16{{Lo: 0, Hi: unicode.MaxASCII, Stride: 1}}}},
	"Alphabetic": {unicode.L, unicode.Nl, unicode.Other_Alphabetic}, "Alpha": {unicode.L, unicode.Nl, unicode.Other_Alphabetic},
	"Uppercase": {unicode.Lu, unicode.Other_Uppercase}, "Upper": {unicode.Lu, unicode.Other_Uppercase},
	"Lowercase": {unicode.Ll, unicode.Other_Lowercase}, "Lower": {unicode.Ll, unicode.Other_Lowercase},
	"Math":  {unicode.Sm, unicode.Other_Math},
	"space": {unicode.White_Space},
}

// tableMembers writes the union of tables, or what is not in it, as members of
// a class.
func tableMembers(tables []*unicode.RangeTable, negated bool) string {
	var ranges [][2]rune
	for _, table := range tables {
		for _, r := range table.R16 {
			ranges = appendRange(ranges, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			ranges = appendRange(ranges, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	slices.SortFunc(ranges, func(a, b [2]rune) int { return int(a[0] - b[0]) })
	var members strings.Builder
	next := rune(0) // the first character that is neither written nor passed over
	for _, r := range ranges {
		switch {
		case !negated:
			members.WriteString(memberRange(r[0], r[1]))
		case r[0] > next:
			members.WriteString(memberRange(next, r[0]-1))
		}
		next = max(next, r[1]+1)
	}
	if negated && next <= unicode.MaxRune {
		members.WriteString(memberRange(next, unicode.MaxRune))
	}
	return members.String()
}

func appendRange(ranges [][2]rune, from, to, stride rune) [][2]rune {
	if stride == 1 {
		return append(ranges, [2]rune{from, to})
	}
	for r := from; r <= to; r += stride {
		ranges = append(ranges, [2]rune{r, r})
	}
	return ranges
}

// categories are the long names of the general categories (Unicode Standard
// Annex 44, table 12).
var categories = map[string]string{
	"Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo",
	"Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
	"Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
	"Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
	"Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
	"Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
	"Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
	"Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
}
