package conformance

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/tekuri"
)

// engineWith is an honest engine with options that the suite does not want.
func engineWith(options *proviso.EngineOptions) func(testing.TB) proviso.Provider {
	return func(tb testing.TB) proviso.Provider {
		p, err := tekuri.New(options)
		if err != nil {
			tb.Fatal(err)
		}
		return cached(tb, p)
	}
}

// readFile is a loader of file URLs.
func readFile(_ context.Context, uri string) ([]byte, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return nil, errors.New("not a file")
	}
	return os.ReadFile(u.Path)
}

// get is a loader that asks a server.
func get(ctx context.Context, uri string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, uri, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

// load is a loader of both, on the own machine only.
func load(ctx context.Context, uri string) ([]byte, error) {
	switch {
	case strings.HasPrefix(uri, "file:"):
		return readFile(ctx, uri)
	case strings.HasPrefix(uri, "http://127.0.0.1:"):
		return get(ctx, uri)
	}
	return nil, errors.New("not here")
}

// inlineFiles puts the content of a file in the place of a reference to it.
func inlineFiles(object map[string]any) {
	name, ok := object["$ref"].(string)
	if !ok || strings.HasPrefix(name, "#") {
		return
	}
	text, err := os.ReadFile(strings.TrimSuffix(name, "#"))
	if err != nil {
		return
	}
	if target, err := proviso.Decode(text); err == nil {
		clear(object)
		maps.Copy(object, target.(map[string]any))
	}
}

// curious fetches the meta-schemas that it does not know.
func curious(tb testing.TB) proviso.Provider {
	return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		v, err := next.Validator(ctx, schema)
		if !isUnsupported(err) {
			return v, err
		}
		doc, docErr := schema.Document()
		if docErr != nil {
			return nil, err
		}
		uri, _ := doc.SchemaKeyword()
		text, loadErr := load(ctx, uri)
		if loadErr != nil {
			return nil, err
		}
		meta, docErr := proviso.JSON(text).Document()
		if docErr != nil {
			return nil, err
		}
		known, _ := meta.SchemaKeyword()
		tree := doc.Copy().(map[string]any)
		tree["$schema"] = known
		return next.Validator(ctx, proviso.Value(tree))
	}})
}

// visiting asks the server that an identifier seems to name.
func visiting(tb testing.TB) proviso.Provider {
	return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		if doc, err := schema.Document(); err == nil {
			_, _ = load(ctx, identifier(doc))
		}
		return next.Validator(ctx, schema)
	}})
}

// hopeful does so at the first use only.
func hopeful(tb testing.TB) proviso.Provider {
	return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
		v, err := next.Validator(ctx, schema)
		if err != nil {
			return nil, err
		}
		doc, err := schema.Document()
		if err != nil {
			return nil, err
		}
		return &brokenValidator{next: v, validate: func(next proviso.Validator, instance any) error {
			_, _ = load(context.Background(), identifier(doc))
			return next.Validate(instance)
		}}, nil
	}})
}

func ioZoo() []animal {
	return []animal{
		{
			name:     "reads files",
			species:  each(engineWith(&proviso.EngineOptions{Loader: proviso.LoaderFunc(readFile)})),
			caughtBy: []string{"io/files"},
		},
		{
			name:     "reads files in the working directory",
			species:  each(func(tb testing.TB) proviso.Provider { return rewriting(tb, inlineFiles) }),
			caughtBy: []string{"io/working-directory"},
		},
		{
			name:     "fetches what a schema refers to",
			species:  each(engineWith(&proviso.EngineOptions{Loader: proviso.LoaderFunc(load)})),
			caughtBy: []string{"io/network", "io/files"},
		},
		{name: "fetches meta-schemas", species: each(curious), caughtBy: []string{"io/meta-schemas"}},
		{name: "fetches identifiers", species: each(visiting), caughtBy: []string{"io/identifiers"}},
		{name: "fetches identifiers when it validates", species: each(hopeful), caughtBy: []string{"io/identifiers"}},
	}
}

// atRoot is an engine that changes the root of each schema that is an object.
func atRoot(f func(root map[string]any)) func() func(testing.TB) proviso.Provider {
	return each(func(tb testing.TB) proviso.Provider {
		return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
			doc, err := schema.Document()
			if err != nil {
				return nil, err
			}
			tree := doc.Copy()
			if root, ok := tree.(map[string]any); ok {
				f(root)
			}
			return next.Validator(ctx, proviso.Value(tree))
		}})
	})
}

// booleansAsObjects writes the boolean schemas under properties as draft-04
// would have them.
func booleansAsObjects(object map[string]any) {
	properties, _ := object["properties"].(map[string]any)
	for name, member := range properties {
		switch member {
		case true:
			properties[name] = map[string]any{}
		case false:
			properties[name] = map[string]any{"not": map[string]any{}}
		}
	}
}

func dialectZoo() []animal {
	newest := proviso.Draft202012.URI()
	return []animal{
		{
			name: "knows one spelling of each dialect",
			species: atRoot(func(root map[string]any) {
				uri, _ := root["$schema"].(string)
				if d, ok := proviso.DialectOf(uri); ok && d.URI() != uri {
					root["$schema"] = "http://example.org/unknown"
				}
			}),
			caughtBy: []string{"dialects/spellings"},
		},
		{
			name: "takes other spellings for the newest dialect",
			species: atRoot(func(root map[string]any) {
				uri, _ := root["$schema"].(string)
				if d, ok := proviso.DialectOf(uri); ok && d.URI() != uri {
					root["$schema"] = newest
				}
			}),
			caughtBy: []string{"dialects/spellings"},
		},
		{
			name: "takes every dialect for the newest",
			species: atRoot(func(root map[string]any) {
				uri, _ := root["$schema"].(string)
				if _, ok := proviso.DialectOf(uri); ok {
					root["$schema"] = newest
				}
			}),
			caughtBy: []string{"dialects/keywords", "dialects/references"},
		},
		{
			name: "ignores what stands beside a reference",
			species: each(func(tb testing.TB) proviso.Provider {
				return rewriting(tb, func(object map[string]any) {
					if ref, ok := object["$ref"].(string); ok {
						maps.DeleteFunc(object, func(name string, _ any) bool { return name != "$ref" && !strings.HasPrefix(name, "$") })
						object["$ref"] = ref
					}
				})
			}),
			caughtBy: []string{"dialects/references"},
		},
		{
			name:     "compiles dialects that it does not claim",
			species:  each(honest),
			dialects: []proviso.Dialect{proviso.Draft201909},
			caughtBy: []string{"dialects/not-claimed", "dialects/default"},
		},
		{
			name: "takes an unknown dialect for the default",
			species: atRoot(func(root map[string]any) {
				uri, _ := root["$schema"].(string)
				if _, ok := proviso.DialectOf(uri); !ok && uri != "" {
					delete(root, "$schema")
				}
			}),
			caughtBy: []string{"dialects/not-claimed", "dialects/unknown-lists-known"},
		},
		{
			name: "does not say which dialects it knows",
			species: each(func(tb testing.TB) proviso.Provider {
				return inside(tb, broken{compile: func(ctx context.Context, next proviso.Provider, schema proviso.Schema) (proviso.Validator, error) {
					v, err := next.Validator(ctx, schema)
					if e, ok := errors.AsType[*proviso.UnsupportedError](err); ok {
						return nil, &proviso.UnsupportedError{Keyword: e.Keyword, Reason: "unknown"}
					}
					return v, err
				}})
			}),
			caughtBy: []string{"dialects/unknown-lists-known"},
		},
		{
			name:     "has another default",
			species:  each(engineWith(&proviso.EngineOptions{DefaultDialect: proviso.Draft7})),
			caughtBy: []string{"dialects/default"},
		},
		{
			name:     "takes boolean schemas in every dialect",
			species:  each(func(tb testing.TB) proviso.Provider { return rewriting(tb, booleansAsObjects) }),
			caughtBy: []string{"dialects/booleans"},
		},
	}
}
