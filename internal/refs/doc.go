// Package refs resolves what a schema refers to: identifiers, anchors,
// $ref, $recursiveRef and $dynamicRef, through documents that the caller gave
// or a Loader fetched, into a graph of subschemas.
package refs
