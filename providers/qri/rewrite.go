package qri

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

// rewriter makes of a schema what the engine can be trusted with. The engine
// carries the names of evaluated properties and the last evaluated index between
// parents, children and siblings, computes with float64, takes the string "true"
// for a boolean and null for an absent property, and does not know definitions and
// dependencies.
type rewriter struct {
	options *proviso.EngineOptions
	// divides says that some schema has multipleOf.
	divides bool
}

func (r *rewriter) rules() *normalise.Rules {
	return &normalise.Rules{Engine: Name, Definitions: "$defs", Rewrite: r.rewrite}
}

func (r *rewriter) rewrite(s *normalise.Subschema) error {
	if err := normalise.Annotating(s, r.options); err != nil {
		return err
	}
	normalise.Counts(s)
	if err := normalise.Patterns(s); err != nil {
		return err
	}
	steps := []func(*normalise.Subschema) error{
		numbers, r.multipleOf, booleanType, emptyEnum, uniqueItems, dependencies, contains,
		additionalItems, additionalProperties, unevaluated,
	}
	for _, step := range steps {
		if err := step(s); err != nil {
			return err
		}
	}
	return nil
}

// numbers refuses what float64 cannot represent.
func numbers(s *normalise.Subschema) error {
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const", "enum"} {
		if value, ok := s.Keywords[keyword]; ok && !normalise.AllFloats(value) {
			return s.Refuse(keyword, "it has a number that float64, with which the engine computes, cannot represent")
		}
	}
	return nil
}

// multipleOf refuses to divide by fractions, which the engine rounds.
func (r *rewriter) multipleOf(s *normalise.Subschema) error {
	number, ok := s.Keywords["multipleOf"].(json.Number)
	if !ok {
		return nil
	}
	plain, isInteger := normalise.Integer(number)
	if f, err := plain.Float64(); !isInteger || err != nil || f > maxDividend {
		return s.Refuse("multipleOf", "the engine divides with float64, which is exact only for integers up to 2^52")
	}
	s.Keywords["multipleOf"] = plain
	r.divides = true
	return nil
}

// booleanType replaces the type boolean, for which the engine takes strings
// such as "true" as well.
func booleanType(s *normalise.Subschema) error {
	var types []any
	switch value := s.Keywords["type"].(type) {
	case string:
		types = []any{value}
	case []any:
		types = value
	}
	if !slices.Contains(types, any("boolean")) || slices.Contains(types, any("string")) {
		return nil
	}
	delete(s.Keywords, "type")
	choices := []any{map[string]any{"enum": []any{true, false}}}
	others := slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "boolean" })
	if len(others) > 0 {
		choices = append(choices, map[string]any{"type": others})
	}
	s.Also(map[string]any{"anyOf": choices})
	return nil
}

// emptyEnum replaces an enum without values, on which the engine panics.
func emptyEnum(s *normalise.Subschema) error {
	if values, ok := s.Keywords["enum"].([]any); ok && len(values) == 0 {
		delete(s.Keywords, "enum")
		s.Also(false)
	}
	return nil
}

// uniqueItems drops the false that the engine takes for true.
func uniqueItems(s *normalise.Subschema) error {
	if s.Keywords["uniqueItems"] == false {
		delete(s.Keywords, "uniqueItems")
	}
	return nil
}

// dependencies writes dependencies and dependentRequired without either: the
// engine does not know the one and takes null for absent in the other.
func dependencies(s *normalise.Subschema) error {
	for _, keyword := range []string{"dependencies", "dependentRequired"} {
		members, ok := s.Keywords[keyword].(map[string]any)
		if !ok {
			continue
		}
		delete(s.Keywords, keyword)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			required, isNames := members[name].([]any)
			if !isNames {
				s.Also(map[string]any{"dependentSchemas": map[string]any{name: members[name]}})
				continue
			}
			s.Also(map[string]any{
				"if":   map[string]any{"required": []any{name}},
				"then": map[string]any{"required": required},
			})
		}
	}
	return nil
}

// contains writes minContains 0 without it: the engine demands a match all the
// same.
func contains(s *normalise.Subschema) error {
	schema, ok := s.Keywords["contains"]
	most, hasMost := s.Keywords["maxContains"].(json.Number)
	if ok && s.Keywords["minContains"] != json.Number("0") {
		return nil
	}
	delete(s.Keywords, "contains")
	delete(s.Keywords, "minContains")
	delete(s.Keywords, "maxContains")
	if !ok || !hasMost {
		return nil
	}
	n, err := most.Int64()
	if err != nil {
		return s.Refuse("maxContains", "%v", err)
	}
	// An array with one match more is not allowed, and only an array has one.
	s.Also(map[string]any{"not": map[string]any{"type": "array", "contains": schema, "minContains": n + 1}})
	return nil
}

// additionalItems bounds the length where the rest of an array is forbidden;
// otherwise the engine would have to know which index it has come to.
func additionalItems(s *normalise.Subschema) error {
	rest, ok := s.Keywords["additionalItems"]
	if !ok {
		return nil
	}
	delete(s.Keywords, "additionalItems")
	items, isList := s.Keywords["items"].([]any)
	if !isList || rest == true {
		return nil
	}
	if object, ok := rest.(map[string]any); ok && len(object) == 0 {
		return nil
	}
	if len(items) == 0 {
		s.Keywords["items"] = rest
		return nil
	}
	if rest != false {
		return s.Refuse("additionalItems", "the engine loses count of the items that items has judged")
	}
	s.Also(map[string]any{"maxItems": len(items)})
	return nil
}

// additionalProperties moves the keyword into a schema of its own, in which
// nothing but the names at hand can count as evaluated: its siblings are there
// as true, and its own schema is judged under if, whose names the engine drops.
func additionalProperties(s *normalise.Subschema) error {
	schema, ok := s.Keywords["additionalProperties"]
	if !ok {
		return nil
	}
	delete(s.Keywords, "additionalProperties")
	if schema == true {
		return nil
	}
	isolated := map[string]any{"additionalProperties": false}
	if schema != false {
		isolated["additionalProperties"] = map[string]any{"if": schema, "else": false}
	}
	for _, keyword := range []string{"properties", "patternProperties"} {
		members, ok := s.Keywords[keyword].(map[string]any)
		if !ok {
			continue
		}
		names := make(map[string]any, len(members))
		for name := range members {
			names[name] = true
		}
		isolated[keyword] = names
	}
	s.Also(isolated)
	return nil
}

// unevaluated refuses what the engine judges by names and indices that it mixes
// up.
func unevaluated(s *normalise.Subschema) error {
	for _, keyword := range []string{"unevaluatedItems", "unevaluatedProperties"} {
		schema, ok := s.Keywords[keyword]
		if !ok {
			continue
		}
		if schema != true {
			return s.Refuse(keyword, "the engine mixes up what parents, children and siblings have evaluated")
		}
		delete(s.Keywords, keyword)
	}
	return nil
}
