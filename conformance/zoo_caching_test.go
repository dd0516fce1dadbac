package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
)

// cache is a cache as people write it: a map and a lock. The keys are what is
// wrong with it.
type cache struct {
	next proviso.Provider
	// key returns nil for what is not to be cached.
	key func(schema proviso.Schema, doc *proviso.Document) any
	// max, if not 0, is the number of entries at which all are dropped.
	max int

	mu      sync.Mutex
	entries map[any]proviso.Validator
}

func (c *cache) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	key := c.key(schema, doc)
	if key == nil {
		return c.next.Validator(ctx, schema)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.entries[key]; ok {
		return v, nil
	}
	v, err := c.next.Validator(ctx, schema)
	if err != nil {
		return nil, err
	}
	if c.entries == nil || (c.max > 0 && len(c.entries) >= c.max) {
		c.entries = make(map[any]proviso.Validator)
	}
	c.entries[key] = v
	return v, nil
}

// content is the honest key.
func content(_ proviso.Schema, doc *proviso.Document) any {
	text, _ := json.Marshal(doc)
	return string(text)
}

// identifier is the schema's own, or "".
func identifier(doc *proviso.Document) string {
	root, _ := doc.Tree().(map[string]any)
	for _, keyword := range []string{"$id", "id"} {
		if id, ok := root[keyword].(string); ok {
			return id
		}
	}
	return ""
}

// keyed is the species of a cache with a broken key.
func keyed(key func(proviso.Schema, *proviso.Document) any) func() func(testing.TB) proviso.Provider {
	return each(func(tb testing.TB) proviso.Provider { return &cache{next: engine(tb), key: key} })
}

// byIdentity is the key of an identity cache: where the caller's map lies. The
// entry does not keep the map, but the animals do, so that no other comes there.
func byIdentity(kept *sync.Map) func(proviso.Schema, *proviso.Document) any {
	return func(schema proviso.Schema, doc *proviso.Document) any {
		value, _ := schema.Value()
		if object, ok := value.(map[string]any); ok {
			pointer := reflect.ValueOf(object).Pointer()
			kept.Store(pointer, object)
			return pointer
		}
		return content(schema, doc)
	}
}

// forgetful drops all that is cached when a schema is bad.
type forgetful struct{ *memo.Memo }

func (f forgetful) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	v, err := f.Memo.Validator(ctx, schema)
	if err != nil {
		f.Purge()
	}
	return v, err
}

// twice looks the content up, and compiles it when it was not there then.
type twice struct {
	next    proviso.Provider
	mu      sync.Mutex
	entries map[any]proviso.Validator
}

func (c *twice) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	key := content(schema, doc)
	c.mu.Lock()
	v, ok := c.entries[key]
	c.mu.Unlock()
	if ok {
		return v, nil
	}
	time.Sleep(time.Millisecond)
	if v, err = c.next.Validator(ctx, schema); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = v
	return v, nil
}

func cachingZoo() []animal {
	return []animal{
		{
			name: "compiles each time", species: each(engine),
			caughtBy: []string{
				"caching/same-text", "caching/other-spelling", "caching/decoded-values", "caching/text-and-value", "caching/go-struct",
				"caching/equal-content-under-one-id", "caching/concurrent-requests", "caching/uncacheable-schemas", "caching/refreshes", "caching/held-validators",
			},
		},
		{
			name: "caches by the bytes of the text",
			species: keyed(func(schema proviso.Schema, _ *proviso.Document) any {
				if text, ok := schema.Text(); ok {
					return string(text)
				}
				return nil
			}),
			caughtBy: []string{"caching/other-spelling", "caching/decoded-values", "caching/text-and-value", "caching/go-struct", "caching/refreshes"},
		},
		{
			name: "caches texts and values apart",
			species: keyed(func(schema proviso.Schema, doc *proviso.Document) any {
				_, isText := schema.Text()
				return fmt.Sprint(isText, content(schema, doc))
			}),
			caughtBy: []string{"caching/text-and-value", "caching/go-struct"},
		},
		{
			name: "does not cache schemas with an identifier",
			species: keyed(func(schema proviso.Schema, doc *proviso.Document) any {
				if identifier(doc) != "" {
					return nil
				}
				return content(schema, doc)
			}),
			caughtBy: []string{"caching/equal-content-under-one-id"},
		},
		{
			name: "drops its cache when a schema is bad",
			species: each(func(tb testing.TB) proviso.Provider {
				m, err := memo.New(engine(tb), nil)
				if err != nil {
					tb.Fatal(err)
				}
				return forgetful{m}
			}),
			caughtBy: []string{"caching/uncacheable-schemas"},
		},
		{
			name: "compiles twice when two ask at once",
			wrap: func(inner proviso.Provider) (proviso.Provider, error) {
				return &twice{next: inner, entries: make(map[any]proviso.Validator)}, nil
			},
			caughtBy: []string{"caching/concurrent-requests", "wrapping/concurrent-misses"},
		},
		{
			name: "loses what somebody holds",
			species: each(func(tb testing.TB) proviso.Provider {
				return &cache{next: engine(tb), key: content, max: MinKeeps}
			}),
			caughtBy: []string{"caching/held-validators"},
		},
		{
			name: "has room for less than a catalogue",
			species: each(func(tb testing.TB) proviso.Provider {
				return &cache{next: engine(tb), key: content, max: 40}
			}),
			caughtBy: []string{"caching/refreshes"},
		},
	}
}

func stalenessZoo() []animal {
	return []animal{
		{
			name: "caches by identity",
			species: func() func(testing.TB) proviso.Provider {
				var kept sync.Map
				return func(tb testing.TB) proviso.Provider { return &cache{next: engine(tb), key: byIdentity(&kept)} }
			},
			caughtBy: []string{"staleness/changed-in-place", "staleness/changed-below", "staleness/changed-back", "caching/decoded-values"},
		},
		{
			// The obvious fix of the first report, in front of an engine as it was.
			name: "caches by content in front of an identity cache",
			species: func() func(testing.TB) proviso.Provider {
				var kept sync.Map
				return func(tb testing.TB) proviso.Provider {
					return &cache{next: &cache{next: engine(tb), key: byIdentity(&kept)}, key: content}
				}
			},
			caughtBy: []string{"staleness/no-poison-by-content", "staleness/changed-in-place", "staleness/changed-below", "staleness/changed-back"},
		},
		{
			name: "caches by the names in a schema",
			species: keyed(func(_ proviso.Schema, doc *proviso.Document) any {
				var names []string
				walk(doc.Tree(), func(object map[string]any) {
					shape := make(map[string]bool)
					for name := range object {
						shape[name] = true
					}
					names = append(names, fmt.Sprint(shape)) // sorted by fmt
				})
				return fmt.Sprint(names)
			}),
			caughtBy: []string{"staleness/changed-schema", "staleness/small-differences"},
		},
		{
			name: "caches by the beginning of a long text",
			species: keyed(func(schema proviso.Schema, doc *proviso.Document) any {
				return fmt.Sprintf("%.65536s", content(schema, doc))
			}),
			caughtBy: []string{"staleness/small-differences"},
		},
		{
			name: "caches without the numbers",
			species: keyed(func(_ proviso.Schema, doc *proviso.Document) any {
				return fmt.Sprint(withoutNumbers(doc.Tree()))
			}),
			caughtBy: []string{"staleness/small-differences"},
		},
		{
			name: "compiles when it validates",
			species: each(func(tb testing.TB) proviso.Provider {
				return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
					if _, err := next.Validator(ctx, schema); err != nil {
						return nil, err
					}
					return &late{next: next, schema: schema}, nil
				}})
			}),
			caughtBy: []string{"staleness/handed-out", "staleness/first-use-after-change", "staleness/reused-buffer", "retention/schemas-are-not-kept"},
		},
		{
			name: "compiles at the first use",
			species: each(func(tb testing.TB) proviso.Provider {
				return outside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
					if _, err := next.Validator(ctx, schema); err != nil {
						return nil, err
					}
					return &late{next: next, schema: schema, once: true}, nil
				}})
			}),
			caughtBy: []string{"staleness/first-use-after-change", "staleness/reused-buffer"},
		},
	}
}

func withoutNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return 0
	case map[string]any:
		object := make(map[string]any)
		for name, member := range v {
			object[name] = withoutNumbers(member)
		}
		return object
	case []any:
		array := make([]any, len(v))
		for i, element := range v {
			array[i] = withoutNumbers(element)
		}
		return array
	}
	return v
}

// late keeps the caller's schema and compiles it when it is used.
type late struct {
	next   proviso.Provider
	schema proviso.Schema
	once   bool

	mu       sync.Mutex
	compiled proviso.Validator
}

func (l *late) Validate(instance any) error {
	l.mu.Lock()
	v := l.compiled
	if v == nil {
		var err error
		if v, err = l.next.Validator(context.Background(), l.schema); err != nil {
			l.mu.Unlock()
			return err
		}
		if l.once {
			l.compiled = v
		}
	}
	l.mu.Unlock()
	return v.Validate(instance)
}
