// Package corpus finds the data that tests read and the repository does not
// hold: the official test suite, real schemas with documents, and the small cases.
package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or folder within the data: below the folder
// that the environment variable PROVISO_SHARED names, or ../shared beside the
// repository. Where it is missing the test is skipped, and fails with CI=true.
func Path(tb testing.TB, elements ...string) string {
	tb.Helper()
	root := os.Getenv("PROVISO_SHARED")
	if root == "" {
		root = filepath.Join(repository(tb), "..", "shared")
	}
	path := filepath.Join(append([]string{root}, elements...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			tb.Fatalf("test data is missing, and CI must have it: %v", err)
		}
		tb.Skipf("test data is missing; set PROVISO_SHARED to the folder that has %v: %v", elements, err)
	}
	return path
}

// repository returns the folder that holds go.work.
func repository(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			tb.Fatal("no go.work above the working directory")
		}
		dir = parent
	}
}
