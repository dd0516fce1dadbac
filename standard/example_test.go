package standard_test

import (
	"context"
	"fmt"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
	"github.com/proviso-go/proviso/standard"
)

func Example() {
	provider, err := standard.New(&standard.Options{
		Engine: &proviso.EngineOptions{DefaultDialect: proviso.Draft7, Format: proviso.FormatAssert},
		Memo:   &memo.Options{MaxEntries: 500},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 { // as often as you like: it is compiled once
		validator, err := provider.Validator(context.Background(), proviso.JSON([]byte(`{"format": "ipv4"}`)))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(validator.Validate("127.0.0.1"), "/", validator.Validate("localhost"))
	}
	stats := provider.Stats()
	fmt.Println(stats.Compilations, "compilation,", stats.Hits, "hits")
	// Output:
	// <nil> / invalid: at the root: format: want the format "ipv4"
	// <nil> / invalid: at the root: format: want the format "ipv4"
	// <nil> / invalid: at the root: format: want the format "ipv4"
	// 1 compilation, 2 hits
}
