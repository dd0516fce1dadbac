package memo

import (
	"fmt"
	"math"
)

// Options bound a Memo and watch it. The zero value and nil are safe.
type Options struct {
	// MaxEntries bounds how many schemas are kept; 0 stands for
	// DefaultMaxEntries.
	MaxEntries int
	// MaxBytes bounds the estimated size of all that is kept: documents, compiled
	// validators, remembered errors, and the texts by which they are found again. 0
	// stands for DefaultMaxBytes.
	MaxBytes int64
	// Observer, if set, is told of each event, on the goroutine that caused it and
	// with no lock held. It may be called concurrently, and every request waits for it.
	Observer func(Event)
}

// The default bounds: room for the schemas of a large catalogue, in a memory
// that no server notices.
const (
	DefaultMaxEntries = 10_000
	DefaultMaxBytes   = 64 << 20
)

// textShare is the part of MaxBytes that is set aside for texts: one quarter.
const textShare = 4

func (o *Options) checked() (Options, error) {
	c := Options{}
	if o != nil {
		c = *o
	}
	if c.MaxEntries == 0 {
		c.MaxEntries = DefaultMaxEntries
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	if c.MaxEntries < 0 {
		return c, fmt.Errorf("memo: MaxEntries is %d; it must be positive, or 0 for the default", c.MaxEntries)
	}
	if c.MaxBytes < 0 {
		return c, fmt.Errorf("memo: MaxBytes is %d; it must be positive, or 0 for the default", c.MaxBytes)
	}
	return c, nil
}

// weight makes one number of both bounds for a policy that knows but one: an
// entry weighs its bytes, and at least what leaves room for MaxEntries. Small
// schemas are bounded by their number and large ones by their size, never beyond
// either bound.
func weight(bytes, maxBytes int64, maxEntries int) uint32 {
	least := (maxBytes + int64(maxEntries) - 1) / int64(maxEntries)
	return uint32(min(max(bytes, least), math.MaxUint32))
}
