package memo

import (
	"errors"
	"sync/atomic"
	"weak"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/canon"
)

// An entry is one content with what became of it: a validator, or the error
// that its compilation always gives. It is also the validator that is handed out, so that
// whoever holds it keeps the entry from being collected, and it can be found
// again after its eviction.
type entry struct {
	hash      uint64
	tree      any // the content; a document's own, never changed
	validator proviso.Validator
	err       error
	bytes     int64
	epoch     uint64
	forgotten atomic.Bool
	tracked   atomic.Bool // by held
}

// Validate implements proviso.Validator.
func (e *entry) Validate(instance any) error { return e.validator.Validate(instance) }

// The size of what engines make of a schema, as a multiple of its decoded size:
// measured over the providers, from a 100-byte schema to one of 400 KB.
const (
	compiledFactor = 4
	compiledBase   = 2 << 10
	errorBytes     = 1 << 10
)

func newEntry(hash uint64, doc *proviso.Document, epoch uint64) *entry {
	return &entry{hash: hash, tree: doc.Tree(), epoch: epoch}
}

// settle estimates the entry's size, once its outcome is known.
func (e *entry) settle() {
	size := canon.Size(e.tree)
	if e.err != nil {
		e.bytes = size + errorBytes
		return
	}
	e.bytes = size*(1+compiledFactor) + compiledBase
}

// An alias is a text that was seen, with the entry it led to or the error that
// decoding it gives. It holds the entry weakly: only the bounds and the callers keep
// an entry.
type alias struct {
	text  string
	entry weak.Pointer[entry]
	err   error
	epoch uint64
}

// aliasOverhead is the size of an alias beside its text.
const aliasOverhead = 160

// rememberable reports whether an error will come again for the same content:
// those of a Loader and of a context may pass, and an engine that failed has
// promised nothing.
func rememberable(err error) bool {
	if _, ok := errors.AsType[*proviso.LoadError](err); ok {
		return false
	}
	if _, ok := errors.AsType[*proviso.EngineError](err); ok {
		return false
	}
	if isContextError(err) {
		return false
	}
	if _, ok := errors.AsType[*proviso.SchemaError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*proviso.UnsupportedError](err); ok {
		return true
	}
	_, ok := errors.AsType[*proviso.LimitError](err)
	return ok
}

// privateError returns an error that the caller may change without changing
// what others get.
func privateError(err error) error {
	switch e := err.(type) {
	case *proviso.SchemaError:
		c := *e
		c.Err = privateError(e.Err)
		return &c
	case *proviso.ValidationError:
		c := *e
		c.Units = append([]proviso.Unit(nil), e.Units...)
		return &c
	case *proviso.DecodeError:
		c := *e
		return &c
	case *proviso.UnsupportedError:
		c := *e
		return &c
	case *proviso.LimitError:
		c := *e
		return &c
	}
	return err
}
