package suite

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/proviso-go/proviso"
)

// A Group is a schema with instances and their right verdicts.
type Group struct {
	// File is the path of the file below the dialect's folder, such as "ref.json"
	// or "optional/bignum.json".
	File        string `json:"-"`
	Description string
	// Schema is as it is written: number spellings and duplicate names matter.
	Schema json.RawMessage
	Tests  []Test
}

// A Test is one instance of a Group.
type Test struct {
	Description string
	Data        json.RawMessage
	Valid       bool
}

// directories are the suite's names for the dialects.
var directories = map[proviso.Dialect]string{
	proviso.Draft4: "draft4", proviso.Draft6: "draft6", proviso.Draft7: "draft7",
	proviso.Draft201909: "draft2019-09", proviso.Draft202012: "draft2020-12",
}

// Which says which of a dialect's files to load.
type Which uint8

// The kinds of files.
const (
	// Required is the files that every implementation has to get right.
	Required Which = iota
	// Optional is those below optional/, without the formats.
	Optional
	// Formats is those below optional/format/.
	Formats
)

// Load reads the groups of a dialect, in the order of the files' names. Root is
// the suite's folder, with tests/ and remotes/. A folder without a test is an error.
func Load(root string, dialect proviso.Dialect, which Which) ([]Group, error) {
	name, ok := directories[dialect]
	if !ok {
		return nil, fmt.Errorf("the suite has no tests for %s", dialect)
	}
	base := filepath.Join(root, "tests", name)
	below := map[Which]string{Required: "", Optional: "optional", Formats: "optional/format"}[which]
	files, err := filepath.Glob(filepath.Join(base, below, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Group
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var groups []Group
		if err := json.Unmarshal(text, &groups); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i := range groups {
			groups[i].File = filepath.ToSlash(filepath.Join(below, filepath.Base(file)))
		}
		all = append(all, groups...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no tests in %s", filepath.Join(base, below))
	}
	return all, nil
}

// Remotes returns the documents that the suite's schemas refer to, by the URIs
// they use: what lies below remotes/ is served at http://localhost:1234/.
func Remotes(root string) (map[string]*proviso.Document, error) {
	base := filepath.Join(root, "remotes")
	remotes := make(map[string]*proviso.Document)
	err := filepath.WalkDir(base, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		document, err := proviso.JSON(text).Document()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		relative, err := filepath.Rel(base, path)
		if err != nil {
			return err
		}
		remotes["http://localhost:1234/"+filepath.ToSlash(relative)] = document
		return nil
	})
	if err == nil && len(remotes) == 0 {
		err = fmt.Errorf("no documents in %s", base)
	}
	return remotes, err
}
