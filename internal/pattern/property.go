package pattern

import (
	"strings"
	"unicode"
)

// property translates \p{...} and \P{...}: general categories and scripts, by
// their short and long names, are the ones that Go has.
func (t *translator) property(c rune, inClass bool) (atom, error) {
	if !strings.HasPrefix(t.rest(), "{") {
		return atom{}, t.syntax(`\%c without a property in braces`, c)
	}
	name, _, ok := strings.Cut(t.rest()[1:], "}")
	if !ok {
		return atom{}, t.syntax(`\%c{ does not end`, c)
	}
	t.pos += len(name) + 2
	key, value, hasValue := strings.Cut(name, "=")
	switch {
	case !hasValue:
		value = key
		if value == "Any" {
			return set(c, inClass, `\x{0}-\x{10ffff}`, ``), nil
		}
		if value == "ASCII" {
			return set(c, inClass, `\x{0}-\x{7f}`, `\x{80}-\x{10ffff}`), nil
		}
	case key == "General_Category" || key == "gc":
	case key == "Script" || key == "sc":
		if _, known := unicode.Scripts[value]; known {
			return atom{text: `\` + string(c) + "{" + value + "}", isSet: true}, nil
		}
		return atom{}, t.beyond("the script " + value)
	default:
		return atom{}, t.beyond("the property " + name)
	}
	if short, long := categories[value]; long {
		value = short
	}
	if _, known := unicode.Categories[value]; known && len(value) <= 2 {
		return atom{text: `\` + string(c) + "{" + value + "}", isSet: true}, nil
	}
	return atom{}, t.beyond("the property " + name)
}

// set is a set that is written out.
func set(c rune, inClass bool, members, others string) atom {
	if c == 'P' {
		members = others
	}
	if members == "" {
		return atom{text: nothing, isSet: true}
	}
	if !inClass {
		members = "[" + members + "]"
	}
	return atom{text: members, isSet: true}
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
