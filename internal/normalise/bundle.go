package normalise

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/refs"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// Rules say what one engine can be trusted with.
type Rules struct {
	// Engine is the provider's name, for errors.
	Engine string
	// Definitions is where the targets of references go: "definitions" or "$defs".
	Definitions string
	// Rewrite changes one subschema, already copied, in place; its own subschemas
	// are done. An error, usually by Subschema.Refuse, ends the bundling.
	Rewrite func(*Subschema) error
}

// A Subschema is one schema object on its way to the engine.
type Subschema struct {
	// Node is the original.
	Node *refs.Node
	// Keywords are those that the dialect knows and that can decide a verdict. The
	// map is the rewriter's own; the values of keywords that hold no subschema are
	// shared with the original and must not be changed.
	Keywords map[string]any
	engine   string
}

// Refuse makes the error for a keyword that the engine cannot honour.
func (s *Subschema) Refuse(keyword, format string, args ...any) error {
	return &proviso.UnsupportedError{
		Engine: s.engine, Dialect: s.Node.Resource.Dialect, Keyword: keyword,
		URI: s.Node.Document, Location: proviso.AppendPointer(s.Node.DocumentPointer, keyword),
		Reason: fmt.Sprintf(format, args...),
	}
}

// Also adds schemas that must hold as well.
func (s *Subschema) Also(schemas ...any) {
	all, _ := s.Keywords["allOf"].([]any)
	s.Keywords["allOf"] = append(slices.Clip(all), schemas...)
}

// Bundle returns the JSON text of the schema as the engine gets it.
//
// The error is a *proviso.UnsupportedError for what the rules refuse, for
// a reference into another dialect, and for a $recursiveRef or $dynamicRef
// whose target depends on the way that evaluation takes.
func Bundle(g *refs.Graph, rules *Rules) ([]byte, error) {
	b := &bundler{rules: rules, graph: g, dialect: g.Root.Resource.Dialect, names: make(map[*refs.Node]string)}
	for _, n := range g.Nodes {
		if err := b.checkDialect(n); err != nil {
			return nil, err
		}
		if _, err := b.dynamicTarget(n); err != nil {
			return nil, err
		}
	}
	b.nameTargets()
	root, err := b.child(g.Root)
	if err != nil {
		return nil, err
	}
	if len(b.names) == 0 {
		return json.Marshal(root)
	}
	definitions := make(map[string]any, len(b.names))
	for _, n := range g.Nodes {
		if name, ok := b.names[n]; ok {
			if definitions[name], err = b.schema(n); err != nil {
				return nil, err
			}
		}
	}
	// Some dialects ignore what stands beside a reference, so that the root
	// is wrapped wherever it may be one.
	wrapped := map[string]any{"allOf": []any{root}, rules.Definitions: definitions}
	return json.Marshal(wrapped)
}

type bundler struct {
	rules   *Rules
	graph   *refs.Graph
	dialect proviso.Dialect
	names   map[*refs.Node]string // of the targets of references
}

func (b *bundler) checkDialect(n *refs.Node) error {
	if n.Resource.Dialect == b.dialect {
		return nil
	}
	return &proviso.UnsupportedError{
		Engine: b.rules.Engine, Dialect: b.dialect, Keyword: "$schema", URI: n.Document, Location: n.DocumentPointer,
		Reason: fmt.Sprintf("a schema of %s refers to one of %s, and the engine knows one dialect at a time", b.dialect, n.Resource.Dialect),
	}
}

// dynamicTarget returns the one target that a $recursiveRef or $dynamicRef can
// have, nil if there is no such reference.
func (b *bundler) dynamicTarget(n *refs.Node) (*refs.Node, error) {
	static, keyword := n.Recursive, "$recursiveRef"
	if static == nil {
		static, keyword = n.Dynamic, "$dynamicRef"
	}
	if static == nil {
		return nil, nil
	}
	for _, to := range b.graph.DynamicTargets(n) {
		if to != static {
			s := Subschema{Node: n, engine: b.rules.Engine}
			return nil, s.Refuse(keyword, "its target depends on the way that evaluation takes: %s or %s", static.Absolute(), to.Absolute())
		}
	}
	return static, nil
}

// nameTargets gives each target of a reference its name among the definitions.
func (b *bundler) nameTargets() {
	name := func(n *refs.Node) {
		if n != nil && b.names[n] == "" {
			b.names[n] = fmt.Sprintf("r%d", len(b.names))
		}
	}
	for _, n := range b.graph.Nodes {
		name(n.Ref)
		name(n.Recursive)
		name(n.Dynamic)
	}
}

// child returns the schema for the place where n stands: a reference, if n is
// the target of one, so that each schema is there once.
func (b *bundler) child(n *refs.Node) (any, error) {
	if _, ok := b.names[n]; ok && n.Object != nil {
		return b.reference(n), nil
	}
	return b.schema(n)
}

func (b *bundler) reference(n *refs.Node) any {
	return map[string]any{"$ref": "#/" + b.rules.Definitions + "/" + b.names[n]}
}

func (b *bundler) schema(n *refs.Node) (any, error) {
	if n.Object == nil {
		return n.Bool, nil
	}
	if n.IgnoresSiblings() {
		return b.reference(n.Ref), nil
	}
	out := &Subschema{Node: n, Keywords: make(map[string]any, len(n.Object)), engine: b.rules.Engine}
	for _, keyword := range slices.Sorted(maps.Keys(n.Object)) {
		if err := b.keyword(n, keyword, out.Keywords); err != nil {
			return nil, err
		}
	}
	if n.Ref != nil {
		out.Keywords["$ref"] = b.reference(n.Ref).(map[string]any)["$ref"]
	}
	if to, _ := b.dynamicTarget(n); to != nil {
		out.Also(b.reference(to))
	}
	if err := b.rules.Rewrite(out); err != nil {
		return nil, err
	}
	return out.Keywords, nil
}

// keyword copies one keyword of n.
func (b *bundler) keyword(n *refs.Node, name string, out map[string]any) error {
	known, ok := schemawalk.Lookup(n.Resource.Dialect, name)
	if !ok || known.Reserved || !n.Resource.Vocabularies.Has(known.Vocabulary) {
		return nil
	}
	switch known.Vocabulary {
	case schemawalk.Core, schemawalk.MetaData:
		return nil
	}
	if known.Shape == schemawalk.None {
		out[name] = n.Object[name]
		return nil
	}
	if one, ok := n.One[name]; ok {
		schema, err := b.child(one)
		out[name] = schema
		return err
	}
	if _, isArray := n.Object[name].([]any); isArray {
		schemas := make([]any, len(n.List[name]))
		for i, element := range n.List[name] {
			schema, err := b.child(element)
			if err != nil {
				return err
			}
			schemas[i] = schema
		}
		out[name] = schemas
		return nil
	}
	members, _ := n.Object[name].(map[string]any)
	schemas := make(map[string]any, len(members))
	for _, member := range slices.Sorted(maps.Keys(members)) {
		node, ok := n.Named[name][member]
		if !ok {
			schemas[member] = members[member] // the names of dependencies
			continue
		}
		schema, err := b.child(node)
		if err != nil {
			return err
		}
		schemas[member] = schema
	}
	out[name] = schemas
	return nil
}
