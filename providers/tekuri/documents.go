package tekuri

import (
	"maps"
	"slices"
	"strconv"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
	"github.com/proviso-go/proviso/internal/refs"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// baseURL is what the URLs of our documents begin with; a number follows. No
// schema can refer to them: every reference is resolved before, and the engine
// is given ours in its place. The engine takes what is below json-schema.org
// for a meta-schema and does not check it by another one, which has been done by
// then as well.
const baseURL = "http://json-schema.org/proviso/"

// definitions is where schemas stand in our documents that something refers to.
// The engine knows the keyword in every dialect.
const definitions = "definitions"

// maxInline is how deeply schemas are nested in our documents; what lies deeper
// is referred to. The engine looks for the resource of a schema along the whole
// of its path, so that compiling takes the third power of the nesting.
const maxInline = 24

// maxStates bounds the search for the targets of dynamic references, which no
// schema comes near that was not made to.
const maxStates = 200_000

// documents are those that the engine compiles, made from a graph: one for each
// of its resources. The values of keywords that hold no subschema (enum, const,
// required) are those of the schema's own document, not copies: that document is
// immutable and shared with no caller, and the engine keeps but only reads them.
type documents struct {
	options *proviso.EngineOptions
	graph   *refs.Graph
	// assertsFormat says that some schema kept its format.
	assertsFormat bool

	resources []*refs.Resource
	numbers   map[*refs.Resource]int
	// names are those of the schemas below definitions.
	names map[*refs.Node]string
	// pending are those of them that are still to be written, by resource.
	pending map[*refs.Resource][]*refs.Node
	// targets are where the $recursiveRef or $dynamicRef of a schema may lead.
	targets map[*refs.Node][]*refs.Node
}

// newDocuments plans the documents. The error is a *proviso.UnsupportedError.
func newDocuments(graph *refs.Graph, options *proviso.EngineOptions) (*documents, error) {
	d := &documents{
		options: options, graph: graph,
		numbers: make(map[*refs.Resource]int), names: make(map[*refs.Node]string),
		pending: make(map[*refs.Resource][]*refs.Node),
	}
	var err error
	if d.targets, err = dynamicTargets(graph, options.AssertContent, maxStates); err != nil {
		return nil, err
	}
	for _, n := range graph.Nodes {
		if _, known := d.numbers[n.Resource]; !known {
			d.numbers[n.Resource] = len(d.resources)
			d.resources = append(d.resources, n.Resource)
		}
		d.name(n.Ref)
		d.name(n.Recursive)
		d.name(n.Dynamic)
		for _, target := range d.targets[n] {
			d.name(target)
		}
	}
	return d, nil
}

// name gives a schema its place below definitions, unless it is the root of a
// resource, which needs none.
func (d *documents) name(n *refs.Node) {
	if n == nil || n.Pointer == "" || d.names[n] != "" {
		return
	}
	d.names[n] = strconv.Itoa(len(d.names))
	d.pending[n.Resource] = append(d.pending[n.Resource], n)
}

// url is where the engine finds the resource.
func (d *documents) url(r *refs.Resource) string { return baseURL + strconv.Itoa(d.numbers[r]) }

// location is where the engine finds a schema that is a root or has a name.
func (d *documents) location(n *refs.Node) string {
	if n.Pointer == "" {
		return d.url(n.Resource)
	}
	return d.url(n.Resource) + "#/" + definitions + "/" + d.names[n]
}

// each writes the documents, one after the other.
func (d *documents) each(yield func(url string, document any) error) error {
	for _, r := range d.resources {
		if err := yield(d.url(r), d.document(r)); err != nil {
			return err
		}
	}
	return nil
}

func (d *documents) document(r *refs.Resource) any {
	object := map[string]any{}
	if root := r.Root; root != nil {
		if root.Object == nil {
			return root.Bool // and there is nothing below it
		}
		object = d.object(root, 0)
	}
	object["$schema"] = r.Dialect.URI()
	if r.RecursiveAnchor {
		object["$recursiveAnchor"] = true
	}
	named := make(map[string]any)
	for len(d.pending[r]) > 0 { // writing one may put another there
		n := d.pending[r][0]
		d.pending[r] = d.pending[r][1:]
		named[d.names[n]] = d.schema(n, 0)
	}
	if len(named) > 0 {
		object[definitions] = named
	}
	return object
}

// child writes a subschema for the place where it stands.
func (d *documents) child(parent, n *refs.Node, depth int) any {
	if n.Object != nil && depth >= maxInline {
		d.name(n)
	}
	if n.Object != nil && (n.Resource != parent.Resource || d.names[n] != "") {
		return map[string]any{"$ref": d.location(n)}
	}
	return d.schema(n, depth)
}

func (d *documents) schema(n *refs.Node, depth int) any {
	if n.Object == nil {
		return n.Bool
	}
	return d.object(n, depth)
}

func (d *documents) object(n *refs.Node, depth int) map[string]any {
	if n.IgnoresSiblings() {
		return map[string]any{"$ref": d.location(n.Ref)}
	}
	object := make(map[string]any, len(n.Object))
	for keyword, value := range n.Object {
		if d.keeps(n, keyword) {
			object[keyword] = value
		}
	}
	// The engine reads a count from 2^63 on as another number.
	normalise.Counts(&normalise.Subschema{Node: n, Keywords: object})
	for keyword, child := range n.One {
		d.put(object, keyword, func() any { return d.child(n, child, depth+1) })
	}
	for keyword, list := range n.List {
		d.put(object, keyword, func() any {
			schemas := make([]any, len(list))
			for i, child := range list {
				schemas[i] = d.child(n, child, depth+1)
			}
			return schemas
		})
	}
	for keyword, members := range n.Named {
		d.put(object, keyword, func() any {
			// Beside schemas, dependencies has arrays of names.
			original, _ := n.Object[keyword].(map[string]any)
			schemas := maps.Clone(original)
			for _, name := range slices.Sorted(maps.Keys(members)) {
				schemas[name] = d.child(n, members[name], depth+1)
			}
			return schemas
		})
	}
	d.references(n, object)
	return object
}

// put replaces the value of a keyword that is kept.
func (d *documents) put(object map[string]any, keyword string, value func() any) {
	if _, kept := object[keyword]; kept {
		object[keyword] = value()
	}
}

// keeps reports whether a keyword can decide a verdict. Those of the core
// vocabulary are written anew.
func (d *documents) keeps(n *refs.Node, keyword string) bool {
	known, ok := schemawalk.Lookup(n.Resource.Dialect, keyword)
	if !ok || known.Reserved || !n.Resource.Vocabularies.Has(known.Vocabulary) {
		return false
	}
	switch known.Vocabulary {
	case schemawalk.Core, schemawalk.MetaData:
		return false
	case schemawalk.Format:
		asserts := d.options.Format == proviso.FormatAssert || n.Resource.Vocabularies.FormatAssertion
		d.assertsFormat = d.assertsFormat || asserts
		return asserts
	case schemawalk.Content:
		// The engine takes what is encoded in a way that it does not know for not
		// encoded at all.
		encoding, encoded := n.Object["contentEncoding"]
		return d.options.AssertContent && (!encoded || encoding == "base64")
	}
	return true
}

// references writes the references of a schema, and the anchors that dynamic
// ones look for.
func (d *documents) references(n *refs.Node, object map[string]any) {
	if n.Ref != nil {
		object["$ref"] = d.location(n.Ref)
	}
	switch targets := d.targets[n]; {
	case len(targets) == 0:
	case len(targets) == 1:
		// As good as a $ref, and the engine does not go wrong about those.
		reference := d.location(targets[0])
		if n.Ref == nil {
			object["$ref"] = reference
			break
		}
		all, _ := object["allOf"].([]any)
		object["allOf"] = append([]any{map[string]any{"$ref": reference}}, all...)
	case n.Recursive != nil:
		object["$recursiveRef"] = d.location(n.Recursive)
	default:
		object["$dynamicRef"] = d.url(n.Dynamic.Resource) + "#" + n.DynamicName
	}
	for name, anchored := range n.Resource.DynamicAnchors {
		if anchored == n {
			object["$dynamicAnchor"] = name
		}
	}
}
