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
