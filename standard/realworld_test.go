package standard_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/corpus"
)

// The counts of the real-world set, so that a missing file shows.
const (
	realSchemas   = 13
	realDocuments = 10_989
)

// TestRealWorld validates real documents by their schemas with every engine:
// all are valid by the first one, and the others agree or refuse. Each document is then
// spoiled in one place, and the engines must agree on that as well.
func TestRealWorld(t *testing.T) {
	root := corpus.Path(t, "real-world")
	folders, err := filepath.Glob(filepath.Join(root, "*", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != realSchemas {
		t.Fatalf("%d schemas; want %d", len(folders), realSchemas)
	}
	documents := 0
	for _, path := range folders {
		folder := filepath.Dir(path)
		t.Run(filepath.Base(folder), func(t *testing.T) { documents += realWorld(t, folder) })
	}
	if documents != realDocuments {
		t.Errorf("%d documents; want %d", documents, realDocuments)
	}
}

func realWorld(t *testing.T, folder string) (documents int) {
	schema, err := os.ReadFile(filepath.Join(folder, "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	instances, err := os.ReadFile(filepath.Join(folder, "instances.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var validators []proviso.Validator
	var names []string
	for _, e := range engines() {
		provider := must(t)(e.new())
		v, err := provider.Validator(context.Background(), proviso.JSON(schema))
		if _, refused := errors.AsType[*proviso.UnsupportedError](err); refused && len(validators) > 0 {
			t.Logf("%s refuses: %v", e.name, err)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		validators, names = append(validators, v), append(names, e.name)
	}
	spoiledInvalid, unknown := 0, 0
	lines := bufio.NewScanner(bytes.NewReader(instances))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		documents++
		instance, err := proviso.Decode(lines.Bytes())
		if err != nil {
			t.Fatalf("document %d: %v", documents, err)
		}
		for i, v := range validators {
			if err := v.Validate(instance); err != nil {
				t.Errorf("document %d: %s: %v; want valid", documents, names[i], err)
			}
		}
		spoiled := spoil(instance, documents)
		first := validators[0].Validate(spoiled)
		if first != nil {
			spoiledInvalid++
		}
		for i, v := range validators[1:] {
			err := v.Validate(spoiled)
			if _, undecided := errors.AsType[*proviso.UnsupportedError](err); undecided {
				unknown++
				continue
			}
			if !sameVerdict(first, err) {
				t.Errorf("document %d, spoiled: %s says %v, and %s says %v", documents, names[0], first, names[i+1], err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents on %v; spoiled: %d invalid, %d undecided by an engine", documents, names, spoiledInvalid, unknown)
	return documents
}

// sameVerdict compares verdicts with all that explains them.
func sameVerdict(a, b error) bool {
	x, xInvalid := errors.AsType[*proviso.ValidationError](a)
	y, yInvalid := errors.AsType[*proviso.ValidationError](b)
	if a == nil || b == nil {
		return a == b
	}
	return xInvalid && yInvalid && slices.Equal(x.Units, y.Units)
}

// spoil returns a copy of a value in which one place, chosen by n, holds
// something else.
func spoil(value any, n int) any {
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			return map[string]any{"spoiled": n}
		}
		names := slices.Sorted(maps.Keys(v))
		name := names[n%len(names)]
		c := maps.Clone(v)
		if n%5 == 0 {
			delete(c, name)
			c[name+"-spoiled"] = v[name]
			return c
		}
		c[name] = spoil(v[name], n/len(names)+n)
		return c
	case []any:
		if len(v) == 0 || n%7 == 0 {
			return append(slices.Clone(v), map[string]any{"spoiled": true})
		}
		c := slices.Clone(v)
		c[n%len(c)] = spoil(v[n%len(c)], n/len(c)+n)
		return c
	case string:
		return []any{7, "spoiled", nil, true, []any{}, map[string]any{}}[n%6]
	}
	return []any{"spoiled", []any{"spoiled"}, map[string]any{"spoiled": 1}, nil}[n%4]
}
