// Package normalise rewrites a schema, with all that it refers to, into one
// that an engine can be trusted with: a single document whose references are all
// local, without identifiers, anchors, annotations and unknown keywords. What the
// engine cannot be trusted with is rewritten or refused by the engine's own
// rules, which live beside its adapter.
package normalise
