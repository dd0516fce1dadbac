package tekuri

import (
	"fmt"
	"maps"
	"slices"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/refs"
)

// dynamicTargets returns, for each schema with a $recursiveRef or a $dynamicRef,
// where it may lead: the first target with an anchor of its name in the dynamic
// scope of some evaluation (2020-12 Core, section 8.2.3.2; 2019-09 Core,
// section 8.2.4.2). Nearly always that is one.
//
// The error is a *proviso.UnsupportedError for those about which the engine goes
// wrong; see the package's documentation.
func dynamicTargets(graph *refs.Graph, assertContent bool, maxStates int) (map[*refs.Node][]*refs.Node, error) {
	a := &analysis{
		graph: graph, targets: make(map[*refs.Node][]*refs.Node), below: make(map[*refs.Node]*refs.Node), maxStates: maxStates,
	}
	done := make(map[string]bool)
	for _, n := range graph.Nodes {
		name, dynamic := dynamicName(n)
		if !dynamic {
			if to := static(n); to != nil {
				a.targets[n] = []*refs.Node{to}
			}
			continue
		}
		if !done[name] {
			done[name] = true
			a.follow(name)
		}
	}
	for _, n := range graph.Nodes {
		if _, dynamic := dynamicName(n); dynamic && len(a.targets[n]) == 0 {
			// No evaluation comes here; the reference must lead somewhere all the same.
			a.targets[n] = []*refs.Node{static(n)}
		}
	}
	return a.targets, a.refuse(assertContent)
}

// static is where a $recursiveRef or $dynamicRef leads as long as the dynamic
// scope has no say; nil without one.
func static(n *refs.Node) *refs.Node {
	if n.Recursive != nil {
		return n.Recursive
	}
	return n.Dynamic
}

// recursive is the name that stands for $recursiveAnchor. No $dynamicAnchor
// has it.
const recursive = ""

// dynamicName returns the name that the schema's reference looks for in the
// dynamic scope, if it does.
func dynamicName(n *refs.Node) (string, bool) {
	if n.Recursive != nil && n.Recursive.Resource.RecursiveAnchor {
		return recursive, true
	}
	return n.DynamicName, n.DynamicName != ""
}

// anchored returns the schema in a resource to which a reference by name leads.
func anchored(r *refs.Resource, name string) *refs.Node {
	if name != recursive {
		return r.DynamicAnchors[name]
	}
	if r.RecursiveAnchor {
		return r.Root
	}
	return nil
}

// analysis follows every way that evaluation may take.
type analysis struct {
	graph   *refs.Graph
	targets map[*refs.Node][]*refs.Node
	// below has, for a $recursiveRef, a schema below the root of its resource
	// with which the outermost resource that counts was entered.
	below map[*refs.Node]*refs.Node
	// maxStates bounds the analysis. Beyond it, every target is thought possible.
	states, maxStates int
}

// state is a schema under evaluation with all of the dynamic scope that matters
// for one name: the outermost resource with its anchor, nil if there is none
// yet, and where that was entered.
type state struct {
	node, entry *refs.Node
	outermost   *refs.Resource
}

// follow finds the targets of the references by one name.
func (a *analysis) follow(name string) {
	seen := make(map[state]bool)
	var queue []state
	enter := func(from state, to *refs.Node) {
		next := state{to, from.entry, from.outermost}
		if next.outermost == nil && anchored(to.Resource, name) != nil {
			next.outermost, next.entry = to.Resource, nil
			if name == recursive && to.Pointer != "" {
				next.entry = to
			}
		}
		if !seen[next] {
			seen[next] = true
			a.states++
			queue = append(queue, next)
		}
	}
	enter(state{}, a.graph.Root)
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if a.states > a.maxStates {
			a.giveUp(name)
			return
		}
		subschemas(s.node, func(to *refs.Node) { enter(s, to) })
		its, dynamic := dynamicName(s.node)
		if !dynamic || its != name {
			for _, to := range a.graph.DynamicTargets(s.node) {
				enter(s, to)
			}
			continue
		}
		to := static(s.node)
		if s.outermost != nil {
			to = anchored(s.outermost, name)
		}
		a.lead(s.node, to)
		if s.entry != nil && a.below[s.node] == nil {
			a.below[s.node] = s.entry
		}
		enter(s, to)
	}
}

func (a *analysis) lead(n, to *refs.Node) {
	if !slices.Contains(a.targets[n], to) {
		a.targets[n] = append(a.targets[n], to)
	}
}

// giveUp takes every target and every entry for possible.
func (a *analysis) giveUp(name string) {
	for _, n := range a.graph.Nodes {
		if its, dynamic := dynamicName(n); dynamic && its == name {
			a.targets[n] = a.graph.DynamicTargets(n)
			a.below[n] = n
		}
	}
}

// refuse refuses the references with more than one target about which the
// engine goes wrong.
func (a *analysis) refuse(assertContent bool) error {
	var forgetful map[*refs.Node]freshScope
	for _, n := range a.graph.Nodes {
		if len(a.targets[n]) < 2 {
			continue
		}
		if forgetful == nil {
			forgetful = a.belowFreshScope(assertContent)
		}
		keyword, reason := "$dynamicRef", ""
		if n.Recursive != nil {
			keyword = "$recursiveRef"
		}
		if from, ok := forgetful[n]; ok {
			reason = fmt.Sprintf("which the engine forgets in the %s at %q", from.keyword, from.node.DocumentPointer)
		} else if entry := a.below[n]; entry != nil && keyword == "$recursiveRef" {
			reason = fmt.Sprintf("and the engine mistakes the schema at %q for the root of its resource", entry.DocumentPointer)
		} else {
			continue
		}
		return &proviso.UnsupportedError{
			Engine: Name, Dialect: n.Resource.Dialect, Keyword: keyword,
			URI: n.Document, Location: n.DocumentPointer + "/" + keyword,
			Reason: "its target depends on the way that evaluation takes, " + reason,
		}
	}
	return nil
}

// freshScope is a keyword below which the engine begins a new dynamic scope.
type freshScope struct {
	node    *refs.Node
	keyword string
}

// belowFreshScope returns every schema that evaluation can reach from below
// propertyNames or contentSchema, with the one that it was first reached from.
func (a *analysis) belowFreshScope(assertContent bool) map[*refs.Node]freshScope {
	reached := make(map[*refs.Node]freshScope)
	var queue []*refs.Node
	reach := func(n *refs.Node, from freshScope) {
		if _, ok := reached[n]; !ok && n != nil {
			reached[n] = from
			queue = append(queue, n)
		}
	}
	for _, n := range a.graph.Nodes {
		reach(n.One["propertyNames"], freshScope{n, "propertyNames"})
		if assertContent {
			reach(n.One["contentSchema"], freshScope{n, "contentSchema"})
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		subschemas(n, func(to *refs.Node) { reach(to, reached[n]) })
		for _, to := range a.targets[n] {
			reach(to, reached[n])
		}
	}
	return reached
}

// subschemas calls yield, in a fixed order, for each schema that evaluation
// may go to from n without looking at the dynamic scope.
func subschemas(n *refs.Node, yield func(*refs.Node)) {
	if n.Ref != nil {
		yield(n.Ref)
	}
	for _, keyword := range slices.Sorted(maps.Keys(n.One)) {
		yield(n.One[keyword])
	}
	for _, keyword := range slices.Sorted(maps.Keys(n.List)) {
		for _, to := range n.List[keyword] {
			yield(to)
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(n.Named)) {
		for _, name := range slices.Sorted(maps.Keys(n.Named[keyword])) {
			yield(n.Named[keyword][name])
		}
	}
}
