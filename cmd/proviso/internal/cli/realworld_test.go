package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/proviso-go/proviso/internal/corpus"
)

// TestRealWorld runs the command on every real schema and its documents.
func TestRealWorld(t *testing.T) {
	t.Parallel()
	schemas, err := filepath.Glob(filepath.Join(corpus.Path(t, "real-world"), "*", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, schema := range schemas {
		code, out, summary := run("", "validate", "-s", schema, filepath.Join(filepath.Dir(schema), "instances.jsonl"))
		var documents, valid int
		if _, err := fmt.Sscanf(strings.ReplaceAll(summary, ":", ""), "%d documents %d valid", &documents, &valid); err != nil {
			t.Errorf("%s: %v: %s", schema, err, summary)
		}
		if code != 0 || out != "" || documents != valid {
			t.Errorf("%s: exit code %d: %s%.300s", schema, code, summary, out)
		}
		total += documents
	}
	if len(schemas) != 13 || total != 10_989 {
		t.Errorf("%d schemas, %d documents; want 13 and 10,989", len(schemas), total)
	}
}
