package refs

import (
	"fmt"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/schemawalk"
)

// standardVocabularies are in force where $schema names a dialect itself, or
// its meta-schema has no $vocabulary.
var standardVocabularies = Vocabularies{Applicator: true, Unevaluated: true, Validation: true, Content: true}

// maxMetaSchemas bounds the chain of $schema from meta-schema to meta-schema.
const maxMetaSchemas = 16

// embeddedDialect is the dialect of a subschema: its own if it is a resource
// of its own with a $schema, otherwise that of the resource it stands in. A
// $schema elsewhere means nothing.
func (l *loading) embeddedDialect(object map[string]any, uri, pointer string, r *resource) (proviso.Dialect, Vocabularies, error) {
	_, hasNew := object["$id"].(string)
	_, hasOld := object["id"].(string)
	if _, ok := object["$schema"].(string); !ok || (!hasNew && !hasOld) {
		return r.Dialect, r.Vocabularies, nil
	}
	dialect, vocabularies, err := l.dialectOf(object, uri, pointer, r.Dialect)
	if err != nil {
		return 0, Vocabularies{}, err
	}
	if _, ok := object[schemawalk.IDKeyword(dialect)].(string); !ok {
		return r.Dialect, r.Vocabularies, nil
	}
	return dialect, vocabularies, nil
}

// dialectOf returns what $schema in the schema value says, following custom
// meta-schemas to the dialect that they are written in.
func (l *loading) dialectOf(value any, uri, pointer string, fallback proviso.Dialect) (proviso.Dialect, Vocabularies, error) {
	object, _ := value.(map[string]any)
	name, ok := object["$schema"].(string)
	if !ok {
		return fallback, standardVocabularies, nil
	}
	if d, ok := proviso.DialectOf(name); ok {
		return d, standardVocabularies, nil
	}
	refuse := func(reason string) error {
		return &proviso.UnsupportedError{Keyword: "$schema", URI: uri, Location: pointer + "/$schema", Reason: reason}
	}
	meta := name
	vocabularies := standardVocabularies
	for i := range maxMetaSchemas {
		document, ok := l.options.Resources[strings.TrimSuffix(meta, "#")]
		if !ok {
			return 0, Vocabularies{}, refuse(fmt.Sprintf("unknown dialect %q: no resource and no known dialect has this URI", meta))
		}
		tree, _ := document.Tree().(map[string]any)
		next, _ := tree["$schema"].(string)
		d, known := proviso.DialectOf(next)
		if declared, ok := tree["$vocabulary"].(map[string]any); ok && i == 0 {
			var err error
			if vocabularies, err = declaredVocabularies(declared); err != nil {
				return 0, Vocabularies{}, refuse(err.Error())
			}
		}
		if known {
			if d < proviso.Draft201909 {
				vocabularies = standardVocabularies
			}
			return d, vocabularies, nil
		}
		meta = next
	}
	return 0, Vocabularies{}, refuse(fmt.Sprintf("the meta-schemas from %q on lead to no known dialect", name))
}

// declaredVocabularies reads $vocabulary (2020-12 Core, section 8.1.2).
func declaredVocabularies(declared map[string]any) (Vocabularies, error) {
	var v Vocabularies
	for uri, value := range declared {
		required, _ := value.(bool)
		name, ok := strings.CutPrefix(uri, "https://json-schema.org/draft/2020-12/vocab/")
		if !ok {
			name, ok = strings.CutPrefix(uri, "https://json-schema.org/draft/2019-09/vocab/")
			if ok && name == "applicator" {
				v.Unevaluated = true // it was part of applicator then
			}
		}
		switch {
		case ok && name == "applicator":
			v.Applicator = true
		case ok && name == "unevaluated":
			v.Unevaluated = true
		case ok && name == "validation":
			v.Validation = true
		case ok && name == "content":
			v.Content = true
		case ok && name == "format-assertion":
			v.FormatAssertion = true
		case ok && name == "format":
			v.FormatAssertion = required
		case ok && (name == "core" || name == "meta-data" || name == "format-annotation"):
		case required:
			return v, fmt.Errorf("the meta-schema requires the vocabulary %q, which is unknown", uri)
		}
	}
	return v, nil
}

// Has reports whether a vocabulary is in force. Core, annotations and format
// always are: FormatAssertion says what format means.
func (v Vocabularies) Has(vocabulary schemawalk.Vocabulary) bool {
	switch vocabulary {
	case schemawalk.Applicator:
		return v.Applicator
	case schemawalk.Unevaluated:
		return v.Unevaluated
	case schemawalk.Validation:
		return v.Validation
	case schemawalk.Content:
		return v.Content
	}
	return true
}
