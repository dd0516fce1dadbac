package proviso_test

import (
	"reflect"
	"testing"

	"github.com/proviso-go/proviso"
)

func TestPointers(t *testing.T) {
	t.Parallel()
	// The document and the pointers of RFC 6901, section 5.
	root, err := proviso.Decode([]byte(`{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,"01":{"01":9}}`))
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/foo/0": "bar", "/": "0", "/a~1b": "1", "/c%d": "2", "/e^f": "3", "/g|h": "4", `/i\j`: "5", `/k"l`: "6", "/ ": "7", "/m~0n": "8", "/01/01": "9",
	} {
		got, ok := proviso.EvalPointer(root, pointer)
		if !ok || reflect.ValueOf(got).String() != want {
			t.Errorf("%q: %v, %v; want %s", pointer, got, ok, want)
		}
		tokens, err := proviso.PointerTokens(pointer)
		if err != nil {
			t.Fatal(err)
		}
		again := ""
		for _, token := range tokens {
			again = proviso.AppendPointer(again, token)
		}
		if again != pointer {
			t.Errorf("%q became %q", pointer, again)
		}
	}
	if got, ok := proviso.EvalPointer(root, ""); !ok || !reflect.DeepEqual(got, root) {
		t.Error("the empty pointer is not the root")
	}
	for _, nothing := range []string{"foo", "/foo/2", "/foo/-", "/foo/01", "/foo/-1", "/foo/1e0", "/foo/bar", "/nope", "/m~n", "/m~2n", "/foo/99999999999999999999"} {
		if got, ok := proviso.EvalPointer(root, nothing); ok {
			t.Errorf("%q: %v", nothing, got)
		}
	}
}
