package gojsonschema

import (
	"encoding/json"
	"slices"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

// rewriter makes of a schema what the engine can be trusted with. The engine
// compares the values of const, enum and uniqueItems as float64, wants counts
// without a fraction, and compiles no schema whose minimum of a count is above
// its maximum.
type rewriter struct {
	options *proviso.EngineOptions
	// compares says that some schema has const, enum or uniqueItems.
	compares bool
}

func (r *rewriter) rules() *normalise.Rules {
	return &normalise.Rules{Engine: Name, Definitions: "definitions", Rewrite: r.rewrite}
}

func (r *rewriter) rewrite(s *normalise.Subschema) error {
	if err := normalise.Annotating(s, r.options); err != nil {
		return err
	}
	normalise.Counts(s)
	if err := normalise.Patterns(s); err != nil {
		return err
	}
	if err := r.comparisons(s); err != nil {
		return err
	}
	return contradictions(s)
}

// comparisons refuses what float64 cannot tell apart, and spells the rest so
// that equal values have equal spellings.
func (r *rewriter) comparisons(s *normalise.Subschema) error {
	for _, keyword := range []string{"const", "enum"} {
		value, ok := s.Keywords[keyword]
		if !ok {
			continue
		}
		r.compares = true
		if !normalise.AllFloats(value) {
			return s.Refuse(keyword, "it has a number that float64, by which the engine compares, cannot represent")
		}
		s.Keywords[keyword] = positiveZero(value)
	}
	if s.Keywords["uniqueItems"] == true {
		r.compares = true
	}
	return nil
}

// contradictions separates a minimum of a count from a maximum below it.
func contradictions(s *normalise.Subschema) error {
	for _, of := range []string{"Length", "Items", "Properties"} {
		least, hasLeast := s.Keywords["min"+of].(json.Number)
		most, hasMost := s.Keywords["max"+of].(json.Number)
		if !hasLeast || !hasMost {
			continue
		}
		a, errLeast := least.Int64()
		b, errMost := most.Int64()
		if errLeast != nil || errMost != nil {
			return s.Refuse("min"+of, "%q is not a count", least)
		}
		if a > b {
			delete(s.Keywords, "min"+of)
			s.Also(map[string]any{"min" + of: least})
		}
	}
	return nil
}

// positiveZero returns the value with each negative zero, which the engine
// tells from zero, written as zero. The value itself is not changed.
func positiveZero(value any) any {
	switch v := value.(type) {
	case json.Number:
		if isNegativeZero(string(v)) {
			return json.Number("0")
		}
	case []any:
		v = slices.Clone(v)
		for i, element := range v {
			v[i] = positiveZero(element)
		}
		return v
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = positiveZero(member)
		}
		return object
	}
	return value
}
