package tekuri

import (
	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/refs"
)

// rewrite returns copies of a graph's documents, by URI, for the engine to
// keep. Identifiers and references stay as they are, since the engine follows
// them by the book, dynamic ones too. What is taken out is format, unless it asserts
// (the engine makes it assert in draft-07 and before), and a const beside a $ref,
// which the engine applies where everything beside $ref is to be ignored.
func (p *Provider) rewrite(graph *refs.Graph) map[string]any {
	documents := make(map[string]any, len(graph.Documents))
	for uri, document := range graph.Documents {
		documents[uri] = document.Copy()
	}
	for _, n := range graph.Nodes {
		if n.Object == nil {
			continue
		}
		_, hasFormat := n.Object["format"]
		_, hasConst := n.Object["const"]
		if !hasFormat && !(hasConst && n.IgnoresSiblings()) {
			continue
		}
		value, _ := proviso.EvalPointer(documents[n.Document], n.DocumentPointer)
		object, ok := value.(map[string]any)
		if !ok {
			continue
		}
		if p.options.Format == proviso.FormatAnnotate && !n.Resource.Vocabularies.FormatAssertion {
			delete(object, "format")
		}
		if n.IgnoresSiblings() {
			delete(object, "const")
		}
	}
	return documents
}
