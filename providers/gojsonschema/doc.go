// Package gojsonschema provides validators by github.com/xeipuuv/gojsonschema,
// for draft-04, draft-06 and draft-07.
//
// The engine gets a schema rewritten to what it can be trusted with: references
// made local, formats and annotations dropped, numbers that it would misread
// spelled anew. Nothing is loaded while it compiles. The values of const, enum
// and uniqueItems are compared with float64; a number that float64 cannot
// represent is refused in the schema and undecided in the instance. Formats and contents
// are never asserted: a schema that would need it is refused.
package gojsonschema
