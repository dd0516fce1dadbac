// Package suite runs the official JSON Schema test suite through any
// proviso.Provider and holds it to one standard: right + refused = all, wrong = 0,
// with each refusal on a list that has to be needed.
//
// The suite is not part of this package; it is the folder with tests/ and
// remotes/ of https://github.com/json-schema-org/JSON-Schema-Test-Suite.
package suite
