package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/proviso-go/proviso/cmd/proviso/internal/leak"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"--help"}, {"help", "validate"}, {"validate", "--help"}, {"engines", "--help"}, {"leak", "--help"}, {"version", "--help"}} {
		if code, out, err := run("", args...); code != 0 || !strings.Contains(out, "Usage:") || err != "" {
			t.Errorf("%v: %d, %s, %s", args, code, out, err)
		}
	}
	for _, args := range [][]string{{"nonsense"}, {"engines", "x"}, {"leak", "--engine", "x"}, {"leak", "x"}, {"leak", "-o", "x"}, {"engines", "-o", "x"}, {"engines", "--json", "-o", "text"}, {"version", "x"}, {leak.Subcommand}, {leak.Subcommand, "x", "memo"}} {
		if code, _, err := run("", args...); code != 2 || !strings.HasPrefix(err, "proviso: ") || strings.Contains(err, "Usage:") {
			t.Errorf("%v: %d, %s", args, code, err)
		}
	}
}

// TestExamples runs the examples that the help shows, from the repository's root.
func TestExamples(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", ".."))
	want := []int{0, 1, 1, 1, 0}
	_, out, _ := run("", "help", "validate")
	_, out, _ = strings.Cut(out, "Examples:\n")
	out, _, _ = strings.Cut(out, "\n\n")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d examples; want %d", len(lines), len(want))
	}
	for i, line := range lines {
		line, input, _ := strings.Cut(line, " <")
		var stdin []byte
		if input != "" {
			var err error
			if stdin, err = os.ReadFile(input); err != nil {
				t.Fatal(err)
			}
		}
		if code, out, err := run(string(stdin), strings.Fields(line)[1:]...); code != want[i] {
			t.Errorf("%s: exit code %d; want %d\n%s%s", line, code, want[i], out, err)
		}
	}
}

// TestCompletion asks for a flag's values as a shell does.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for flag, value := range map[string]string{"--engine": "qri", "--output": "detailed", "--dialect": "draft-07", "--format": "assert", "--input": "jsonl"} {
		if _, out, _ := run("", "__complete", "validate", flag, ""); !strings.Contains(out, value+"\n") {
			t.Errorf("%s: no %s in %s", flag, value, out)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	if code, out, _ := run("", "version"); code != 0 || !strings.HasPrefix(out, "proviso ") || !strings.Contains(out, runtime.Version()) {
		t.Errorf("%d, %s", code, out)
	}
}
