package source_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

func lines(r io.Reader) (all []string) {
	source.Read("-", source.Lines, r, func(d source.Document) bool {
		text := string(d.Text)
		if d.Err != nil {
			text = "error"
		}
		all = append(all, strings.Repeat("+", d.Line)+text)
		return true
	})
	return all
}

// endless is a line that does not end before limit.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = ' '
	}
	e.left -= n
	return n, nil
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200_000)
	for input, want := range map[string][]string{
		"": nil, "\n\n": nil, "a": {"+a"}, "a\n": {"+a"}, "a\nb": {"+a", "++b"}, "a\r\n\n \t\nb\n": {"+a\r", "++++b"}, long + "\nb": {"+" + long, "++b"},
	} {
		if got := lines(strings.NewReader(input)); !reflect.DeepEqual(got, want) {
			t.Errorf("%.20q: %.60q; want %.60q", input, got, want)
		}
	}
	got := lines(io.MultiReader(strings.NewReader("a\n"), &endless{source.MaxBytes + 1}, strings.NewReader("\nb\n")))
	if !reflect.DeepEqual(got, []string{"+a", "++error", "+++b"}) {
		t.Errorf("a line that is too long: %.60q", got)
	}
	broken := io.MultiReader(strings.NewReader("a\n"), readerFunc(func([]byte) (int, error) { return 0, errors.New("broken") }))
	if got := lines(broken); !reflect.DeepEqual(got, []string{"+a", "++error"}) {
		t.Errorf("a reader that breaks: %q", got)
	}
	source.Read("-", source.JSON, &endless{source.MaxBytes + 1}, func(d source.Document) bool {
		if d.Err == nil {
			t.Error("an endless document is read")
		}
		return true
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestLocate(t *testing.T) {
	t.Parallel()
	const text = "\n {\"é\": [1,\n\t{\"a/b\" : [ ] , \"c\":\"x\"}], \"\": {\"\":null}, \"n\" :-1.5 }"
	for pointer, want := range map[string][2]int{
		"": {2, 2}, "/é": {2, 8}, "/é/0": {2, 9}, "/é/1": {3, 2}, "/é/1/a~1b": {3, 11}, "/é/1/c": {3, 21}, "/": {3, 32}, "//": {3, 36}, "/n": {3, 48},
	} {
		line, column, ok := source.Locate([]byte(text), pointer)
		if !ok || line != want[0] || column != want[1] {
			t.Errorf("%q: %d:%d, %v; want %v", pointer, line, column, ok, want)
		}
	}
	for _, nothing := range []string{"/x", "/é/2", "/é/01", "/é/-", "/n/0", "é", "/~2"} {
		if line, column, ok := source.Locate([]byte(text), nothing); ok {
			t.Errorf("%q is at %d:%d", nothing, line, column)
		}
	}
	for _, broken := range []string{"", "  ", "{", `{"a":`, "[1,"} {
		_, _, _ = source.Locate([]byte(broken), "/a")
		if _, _, ok := source.Locate([]byte(broken), ""); ok != (len(strings.TrimSpace(broken)) > 0) {
			t.Errorf("%q: the root is there: %v", broken, ok)
		}
	}
}
