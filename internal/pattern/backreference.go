package pattern

import (
	"strconv"
	"strings"
)

// A reference is a backreference, to be looked at when all groups are known.
type reference struct {
	number int    // of the capture
	name   string // instead of the number
	group  int    // that it stands in
	opened int    // how many captures had begun before it
	out    int    // where its text goes
}

// backreference reads \1 or \k<name>, after the backslash.
func (t *translator) backreference() error {
	r := reference{group: t.group, opened: len(t.captures)}
	if t.in[t.pos] == 'k' {
		rest, ok := strings.CutPrefix(t.rest(), "k<")
		name, _, ends := strings.Cut(rest, ">")
		if !ok || !ends || name == "" {
			return t.syntax(`\k without a name`)
		}
		r.name = name
		t.pos += len("k<>") + len(name)
	} else {
		digits := t.rest()
		if end := strings.IndexFunc(digits, func(c rune) bool { return c < '0' || c > '9' }); end >= 0 {
			digits = digits[:end]
		}
		r.number = count(digits)
		t.pos += len(digits)
	}
	if !t.backtracking {
		t.beyond("a backreference")
	} else if t.flags.ignoreCase {
		t.beyond("a backreference that ignores case")
	}
	r.out = len(t.out)
	t.write("", single)
	t.references = append(t.references, r)
	return nil
}

// resolve writes the backreferences. ECMA-262 forgets at each repetition what
// the groups within have captured, and regexp2 does not, so that a reference which
// could tell is beyond it.
func (t *translator) resolve() error {
	for _, r := range t.references {
		if r.name != "" {
			number, ok := t.names[r.name]
			if !ok {
				return t.syntax(`\k<%.40s> refers to no group`, r.name)
			}
			if number < 0 {
				t.beyond("a backreference to one of several groups named %.40s", r.name)
				continue
			}
			r.number = number
		}
		if r.number > len(t.captures) {
			return t.syntax(`\%d refers to no group`, r.number)
		}
		if t.inexpressible != "" {
			continue
		}
		target := t.captures[r.number-1]
		if t.within(r.group, lookBehind) || t.within(target, lookBehind) {
			t.beyond("a backreference and a lookbehind")
			continue
		}
		if r.number > r.opened || t.encloses(target, r.group) {
			// The group has not been matched yet: then the reference matches nothing at
			// all, in an empty string.
			t.out[r.out] = "(?:)"
			continue
		}
		if why := t.stale(r, target); why != "" {
			t.beyond("%s", why)
			continue
		}
		t.out[r.out] = `(?:\` + strconv.Itoa(r.number) + ")"
	}
	return nil
}

// stale says why the group may hold at the reference what ECMA-262 has
// forgotten.
func (t *translator) stale(r reference, target int) string {
	optional := false
	for g := target; g != 0; g = t.groups[g].parent {
		at := t.groups[g]
		if at.look == lookNegative && !t.encloses(g, r.group) {
			return "a backreference to a group within (?!"
		}
		optional = optional || (g != target && at.alternates)
		if at.repeats && (optional || !t.encloses(g, r.group)) {
			return "a backreference to a group that repeats"
		}
		optional = optional || at.optional
	}
	return ""
}

// encloses reports whether group g is outer, or stands within it.
func (t *translator) encloses(outer, g int) bool {
	for ; g != outer; g = t.groups[g].parent {
		if g == 0 {
			return false
		}
	}
	return true
}

// within reports whether group g is such a lookaround, or stands within one.
func (t *translator) within(g int, look lookaround) bool {
	for ; g != 0; g = t.groups[g].parent {
		if t.groups[g].look == look {
			return true
		}
	}
	return false
}
