// Package proviso puts one small interface in front of every JSON Schema
// engine for Go, and makes it safe to call for ever.
//
// A [Provider] turns a [Schema] into a [Validator]; a Validator judges
// instances. Engines live in providers/..., and everything else (memo,
// dialect, standard) wraps a Provider and is one itself, as http.Handler
// and its middleware are. The package holds this shared vocabulary and imports
// none of the others.
//
// # The contract
//
// Every Provider and every Validator keeps these promises; the conformance
// package tests them.
//
//   - Concurrency: any number of goroutines may call Provider.Validator and
//     Validator.Validate at once.
//   - Arguments: a schema is neither kept nor changed, so changing it after the
//     call changes no validator that was handed out. An instance is neither kept
//     nor changed.
//   - Result: equal content gives validators of equal verdicts; different content
//     never shares one, even under the same $id. The same instance gets the
//     same verdict and the same errors in the same order, for ever, whatever else
//     the process validates.
//   - Retention: when the caller drops a validator and the provider holds no
//     bound that keeps it, all that was compiled for it is garbage. Nothing is
//     kept after Validate returns.
//   - Errors: Provider.Validator returns nil or one of the typed errors of this
//     package (or the context's error). Validator.Validate returns nil for
//     valid, a [*ValidationError] for invalid, and anything else means that the
//     verdict is unknown. Neither ever panics.
//   - I/O: no network and no file access, unless a [Loader] was given; none at
//     all in Validate.
package proviso
