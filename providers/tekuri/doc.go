// Package tekuri is a proviso.Provider over the engine
// github.com/santhosh-tekuri/jsonschema/v6, for all dialects.
//
// The engine never sees a caller's schema. It gets documents of our own, made from
// the resolved schema: a document for each schema resource, with the keywords that
// can decide a verdict and with references that say exactly where they lead.
// So it has nothing to load, no identifier to confuse with another, and no
// pattern or format of an unused part to stumble over. Each compilation has a
// compiler of its own, which is dropped with it.
//
// # What is refused
//
// A *proviso.UnsupportedError stands for the few schemas that the engine would
// judge wrongly. All of them have a $recursiveRef or a $dynamicRef whose target
// depends on the way that evaluation takes, and one of these:
//
//   - it is reached through propertyNames (or contentSchema, where content
//     asserts), from where on the engine forgets which way it came;
//   - it is a $recursiveRef, and a resource with "$recursiveAnchor": true is
//     entered below its root, which the engine takes for the root.
//
// Patterns that Go's regexp cannot express are refused under
// proviso.RegexpLinear, and have a bound on the time of each match otherwise.
package tekuri
