package normalise

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/metaschema"
	"github.com/proviso-go/proviso/internal/reference"
	"github.com/proviso-go/proviso/internal/refs"
)

// CheckSchemas judges every document of a graph by the meta-schema of its
// dialect, and by the custom one that its $schema names. The error is a
// *proviso.SchemaError.
func CheckSchemas(ctx context.Context, g *refs.Graph, options *proviso.EngineOptions) error {
	for _, uri := range slices.Sorted(maps.Keys(g.Documents)) {
		doc := g.Documents[uri]
		if builtIn, ok := metaschema.Document(uri); ok && builtIn == doc {
			continue
		}
		dialect := g.Dialects[uri]
		if err := checkBy(standard(dialect), uri, doc); err != nil {
			return err
		}
		custom, err := doc.SchemaKeyword()
		if err != nil {
			return err
		}
		if _, ok := proviso.DialectOf(custom); ok || custom == "" {
			continue
		}
		meta, ok := options.Resource(custom)
		if !ok {
			continue // refs.Load has refused it already
		}
		graph, err := refs.Load(ctx, meta, options)
		if err != nil {
			return fmt.Errorf("the meta-schema %s: %w", custom, err)
		}
		walker, err := reference.New(graph, nil)
		if err != nil {
			return fmt.Errorf("the meta-schema %s: %w", custom, err)
		}
		if err := checkBy(walker, uri, doc); err != nil {
			return err
		}
	}
	return nil
}

func checkBy(meta *reference.Walker, uri string, doc *proviso.Document) error {
	result, err := meta.Evaluate(doc.Tree())
	if err != nil {
		return err
	}
	if result.Valid {
		return nil
	}
	return schemaError(uri, &proviso.ValidationError{Units: result.Units, Truncated: result.Truncated})
}

// schemaError reports the unit that lies deepest in the schema, and of those
// one that says what is wanted: the units above, and those of anyOf and oneOf, say no
// more than that something is wrong below.
func schemaError(uri string, invalid *proviso.ValidationError) error {
	deepest := invalid.Units[0]
	for _, u := range invalid.Units[1:] {
		deeper := len(u.InstanceLocation) - len(deepest.InstanceLocation)
		if deeper > 0 || (deeper == 0 && isChoice(deepest) && !isChoice(u)) {
			deepest = u
		}
	}
	e := &proviso.SchemaError{URI: uri, Location: deepest.InstanceLocation, Reason: deepest.Message, Err: invalid}
	if tokens, err := proviso.PointerTokens(deepest.InstanceLocation); err == nil && len(tokens) > 0 {
		e.Keyword = tokens[len(tokens)-1]
	}
	return e
}

func isChoice(u proviso.Unit) bool { return u.Keyword == "anyOf" || u.Keyword == "oneOf" }

// standards are the walkers of the dialects' meta-schemas, made when first asked
// for. They are the program's own and never change.
var standards = func() map[proviso.Dialect]func() *reference.Walker {
	all := make(map[proviso.Dialect]func() *reference.Walker)
	for _, d := range proviso.Dialects() {
		all[d] = sync.OnceValue(func() *reference.Walker {
			options, err := (*proviso.EngineOptions)(nil).Checked()
			if err != nil {
				panic(err)
			}
			graph, err := refs.Load(context.Background(), metaschema.Of(d), options)
			if err != nil {
				panic(err) // the meta-schemas are part of the program
			}
			walker, err := reference.New(graph, nil)
			if err != nil {
				panic(err)
			}
			return walker
		})
	}
	return all
}()

func standard(d proviso.Dialect) *reference.Walker { return standards[d]() }
