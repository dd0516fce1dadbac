// Package memo compiles each schema content once, and keeps what it compiled
// within bounds.
//
// The content is the key: the order of members, white space and the escapes of
// strings do not matter, the spelling of numbers does. A hash finds an entry, and
// a comparison of the whole content decides; a hash alone never does. Text that
// was seen before is found without decoding it, and a decoded map without marshalling it. What
// a Memo keeps is its own: the caller may change its text or map afterwards, and
// the next request with it is judged by what it is then.
//
// Requests for one content that come together share one compilation. A caller
// whose context ends leaves at once; the others still get their validator, and
// when the last one has left, the compilation's own context ends.
//
// Compilation errors that will come again (a schema that is not valid, one that
// the engine refuses) are remembered like validators; those that may pass (a
// Loader's, a context's, an engine's failure) are not.
//
// Entries are bounded by number and by estimated bytes, and a policy (W-TinyLFU,
// by github.com/maypok86/otter) decides which stay. A validator that was pushed out while
// somebody holds it is found again through a weak pointer, not compiled twice.
//
// # When not to use it
//
// A program that compiles a fixed set of schemas at its start, and keeps the
// validators, gains nothing. A program whose schemas are all different gains
// nothing either, and pays for a hash and a copy of each.
package memo
