package reference

import (
	"strconv"

	"github.com/proviso-go/proviso"
)

// keywords evaluates the keywords of a schema object. In-place applicators come
// first and the unevaluated ones last, since those need what the others have evaluated.
func (r *run) keywords(n *node, v any, ev *evaluated, at, path *place) bool {
	if n.IgnoresSiblings() {
		return r.apply(n.ref, v, ev, at, path.child("$ref"))
	}
	var own *evaluated
	if r.walker.tracks && (ev != nil || n.one["unevaluatedItems"] != nil || n.one["unevaluatedProperties"] != nil) {
		own = &evaluated{}
	}
	valid := true
	for _, group := range [...]struct {
		present  bool
		evaluate func(*node, any, *evaluated, *place, *place) bool
	}{
		{n.ref != nil || n.recursive != nil || n.dynamic != nil, r.references}, {n.combines, r.combinations},
		{n.conditional, r.conditions}, {n.asserts, r.assertions},
	} {
		if group.present && !group.evaluate(n, v, own, at, path) {
			valid = false
		}
		if r.done(valid) {
			return false
		}
	}
	switch v := v.(type) {
	case map[string]any:
		valid = r.object(n, v, own, at, path) && valid
	case []any:
		valid = r.array(n, v, own, at, path) && valid
	case string:
		valid = (!n.judgesStrings || r.text(n, v, at, path)) && valid
	}
	if valid {
		ev.add(own)
	}
	return valid && r.err == nil
}

// inPlace applies a subschema to the same instance.
func (r *run) inPlace(n *node, v any, own *evaluated, at, path *place) bool {
	if own == nil {
		return r.apply(n, v, nil, at, path)
	}
	var sub evaluated
	if !r.apply(n, v, &sub, at, path) {
		return false
	}
	own.add(&sub)
	return true
}

// references follows $ref, $recursiveRef and $dynamicRef.
func (r *run) references(n *node, v any, own *evaluated, at, path *place) bool {
	valid := true
	if n.ref != nil {
		valid = r.inPlace(n.ref, v, own, at, path.child("$ref"))
	}
	if n.recursive != nil {
		valid = r.inPlace(r.recursiveTarget(n), v, own, at, path.child("$recursiveRef")) && valid
	}
	if n.dynamic != nil {
		valid = r.inPlace(r.dynamicTarget(n), v, own, at, path.child("$dynamicRef")) && valid
	}
	return valid
}

// recursiveTarget looks for the outermost root with $recursiveAnchor in the
// dynamic scope, if the first target has one (2019-09 Core, section 8.2.4.2.2).
func (r *run) recursiveTarget(n *node) *node {
	if n.recursive.Resource.RecursiveAnchor {
		for _, resource := range r.scope {
			if resource.RecursiveAnchor && resource.Root != nil {
				return r.walker.nodes[resource.Root]
			}
		}
	}
	return n.recursive
}

// dynamicTarget looks for the outermost $dynamicAnchor of the name in the dynamic
// scope (2020-12 Core, section 8.2.3.2).
func (r *run) dynamicTarget(n *node) *node {
	if n.DynamicName != "" {
		for _, resource := range r.scope {
			if to := resource.DynamicAnchors[n.DynamicName]; to != nil {
				return r.walker.nodes[to]
			}
		}
	}
	return n.dynamic
}

// combinations evaluates allOf, anyOf, oneOf and not.
func (r *run) combinations(n *node, v any, own *evaluated, at, path *place) bool {
	valid := true
	for i, sub := range n.list["allOf"] {
		if !r.inPlace(sub, v, own, at, path.child("allOf").element(i)) {
			valid = false
		}
		if r.done(valid) {
			return false
		}
	}
	if any := n.list["anyOf"]; any != nil && !r.anyOf(n, any, v, own, at, path) {
		valid = false
	}
	if r.done(valid) {
		return false
	}
	if one := n.list["oneOf"]; one != nil && !r.oneOf(n, one, v, own, at, path) {
		valid = false
	}
	if not := n.one["not"]; not != nil && r.attempt(not, v, nil, at) {
		r.fail(n, "not", at, path, "what not describes is not allowed")
		valid = false
	}
	return valid
}

func (r *run) anyOf(n *node, branches []*node, v any, own *evaluated, at, path *place) bool {
	length, truncated := r.mark()
	// Its own unit comes first, lest those of the branches leave no room for it.
	r.fail(n, "anyOf", at, path, "want a match with at least one of the %d subschemas", len(branches))
	matched := false
	for i, sub := range branches {
		if r.inPlace(sub, v, own, at, path.child("anyOf").element(i)) {
			matched = true
			if own == nil {
				break // no further annotation is asked for
			}
		}
	}
	if matched {
		r.rewind(length, truncated)
	}
	return matched
}

func (r *run) oneOf(n *node, branches []*node, v any, own *evaluated, at, path *place) bool {
	length, truncated := r.mark()
	r.fail(n, "oneOf", at, path, "want a match with exactly one of the %d subschemas, matches none", len(branches))
	var matched []string
	for i, sub := range branches {
		if r.inPlace(sub, v, own, at, path.child("oneOf").element(i)) {
			matched = append(matched, strconv.Itoa(i))
		}
		if r.done(len(matched) < 2) {
			return false
		}
	}
	if len(matched) > 0 {
		r.rewind(length, truncated)
	}
	if len(matched) > 1 {
		r.fail(n, "oneOf", at, path, "want a match with exactly one of the %d subschemas, matches %s", len(branches), list(matched))
	}
	return len(matched) == 1
}

// conditions evaluates if, then and else, and the keywords that depend on a
// property.
func (r *run) conditions(n *node, v any, own *evaluated, at, path *place) bool {
	valid := true
	if condition := n.one["if"]; condition != nil {
		branch, keyword := n.one["else"], "else"
		var sub *evaluated
		if own != nil {
			sub = &evaluated{}
		}
		if r.attempt(condition, v, sub, at) {
			branch, keyword = n.one["then"], "then"
			own.add(sub)
		}
		if branch != nil && !r.inPlace(branch, v, own, at, path.child(keyword)) {
			valid = false
		}
	}
	object, ok := v.(map[string]any)
	if !ok || r.done(valid) {
		return valid
	}
	for _, keyword := range [...]string{"dependentSchemas", "dependencies"} {
		for _, m := range n.named[keyword] {
			if _, present := object[m.name]; present && !r.inPlace(m.node, v, own, at, path.child(keyword).child(m.name)) {
				valid = false
			}
		}
	}
	for _, keyword := range [...]string{"dependentRequired", "dependencies"} {
		for _, d := range n.dependencies[keyword] {
			if _, present := object[d.name]; !present {
				continue
			}
			if missing := missing(object, d.required); missing != "" {
				r.fail(n, keyword, at, path, "missing %s, which %s requires", missing, quote(d.name))
				valid = false
			}
		}
	}
	return valid
}

// object evaluates the keywords that apply to an object and its members.
func (r *run) object(n *node, v map[string]any, own *evaluated, at, path *place) bool {
	valid := true
	also := func(ok bool) { valid = valid && ok }
	for _, m := range n.named["properties"] {
		if value, present := v[m.name]; present {
			own.property(m.name)
			also(r.apply(m.node, value, nil, at.child(m.name), path.child("properties").child(m.name)))
			if r.done(valid) {
				return false
			}
		}
	}
	additional := n.one["additionalProperties"]
	nameSchema := n.one["propertyNames"]
	if len(n.named["patternProperties"]) > 0 || additional != nil || nameSchema != nil {
		for _, name := range names(v) {
			value := v[name]
			if nameSchema != nil {
				also(r.apply(nameSchema, name, nil, at.child(name), path.child("propertyNames")))
			}
			matched := false
			for _, m := range n.named["patternProperties"] {
				if r.matches(m.pattern, name, at) {
					matched = true
					own.property(name)
					also(r.apply(m.node, value, nil, at.child(name), path.child("patternProperties").child(m.name)))
				}
			}
			if additional != nil && !matched && !n.hasProperty(name) {
				own.property(name)
				also(r.apply(additional, value, nil, at.child(name), path.child("additionalProperties")))
			}
			if r.done(valid) {
				return false
			}
		}
	}
	if rest := n.one["unevaluatedProperties"]; rest != nil {
		for _, name := range names(v) {
			if !own.hasProperty(name) {
				also(r.apply(rest, v[name], nil, at.child(name), path.child("unevaluatedProperties")))
			}
			if r.done(valid) {
				return false
			}
		}
		own.everyProperty()
	}
	return valid
}

func (n *node) hasProperty(name string) bool {
	properties, _ := n.Object["properties"].(map[string]any)
	_, ok := properties[name]
	return ok
}

// array evaluates the keywords that apply to the elements of an array.
func (r *run) array(n *node, v []any, own *evaluated, at, path *place) bool {
	valid := true
	prefix, rest, restKeyword := n.list["prefixItems"], n.one["items"], "items"
	prefixKeyword := "prefixItems"
	if n.tuple {
		prefix, prefixKeyword, rest, restKeyword = n.list["items"], "items", n.one["additionalItems"], "additionalItems"
	}
	for i, sub := range prefix {
		if i == len(v) {
			break
		}
		own.firstItems(i + 1)
		if !r.apply(sub, v[i], nil, at.element(i), path.child(prefixKeyword).element(i)) {
			valid = false
		}
		if r.done(valid) {
			return false
		}
	}
	if rest != nil {
		for i := len(prefix); i < len(v); i++ {
			if !r.apply(rest, v[i], nil, at.element(i), path.child(restKeyword)) {
				valid = false
			}
			if r.done(valid) {
				return false
			}
		}
		own.everyItem()
	}
	if contains := n.one["contains"]; contains != nil && !r.contains(n, contains, v, own, at, path) {
		valid = false
	}
	if rest := n.one["unevaluatedItems"]; rest != nil {
		for i := range v {
			if !own.hasItem(i) && !r.apply(rest, v[i], nil, at.element(i), path.child("unevaluatedItems")) {
				valid = false
			}
			if r.done(valid) {
				return false
			}
		}
		own.everyItem()
	}
	return valid
}

func (r *run) contains(n, contains *node, v []any, own *evaluated, at, path *place) bool {
	matches := 0
	for i, element := range v {
		if r.attempt(contains, element, nil, at.element(i)) {
			matches++
			if n.Resource.Dialect >= proviso.Draft202012 {
				own.item(i)
			}
		}
	}
	valid := true
	count := parseDecimal(strconv.Itoa(matches))
	if least, ok := n.counts["minContains"]; ok && count.compare(least) < 0 {
		r.fail(n, "minContains", at, path, "want at least %s items that match contains, have %d", text(n, "minContains"), matches)
		valid = false
	} else if !ok && matches == 0 {
		r.fail(n, "contains", at, path, "want at least one item that matches")
		valid = false
	}
	if most, ok := n.counts["maxContains"]; ok && count.compare(most) > 0 {
		r.fail(n, "maxContains", at, path, "want at most %s items that match contains, have %d", text(n, "maxContains"), matches)
		valid = false
	}
	return valid
}
