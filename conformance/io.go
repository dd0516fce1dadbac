package conformance

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/proviso-go/proviso"
)

// nowhere asks for a schema whose reference leads out of it. The provider may
// refuse it, or judge by whatever it likes, as long as it does not read the target, of
// which everything valid says that "read" is the only good value.
func (t *T) nowhere(p proviso.Provider, what string, schema proviso.Schema) {
	v, err := p.Validator(context.Background(), schema)
	if err == nil {
		for _, instance := range []any{map[string]any{"a": "read"}, map[string]any{"a": "other"}, map[string]any{}} {
			_ = v.Validate(instance)
		}
		t.Errorf("%s: it was not refused", what)
	}
}

// server is one that answers every request with text, and a count of the
// connections that were made to it.
func (t *T) server(text string) (*httptest.Server, *atomic.Int64) {
	connections := new(atomic.Int64)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	return server, connections
}

var ioCases = []Case{
	{Name: "io/files", Promise: "no file is read, whatever a schema refers to", perDialect: true, run: func(t *T) {
		p := t.provider()
		path := filepath.Join(t.tb.TempDir(), "target.json")
		if err := os.WriteFile(path, []byte(textFor(t.dialect, `{"enum":["read"]}`)), 0o600); err != nil {
			t.Fatalf("%v", err)
		}
		for _, target := range []string{"file://" + filepath.ToSlash(path), filepath.ToSlash(path), (&url.URL{Scheme: "file", Path: path}).String() + "#"} {
			t.nowhere(p, "a reference to "+filepath.Base(target), t.json(fmt.Sprintf(`{"properties":{"a":{"$ref":%q}}}`, target)))
			t.nowhere(p, "a reference to a file from a file", t.json(fmt.Sprintf(`{"@id":"file:///tmp/x.json","properties":{"a":{"$ref":%q}}}`, target)))
		}
	}},
	{Name: "io/working-directory", Promise: "no file is read relative to the working directory", perDialect: true, run: func(t *T) {
		p := t.provider()
		file, err := os.CreateTemp(".", "conformance-*.json")
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer os.Remove(file.Name())
		_, err = file.WriteString(textFor(t.dialect, `{"enum":["read"]}`))
		if closeErr := file.Close(); err != nil || closeErr != nil {
			t.Fatalf("%v, %v", err, closeErr)
		}
		name := filepath.Base(file.Name())
		for _, target := range []string{name, "./" + name, name + "#"} {
			t.nowhere(p, "a reference to "+target, t.json(fmt.Sprintf(`{"properties":{"a":{"$ref":%q}}}`, target)))
		}
	}},
	{Name: "io/network", Promise: "no connection is made, whatever a schema refers to", perDialect: true, run: func(t *T) {
		server, connections := t.server(textFor(t.dialect, `{"enum":["read"]}`))
		defer server.Close()
		p := t.provider()
		for i, schema := range []string{
			`{"properties":{"a":{"$ref":"%s/%d"}}}`, `{"$ref":"%s/%d#/x"}`, `{"@id":"%s/%d","properties":{"a":{"$ref":"other"}}}`,
			`{"properties":{"a":{"anyOf":[{"$ref":"%s/%d"},{}]}}}`,
		} {
			t.nowhere(p, "a reference to a server", t.json(fmt.Sprintf(schema, server.URL, i)))
		}
		if n := connections.Load(); n > 0 {
			t.Errorf("%d connections were made to the server", n)
		}
	}},
	{Name: "io/meta-schemas", Promise: "the meta-schema that $schema names is not fetched", run: func(t *T) {
		server, connections := t.server(fmt.Sprintf(`{"$schema":%q}`, t.dialect.URI()))
		defer server.Close()
		path := filepath.Join(t.tb.TempDir(), "meta.json")
		if err := os.WriteFile(path, fmt.Appendf(nil, `{"$schema":%q}`, t.dialect.URI()), 0o600); err != nil {
			t.Fatalf("%v", err)
		}
		p := t.provider()
		for _, target := range []string{server.URL + "/meta", "file://" + filepath.ToSlash(path)} {
			t.refused(p, "an unknown $schema", proviso.JSON(fmt.Appendf(nil, `{"$schema":%q,"type":"string"}`, target)))
		}
		if n := connections.Load(); n > 0 {
			t.Errorf("%d connections were made to the server", n)
		}
	}},
	{Name: "io/identifiers", Promise: "an identifier is a name: nothing is fetched from it, at compilation or at validation", perDialect: true, run: func(t *T) {
		server, connections := t.server(`false`)
		defer server.Close()
		p := t.provider()
		v := t.compile(p, t.json(fmt.Sprintf(`{"@id":"%s/root","properties":{"a":{"$ref":"#/@defs/a"},"b":{"$ref":"root"},"c":{"$ref":"inner"}},"@defs":{"a":{"type":"string"},"x":{"@id":"inner","type":"string"}}}`, server.URL)))
		t.want(v, map[string]any{"a": "x", "b": map[string]any{"a": "x"}, "c": "x"}, valid, "a schema with identifiers")
		t.want(v, map[string]any{"a": "x", "b": map[string]any{"a": 1}, "c": "x"}, invalid, "a schema with identifiers")
		if n := connections.Load(); n > 0 {
			t.Errorf("%d connections were made to the server", n)
		}
	}},
}
