// Package qri provides validators by github.com/qri-io/jsonschema, for
// 2019-09, and for draft-07 by way of it.
//
// The engine has one registry of schemas for the whole process, which it writes
// while it validates. No schema from here reaches it: what the engine gets has no
// identifiers, and references only within itself. The engine also resolves those
// while it validates, so that each goroutine uses a parsed schema of its own,
// taken from those that are idle.
//
// The engine computes with float64; numbers that it cannot represent are
// refused in the schema and undecided in the instance. It refuses what it would get
// wrong: unevaluatedItems and unevaluatedProperties, additionalItems that is a
// schema, multipleOf of fractions, and $recursiveRef whose target depends on the
// way that evaluation takes.
package qri
