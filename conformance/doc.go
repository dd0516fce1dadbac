// Package conformance is the contract of proviso.Provider and
// proviso.Validator as a test suite, for any provider, from any module.
//
// Each case is one promise: a sentence that can be false, printed if it is. The
// groups are caching, staleness, isolation, concurrency, retention, errors, io
// and dialects, and, for a wrapper that memoises, wrapping. [Cases] lists them.
//
// Run it under the race detector. What a provider keeps is decided by weak
// pointers to what should be garbage, and by the size of the heap only where there
// is nothing to point to.
//
// A case that a provider cannot pass is skipped only with a reason, in
// [Options.Skip], that its author gives; the case is run all the same, and a reason
// for something that does not fail is itself a failure.
//
// The suite is tested by a zoo of providers that are broken on purpose, each in one
// way: every one of them is caught by the case that is meant for it, and every case
// catches some.
package conformance
