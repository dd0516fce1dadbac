package proviso_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
)

func TestDialectOf(t *testing.T) {
	t.Parallel()
	for _, d := range proviso.Dialects() {
		rest := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(d.URI(), "https://"), "http://"), "#")
		for _, spelling := range []string{"http://" + rest, "https://" + rest, "http://" + rest + "#", "https://" + rest + "#"} {
			if got, ok := proviso.DialectOf(spelling); !ok || got != d {
				t.Errorf("DialectOf(%q) = %v, %v; want %v", spelling, got, ok, d)
			}
		}
		for _, name := range []string{d.String(), "draft" + strings.TrimPrefix(strings.TrimPrefix(d.String(), "draft-"), "0"), " " + strings.ToUpper(d.String())} {
			if got, err := proviso.ParseDialect(name); err != nil || got != d {
				t.Errorf("ParseDialect(%q) = %v, %v; want %v", name, got, err, d)
			}
		}
	}
	for _, unknown := range []string{"", "http://json-schema.org/schema#", "http://json-schema.org/draft-03/schema#", "http://json-schema.org/draft-07/schema##", "draft-07"} {
		if got, ok := proviso.DialectOf(unknown); ok {
			t.Errorf("DialectOf(%q) = %v", unknown, got)
		}
	}
	for _, unknown := range []string{"", "draft-05", "07/", "next"} {
		if got, err := proviso.ParseDialect(unknown); err == nil {
			t.Errorf("ParseDialect(%q) = %v", unknown, got)
		}
	}
}

func document(t *testing.T, text string) *proviso.Document {
	t.Helper()
	doc, err := proviso.JSON([]byte(text)).Document()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestDocumentDialect(t *testing.T) {
	t.Parallel()
	custom := &proviso.EngineOptions{Resources: map[string]*proviso.Document{
		"https://example.org/meta":   document(t, `{"$schema":"https://example.org/meta2"}`),
		"https://example.org/meta2":  document(t, `{"$schema":"https://json-schema.org/draft/2019-09/schema"}`),
		"https://example.org/self":   document(t, `{"$schema":"https://example.org/self"}`),
		"https://example.org/silent": document(t, `{}`),
	}}
	for _, c := range []struct {
		schema  string
		options *proviso.EngineOptions
		want    proviso.Dialect
	}{
		{`{}`, nil, proviso.Draft202012},
		{`true`, &proviso.EngineOptions{DefaultDialect: proviso.Draft7}, proviso.Draft7},
		{`{"$schema":"http://json-schema.org/draft-04/schema"}`, &proviso.EngineOptions{DefaultDialect: proviso.Draft7}, proviso.Draft4},
		{`{"$schema":"https://example.org/meta#"}`, custom, proviso.Draft201909},
	} {
		if got, err := document(t, c.schema).Dialect(c.options); err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", c.schema, got, err, c.want)
		}
	}
	for _, schema := range []string{
		`{"$schema":"https://example.org/other"}`, `{"$schema":"https://example.org/self"}`, `{"$schema":"https://example.org/silent"}`,
	} {
		_, err := document(t, schema).Dialect(custom)
		unsupported, ok := errors.AsType[*proviso.UnsupportedError](err)
		if !ok || unsupported.Keyword != "$schema" || unsupported.Location != "/$schema" {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		for _, d := range proviso.Dialects() {
			if !strings.Contains(err.Error(), d.URI()) {
				t.Errorf("%s: the error does not list %s: %v", schema, d, err)
			}
		}
	}
	_, err := document(t, `{"$schema":7}`).Dialect(nil)
	if _, ok := errors.AsType[*proviso.SchemaError](err); !ok {
		t.Errorf("$schema 7: %v", err)
	}
}
