// Package standard is the stack that most programs want, in one call: a memo
// over a router over the tekuri engine, for every dialect.
package standard
