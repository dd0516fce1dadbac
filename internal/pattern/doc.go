// Package pattern matches the regular expressions of schemas, which are
// ECMA-262 with the u flag (2020-12 Core, section 6.4), by Go's regexp: linear in
// time, but of another syntax and, for the same syntax, sometimes of another
// meaning. Expressions are translated; what Go cannot express (lookaround,
// backreferences) goes, where that is allowed, to regexp2, which backtracks, with
// a bound on its time. That one is given the same sets of characters, range by
// range, so that an expression means the same to both.
package pattern
