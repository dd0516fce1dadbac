package proviso_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/proviso-go/proviso"

// mayImport says which packages of this module each package may import, tests
// left out; "" is the root. A package that is not here fails the test: decide where it
// belongs first.
var mayImport = map[string][]string{
	"": {},

	"internal/canon":         {""},
	"internal/corpus":        {},
	"internal/metaschema":    {""},
	"internal/pattern":       {""},
	"internal/schemawalk":    {""},
	"internal/refs":          {"", "internal/metaschema", "internal/schemawalk"},
	"internal/reference":     {"", "internal/pattern", "internal/refs", "internal/schemawalk"},
	"internal/normalise":     {"", "internal/metaschema", "internal/pattern", "internal/reference", "internal/refs", "internal/schemawalk"},
	"providers/tekuri":       {"", "internal/normalise", "internal/pattern", "internal/reference", "internal/refs", "internal/schemawalk"},
	"providers/gojsonschema": {"", "internal/normalise"},
	"providers/qri":          {"", "internal/normalise"},

	"memo":              {"", "internal/canon"},
	"dialect":           {""},
	"conformance":       {""},
	"conformance/suite": {""},
	"standard":          {"", "dialect", "memo", "providers/tekuri"},
}

// TestImports holds the one direction of imports.
func TestImports(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		allowed, ok := mayImport[name]
		if !ok {
			t.Errorf("%s is not in the table", p.ImportPath)
			continue
		}
		seen[name] = true
		for _, imported := range p.Imports {
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			imported = strings.TrimPrefix(strings.TrimPrefix(imported, module), "/")
			if !slices.Contains(allowed, imported) {
				t.Errorf("%q imports %q, which the table does not allow", name, imported)
			}
		}
	}
	for name := range mayImport {
		if !seen[name] {
			t.Errorf("the table has %q, and there is no such package", name)
		}
	}
}
