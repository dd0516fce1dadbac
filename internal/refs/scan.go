package refs

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// document is one loaded document: the schema that was given, or one that it
// refers to.
type document struct {
	uri  string // where it was loaded from; "" for the schema that was given
	root any
	// resources are the schema resources within it by the pointer of their root;
	// the document's root is always one.
	resources map[string]*Resource
	nodes     map[string]*Node
}

// resource is what a Resource needs while the graph is being built.
type resource struct {
	Resource
	document *document
	pointer  string // of its root within the document
	base     *url.URL
	anchors  map[string]string // plain-name fragment -> pointer within the document
	dynamic  map[string]string // the $dynamicAnchor among them
}

// addDocument scans a document for identifiers and registers its resources.
func (l *loading) addDocument(uri string, doc *proviso.Document, fallback proviso.Dialect) (*document, error) {
	d := &document{uri: uri, root: doc.Tree(), resources: make(map[string]*Resource), nodes: make(map[string]*Node)}
	base := &url.URL{}
	if uri != "" {
		var err error
		if base, err = url.Parse(uri); err != nil {
			return nil, &proviso.SchemaError{URI: uri, Reason: err.Error(), Err: err}
		}
	}
	dialect, vocabularies, err := l.dialectOf(d.root, uri, "", fallback)
	if err != nil {
		return nil, err
	}
	root := l.newResource(d, "", base, dialect, vocabularies)
	if err := l.scan(d, d.root, "", root); err != nil {
		return nil, err
	}
	l.graph.Documents[uri] = doc
	l.graph.Dialects[uri] = dialect
	return d, nil
}

func (l *loading) newResource(d *document, pointer string, base *url.URL, dialect proviso.Dialect, v Vocabularies) *resource {
	r := &resource{
		Resource: Resource{URI: base.String(), Dialect: dialect, Vocabularies: v},
		document: d, pointer: pointer, base: base,
	}
	l.details[&r.Resource] = r
	d.resources[pointer] = &r.Resource
	l.register(r.URI, r)
	return r
}

// register makes a resource known by a URI; the first to have it keeps it.
func (l *loading) register(uri string, r *resource) {
	if _, taken := l.byURI[uri]; !taken && uri != "" {
		l.byURI[uri] = r
	}
}

// scan registers the identifiers and anchors of the schema value, which stands
// at pointer within resource r, and of all schemas below it.
func (l *loading) scan(d *document, value any, pointer string, r *resource) error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	r, err := l.scanIdentifiers(d, object, pointer, r)
	if err != nil {
		return err
	}
	_, isRef := object["$ref"].(string)
	ignored := isRef && schemawalk.RefIgnoresSiblings(r.Dialect)
	schemawalk.Children(r.Dialect, object, func(c schemawalk.Child) {
		if err != nil || (ignored && !c.Keyword.Reserved) {
			return
		}
		err = l.scan(d, c.Value, pointer+c.Pointer, r)
	})
	return err
}

// scanIdentifiers returns the resource that the schema object belongs to, a new
// one if it has an identifier.
func (l *loading) scanIdentifiers(d *document, object map[string]any, pointer string, r *resource) (*resource, error) {
	if _, isRef := object["$ref"].(string); isRef && schemawalk.RefIgnoresSiblings(r.Dialect) {
		return r, nil // the identifier is ignored like everything else beside $ref
	}
	// A subschema may name another dialect, and with it another identifier keyword.
	dialect, vocabularies := r.Dialect, r.Vocabularies
	if pointer != r.pointer {
		var err error
		if dialect, vocabularies, err = l.embeddedDialect(object, d.uri, pointer, r); err != nil {
			return nil, err
		}
	}
	keyword := schemawalk.IDKeyword(dialect)
	if id, ok := object[keyword].(string); ok {
		base, anchor, err := resolveID(r.base, id)
		if err != nil {
			return nil, &proviso.SchemaError{URI: d.uri, Location: pointer + "/" + keyword, Keyword: keyword, Reason: err.Error(), Err: err}
		}
		// "#name" alone gives an anchor in draft-07 and earlier, not a new resource.
		if !strings.HasPrefix(id, "#") || dialect > proviso.Draft7 {
			if r, err = l.identify(d, pointer, r, base, dialect, vocabularies); err != nil {
				return nil, err
			}
		}
		if anchor != "" {
			if err := l.addAnchor(d, r, anchor, pointer, keyword, false); err != nil {
				return nil, err
			}
		}
	}
	if r.Dialect >= proviso.Draft201909 {
		if name, ok := object["$anchor"].(string); ok {
			if err := l.addAnchor(d, r, name, pointer, "$anchor", false); err != nil {
				return nil, err
			}
		}
	}
	if r.Dialect == proviso.Draft201909 && pointer == r.pointer {
		r.RecursiveAnchor, _ = object["$recursiveAnchor"].(bool)
	}
	if r.Dialect >= proviso.Draft202012 {
		if name, ok := object["$dynamicAnchor"].(string); ok {
			if err := l.addAnchor(d, r, name, pointer, "$dynamicAnchor", true); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// identify gives the schema at pointer the identifier base: the resource that
// it is the root of takes it, or it becomes the root of a new one.
func (l *loading) identify(d *document, pointer string, r *resource, base *url.URL, dialect proviso.Dialect, v Vocabularies) (*resource, error) {
	uri := base.String()
	if pointer == r.pointer {
		if uri != "" && uri != r.URI {
			r.base, r.URI = base, uri
			l.register(uri, r)
		}
		return r, nil
	}
	if other, taken := l.byURI[uri]; taken && other.document == d {
		keyword := schemawalk.IDKeyword(dialect)
		return nil, &proviso.SchemaError{
			URI: d.uri, Location: pointer + "/" + keyword, Keyword: keyword,
			Reason: fmt.Sprintf("the schema at %q has the same identifier %q", other.pointer, uri),
		}
	}
	return l.newResource(d, pointer, base, dialect, v), nil
}

// resolveID resolves an identifier against the base URI and splits off its
// fragment.
func resolveID(base *url.URL, id string) (*url.URL, string, error) {
	u, err := url.Parse(id)
	if err != nil {
		return nil, "", err
	}
	resolved := *resolve(base, u)
	anchor := resolved.Fragment
	resolved.Fragment, resolved.RawFragment = "", ""
	if strings.HasPrefix(anchor, "/") {
		anchor = "" // a JSON Pointer names no anchor
	}
	return &resolved, anchor, nil
}

// resolve is RFC 3986, section 5.2, also where the base is not hierarchical
// (urn:...) and u is only a fragment.
func resolve(base, u *url.URL) *url.URL {
	if u.Scheme == "" && u.Host == "" && u.Path == "" && u.RawQuery == "" && u.Opaque == "" {
		same := *base
		same.Fragment, same.RawFragment = u.Fragment, u.RawFragment
		return &same
	}
	if *base == (url.URL{}) {
		return u
	}
	return base.ResolveReference(u)
}

func (l *loading) addAnchor(d *document, r *resource, name, pointer, keyword string, dynamic bool) error {
	if r.anchors == nil {
		r.anchors = make(map[string]string)
	}
	if other, taken := r.anchors[name]; taken && other != pointer {
		return &proviso.SchemaError{
			URI: d.uri, Location: pointer + "/" + keyword, Keyword: keyword,
			Reason: fmt.Sprintf("the schema at %q has the same anchor %q", other, name),
		}
	}
	r.anchors[name] = pointer
	if dynamic {
		if r.dynamic == nil {
			r.dynamic = make(map[string]string)
		}
		r.dynamic[name] = pointer
	}
	return nil
}
