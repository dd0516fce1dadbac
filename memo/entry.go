package memo

import (
	"bytes"
	"sync/atomic"
	"weak"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/canon"
)

// An entry is one content with what became of it: a validator, or the error
// that its compilation always gives. It is also the validator that is handed out:
// whoever holds it keeps the entry with all its keys from being collected, and so
// it can be found again after its eviction.
type entry struct {
	// hash is that of the content; or that of the text, for a text that has no
	// content because it cannot be decoded.
	hash    uint64
	content canon.Content
	decoded bool
	// outcome, written once before anybody else sees the entry
	validator proviso.Validator
	err       error
	size      int64 // estimate, without texts

	// texts are the spellings of the content that were seen; the slice is never
	// changed, but replaced under Memo.mu.
	texts     atomic.Pointer[[]*alias]
	textBytes atomic.Int64
	hand      int // where the search for a text to replace goes on; guarded by Memo.mu
	// touched is the period (Memo.period) in which the policy was last told that
	// the entry is in use.
	touched atomic.Uint64
	record  *record
}

// Validate implements proviso.Validator.
func (e *entry) Validate(instance any) error { return e.validator.Validate(instance) }

// bytes is the estimate with all texts.
func (e *entry) bytes() int64 { return e.size + e.textBytes.Load() }

// A record is what the indexes lead to. It holds the entry as long as the bounds
// keep it, and finds it after that as long as somebody else holds it.
type record struct {
	lease atomic.Pointer[lease]
	entry weak.Pointer[entry]
	hash  uint64
	// forgotten by Forget or Purge: it leads nowhere, and never will again.
	forgotten atomic.Bool
	texts     []uint64 // under which the index of texts has it; guarded by Memo.mu
}

// A lease is one admission of an entry to the policy; another follows when its
// size has changed or when it comes back.
type lease struct {
	entry *entry
	bytes int64
	texts int64
}

// find returns the record's entry, nil if there is none any more.
func (r *record) find() *entry {
	if l := r.lease.Load(); l != nil {
		return l.entry
	}
	if r.forgotten.Load() {
		return nil
	}
	return r.entry.Value()
}

// An alias is a text that leads to an entry without decoding.
type alias struct {
	hash uint64
	text []byte
	used atomic.Bool // since the search for a text to replace last passed
}

const (
	// maxTexts is how many spellings of one content are known. There are rarely
	// more than two, and whoever sends ever new ones gets them decoded.
	maxTexts = 8
	// aliasOverhead is the size of an alias beside its text.
	aliasOverhead = 112
	// entryOverhead is the size of an entry and all that leads to it.
	entryOverhead = 640
	// textAllowance is added to an entry's own size for the longest text that is
	// kept as an alias: one that is mostly white space is not.
	textAllowance = 1 << 10
)

// copyText returns the alias with a copy of the caller's text; nil if it is too
// long beside its content to be worth keeping, or if there is none.
func (e *entry) copyText(a *alias) *alias {
	if a == nil || int64(len(a.text)) > e.content.Size()+textAllowance {
		return nil
	}
	return &alias{hash: a.hash, text: bytes.Clone(a.text)}
}

// alias returns the alias with the text, nil if there is none.
func (e *entry) alias(hash uint64, text []byte) *alias {
	texts := e.texts.Load()
	if texts == nil {
		return nil
	}
	for _, a := range *texts {
		if a.hash == hash && string(a.text) == string(text) {
			return a
		}
	}
	return nil
}

// spell adds an alias, in the place of another one if there are too many, and
// returns that one's hash. Memo.mu is held.
func (e *entry) spell(a *alias) (replaced uint64, full bool) {
	var old []*alias
	if p := e.texts.Load(); p != nil {
		old = *p
	}
	texts := append(make([]*alias, 0, len(old)+1), old...)
	grow := int64(len(a.text)) + aliasOverhead
	if len(texts) < maxTexts {
		texts = append(texts, a)
	} else {
		// A text that was asked for since the hand last passed stays, so that a flood of
		// spellings does not push out those that are in use.
		for range texts {
			if !texts[e.hand].used.Swap(false) {
				break
			}
			e.hand = (e.hand + 1) % maxTexts
		}
		victim := texts[e.hand]
		replaced, full = victim.hash, true
		grow -= int64(len(victim.text)) + aliasOverhead
		texts[e.hand] = a
		e.hand = (e.hand + 1) % maxTexts
	}
	e.texts.Store(&texts)
	e.textBytes.Add(grow)
	return replaced, full
}

func newEntry(hash uint64, doc *proviso.Document) *entry {
	return &entry{hash: hash, content: canon.ContentOf(doc.Tree()), decoded: true}
}

// What engines make of a schema cannot be measured in a running program. These
// figures were fitted to the heap that the three engines of this module take for
// real and for made-up schemas from 80 bytes to 370 KB; with them the estimate is within
// a factor of 1.5 of what was measured for each.
const (
	compiledValue = 475
	compiledBase  = 2800
)

// settle writes the outcome, and the estimate with it.
func (e *entry) settle(validator proviso.Validator, err error) {
	e.validator, e.err = validator, err
	e.size = entryOverhead + e.content.Size()
	if err != nil {
		e.size += errorSize(err)
		return
	}
	values, text := e.content.Count()
	e.size += compiledBase + compiledValue*values + text
}
