// Package metaschema holds the meta-schemas of the known dialects, as
// json-schema.org publishes them.
package metaschema

import (
	"embed"
	"strings"
	"sync"

	"github.com/proviso-go/proviso"
)

//go:embed draft-04 draft-06 draft-07 draft
var files embed.FS

var documents = sync.OnceValue(func() map[string]*proviso.Document {
	documents := make(map[string]*proviso.Document)
	for _, path := range []string{
		"draft-04/schema", "draft-06/schema", "draft-07/schema",
		"draft/2019-09/schema", "draft/2019-09/meta/core", "draft/2019-09/meta/applicator",
		"draft/2019-09/meta/validation", "draft/2019-09/meta/meta-data",
		"draft/2019-09/meta/format", "draft/2019-09/meta/content",
		"draft/2020-12/schema", "draft/2020-12/meta/core", "draft/2020-12/meta/applicator",
		"draft/2020-12/meta/unevaluated", "draft/2020-12/meta/validation",
		"draft/2020-12/meta/meta-data", "draft/2020-12/meta/format-annotation",
		"draft/2020-12/meta/format-assertion", "draft/2020-12/meta/content",
	} {
		text, err := files.ReadFile(path)
		if err != nil {
			panic(err) // the file is part of the program
		}
		document, err := proviso.JSON(text).Document()
		if err != nil {
			panic(err)
		}
		documents[path] = document
	}
	return documents
})

// Document returns the meta-schema, or the vocabulary's part of one, that uri
// names, with http or https and with or without an empty fragment.
func Document(uri string) (*proviso.Document, bool) {
	uri = strings.TrimSuffix(uri, "#")
	path, ok := strings.CutPrefix(uri, "http://json-schema.org/")
	if !ok {
		path, ok = strings.CutPrefix(uri, "https://json-schema.org/")
	}
	if !ok {
		return nil, false
	}
	document, ok := documents()[path]
	return document, ok
}

// Of returns the dialect's meta-schema.
func Of(d proviso.Dialect) *proviso.Document {
	document, ok := Document(d.URI())
	if !ok {
		panic("no meta-schema for " + d.String())
	}
	return document
}
