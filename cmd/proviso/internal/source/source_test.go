package source_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

func lines(r io.Reader) []string { return linesWithin(r, source.MaxBytes) }

// linesWithin returns the documents of a file of JSON Lines, or why there is
// none, each with a + for every line up to it.
func linesWithin(r io.Reader, limit int) (all []string) {
	source.ReadWithin("-", source.Lines, r, limit, func(d source.Document) bool {
		text := string(d.Text)
		if d.Err != nil {
			text = d.Err.Error()
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
		"": nil, "\n\n": nil, "a": {"+a"}, "a\n": {"+a"}, "a\nb": {"+a", "++b"}, "a\r\n\n \t\nb\n": {"+a\r", "++++b"}, "\r\n\r\n": nil,
		"\u00a0\n\v\n\f\n\u0085": {"+\u00a0", "++\v", "+++\f", "++++\u0085"}, long + "\nb": {"+" + long, "++b"},
	} {
		if got := lines(strings.NewReader(input)); !reflect.DeepEqual(got, want) {
			t.Errorf("%.20q: %.60q; want %.60q", input, got, want)
		}
	}
	broken := io.MultiReader(strings.NewReader("a\n"), readerFunc(func([]byte) (int, error) { return 0, errors.New("broken") }))
	if got := lines(broken); !reflect.DeepEqual(got, []string{"+a", "++cannot be read: broken"}) {
		t.Errorf("a reader that breaks: %q", got)
	}
}

// TestBound reads within a bound that is smaller than the real one, at it and
// one beyond it.
func TestBound(t *testing.T) {
	t.Parallel()
	const limit = 100_000 // more than the reader's buffer
	long := strings.Repeat("x", limit)
	const refused = "is larger than 256 MiB"
	for input, want := range map[string][]string{
		long:                          {"+" + long},
		long + "\n":                   {"+" + long},
		long + "x":                    {"+" + refused},
		long + "x\nb\n":               {"+" + refused, "++b"},
		"a\n" + long + long + "\n\nb": {"+a", "++" + refused, "++++b"},
		long + "x\n" + long + "x\n":   {"+" + refused, "++" + refused},
	} {
		if got := linesWithin(strings.NewReader(input), limit); !reflect.DeepEqual(got, want) {
			t.Errorf("%d bytes: %.60q; want %.60q", len(input), got, want)
		}
	}
	for _, n := range []int{limit, limit + 1} {
		source.ReadWithin("-", source.JSON, &endless{n}, limit, func(d source.Document) bool {
			if (d.Err != nil) != (n > limit) || (d.Err == nil && len(d.Text) != n) {
				t.Errorf("%d bytes: %d read, %v", n, len(d.Text), d.Err)
			}
			return true
		})
	}
}

// TestStop stops in the middle.
func TestStop(t *testing.T) {
	t.Parallel()
	for _, input := range []string{"a\nb\nc", "a\nb\n"} {
		n := 0
		source.Read("-", source.Lines, strings.NewReader(input), func(source.Document) bool {
			n++
			return n < 2
		})
		if n != 2 {
			t.Errorf("%q: yield was called %d times after it returned false", input, n-2)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		dir:                            "is a directory; name the files in it, as in " + filepath.Join(dir, "*.json"),
		loop:                           "cannot be read: too many levels of symbolic links",
		filepath.Join(dir, "none"):     "cannot be read: no such file or directory",
		filepath.Join(loop, "a.jsonl"): "cannot be read: too many levels of symbolic links",
		"":                             "cannot be read: no such file or directory",
	} {
		if _, err := source.ReadOne(name, nil); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", name, err, want)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
