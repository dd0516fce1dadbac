// Package schemawalk knows, for each dialect, which keywords there are and
// where subschemas live below them.
package schemawalk

import "github.com/proviso-go/proviso"

// Shape says how a keyword's value holds subschemas.
type Shape uint8

// The shapes.
const (
	// None: the value holds no subschema.
	None Shape = iota
	// One: the value is a schema.
	One
	// List: the value is an array of schemas.
	List
	// Named: the value is an object whose members are schemas.
	Named
	// OneOrList: the value is a schema or an array of schemas (items up to 2019-09).
	OneOrList
	// NamedOrNames: the value is an object whose members are schemas or arrays of
	// property names (dependencies).
	NamedOrNames
)

// Vocabulary is the part of a dialect that a keyword belongs to. Before 2019-09
// there were no vocabularies; keywords are then filed where they came to be.
type Vocabulary uint8

// The vocabularies.
const (
	Core Vocabulary = iota
	Applicator
	Unevaluated
	Validation
	Format
	Content
	MetaData
)

// Keyword describes one keyword in one dialect.
type Keyword struct {
	Shape      Shape
	Vocabulary Vocabulary
	// InPlace says that the subschemas are applied to the instance that the
	// keyword's own schema is applied to, and not to a part of it.
	InPlace bool
	// Reserved says that the subschemas take no part in evaluation unless
	// something refers to them ($defs, definitions).
	Reserved bool
}

// keywordSince is a keyword with the dialects that have it, both included.
type keywordSince struct {
	name        string
	first, last proviso.Dialect
	Keyword
}

const (
	oldest = proviso.Draft4
	newest = proviso.Draft202012
)

var keywords = []keywordSince{
	// Core.
	{"$schema", oldest, newest, Keyword{}},
	{"$ref", oldest, newest, Keyword{}},
	{"id", proviso.Draft4, proviso.Draft4, Keyword{}},
	{"$id", proviso.Draft6, newest, Keyword{}},
	{"$comment", proviso.Draft7, newest, Keyword{}},
	{"$anchor", proviso.Draft201909, newest, Keyword{}},
	{"$vocabulary", proviso.Draft201909, newest, Keyword{}},
	{"$recursiveRef", proviso.Draft201909, proviso.Draft201909, Keyword{}},
	{"$recursiveAnchor", proviso.Draft201909, proviso.Draft201909, Keyword{}},
	{"$dynamicRef", proviso.Draft202012, newest, Keyword{}},
	{"$dynamicAnchor", proviso.Draft202012, newest, Keyword{}},
	{"$defs", proviso.Draft201909, newest, Keyword{Shape: Named, Reserved: true}},
	// The meta-schemas of 2019-09 and 2020-12 keep definitions and dependencies.
	{"definitions", oldest, newest, Keyword{Shape: Named, Reserved: true}},

	// Applied in place.
	{"allOf", oldest, newest, Keyword{Shape: List, Vocabulary: Applicator, InPlace: true}},
	{"anyOf", oldest, newest, Keyword{Shape: List, Vocabulary: Applicator, InPlace: true}},
	{"oneOf", oldest, newest, Keyword{Shape: List, Vocabulary: Applicator, InPlace: true}},
	{"not", oldest, newest, Keyword{Shape: One, Vocabulary: Applicator, InPlace: true}},
	{"if", proviso.Draft7, newest, Keyword{Shape: One, Vocabulary: Applicator, InPlace: true}},
	{"then", proviso.Draft7, newest, Keyword{Shape: One, Vocabulary: Applicator, InPlace: true}},
	{"else", proviso.Draft7, newest, Keyword{Shape: One, Vocabulary: Applicator, InPlace: true}},
	{"dependencies", oldest, newest, Keyword{Shape: NamedOrNames, Vocabulary: Applicator, InPlace: true}},
	{"dependentSchemas", proviso.Draft201909, newest, Keyword{Shape: Named, Vocabulary: Applicator, InPlace: true}},

	// Applied to children.
	{"properties", oldest, newest, Keyword{Shape: Named, Vocabulary: Applicator}},
	{"patternProperties", oldest, newest, Keyword{Shape: Named, Vocabulary: Applicator}},
	{"additionalProperties", oldest, newest, Keyword{Shape: One, Vocabulary: Applicator}},
	{"propertyNames", proviso.Draft6, newest, Keyword{Shape: One, Vocabulary: Applicator}},
	{"items", oldest, proviso.Draft201909, Keyword{Shape: OneOrList, Vocabulary: Applicator}},
	{"items", proviso.Draft202012, newest, Keyword{Shape: One, Vocabulary: Applicator}},
	{"prefixItems", proviso.Draft202012, newest, Keyword{Shape: List, Vocabulary: Applicator}},
	{"additionalItems", oldest, proviso.Draft201909, Keyword{Shape: One, Vocabulary: Applicator}},
	{"contains", proviso.Draft6, newest, Keyword{Shape: One, Vocabulary: Applicator}},
	{"unevaluatedItems", proviso.Draft201909, newest, Keyword{Shape: One, Vocabulary: Unevaluated}},
	{"unevaluatedProperties", proviso.Draft201909, newest, Keyword{Shape: One, Vocabulary: Unevaluated}},

	// Assertions.
	{"type", oldest, newest, Keyword{Vocabulary: Validation}},
	{"enum", oldest, newest, Keyword{Vocabulary: Validation}},
	{"const", proviso.Draft6, newest, Keyword{Vocabulary: Validation}},
	{"multipleOf", oldest, newest, Keyword{Vocabulary: Validation}},
	{"maximum", oldest, newest, Keyword{Vocabulary: Validation}},
	{"exclusiveMaximum", oldest, newest, Keyword{Vocabulary: Validation}},
	{"minimum", oldest, newest, Keyword{Vocabulary: Validation}},
	{"exclusiveMinimum", oldest, newest, Keyword{Vocabulary: Validation}},
	{"maxLength", oldest, newest, Keyword{Vocabulary: Validation}},
	{"minLength", oldest, newest, Keyword{Vocabulary: Validation}},
	{"pattern", oldest, newest, Keyword{Vocabulary: Validation}},
	{"maxItems", oldest, newest, Keyword{Vocabulary: Validation}},
	{"minItems", oldest, newest, Keyword{Vocabulary: Validation}},
	{"uniqueItems", oldest, newest, Keyword{Vocabulary: Validation}},
	{"maxContains", proviso.Draft201909, newest, Keyword{Vocabulary: Validation}},
	{"minContains", proviso.Draft201909, newest, Keyword{Vocabulary: Validation}},
	{"maxProperties", oldest, newest, Keyword{Vocabulary: Validation}},
	{"minProperties", oldest, newest, Keyword{Vocabulary: Validation}},
	{"required", oldest, newest, Keyword{Vocabulary: Validation}},
	{"dependentRequired", proviso.Draft201909, newest, Keyword{Vocabulary: Validation}},
	{"format", oldest, newest, Keyword{Vocabulary: Format}},

	// Contents of strings.
	{"contentEncoding", proviso.Draft7, newest, Keyword{Vocabulary: Content}},
	{"contentMediaType", proviso.Draft7, newest, Keyword{Vocabulary: Content}},
	{"contentSchema", proviso.Draft201909, newest, Keyword{Shape: One, Vocabulary: Content}},

	// Annotations.
	{"title", oldest, newest, Keyword{Vocabulary: MetaData}},
	{"description", oldest, newest, Keyword{Vocabulary: MetaData}},
	{"default", oldest, newest, Keyword{Vocabulary: MetaData}},
	{"examples", proviso.Draft6, newest, Keyword{Vocabulary: MetaData}},
	{"readOnly", proviso.Draft7, newest, Keyword{Vocabulary: MetaData}},
	{"writeOnly", proviso.Draft7, newest, Keyword{Vocabulary: MetaData}},
	{"deprecated", proviso.Draft201909, newest, Keyword{Vocabulary: MetaData}},
}

var tables = func() (tables [newest + 1]map[string]Keyword) {
	for d := oldest; d <= newest; d++ {
		tables[d] = make(map[string]Keyword)
		for _, k := range keywords {
			if k.first <= d && d <= k.last {
				tables[d][k.name] = k.Keyword
			}
		}
	}
	return tables
}()

// Lookup returns what dialect d knows of a keyword, and whether it knows it.
func Lookup(d proviso.Dialect, keyword string) (Keyword, bool) {
	k, ok := tables[d][keyword]
	return k, ok
}

// IDKeyword is the keyword that gives a schema its identifier.
func IDKeyword(d proviso.Dialect) string {
	if d == proviso.Draft4 {
		return "id"
	}
	return "$id"
}

// RefIgnoresSiblings reports whether the dialect ignores every keyword beside
// $ref (draft-07 Core, section 8.3).
func RefIgnoresSiblings(d proviso.Dialect) bool { return d <= proviso.Draft7 }
