package pattern

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// flags are those that a group can set, as (?ims-ims: of ECMA-262 (2025) does.
type flags struct{ ignoreCase, multiline, dotAll bool }

// A group is one pair of parentheses; group 0 is the whole pattern.
type group struct {
	parent  int
	depth   int
	look    lookaround
	outside flags // in force after it

	alternates bool // has a |
	optional   bool // may be left out
	repeats    bool // may be matched more than once
}

type lookaround uint8

const (
	noLook lookaround = iota
	lookAhead
	lookNegative // ahead
	lookBehind   // either
)

// The bounds on a pattern: how deeply groups nest and, where a matcher
// backtracks, how often an element may repeat.
const (
	maxNesting = 1000
	maxRepeat  = 1000 // of Go's regexp
	maxCounted = 1 << 16
)

var (
	counted    = regexp.MustCompile(`^\{([0-9]+)(,([0-9]*))?\}`)
	flagGroup  = regexp.MustCompile(`^\(\?([ims]*)(?:-([ims]+))?([:)])`)
	namedGroup = regexp.MustCompile(`^\(\?P?<([\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*)>`)
	looks      = []struct {
		text string
		look lookaround
	}{{"(?=", lookAhead}, {"(?!", lookNegative}, {"(?<=", lookBehind}, {"(?<!", lookBehind}}
)

func (t *translator) openGroup() error {
	rest := t.rest()
	if !strings.HasPrefix(rest, "(?") {
		t.capture("")
		t.pos++
		return nil
	}
	for _, l := range looks {
		if strings.HasPrefix(rest, l.text) {
			if !t.backtracking {
				t.beyond("lookaround %s", l.text)
			}
			t.open(l.text, l.look)
			t.pos += len(l.text)
			return nil
		}
	}
	if name := namedGroup.FindStringSubmatch(rest); name != nil {
		t.capture(name[1])
		t.pos += len(name[0])
		return nil
	}
	f := flagGroup.FindStringSubmatch(rest)
	if f == nil || f[0] == "(?)" {
		return t.syntax("unknown group %.4q", rest)
	}
	t.pos += len(f[0])
	t.setFlags(f[1], f[2], f[3] == ":")
	return nil
}

// capture opens a capturing group. Both targets number them as ECMA-262 does
// only where none has a name.
func (t *translator) capture(name string) {
	t.open("(", noLook)
	t.captures = append(t.captures, t.group)
	if name == "" {
		return
	}
	if _, twice := t.names[name]; twice {
		t.names[name] = -1
		return
	}
	t.names[name] = len(t.captures)
}

func (t *translator) open(text string, look lookaround) {
	t.write(text, nothingYet)
	t.groups = append(t.groups, group{parent: t.group, depth: t.groups[t.group].depth + 1, look: look, outside: t.flags})
	t.group = len(t.groups) - 1
	if t.groups[t.group].depth > maxNesting {
		t.beyond("groups nest more than %d deep", maxNesting)
	}
}

// setFlags follows (?ims-ims: and, for the rest of the enclosing group, (?ims-ims).
// Only i is left to Go's regexp; what the others change is written out.
func (t *translator) setFlags(on, off string, opens bool) {
	changed := t.flags
	for _, change := range []struct {
		letters string
		value   bool
	}{{on, true}, {off, false}} {
		for _, letter := range change.letters {
			switch letter {
			case 'i':
				changed.ignoreCase = change.value
			case 'm':
				changed.multiline = change.value
			case 's':
				changed.dotAll = change.value
			}
		}
	}
	text := "(?"
	if !t.backtracking && changed.ignoreCase != t.flags.ignoreCase {
		if text = "(?i"; !changed.ignoreCase {
			text = "(?-i"
		}
	}
	switch {
	case opens:
		t.open(text+":", noLook)
	case text != "(?":
		t.write(text+")", nothingYet)
	default:
		t.write("", nothingYet)
	}
	t.flags = changed
}

func (t *translator) closeGroup() error {
	if t.group == 0 {
		return t.syntax("a group ends that did not begin")
	}
	t.pos++
	g := t.group
	t.flags, t.group = t.groups[g].outside, t.groups[g].parent
	if t.groups[g].look != noLook {
		t.write(")", nothingYet)
		return nil
	}
	t.write(")", single)
	t.lastGroup = g
	return nil
}

// quantifier translates *, +, ?, {n}, {n,} and {n,m}, each possibly lazy, and a
// brace that is none of these.
func (t *translator) quantifier() error {
	text := t.rest()[:1]
	least, most := 0, math.MaxInt
	switch text {
	case "+":
		least = 1
	case "?":
		if t.last == repeated {
			t.pos++
			t.write("?", lazy)
			return nil
		}
		most = 1
	case "{":
		q := counted.FindStringSubmatch(t.rest())
		if q == nil {
			t.pos++
			t.character('{')
			return nil
		}
		text = q[0]
		least = count(q[1])
		switch {
		case q[2] == "":
			most = least
		case q[3] != "":
			most = count(q[3])
		}
		if most < least {
			return t.syntax("the repetition %s runs backwards", text)
		}
		largest := maxRepeat
		if t.backtracking {
			largest = maxCounted
		}
		if least > largest || (most > largest && q[3] != "") {
			t.beyond("the repetition %s", text)
		}
	}
	if t.last != single {
		return t.syntax("nothing that %s could repeat", text)
	}
	if g := t.lastGroup; g != 0 {
		t.groups[g].optional, t.groups[g].repeats = least == 0, most > 1
	}
	t.pos += len(text)
	if text[0] == '{' {
		// Go takes a count with leading zeros for plain text.
		switch text = strconv.Itoa(least); most {
		case least:
		case math.MaxInt:
			text += ","
		default:
			text += "," + strconv.Itoa(most)
		}
		text = "{" + text + "}"
	}
	t.write(text, repeated)
	return nil
}

// count reads digits; what is too large stays too large.
func count(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return math.MaxInt
	}
	return n
}
