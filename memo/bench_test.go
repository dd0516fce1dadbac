package memo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
)

// toolSchema is a schema like those of tool catalogues, with as many
// properties as make its text about size bytes long.
func toolSchema(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["property0"],"properties":{`)
	for i := 0; ; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"property%d":{"type":"string","description":"What it is for.","maxLength":%d}`, i, 100+i)
		if b.Len()+2 >= size {
			break
		}
	}
	b.WriteString("}}")
	return []byte(b.String())
}

var benchmarkSizes = []struct {
	name string
	size int
}{{"340B", 290}, {"4KB", 4 << 10}, {"100KB", 100 << 10}}

func warm(b *testing.B, schema proviso.Schema) *memo.Memo {
	b.Helper()
	m := newMemo(b, &fake{}, nil)
	// Others beside it, so that a look-up has something to find it among.
	for i := range 200 {
		if _, err := m.Validator(context.Background(), proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i))); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := m.Validator(context.Background(), schema); err != nil {
		b.Fatal(err)
	}
	return m
}

func ask(b *testing.B, m *memo.Memo, schema proviso.Schema) {
	if _, err := m.Validator(context.Background(), schema); err != nil {
		b.Error(err)
	}
}

// BenchmarkText is a hit by text; least is what no cache by content can do
// without: a hash of the text, a look-up and a comparison.
func BenchmarkText(b *testing.B) {
	for _, s := range benchmarkSizes {
		text := toolSchema(s.size)
		b.Run("least/"+s.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			seed := maphash.MakeSeed()
			kept := map[uint64][]byte{}
			for i := range 200 {
				other := fmt.Appendf(nil, `{"n":%d}`, i)
				kept[maphash.Bytes(seed, other)] = other
			}
			kept[maphash.Bytes(seed, text)] = bytes.Clone(text)
			for b.Loop() {
				if !bytes.Equal(kept[maphash.Bytes(seed, text)], text) {
					b.Fatal("not found")
				}
			}
		})
		b.Run("memo/"+s.name, func(b *testing.B) {
			m := warm(b, proviso.JSON(text))
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				ask(b, m, proviso.JSON(text))
			}
		})
	}
}

// BenchmarkValue is a hit by decoded value; marshal is the same through the
// value's JSON text.
func BenchmarkValue(b *testing.B) {
	for _, s := range benchmarkSizes {
		var value map[string]any
		if err := json.Unmarshal(toolSchema(s.size), &value); err != nil {
			b.Fatal(err)
		}
		b.Run("marshal/"+s.name, func(b *testing.B) {
			text, err := json.Marshal(value)
			if err != nil {
				b.Fatal(err)
			}
			m := warm(b, proviso.JSON(text))
			b.ReportAllocs()
			for b.Loop() {
				text, err := json.Marshal(value)
				if err != nil {
					b.Fatal(err)
				}
				ask(b, m, proviso.JSON(text))
			}
		})
		b.Run("memo/"+s.name, func(b *testing.B) {
			m := warm(b, proviso.Value(value))
			b.ReportAllocs()
			for b.Loop() {
				ask(b, m, proviso.Value(value))
			}
		})
	}
}

// BenchmarkParallel is hits from as many goroutines as -cpu says, on one
// schema and on several.
func BenchmarkParallel(b *testing.B) {
	for _, schemas := range []int{1, 64} {
		b.Run(fmt.Sprintf("text/%d", schemas), func(b *testing.B) {
			texts := make([][]byte, schemas)
			m := newMemo(b, &fake{}, nil)
			for i := range texts {
				texts[i] = toolSchema(290 + 10*i)
				texts[i] = append(texts[i], strings.Repeat(" ", i)...)
				ask(b, m, proviso.JSON(texts[i]))
			}
			b.ReportAllocs()
			b.RunParallel(func(p *testing.PB) {
				for i := 0; p.Next(); i++ {
					ask(b, m, proviso.JSON(texts[i%schemas]))
				}
			})
		})
	}
}
