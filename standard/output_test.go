package standard_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/corpus"
	"github.com/proviso-go/proviso/standard"
)

// annotates are the official output tests that ask for annotations of valid
// instances, which no engine behind this interface hands out.
var annotates = map[string]string{
	"readOnly.json": "readOnly is an annotation, and annotations are not collected",
}

// TestOfficialOutput holds the output formats to the official output tests:
// each gives a schema that the output document has to match.
func TestOfficialOutput(t *testing.T) {
	t.Parallel()
	for folder, d := range map[string]proviso.Dialect{"draft2019-09": proviso.Draft201909, "draft2020-12": proviso.Draft202012} {
		root := corpus.Path(t, "json-schema-test-suite", "output-tests", folder)
		text, err := os.ReadFile(filepath.Join(root, "output-schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		outputSchema, err := proviso.JSON(text).Document()
		if err != nil {
			t.Fatal(err)
		}
		id, _ := outputSchema.Tree().(map[string]any)["$id"].(string)
		provider, err := standard.New(&standard.Options{Engine: &proviso.EngineOptions{
			DefaultDialect: d, Resources: map[string]*proviso.Document{id: outputSchema},
		}})
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(root, "content", "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%v, %v", files, err)
		}
		checked := 0
		for _, file := range files {
			if reason, ok := annotates[filepath.Base(file)]; ok {
				t.Logf("%s %s is left out: %s", folder, filepath.Base(file), reason)
				continue
			}
			checked += officialOutput(t, provider, file)
		}
		if checked == 0 {
			t.Errorf("%s: nothing was checked", folder)
		}
		t.Logf("%s: %d output documents", folder, checked)
	}
}

func officialOutput(t *testing.T, provider proviso.Provider, file string) (checked int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Output      map[proviso.OutputFormat]json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	compile := func(schema []byte) proviso.Validator {
		v, err := provider.Validator(context.Background(), proviso.JSON(schema))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		return v
	}
	for _, g := range groups {
		v := compile(g.Schema)
		for _, test := range g.Tests {
			for format, schema := range test.Output {
				output, err := proviso.NewOutput(proviso.ValidateJSON(v, test.Data), format)
				if err != nil {
					t.Errorf("%s: %s: %s: %v", filepath.Base(file), g.Description, test.Description, err)
					continue
				}
				document, err := json.Marshal(output)
				if err != nil {
					t.Fatal(err)
				}
				if err := proviso.ValidateJSON(compile(schema), document); err != nil {
					t.Errorf("%s: %s: %s: %s output %s: %v", filepath.Base(file), g.Description, test.Description, format, document, err)
				}
				checked++
			}
		}
	}
	return checked
}
