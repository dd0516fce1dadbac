package refs

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/metaschema"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// loading is the state of one Load.
type loading struct {
	ctx      context.Context
	options  *proviso.EngineOptions
	fallback proviso.Dialect // of loaded documents without $schema
	graph    *Graph
	details  map[*Resource]*resource
	byURI    map[string]*resource
	pending  []*Node
	// dynamicNames are the anchors that some $dynamicRef looks for; recursive
	// says that there is a $recursiveRef.
	dynamicNames map[string]bool
	recursive    bool
}

// Load resolves a schema: every subschema that evaluation can reach, and
// every reference in one of them. Documents that the schema refers to are the
// meta-schemas of the known dialects, options.Resources, and what
// options.Loader returns; without $schema they have the schema's own dialect.
// Options are as EngineOptions.Checked returns them.
//
// The schema is taken to be valid by its meta-schema; where it is not, what has
// the wrong type is passed over.
//
// The error is a *proviso.LoadError for a reference that leads nowhere, a
// *proviso.SchemaError for identifiers that collide or do not parse and for a
// loaded document that is not a schema, a *proviso.UnsupportedError for an
// unknown $schema or vocabulary, a *proviso.LimitError for references that lead back to
// themselves without consuming any of the instance, or the context's error.
func Load(ctx context.Context, doc *proviso.Document, options *proviso.EngineOptions) (*Graph, error) {
	dialect, err := doc.Dialect(options)
	if err != nil {
		return nil, err
	}
	l := &loading{
		ctx: ctx, options: options, fallback: dialect,
		graph:        &Graph{Documents: make(map[string]*proviso.Document), Dialects: make(map[string]proviso.Dialect)},
		details:      make(map[*Resource]*resource),
		byURI:        make(map[string]*resource),
		dynamicNames: make(map[string]bool),
	}
	d, err := l.addDocument("", doc, dialect)
	if err != nil {
		return nil, err
	}
	l.graph.Root = l.node(d, "", d.root)
	if err := l.resolveAll(); err != nil {
		return nil, err
	}
	l.graph.collectResources()
	if err := followInPlace(l.graph); err != nil {
		return nil, err
	}
	return l.graph, nil
}

// resolveAll expands nodes until none is left, then adds those that only the
// dynamic scope leads to, until nothing changes.
func (l *loading) resolveAll() error {
	seen := make(map[*Resource]int) // how many dynamic names were added for it
	for {
		for len(l.pending) > 0 {
			n := l.pending[0]
			l.pending = l.pending[1:]
			if err := l.expand(n); err != nil {
				return err
			}
		}
		for i := 0; i < len(l.graph.Nodes); i++ {
			r := l.details[l.graph.Nodes[i].Resource]
			want := len(l.dynamicNames)
			if l.recursive {
				want++
			}
			if want == 0 || seen[&r.Resource] == want {
				continue
			}
			seen[&r.Resource] = want
			if l.recursive && r.RecursiveAnchor {
				l.nodeAt(r.document, r.pointer)
			}
			for _, name := range slices.Sorted(maps.Keys(l.dynamicNames)) {
				pointer, ok := r.dynamic[name]
				if !ok {
					continue
				}
				if r.DynamicAnchors == nil {
					r.DynamicAnchors = make(map[string]*Node)
				}
				r.DynamicAnchors[name] = l.nodeAt(r.document, pointer)
			}
		}
		if len(l.pending) == 0 {
			return nil
		}
	}
}

// nodeAt returns the node at a pointer that is known to exist.
func (l *loading) nodeAt(d *document, pointer string) *Node {
	value, _ := proviso.EvalPointer(d.root, pointer)
	return l.node(d, pointer, value)
}

// node returns the node for the schema value at pointer, and sees to it that it
// gets expanded.
func (l *loading) node(d *document, pointer string, value any) *Node {
	if n, ok := d.nodes[pointer]; ok {
		return n
	}
	r := d.resourceAt(pointer)
	n := &Node{
		Resource: r, Pointer: pointer[len(l.details[r].pointer):],
		Document: d.uri, DocumentPointer: pointer,
	}
	switch v := value.(type) {
	case map[string]any:
		n.Object = v
	case bool:
		n.Bool = v
	}
	d.nodes[pointer] = n
	if n.Pointer == "" {
		r.Root = n
	}
	l.graph.Nodes = append(l.graph.Nodes, n)
	l.pending = append(l.pending, n)
	return n
}

// resourceAt returns the innermost resource that encloses pointer.
func (d *document) resourceAt(pointer string) *Resource {
	for {
		if r, ok := d.resources[pointer]; ok {
			return r
		}
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
}

// expand fills in a node's subschemas and the targets of its references.
func (l *loading) expand(n *Node) error {
	if n.Object == nil {
		return nil
	}
	r := l.details[n.Resource]
	if r.Root == nil {
		l.nodeAt(r.document, r.pointer)
	}
	var err error
	if n.Ref, err = l.reference(n, r, "$ref"); err != nil || n.IgnoresSiblings() {
		return err
	}
	switch r.Dialect {
	case proviso.Draft201909:
		if n.Recursive, err = l.reference(n, r, "$recursiveRef"); err != nil {
			return err
		}
		l.recursive = l.recursive || (n.Recursive != nil && n.Recursive.Resource.RecursiveAnchor)
	case proviso.Draft202012:
		if n.Dynamic, err = l.reference(n, r, "$dynamicRef"); err != nil {
			return err
		}
		if n.Dynamic != nil {
			n.DynamicName = l.dynamicName(n)
			if n.DynamicName != "" {
				l.dynamicNames[n.DynamicName] = true
			}
		}
	}
	schemawalk.Children(r.Dialect, n.Object, func(c schemawalk.Child) {
		if c.Keyword.Reserved || !r.Vocabularies.Has(c.Keyword.Vocabulary) {
			return
		}
		child := l.node(r.document, n.DocumentPointer+c.Pointer, c.Value)
		switch {
		case c.Index >= 0:
			if n.List == nil {
				n.List = make(map[string][]*Node)
			}
			n.List[c.Name] = append(n.List[c.Name], child)
		case c.Keyword.Shape == schemawalk.Named || c.Keyword.Shape == schemawalk.NamedOrNames:
			if n.Named == nil {
				n.Named = make(map[string]map[string]*Node)
			}
			if n.Named[c.Name] == nil {
				n.Named[c.Name] = make(map[string]*Node)
			}
			n.Named[c.Name][c.Member] = child
		default:
			if n.One == nil {
				n.One = make(map[string]*Node)
			}
			n.One[c.Name] = child
		}
	})
	return nil
}

// dynamicName returns the anchor that a $dynamicRef looks for in the dynamic
// scope: its fragment, if its first target has a $dynamicAnchor of that name
// (2020-12 Core, section 8.2.3.2).
func (l *loading) dynamicName(n *Node) string {
	value, _ := n.Object["$dynamicRef"].(string)
	u, err := url.Parse(value)
	if err != nil {
		return ""
	}
	target := l.details[n.Dynamic.Resource]
	if pointer, ok := target.dynamic[u.Fragment]; ok && pointer == n.Dynamic.DocumentPointer {
		return u.Fragment
	}
	return ""
}

// reference returns the target of a reference keyword, nil if the node has none.
func (l *loading) reference(n *Node, r *resource, keyword string) (*Node, error) {
	value, ok := n.Object[keyword].(string)
	if !ok {
		return nil, nil
	}
	fail := func(uri, reason string, err error) error {
		return &proviso.LoadError{
			Reference: value, URI: uri, From: n.Document, Location: n.DocumentPointer + "/" + keyword,
			Reason: reason, Err: err,
		}
	}
	u, err := url.Parse(value)
	if err != nil {
		return nil, fail("", "it is not a URI reference", err)
	}
	target := *resolve(r.base, u)
	fragment := target.Fragment
	target.Fragment, target.RawFragment = "", ""
	uri := target.String()
	if uri != r.URI {
		if r, err = l.resource(uri, fail); err != nil {
			return nil, err
		}
	}
	return l.target(r, fragment, func(reason string) error { return fail(target.String()+"#"+fragment, reason, nil) })
}

// target finds what a fragment names within a resource.
func (l *loading) target(r *resource, fragment string, fail func(string) error) (*Node, error) {
	pointer := r.pointer
	switch {
	case fragment == "":
	case fragment[0] == '/':
		pointer += fragment
	default:
		at, ok := r.anchors[fragment]
		if !ok {
			return nil, fail(fmt.Sprintf("the document has no anchor %q", fragment))
		}
		pointer = at
	}
	value, ok := proviso.EvalPointer(r.document.root, pointer)
	if !ok {
		return nil, fail(fmt.Sprintf("the document has nothing at %q", pointer))
	}
	if _, isObject := value.(map[string]any); !isObject {
		if _, isBool := value.(bool); !isBool {
			return nil, fail(fmt.Sprintf("the value at %q is not a schema", pointer))
		}
	}
	canonical, err := canonicalPointer(pointer)
	if err != nil {
		return nil, fail(err.Error())
	}
	return l.node(r.document, canonical, value), nil
}

// canonicalPointer spells a pointer the one way that AppendPointer does.
func canonicalPointer(pointer string) (string, error) {
	tokens, err := proviso.PointerTokens(pointer)
	if err != nil {
		return "", err
	}
	canonical := ""
	for _, t := range tokens {
		canonical = proviso.AppendPointer(canonical, t)
	}
	return canonical, nil
}

// resource returns the resource that a URI names, loading it if it is not known
// yet.
func (l *loading) resource(uri string, fail func(uri, reason string, err error) error) (*resource, error) {
	if r, ok := l.byURI[uri]; ok {
		return r, nil
	}
	if u, err := url.Parse(uri); err != nil || !u.IsAbs() {
		return nil, fail("", "it is relative, and the schema has no absolute identifier to resolve it against", err)
	}
	doc, ok := l.options.Resources[uri]
	if !ok {
		doc, ok = metaschema.Document(uri)
	}
	if !ok {
		if l.options.Loader == nil {
			return nil, fail(uri, "no resource has this URI, and nothing is loaded without a Loader", nil)
		}
		text, err := l.options.Loader.Load(l.ctx, uri)
		if err != nil {
			return nil, fail(uri, "the Loader failed: "+err.Error(), err)
		}
		if doc, err = proviso.JSON(text).Document(); err != nil {
			return nil, fail(uri, "the loaded document is not a schema: "+err.Error(), err)
		}
	}
	d, err := l.addDocument(uri, doc, l.fallback)
	if err != nil {
		return nil, err
	}
	r := l.details[d.resources[""]]
	l.register(uri, r)
	return r, nil
}
