package memo

import (
	"context"
	"errors"

	"github.com/proviso-go/proviso"
)

// rememberable reports whether an error will come again for the same content.
// Those of a Loader and of a context may pass, as may one for want of time; an
// engine that failed has promised nothing; and of an error of another type nobody knows.
// The error itself must be of a known type, since only those can be copied.
func rememberable(err error) bool {
	if _, ok := errors.AsType[*proviso.LoadError](err); ok {
		return false
	}
	if _, ok := errors.AsType[*proviso.EngineError](err); ok {
		return false
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if limit, ok := errors.AsType[*proviso.LimitError](err); ok && limit.Limit == proviso.LimitPatternTime {
		return false
	}
	switch err.(type) {
	case *proviso.SchemaError, *proviso.UnsupportedError, *proviso.LimitError:
		return true
	}
	return false
}

// privateError returns a copy of an error that the caller may change without
// changing what others get. Causes of types that this module does not define
// are shared, and so are errors that are not remembered: those who waited for
// one compilation get the same one.
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
		c.Err = privateError(e.Err)
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

// errorSize estimates the heap that an error takes, with its causes.
func errorSize(err error) int64 {
	const each = 256
	size := int64(each)
	switch e := err.(type) {
	case nil:
		return 0
	case *proviso.SchemaError:
		size += int64(len(e.URI)+len(e.Location)+len(e.Reason)) + errorSize(e.Err)
	case *proviso.ValidationError:
		for _, u := range e.Units {
			size += 5*16 + int64(len(u.InstanceLocation)+len(u.KeywordLocation)+len(u.AbsoluteKeywordLocation)+len(u.Message))
		}
	case *proviso.DecodeError:
		size += int64(len(e.Location)+len(e.Reason)) + errorSize(e.Err)
	case *proviso.UnsupportedError:
		size += int64(len(e.URI) + len(e.Location) + len(e.Reason))
	case *proviso.LimitError:
		size += int64(len(e.URI) + len(e.Location) + len(e.Reason))
	}
	return size
}
