package memo

import "fmt"

// Options bound a Memo and watch it. The zero value and nil are safe.
type Options struct {
	// MaxEntries bounds how many schemas are kept; 0 stands for
	// DefaultMaxEntries.
	MaxEntries int
	// MaxBytes bounds the estimated size of all that is kept: contents, compiled
	// validators, remembered errors, and the texts by which they are found again. It is
	// rounded up to a multiple of MaxEntries. 0 stands for DefaultMaxBytes.
	MaxBytes int64
	// Observer, if set, is told of each event with no lock held: of a compilation on
	// the goroutine that it runs on, before its outcome is handed out, and of all else on that of
	// a request that caused it. It may be called concurrently, and requests wait
	// for it. It may call the Memo.
	Observer func(Event)
}

// The default bounds: room for the schemas of a large catalogue, in a memory
// that no server notices.
const (
	DefaultMaxEntries = 10_000
	DefaultMaxBytes   = 64 << 20
)

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
