// Package memo compiles each schema content once, and keeps what it compiled
// within bounds.
//
// The content is the key: the order of members, white space and the escapes of
// strings do not matter, the spelling of numbers does. A hash finds an entry, and
// a comparison of the whole content decides; a hash alone never does. Text that
// was seen before is found without decoding it, and a decoded map without marshalling
// it; neither allocates. Any other Go value is marshalled and looked up as text. What a
// Memo keeps is its own: the caller may change its text or map afterwards, and
// the next request with it is judged by what it is then.
//
// Requests for one content that come together share one compilation. A caller
// whose context ends leaves at once with the context's error; the others still get their
// validator, and when the last one has left, the compilation is cancelled. It
// runs on a context of its own, without the values of any caller's.
//
// Compilation errors that will come again (a schema that is not valid, one that
// the engine refuses) are remembered like validators, and each caller gets a copy; those
// that may pass (a Loader's, a context's, an engine's failure, a pattern that took too
// long) are not, nor are errors of types that package proviso does not define. A
// provider that panics is an *EngineError to all who wait.
//
// # Bounds
//
// Options bound the number of entries and their estimated bytes, at all times. Remembered errors
// and the texts by which an entry is found count with it. The policy (W-TinyLFU, by
// github.com/maypok86/otter) keeps what is asked for again, and is not impressed by a
// flood of schemas that are asked for once. It knows one weight: an entry weighs its
// bytes and at least MaxBytes/MaxEntries. Many small schemas are bounded by their
// number, and large ones take the place of several: for a mixture, size MaxBytes by the
// sum of what is to be kept, at about 40 times the length of the texts.
//
// A schema that alone is over the bound is compiled, handed out and not kept. A
// validator that was evicted while somebody holds it is found again, through a weak
// pointer, and not compiled twice; its memory is the holder's. When the last holder
// drops it, all of it is garbage, the keys too.
//
// # When not to use it
//
// A program that compiles a fixed set of schemas at its start, and keeps the
// validators, gains nothing. A program whose schemas are all different gains
// nothing either, and pays for a hash and a copy of each.
package memo
