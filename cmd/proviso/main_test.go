package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBinary builds the command, and runs what only a built one knows: its
// modules' versions, and its exit codes as the system sees them.
func TestBinary(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "proviso")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	engines, err := exec.Command(binary, "engines").Output()
	if err != nil {
		t.Fatal(err)
	}
	required, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(engines)), "\n")[1:] {
		fields := strings.Fields(line)
		version := regexp.MustCompile(regexp.QuoteMeta(fields[1]) + ` (v\S+)`).FindSubmatch(required)
		if version == nil || fields[2] != string(version[1]) {
			t.Errorf("engines says %s; go.mod says %s", line, version)
		}
	}
	examples := filepath.Join("..", "..", "examples", "quickstart")
	schema := filepath.Join(examples, "schema.json")
	for file, want := range map[string]int{"valid.json": 0, "invalid.json": 1, "events.jsonl": 1, "missing.json": 3} {
		run := exec.Command(binary, "validate", "-s", schema, filepath.Join(examples, file))
		_ = run.Run()
		if code := run.ProcessState.ExitCode(); code != want {
			t.Errorf("%s: exit code %d; want %d", file, code, want)
		}
	}
	// The same input by the three ways that a shell has.
	for _, name := range []string{"-", "/dev/stdin", "/proc/self/fd/0"} {
		if _, err := os.Stat(name); name != "-" && err != nil {
			continue // not on this system
		}
		for input, want := range map[string]int{"valid.json": 0, "invalid.json": 1} {
			text, err := os.Open(filepath.Join(examples, input))
			if err != nil {
				t.Fatal(err)
			}
			run := exec.Command(binary, "validate", "-s", schema, name)
			run.Stdin = text
			_ = run.Run()
			if code := run.ProcessState.ExitCode(); code != want {
				t.Errorf("%s as %s: exit code %d; want %d", input, name, code, want)
			}
			text.Close()
		}
	}
	leak := exec.Command(binary, "leak", "-e", "gojsonschema")
	out, err := leak.Output()
	if err != nil || strings.Count(string(out), "gojsonschema  ") != 3 {
		t.Errorf("leak: %v\n%s", err, out)
	}
}
