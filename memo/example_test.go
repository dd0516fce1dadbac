package memo_test

import (
	"context"
	"expvar"
	"fmt"
	"log"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
)

// engine stands for any provider.
type engine struct{}

func (engine) Validator(context.Context, proviso.Schema) (proviso.Validator, error) {
	fmt.Println("compiling")
	return anything{}, nil
}

type anything struct{}

func (anything) Validate(any) error { return nil }

func Example() {
	provider, err := memo.New(engine{}, &memo.Options{MaxEntries: 1000, MaxBytes: 16 << 20})
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{`{"type":"object","title":"t"}`, `{"title": "t", "type": "object"}`, `{"title": "\u0074", "type": "object"}`} {
		if _, err := provider.Validator(context.Background(), proviso.JSON([]byte(text))); err != nil {
			log.Fatal(err)
		}
	}
	s := provider.Stats()
	fmt.Println(s.Hits, "hits,", s.Misses, "miss,", s.Entries, "entry,", s.Texts, "texts")
	// Output:
	// compiling
	// 2 hits, 1 miss, 1 entry, 3 texts
}

func ExampleMemo_Stats() {
	provider, err := memo.New(engine{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	expvar.Publish("schemas", expvar.Func(func() any { return provider.Stats() }))
	fmt.Println(expvar.Get("schemas"))
	// Output:
	// {"Hits":0,"ErrorHits":0,"Misses":0,"Shared":0,"Compilations":0,"Errors":0,"CompileTime":0,"Evictions":0,"Revived":0,"Entries":0,"Texts":0,"Bytes":0}
}

func ExampleOptions_observer() {
	provider, err := memo.New(engine{}, &memo.Options{Observer: func(e memo.Event) {
		if e.Kind == memo.Compiled {
			fmt.Println(e.Kind, e.Err)
		}
	}})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := provider.Validator(context.Background(), proviso.Value(true)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// compiling
	// compiled <nil>
}
