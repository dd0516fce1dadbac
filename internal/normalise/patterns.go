package normalise

import (
	"errors"
	"maps"
	"slices"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/pattern"
	"github.com/proviso-go/proviso/internal/refs"
)

// Patterns writes the regular expressions of a subschema in the syntax of Go's
// regexp, for an engine that compiles them itself. One that Go cannot express is
// refused; one that is none is a *proviso.SchemaError.
func Patterns(s *Subschema) error {
	if expr, ok := s.Keywords["pattern"].(string); ok {
		translated, err := pattern.Translate(expr)
		if err != nil {
			return s.patternError("pattern", "", err)
		}
		s.Keywords["pattern"] = translated
	}
	members, ok := s.Keywords["patternProperties"].(map[string]any)
	if !ok {
		return nil
	}
	translated := make(map[string]any, len(members))
	for _, expr := range slices.Sorted(maps.Keys(members)) {
		key, err := pattern.Translate(expr)
		if err != nil {
			return s.patternError("patternProperties", expr, err)
		}
		if other, ok := translated[key]; ok {
			// Two spellings of one expression: both schemas must hold.
			translated[key] = map[string]any{"allOf": []any{other, members[expr]}}
			continue
		}
		translated[key] = members[expr]
	}
	s.Keywords["patternProperties"] = translated
	return nil
}

// patternError says where a pattern stands that cannot be used.
func (s *Subschema) patternError(keyword, member string, err error) error {
	return PatternError(s.engine, s.Node, keyword, member, err)
}

// CheckPatterns finds out whether all patterns of a graph can be matched. The
// error is that of PatternError.
func CheckPatterns(engine string, g *refs.Graph, backtracking bool) error {
	for _, n := range g.Nodes {
		if n.IgnoresSiblings() {
			continue
		}
		if expr, ok := n.Object["pattern"].(string); ok && n.Resource.Vocabularies.Validation {
			if _, err := pattern.Compile(expr, backtracking); err != nil {
				return PatternError(engine, n, "pattern", "", err)
			}
		}
		for _, expr := range slices.Sorted(maps.Keys(n.Named["patternProperties"])) {
			if _, err := pattern.Compile(expr, backtracking); err != nil {
				return PatternError(engine, n, "patternProperties", expr, err)
			}
		}
	}
	return nil
}

// PatternError makes of an error of internal/pattern one that says where the
// pattern stands: a *proviso.UnsupportedError for a pattern that a linear
// matcher cannot express, otherwise a *proviso.SchemaError. Member is the pattern
// itself where it is a member name of patternProperties.
func PatternError(engine string, n *refs.Node, keyword, member string, err error) error {
	location := n.DocumentPointer + "/" + keyword
	if keyword == "patternProperties" {
		location = proviso.AppendPointer(location, member)
	}
	if beyond, ok := errors.AsType[*pattern.InexpressibleError](err); ok {
		return &proviso.UnsupportedError{
			Engine: engine, Dialect: n.Resource.Dialect, Keyword: keyword, URI: n.Document, Location: location, Reason: beyond.Error(),
		}
	}
	return &proviso.SchemaError{URI: n.Document, Location: location, Keyword: keyword, Reason: err.Error(), Err: err}
}
