package normalise

import (
	"context"
	"slices"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/refs"
)

// Prepare takes a schema from the caller to the point where an engine can
// compile it: decoded, its dialect among those that the engine implements,
// checked by its meta-schema, its references resolved. The errors are those of
// proviso.Provider.
func Prepare(ctx context.Context, engine string, dialects []proviso.Dialect, schema proviso.Schema, options *proviso.EngineOptions) (*refs.Graph, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc, err := schema.Document()
	if err != nil {
		return nil, err
	}
	dialect, err := doc.Dialect(options)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(dialects, dialect) {
		return nil, &proviso.UnsupportedError{
			Engine: engine, Dialect: dialect, Keyword: "$schema", Location: "/$schema",
			Reason: "the engine does not implement this dialect",
		}
	}
	graph, err := refs.Load(ctx, doc, options)
	if err != nil {
		return nil, err
	}
	if err := CheckSchemas(ctx, graph, options); err != nil {
		return nil, err
	}
	if err := checkSchemaNumbers(graph); err != nil {
		return nil, err
	}
	return graph, nil
}

// A Schema is one that an engine can compile as it stands: a text of the
// engine's own, for which the graph is no longer needed.
type Schema struct {
	Dialect proviso.Dialect
	Text    []byte
	Explain *Explainer
	// Chain is that of the graph, for CheckInstance.
	Chain int
}

// Rewrite prepares a schema and bundles it by the rules of an engine that takes
// one document. The errors are those of Prepare and Bundle.
func Rewrite(ctx context.Context, rules *Rules, dialects []proviso.Dialect, schema proviso.Schema, options *proviso.EngineOptions) (*Schema, error) {
	graph, err := Prepare(ctx, rules.Engine, dialects, schema, options)
	if err != nil {
		return nil, err
	}
	text, err := Bundle(graph, rules)
	if err != nil {
		return nil, err
	}
	return &Schema{
		Dialect: graph.Root.Resource.Dialect, Text: text, Explain: NewExplainer(rules.Engine, graph, nil), Chain: graph.Chain,
	}, nil
}
