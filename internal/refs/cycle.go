package refs

import (
	"maps"
	"slices"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// InPlace returns the nodes that are applied to the same instance as n, in a
// fixed order: the targets of its references, wherever the dynamic scope may lead
// them, and the subschemas of its in-place applicators.
func (g *Graph) InPlace(n *Node) []*Node {
	var out []*Node
	add := func(to *Node) {
		if to != nil {
			out = append(out, to)
		}
	}
	add(n.Ref)
	out = append(out, g.DynamicTargets(n)...)
	d := n.Resource.Dialect
	for _, name := range slices.Sorted(maps.Keys(n.One)) {
		if k, _ := schemawalk.Lookup(d, name); !k.InPlace {
			continue
		}
		if _, conditional := n.One["if"]; !conditional && (name == "then" || name == "else") {
			continue // they mean nothing without if
		}
		add(n.One[name])
	}
	for _, name := range slices.Sorted(maps.Keys(n.List)) {
		if k, _ := schemawalk.Lookup(d, name); k.InPlace {
			out = append(out, n.List[name]...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.Named)) {
		if k, _ := schemawalk.Lookup(d, name); !k.InPlace {
			continue
		}
		for _, member := range slices.Sorted(maps.Keys(n.Named[name])) {
			add(n.Named[name][member])
		}
	}
	return out
}

// DynamicTargets returns where the node's $recursiveRef or $dynamicRef may
// lead, wherever evaluation comes from: the first target, then in a fixed order the
// others that a dynamic scope could give it. It has no element without one.
func (g *Graph) DynamicTargets(n *Node) []*Node {
	var out []*Node
	add := func(to *Node) {
		if to != nil && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	add(n.Recursive)
	add(n.Dynamic)
	for _, r := range g.reached {
		if n.Recursive != nil && n.Recursive.Resource.RecursiveAnchor && r.RecursiveAnchor {
			add(r.Root)
		}
		if n.DynamicName != "" {
			add(r.DynamicAnchors[n.DynamicName])
		}
	}
	return out
}

// collectResources lists those that some node belongs to, in order of discovery.
func (g *Graph) collectResources() {
	seen := make(map[*Resource]bool)
	for _, n := range g.Nodes {
		if !seen[n.Resource] {
			seen[n.Resource] = true
			g.reached = append(g.reached, n.Resource)
		}
	}
}

// followInPlace finds a way from a node back to itself along which no part of
// the instance is consumed: evaluation would not end (2020-12 Core, section 9.4.1).
// Where there is none, it sets the graph's Chain.
func followInPlace(g *Graph) error {
	const onPath = -1
	// chain is onPath while the node is, and then the length of the longest way.
	chain := make(map[*Node]int, len(g.Nodes))
	type frame struct {
		node    *Node
		next    []*Node
		longest int // of the ways that were followed
	}
	for _, start := range g.Nodes {
		if chain[start] != 0 {
			continue
		}
		// A stack of our own: a long chain of references is no reason to fail.
		stack := []frame{{node: start, next: g.InPlace(start)}}
		chain[start] = onPath
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.next) == 0 {
				chain[top.node] = top.longest + 1
				g.Chain = max(g.Chain, top.longest+1)
				stack = stack[:len(stack)-1]
				continue
			}
			switch to := top.next[0]; chain[to] {
			case onPath:
				return &proviso.LimitError{
					Limit: proviso.LimitInPlaceCycle, Max: 0, Seen: 1,
					URI: top.node.Document, Location: top.node.DocumentPointer,
					Reason: "evaluating this schema leads back to " + to.Absolute() + " for the same instance, without end",
				}
			case 0:
				chain[to] = onPath
				stack = append(stack, frame{node: to, next: g.InPlace(to)})
			default:
				top.longest = max(top.longest, chain[to])
				top.next = top.next[1:]
			}
		}
	}
	return nil
}
