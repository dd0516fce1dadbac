// Package reference evaluates schemas by the book, over the graph of the
// original schema: not fast, but exact, bounded, and with every reason why an
// instance is invalid. Providers ask it to explain what an engine has judged
// invalid, and to check schemas by their meta-schemas.
package reference
