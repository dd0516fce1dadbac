package reference

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/pattern"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// names returns the member names, sorted if someone will see in which order
// units were found.
func (r *run) names(v map[string]any) []string {
	if r.quiet > 0 {
		return slices.Collect(maps.Keys(v))
	}
	return slices.Sorted(maps.Keys(v))
}

// matches reports whether a pattern matches; an error ends the evaluation.
func (r *run) matches(m pattern.Matcher, s string, at *place) bool {
	ok, err := m.Match(s)
	if err != nil && r.err == nil {
		if limit, isLimit := err.(*proviso.LimitError); isLimit {
			limit.Location = at.String()
		}
		r.err = err
	}
	return ok
}

// text spells a keyword's value as the schema does, shortened.
func text(n *node, keyword string) string { return spell(n.Object[keyword]) }

func spell(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	if len(encoded) > maxQuoted {
		return string(encoded[:maxQuoted:maxQuoted]) + "..."
	}
	return string(encoded)
}

// assertions evaluates the keywords of the validation vocabulary and format,
// but for those of strings.
func (r *run) assertions(n *node, v any, _ *evaluated, at, path *place) bool {
	valid := true
	fail := func(keyword, format string, args ...any) {
		valid = false
		if r.quiet == 0 {
			r.fail(n, keyword, at, path, fmt.Sprintf(format, args...))
		}
	}
	number, isNumber := decimal{}, false
	if n.types != nil || n.limits != nil || n.multipleOf != nil {
		number, isNumber = numberOf(v)
	}
	if n.types != nil && !hasType(n.types, v, number) {
		fail("type", "want %s, have %s", strings.Join(n.types, " or "), typeOf(v))
	}
	if n.isConstant && !equal(n.constant, v) {
		fail("const", "want %s", spell(n.constant))
	}
	if n.enum != nil && !slices.ContainsFunc(n.enum, func(allowed any) bool { return equal(allowed, v) }) {
		spelled := make([]string, 0, maxListed+1)
		for i, allowed := range n.enum {
			if i == maxListed {
				spelled = append(spelled, fmt.Sprintf("and %d more", len(n.enum)-i))
				break
			}
			spelled = append(spelled, spell(allowed))
		}
		fail("enum", "want one of %s", strings.Join(spelled, ", "))
	}
	if isNumber {
		for _, l := range n.limits {
			if word, ok := l.admits(number); !ok {
				fail(l.keyword, "want %s %s", word, l.text)
			}
		}
		if n.multipleOf != nil && !number.multipleOf(*n.multipleOf) {
			fail("multipleOf", "want a multiple of %s", text(n, "multipleOf"))
		}
	}
	switch v := v.(type) {
	case map[string]any:
		r.count(n, "Properties", "properties", len(v), fail)
		if missing := missing(v, n.required); missing != "" {
			fail("required", "missing %s", missing)
		}
	case []any:
		r.count(n, "Items", "items", len(v), fail)
		if unwanted, _ := n.known("uniqueItems"); unwanted == true && n.validates {
			if i, j, ok := unique(v); !ok {
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
	if l.lower {
		c = -c
	}
	words := map[bool]string{false: "at most", true: "less than"}
	if l.lower {
		words = map[bool]string{false: "at least", true: "more than"}
	}
	return words[l.exclusive], c < 0 || (c == 0 && !l.exclusive)
}

// count checks minX and maxX against the number of things an instance has.
func (r *run) count(n *node, suffix, things string, have int, fail func(keyword, format string, args ...any)) {
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
		r.fail(n, keyword, at, path, fmt.Sprintf(format, args...))
	}
	if len(n.counts) > 0 {
		r.count(n, "Length", "characters", utf8.RuneCountInString(v), fail)
	}
	if n.pattern != nil && !r.matches(n.pattern, v, at) {
		fail("pattern", "want a match of %s", quote(n.Object["pattern"].(string)))
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
	r.fail(n, "format", at, path, "want the format "+quote(name))
	return false
}

// content judges what a string holds: base64 and JSON, the encoding and the
// media type that the specification names (2020-12 Validation, section 8).
func (r *run) content(n *node, v string, at, path *place) bool {
	decoded := []byte(v)
	if encoding, _ := n.known("contentEncoding"); encoding == "base64" {
		var err error
		if decoded, err = base64.StdEncoding.DecodeString(v); err != nil {
			r.fail(n, "contentEncoding", at, path, "want base64")
			return false
		}
	}
	media, _ := n.known("contentMediaType")
	if media != "application/json" {
		return true
	}
	value, err := proviso.Decode(decoded)
	if err != nil {
		r.fail(n, "contentMediaType", at, path, "want JSON")
		return false
	}
	if _, ok := schemawalk.Lookup(n.Resource.Dialect, "contentSchema"); !ok || n.one["contentSchema"] == nil {
		return true
	}
	return r.apply(n.one["contentSchema"], value, nil, at, path.child("contentSchema"))
}
