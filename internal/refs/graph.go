package refs

import "github.com/proviso-go/proviso"

// A Graph is a schema with all that it refers to, every reference resolved.
// It is immutable and safe for concurrent use. The documents under it are not
// copied.
type Graph struct {
	// Root is the schema itself.
	Root *Node
	// Nodes lists every subschema that evaluation or a reference can reach, each
	// once, Root first, in the order of discovery, which is the same every time.
	Nodes []*Node
	// Documents are those that the graph is made of, by the URI that each was
	// loaded by; "" is the schema itself.
	Documents map[string]*proviso.Document
	// Dialects are the dialects of the documents' roots.
	Dialects map[string]proviso.Dialect
	// Chain is the number of subschemas on the longest way from one to the next,
	// through references and in-place applicators, that consumes none of the
	// instance: how deeply an engine recurses for each level of it.
	Chain int

	reached []*Resource
}

// A Resource is a schema resource (2020-12 Core, section 4.3.5): a document's
// root or a subschema with an identifier of its own.
type Resource struct {
	// URI is the resource's canonical, absolute URI without a fragment, or "" for
	// a schema without $id.
	URI string
	// Dialect is the resource's own, which may differ from that of the root.
	Dialect proviso.Dialect
	// Vocabularies says which keywords of the dialect are in force.
	Vocabularies Vocabularies
	// Root is the resource's root.
	Root *Node
	// RecursiveAnchor says that the root has "$recursiveAnchor": true (2019-09).
	RecursiveAnchor bool
	// DynamicAnchors are the subschemas with $dynamicAnchor (2020-12), by name.
	DynamicAnchors map[string]*Node
}

// Vocabularies are those that a meta-schema of 2019-09 or later can leave
// out. All but FormatAssertion are in force where $schema names a dialect itself.
type Vocabularies struct {
	Applicator, Unevaluated, Validation, Content, FormatAssertion bool
}

// A Node is one schema or subschema. Only subschemas that take part in
// evaluation are in the maps: beside a $ref of draft-07 or earlier they are empty.
type Node struct {
	// Resource is the schema resource that the node belongs to.
	Resource *Resource
	// Pointer is the location within the resource, a JSON Pointer.
	Pointer string
	// Document and DocumentPointer say where the node stands: the URI under which
	// the document was loaded, "" for the schema that was given, and a JSON Pointer
	// from the document's root.
	Document        string
	DocumentPointer string
	// Object holds the keywords; nil for a boolean schema, whose value is Bool.
	Object map[string]any
	Bool   bool

	// One has the subschemas of keywords whose value is a schema (not, if,
	// additionalProperties, items, ...), List those whose value is an array of
	// schemas (allOf, prefixItems, array-form items, ...), Named those whose
	// value is an object of schemas (properties, dependentSchemas, the schemas among
	// dependencies, ...). $defs and definitions are in none: they take no part.
	One   map[string]*Node
	List  map[string][]*Node
	Named map[string]map[string]*Node

	// Ref is the target of $ref. Where it is set in draft-07 or earlier, every
	// other keyword is to be ignored.
	Ref *Node
	// Recursive is where $recursiveRef leads before the dynamic scope is looked at.
	Recursive *Node
	// Dynamic is where $dynamicRef leads before the dynamic scope is looked at, and
	// DynamicName the anchor to look for there, "" if the reference is to be
	// taken as it is.
	Dynamic     *Node
	DynamicName string
}

// IgnoresSiblings reports whether the keywords beside $ref are ignored, as in
// draft-07 and earlier.
func (n *Node) IgnoresSiblings() bool {
	return n.Ref != nil && n.Resource.Dialect <= proviso.Draft7
}

// Absolute returns the node's absolute location: the resource's URI with the
// pointer as its fragment.
func (n *Node) Absolute() string { return n.Resource.URI + "#" + n.Pointer }
