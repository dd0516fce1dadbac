package proviso

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A Schema is what a caller has in hand: a JSON text or a Go value, not looked
// at yet. It is small and is passed by value. It refers to the caller's text
// or value, and is meant to last as long as the call that it is passed to; a
// [Document] lasts.
type Schema struct {
	text  []byte
	value any
	doc   *Document
	kind  schemaKind
}

type schemaKind uint8

const (
	noSchema schemaKind = iota
	textSchema
	valueSchema
	documentSchema
)

// JSON is the schema that text holds.
func JSON(text []byte) Schema { return Schema{text: text, kind: textSchema} }

// Value is the schema that v stands for: a map[string]any or a bool as decoded
// from JSON, or any value that encoding/json marshals to an object or a boolean.
func Value(v any) Schema { return Schema{value: v, kind: valueSchema} }

// Text returns the schema's JSON text if it was made by [JSON]. The caller of
// Text must not change it.
func (s Schema) Text() ([]byte, bool) { return s.text, s.kind == textSchema }

// Value returns the Go value if the schema was made by [Value]. The caller of
// Value must not change it.
func (s Schema) Value() (any, bool) { return s.value, s.kind == valueSchema }

// Document returns the schema's content, decoded strictly (see [Decode]) and
// shared with nobody: a later change of the text or the value does not show.
//
// The error is a *SchemaError for a text that is not JSON, a Go value that is
// cyclic or has no JSON form, and JSON that is neither an object nor a boolean;
// a *LimitError for a text beyond [MaxDepth].
func (s Schema) Document() (*Document, error) {
	switch s.kind {
	case documentSchema:
		return s.doc, nil
	case textSchema:
		root, err := Decode(s.text)
		if decode, ok := errors.AsType[*DecodeError](err); ok {
			return nil, &SchemaError{Location: decode.Location, Reason: decode.Error(), Err: decode}
		}
		if err != nil {
			return nil, err
		}
		return newDocument(root)
	case valueSchema:
		root, err := copyTree(s.value)
		if err != nil {
			return nil, valueError(err)
		}
		return newDocument(root)
	}
	return nil, &SchemaError{Reason: "no schema was given: the zero value of Schema"}
}

func valueError(err error) error {
	e := &SchemaError{Reason: err.Error(), Err: err}
	if limit, ok := errors.AsType[*LimitError](err); ok {
		e.Location = limit.Location
	} else if decode, ok := errors.AsType[*DecodeError](err); ok {
		e.Location = decode.Location
	}
	return e
}

// A Document is the content of a schema: strictly decoded, immutable, and safe
// for concurrent use.
type Document struct{ root any }

func newDocument(root any) (*Document, error) {
	switch root.(type) {
	case map[string]any, bool:
		return &Document{root: root}, nil
	}
	return nil, &SchemaError{Reason: fmt.Sprintf("a schema is an object or a boolean, not %s", typeName(root))}
}

// typeName is the JSON type of a decoded value, with its article.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}

// Schema returns the document as a Schema, to hand on to another Provider that
// will not have to decode it again.
func (d *Document) Schema() Schema { return Schema{doc: d, kind: documentSchema} }

// Tree returns the content, as [Decode] makes it: a map[string]any or a bool
// at the root. It is the document itself, not a copy: read it, never change it,
// and hand it to no engine that might. See [Document.Copy].
func (d *Document) Tree() any { return d.root }

// Copy returns a deep copy of the content, to keep and to change.
func (d *Document) Copy() any { return deepCopy(d.root) }

func deepCopy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = deepCopy(member)
		}
		return object
	case []any:
		array := make([]any, len(v))
		for i, element := range v {
			array[i] = deepCopy(element)
		}
		return array
	}
	return v
}

// MarshalJSON writes the content with sorted member names, no white space, and
// numbers as they were spelled.
func (d *Document) MarshalJSON() ([]byte, error) { return json.Marshal(d.root) }

// SchemaKeyword returns the value of $schema at the root, or "" if there is
// none. One that is not a string is a *SchemaError.
func (d *Document) SchemaKeyword() (string, error) {
	root, ok := d.root.(map[string]any)
	if !ok {
		return "", nil
	}
	value, ok := root["$schema"]
	if !ok {
		return "", nil
	}
	uri, ok := value.(string)
	if !ok {
		return "", &SchemaError{Location: "/$schema", Keyword: "$schema", Reason: "must be a string, not " + typeName(value)}
	}
	return uri, nil
}

// maxMetaSchemas bounds the chain of $schema from meta-schema to meta-schema.
const maxMetaSchemas = 16

// Dialect returns the document's dialect: the one that $schema names, by any
// of its spellings (see [DialectOf]); without $schema, options.DefaultDialect. A
// $schema that names a document of options.Resources has the dialect of that
// document, so that a custom meta-schema of a known dialect works. Options may be
// nil.
//
// Any other $schema is an *UnsupportedError that lists what is known.
func (d *Document) Dialect(options *EngineOptions) (Dialect, error) {
	def := DefaultDialect
	var resources map[string]*Document
	if options != nil {
		if options.DefaultDialect.Known() {
			def = options.DefaultDialect
		}
		resources = options.Resources
	}
	doc, first := d, ""
	for range maxMetaSchemas {
		uri, err := doc.SchemaKeyword()
		if err != nil {
			return 0, err
		}
		if uri == "" {
			if doc != d {
				// A meta-schema that names no meta-schema of its own.
				return 0, unknownDialect(first, resources)
			}
			return def, nil
		}
		if first == "" {
			first = uri
		}
		if dialect, ok := DialectOf(uri); ok {
			return dialect, nil
		}
		meta, ok := options.Resource(uri)
		if !ok {
			return 0, unknownDialect(first, resources)
		}
		doc = meta
	}
	return 0, unknownDialect(first, resources)
}

func unknownDialect(uri string, resources map[string]*Document) error {
	reason := fmt.Sprintf("unknown dialect %q; known are %s", uri, dialectNames())
	if len(resources) > 0 {
		reason += fmt.Sprintf(", and the resources %q as far as their own $schema is known", slices.Sorted(maps.Keys(resources)))
	}
	return &UnsupportedError{Keyword: "$schema", Location: "/$schema", Reason: reason}
}
