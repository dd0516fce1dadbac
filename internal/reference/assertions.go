package reference

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/pattern"
)

// names returns the member names, sorted: also where no units are wanted, an
// instance that reaches a limit has to reach it at the same place every time.
func names(v map[string]any) []string { return slices.Sorted(maps.Keys(v)) }

// matches reports whether a pattern matches; an error ends the evaluation.
func (r *run) matches(m pattern.Matcher, s string, at *place) bool {
	if !r.charge(1+len(s)/1024, at) {
		return false
	}
	ok, err := m.Match(s)
	if err != nil && r.err == nil {
		if limit, isLimit := err.(*proviso.LimitError); isLimit {
			limit.Location = at.String()
		}
		r.err = err
	}
	return ok
}

// assertions evaluates the keywords of the validation vocabulary and format,
// but for those of strings.
func (r *run) assertions(n *node, v any, _ *evaluated, at, path *place) bool {
	valid := true
	fail := func(keyword, format string, args ...any) {
		valid = false
		r.fail(n, keyword, at, path, format, args...)
	}
	number, isNumber := decimal{}, false
	if n.types != nil || n.limits != nil || n.multipleOf != nil {
		number, isNumber = numberOf(v)
	}
	if n.types != nil && !hasType(n.types, v, number) {
		fail("type", "want %s, have %s", n.wantType, typeOf(v))
	}
	if n.isConstant && !equal(n.constant, v) {
		fail("const", "%s", n.wantConst)
	}
	if n.enum != nil && !n.enum.has(v) {
		fail("enum", "%s", n.wantEnum)
	}
	if isNumber {
		for _, l := range n.limits {
			if word, ok := l.admits(number); !ok {
				fail(l.keyword, "want %s %s", word, l.text)
			}
		}
		if n.multipleOf != nil && !r.multipleOf(n, number, at) {
			fail("multipleOf", "want a multiple of %s", text(n, "multipleOf"))
		}
	}
	switch v := v.(type) {
	case map[string]any:
		n.count("Properties", "properties", len(v), fail)
		if missing := missing(v, n.required); missing != "" {
			fail("required", "missing %s", missing)
		}
	case []any:
		n.count("Items", "items", len(v), fail)
		if n.unique {
			if i, j, ok := r.unique(v, at); !ok {
				fail("uniqueItems", "want no two equal items, have them at %d and %d", i, j)
			}
		}
	}
	return r.format(n, v, at, path) && valid
}

func hasType(types []string, v any, number decimal) bool {
	actual := typeOf(v)
	for _, t := range types {
		if t == actual || (t == "integer" && actual == "number" && number.integer()) {
			return true
		}
	}
	return false
}

// admits reports whether a number is within the limit, and what the limit wants.
func (l limit) admits(number decimal) (string, bool) {
	c := number.compare(l.value)
	word := "at most"
	switch {
	case l.lower && l.exclusive:
		word = "more than"
	case l.lower:
		word = "at least"
	case l.exclusive:
		word = "less than"
	}
	if l.lower {
		c = -c
	}
	return word, c < 0 || (c == 0 && !l.exclusive)
}

// count checks minX and maxX against the number of things an instance has.
func (n *node) count(suffix, things string, have int, fail func(keyword, format string, args ...any)) {
	if len(n.counts) == 0 {
		return
	}
	least, hasLeast := n.counts["min"+suffix]
	most, hasMost := n.counts["max"+suffix]
	if !hasLeast && !hasMost {
		return
	}
	number := parseDecimal(strconv.Itoa(have))
	if hasLeast && number.compare(least) < 0 {
		fail("min"+suffix, "want at least %s %s, have %d", text(n, "min"+suffix), things, have)
	}
	if hasMost && number.compare(most) > 0 {
		fail("max"+suffix, "want at most %s %s, have %d", text(n, "max"+suffix), things, have)
	}
}

// text evaluates the keywords of strings.
func (r *run) text(n *node, v string, at, path *place) bool {
	valid := true
	fail := func(keyword, format string, args ...any) {
		valid = false
		r.fail(n, keyword, at, path, format, args...)
	}
	if len(n.counts) > 0 {
		n.count("Length", "characters", utf8.RuneCountInString(v), fail)
	}
	if n.pattern != nil && !r.matches(n.pattern, v, at) {
		fail("pattern", "%s", n.wantPattern)
	}
	if r.walker.options.AssertContent && n.Resource.Vocabularies.Content && n.Resource.Dialect >= proviso.Draft7 {
		valid = r.content(n, v, at, path) && valid
	}
	return valid
}

// format judges by a format where formats assert.
func (r *run) format(n *node, v any, at, path *place) bool {
	name, ok := n.Object["format"].(string)
	o := r.walker.options
	if !ok || o.Format == nil || (!o.AssertFormat && !n.Resource.Vocabularies.FormatAssertion) {
		return true
	}
	known, valid, err := o.Format(name, v)
	if err != nil && r.err == nil {
		r.err = err
	}
	if !known || valid {
		return true
	}
	r.fail(n, "format", at, path, "want the format %s", quote(name))
	return false
}
