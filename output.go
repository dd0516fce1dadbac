package proviso

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// OutputFormat is one of the output formats of the specification (JSON Schema
// 2020-12 Core, section 12.4). The fourth of them, verbose, is not among them: it
// reports on every keyword that passed, which no engine keeps.
type OutputFormat string

// The output formats.
const (
	// OutputFlag is the verdict alone.
	OutputFlag OutputFormat = "flag"
	// OutputBasic is the verdict with a flat list of errors.
	OutputBasic OutputFormat = "basic"
	// OutputDetailed nests the errors as the schema nests, without nodes that
	// have but one child and no error of their own.
	OutputDetailed OutputFormat = "detailed"
)

// Output is a node of an output document; encoding/json writes it as the
// specification has it.
type Output struct {
	Valid                   bool
	KeywordLocation         string
	AbsoluteKeywordLocation string
	InstanceLocation        string
	// Error is the message; "" for a node that only groups others.
	Error  string
	Errors []*Output

	// bare marks a root that shows only Valid and Errors.
	bare bool
}

// NewOutput writes what Validate returned in the given format: nil is valid, a
// *ValidationError invalid. Any other error is not a verdict and has no output: it is
// returned as it is.
func NewOutput(verdict error, format OutputFormat) (*Output, error) {
	var invalid *ValidationError
	if verdict != nil && !errors.As(verdict, &invalid) {
		return nil, verdict
	}
	switch format {
	case OutputFlag:
		return &Output{Valid: invalid == nil, bare: true}, nil
	case OutputBasic:
		return basicOutput(invalid), nil
	case OutputDetailed:
		return detailedOutput(invalid), nil
	}
	return nil, fmt.Errorf("output format %q is none of %s, %s, %s", format, OutputFlag, OutputBasic, OutputDetailed)
}

// MarshalJSON writes the node in the form of the specification's output schema.
func (o *Output) MarshalJSON() ([]byte, error) {
	if o.bare {
		return json.Marshal(struct {
			Valid  bool      `json:"valid"`
			Errors []*Output `json:"errors,omitempty"`
		}{o.Valid, o.Errors})
	}
	return json.Marshal(struct {
		Valid                   bool      `json:"valid"`
		KeywordLocation         string    `json:"keywordLocation"`
		AbsoluteKeywordLocation string    `json:"absoluteKeywordLocation,omitempty"`
		InstanceLocation        string    `json:"instanceLocation"`
		Error                   string    `json:"error,omitempty"`
		Errors                  []*Output `json:"errors,omitempty"`
	}{o.Valid, o.KeywordLocation, o.AbsoluteKeywordLocation, o.InstanceLocation, o.Error, o.Errors})
}

func basicOutput(invalid *ValidationError) *Output {
	root := &Output{Valid: invalid == nil, bare: true}
	if invalid != nil {
		for _, u := range invalid.Units {
			root.Errors = append(root.Errors, unitOutput(u))
		}
	}
	return root
}

func unitOutput(u Unit) *Output {
	return &Output{
		KeywordLocation:         u.KeywordLocation,
		AbsoluteKeywordLocation: absoluteURI(u.AbsoluteKeywordLocation),
		InstanceLocation:        u.InstanceLocation,
		Error:                   u.Message,
	}
}

// absoluteURI leaves out a location that is not absolute, since the output
// schema wants a URI with a scheme.
func absoluteURI(location string) string {
	if strings.HasPrefix(location, "#") {
		return ""
	}
	return location
}

// detailedOutput rebuilds the nesting from the locations: a keyword location
// says through which applicators evaluation came, and with descents how much of
// the instance location each of them consumed.
func detailedOutput(invalid *ValidationError) *Output {
	root := &Output{Valid: invalid == nil}
	if invalid == nil {
		return root
	}
	nodes := map[[2]string]*Output{{}: root}
	for _, u := range invalid.Units {
		leaf := unitOutput(u)
		parent := root
		for _, step := range outputSteps(u) {
			key := [2]string{step.keyword, step.instance}
			node, ok := nodes[key]
			if !ok {
				node = &Output{KeywordLocation: step.keyword, InstanceLocation: step.instance}
				nodes[key] = node
				parent.Errors = append(parent.Errors, node)
			}
			if node.AbsoluteKeywordLocation == "" {
				node.AbsoluteKeywordLocation = absolutePrefix(leaf, step.keyword)
			}
			parent = node
		}
		// An applicator's own unit may come before or after those below it.
		key := [2]string{u.KeywordLocation, u.InstanceLocation}
		if node, ok := nodes[key]; ok && node != root && node.Error == "" {
			node.Error, node.AbsoluteKeywordLocation = leaf.Error, leaf.AbsoluteKeywordLocation
			continue
		}
		parent.Errors = append(parent.Errors, leaf)
		if _, ok := nodes[key]; !ok {
			nodes[key] = leaf
		}
	}
	condense(root)
	return root
}

// condense replaces each node that has no error of its own and one child by
// that child.
func condense(node *Output) {
	for i, child := range node.Errors {
		condense(child)
		if child.Error == "" && len(child.Errors) == 1 {
			node.Errors[i] = child.Errors[0]
		}
	}
}

// absolutePrefix is the absolute location of the keyword location prefix, from
// that of a leaf below it; "" if a reference lies between them.
func absolutePrefix(leaf *Output, prefix string) string {
	below := strings.TrimPrefix(leaf.KeywordLocation, prefix)
	for token := range strings.SplitSeq(below, "/") {
		if isReference(token) {
			return ""
		}
	}
	if absolute, ok := strings.CutSuffix(leaf.AbsoluteKeywordLocation, below); ok {
		return absolute
	}
	return ""
}

func isReference(keyword string) bool {
	return keyword == "$ref" || keyword == "$dynamicRef" || keyword == "$recursiveRef"
}

// descent says how an applicator leads to its subschemas.
type descent struct {
	named    bool // one more token of the schema names the subschema
	consumes bool // one token of the instance is consumed
}

var descents = map[string]descent{
	"$ref": {}, "$dynamicRef": {}, "$recursiveRef": {},
	"allOf": {named: true}, "anyOf": {named: true}, "oneOf": {named: true},
	"not": {}, "if": {}, "then": {}, "else": {}, "contentSchema": {},
	"dependentSchemas": {named: true}, "dependencies": {named: true},
	"properties":           {named: true, consumes: true},
	"patternProperties":    {named: true, consumes: true},
	"prefixItems":          {named: true, consumes: true},
	"additionalProperties": {consumes: true}, "unevaluatedProperties": {consumes: true},
	"items": {consumes: true}, "additionalItems": {consumes: true}, "unevaluatedItems": {consumes: true},
	"contains": {consumes: true}, "propertyNames": {consumes: true},
}

type outputStep struct{ keyword, instance string }

// outputSteps lists the nodes on the way to the unit, outermost first, without
// the unit itself: each applicator keyword, and each subschema that it names.
func outputSteps(u Unit) []outputStep {
	var steps []outputStep
	keyword, rest := "", u.KeywordLocation
	instance, instanceRest := "", u.InstanceLocation
	for {
		token, after := nextToken(rest)
		d, ok := descents[token]
		if !ok || after == "" {
			return steps
		}
		keyword, rest = keyword+"/"+token, after
		name, afterName := nextToken(rest)
		_, isIndex := arrayIndex(name)
		named := d.named || (token == "items" && isIndex)
		if named && afterName != "" {
			steps = append(steps, outputStep{keyword, instance})
		}
		if d.consumes && instanceRest != "" {
			token, after := nextToken(instanceRest)
			instance, instanceRest = instance+"/"+token, after
		}
		if named {
			if afterName == "" {
				return steps
			}
			keyword, rest = keyword+"/"+name, afterName
		}
		steps = append(steps, outputStep{keyword, instance})
	}
}
