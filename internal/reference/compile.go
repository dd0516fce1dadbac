package reference

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/pattern"
	"github.com/proviso-go/proviso/internal/refs"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// Options say what a Walker does beyond the dialect itself. Nil is the default.
type Options struct {
	// Backtracking allows patterns that Go's regexp cannot express.
	Backtracking bool
	// AssertFormat makes format an assertion; it is one anyway where the
	// meta-schema has the format-assertion vocabulary. Format judges a value by a format;
	// known is false for one that it does not have. Nil knows none.
	AssertFormat bool
	Format       func(format string, value any) (known, valid bool, err error)
	// AssertContent makes the content keywords assertions.
	AssertContent bool
}

// A Walker evaluates one schema. It is immutable and safe for concurrent use.
type Walker struct {
	options  Options
	root     *node
	nodes    map[*refs.Node]*node
	maxSteps int
	// tracks says that some schema has unevaluatedItems or unevaluatedProperties.
	tracks bool
}

// node is a subschema with what can be prepared about its keywords.
type node struct {
	*refs.Node
	ref, recursive, dynamic *node
	one                     map[string]*node
	list                    map[string][]*node
	named                   map[string][]member
	validates               bool // the validation vocabulary is in force
	// What there is to do, kind by kind: most nodes have little.
	combines, conditional, asserts, judgesStrings bool
	// tuple says that items is an array; unique is uniqueItems.
	tuple, unique bool

	// weight is what applying the node costs beyond a step, for its lists.
	weight int

	types      []string
	enum       *set
	constant   any
	isConstant bool
	limits     []limit
	multipleOf *divisor
	counts     map[string]decimal
	pattern    pattern.Matcher
	required   []string
	// dependencies are those of property names on others, by keyword.
	dependencies map[string][]dependency

	// The messages that show values of the schema.
	wantType, wantConst, wantEnum, wantPattern string
}

// listedPerStep is how many of the names and values that a schema lists are looked
// through at the price of one step.
const listedPerStep = 16

// member is a named subschema; pattern is set for patternProperties.
type member struct {
	name    string
	node    *node
	pattern pattern.Matcher
}

// limit is one of the four numeric bounds.
type limit struct {
	keyword   string
	value     decimal
	text      string
	exclusive bool
	lower     bool
}

type dependency struct {
	name     string
	required []string
}

// New prepares a schema. The error is one of internal/pattern, for a pattern
// that cannot be matched.
func New(g *refs.Graph, options *Options) (*Walker, error) {
	w := &Walker{nodes: make(map[*refs.Node]*node, len(g.Nodes)), maxSteps: maxSteps}
	if options != nil {
		w.options = *options
	}
	for _, n := range g.Nodes {
		w.nodes[n] = &node{Node: n}
	}
	for _, n := range g.Nodes {
		if err := w.prepare(w.nodes[n]); err != nil {
			return nil, err
		}
		w.nodes[n].weight /= listedPerStep
	}
	w.root = w.nodes[g.Root]
	return w, nil
}

func (w *Walker) prepare(n *node) error {
	n.ref, n.recursive, n.dynamic = w.nodes[n.Ref], w.nodes[n.Recursive], w.nodes[n.Dynamic]
	if n.Object == nil || n.IgnoresSiblings() {
		return nil
	}
	n.one = make(map[string]*node, len(n.One))
	for keyword, to := range n.One {
		n.one[keyword] = w.nodes[to]
	}
	n.list = make(map[string][]*node, len(n.List))
	for keyword, all := range n.List {
		for _, to := range all {
			n.list[keyword] = append(n.list[keyword], w.nodes[to])
		}
	}
	n.named = make(map[string][]member, len(n.Named))
	for keyword, all := range n.Named {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			m := member{name: name, node: w.nodes[all[name]]}
			if keyword == "patternProperties" {
				var err error
				if m.pattern, err = pattern.Compile(name, w.options.Backtracking); err != nil {
					return err
				}
			}
			n.named[keyword] = append(n.named[keyword], m)
		}
		n.weight += len(all)
	}
	if n.one["unevaluatedItems"] != nil || n.one["unevaluatedProperties"] != nil {
		w.tracks = true
	}
	if items, ok := n.Object["items"].([]any); ok && n.Resource.Dialect < proviso.Draft202012 {
		n.tuple = n.list["items"] != nil || len(items) == 0
	}
	if n.validates = n.Resource.Vocabularies.Validation; n.validates {
		if err := w.prepareAssertions(n); err != nil {
			return err
		}
	}
	w.sumUp(n)
	return nil
}

// sumUp notes what kinds of keywords the node has.
func (w *Walker) sumUp(n *node) {
	n.combines = n.list["allOf"] != nil || n.list["anyOf"] != nil || n.list["oneOf"] != nil || n.one["not"] != nil
	n.conditional = n.one["if"] != nil || len(n.named["dependentSchemas"])+len(n.named["dependencies"])+len(n.dependencies) > 0
	_, hasFormat := n.Object["format"]
	n.asserts = hasFormat || n.types != nil || n.enum != nil || n.isConstant || n.limits != nil || n.multipleOf != nil ||
		len(n.counts) > 0 || len(n.required) > 0 || n.unique
	n.judgesStrings = len(n.counts) > 0 || n.pattern != nil ||
		(w.options.AssertContent && n.Resource.Vocabularies.Content && n.Resource.Dialect >= proviso.Draft7)
}

// known reports whether the node has the keyword and its dialect knows it.
func (n *node) known(keyword string) (any, bool) {
	value, ok := n.Object[keyword]
	if !ok {
		return nil, false
	}
	if _, ok = schemawalk.Lookup(n.Resource.Dialect, keyword); !ok {
		return nil, false
	}
	return value, true
}

func (w *Walker) prepareAssertions(n *node) error {
	if value, ok := n.known("type"); ok {
		if name, ok := value.(string); ok {
			n.types = []string{name}
		} else {
			n.types = stringsOf(value)
		}
		n.wantType = strings.Join(n.types, " or ")
	}
	if value, ok := n.known("enum"); ok {
		values, _ := value.([]any)
		n.enum, n.wantEnum = newSet(values), wantEnum(values)
		n.weight += len(n.enum.others)
	}
	if n.constant, n.isConstant = n.known("const"); n.isConstant {
		n.wantConst = "want " + spell(n.constant)
	}
	if value, ok := n.known("multipleOf"); ok {
		if number, ok := value.(json.Number); ok {
			if d := parseDecimal(string(number)); d.digits != "" {
				n.multipleOf = newDivisor(d)
			}
		}
	}
	n.prepareLimits()
	n.counts = make(map[string]decimal)
	for _, keyword := range []string{
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
	} {
		if value, ok := n.known(keyword); ok {
			if number, ok := value.(json.Number); ok {
				n.counts[keyword] = parseDecimal(string(number))
			}
		}
	}
	if value, ok := n.known("uniqueItems"); ok {
		n.unique = value == true
	}
	if value, ok := n.known("pattern"); ok {
		if expr, ok := value.(string); ok {
			var err error
			if n.pattern, err = pattern.Compile(expr, w.options.Backtracking); err != nil {
				return err
			}
			n.wantPattern = "want a match of " + quote(expr)
		}
	}
	if value, ok := n.known("required"); ok {
		n.required = stringsOf(value)
		n.weight += len(n.required)
	}
	n.dependencies = make(map[string][]dependency)
	for _, keyword := range []string{"dependencies", "dependentRequired"} {
		value, _ := n.known(keyword)
		members, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if names, ok := members[name].([]any); ok {
				d := dependency{name, stringsOf(names)}
				n.dependencies[keyword] = append(n.dependencies[keyword], d)
				n.weight += 1 + len(d.required)
			}
		}
	}
	return nil
}

func (n *node) prepareLimits() {
	for _, keyword := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		value, ok := n.known(keyword)
		number, isNumber := value.(json.Number)
		if !ok || !isNumber {
			continue
		}
		l := limit{
			keyword: keyword, value: parseDecimal(string(number)), text: spell(number),
			exclusive: strings.HasPrefix(keyword, "exclusive"), lower: strings.HasSuffix(strings.ToLower(keyword), "minimum"),
		}
		if n.Resource.Dialect == proviso.Draft4 {
			// There, exclusiveMinimum and exclusiveMaximum are booleans beside the limit.
			l.exclusive = n.Object["exclusiveM"+keyword[1:]] == true
		}
		n.limits = append(n.limits, l)
	}
}

func stringsOf(value any) []string {
	array, _ := value.([]any)
	out := make([]string, 0, len(array))
	for _, element := range array {
		if s, ok := element.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
