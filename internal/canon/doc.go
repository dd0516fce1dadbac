// Package canon hashes and compares the content of schemas, as texts and as
// decoded values, without marshalling and without allocating.
//
// What counts as equal is what proviso.Schema.Document makes of it: the order
// of members and the way a string is escaped do not matter, the spelling of a number
// does. A Go number is spelled as encoding/json spells it.
//
// Hashes are keyed by a seed that is drawn anew for each Hasher (hash/maphash),
// so that no one can prepare schemas whose hashes collide.
package canon
