package proviso_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/proviso-go/proviso"
)

// polygon is the example of the specification (2020-12 Core, section 12.4).
var polygon = &proviso.ValidationError{Units: proviso.SortUnits([]proviso.Unit{
	{InstanceLocation: "", KeywordLocation: "/minItems", AbsoluteKeywordLocation: "https://example.com/polygon#/minItems", Keyword: "minItems", Message: "want at least 3 items"},
	{InstanceLocation: "/1/z", KeywordLocation: "/items/$ref/additionalProperties", AbsoluteKeywordLocation: "https://example.com/polygon#/$defs/point/additionalProperties", Keyword: "additionalProperties", Message: "property is not allowed"},
	{InstanceLocation: "/1", KeywordLocation: "/items/$ref/required", AbsoluteKeywordLocation: "https://example.com/polygon#/$defs/point/required", Keyword: "required", Message: `missing "y"`},
})}

func output(t *testing.T, verdict error, format proviso.OutputFormat) string {
	t.Helper()
	o, err := proviso.NewOutput(verdict, format)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOutput(t *testing.T) {
	t.Parallel()
	unresolved := &proviso.ValidationError{Units: []proviso.Unit{{KeywordLocation: "/type", AbsoluteKeywordLocation: "#/type", Keyword: "type", Message: "want string"}}}
	for _, c := range []struct {
		name    string
		verdict error
		format  proviso.OutputFormat
		want    string
	}{
		{"flag valid", nil, proviso.OutputFlag, `{"valid":true}`},
		{"flag invalid", polygon, proviso.OutputFlag, `{"valid":false}`},
		{"basic valid", nil, proviso.OutputBasic, `{"valid":true}`},
		{"basic", polygon, proviso.OutputBasic, `{"valid":false,"errors":[` +
			`{"valid":false,"keywordLocation":"/minItems","absoluteKeywordLocation":"https://example.com/polygon#/minItems","instanceLocation":"","error":"want at least 3 items"},` +
			`{"valid":false,"keywordLocation":"/items/$ref/required","absoluteKeywordLocation":"https://example.com/polygon#/$defs/point/required","instanceLocation":"/1","error":"missing \"y\""},` +
			`{"valid":false,"keywordLocation":"/items/$ref/additionalProperties","absoluteKeywordLocation":"https://example.com/polygon#/$defs/point/additionalProperties","instanceLocation":"/1/z","error":"property is not allowed"}]}`},
		{"detailed valid", nil, proviso.OutputDetailed, `{"valid":true,"keywordLocation":"","instanceLocation":""}`},
		{"detailed", polygon, proviso.OutputDetailed, `{"valid":false,"keywordLocation":"","instanceLocation":"","errors":[` +
			`{"valid":false,"keywordLocation":"/minItems","absoluteKeywordLocation":"https://example.com/polygon#/minItems","instanceLocation":"","error":"want at least 3 items"},` +
			`{"valid":false,"keywordLocation":"/items/$ref","absoluteKeywordLocation":"https://example.com/polygon#/$defs/point","instanceLocation":"/1","errors":[` +
			`{"valid":false,"keywordLocation":"/items/$ref/required","absoluteKeywordLocation":"https://example.com/polygon#/$defs/point/required","instanceLocation":"/1","error":"missing \"y\""},` +
			`{"valid":false,"keywordLocation":"/items/$ref/additionalProperties","absoluteKeywordLocation":"https://example.com/polygon#/$defs/point/additionalProperties","instanceLocation":"/1/z","error":"property is not allowed"}]}]}`},
		{"relative location left out", unresolved, proviso.OutputBasic, `{"valid":false,"errors":[{"valid":false,"keywordLocation":"/type","instanceLocation":"","error":"want string"}]}`},
	} {
		if got := output(t, c.verdict, c.format); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestDetailedNesting checks which instance the nodes between the root and a
// unit are given, for every way in which an applicator leads to a subschema.
func TestDetailedNesting(t *testing.T) {
	t.Parallel()
	type node struct{ keyword, instance string }
	for _, c := range []struct {
		units []node
		want  []node // the children of the root, and theirs, depth first
	}{
		{
			[]node{{"/anyOf", ""}, {"/anyOf/0/type", ""}, {"/anyOf/1/minimum", ""}},
			[]node{{"/anyOf", ""}, {"/anyOf/0/type", ""}, {"/anyOf/1/minimum", ""}},
		},
		{
			[]node{{"/properties/a~1b/items/type", "/a~1b/0"}, {"/properties/a~1b/items/minimum", "/a~1b/0"}, {"/properties/a~1b/items/type", "/a~1b/1"}},
			[]node{{"/properties/a~1b", "/a~1b"}, {"/properties/a~1b/items", "/a~1b/0"}, {"/properties/a~1b/items/minimum", "/a~1b/0"}, {"/properties/a~1b/items/type", "/a~1b/0"}, {"/properties/a~1b/items/type", "/a~1b/1"}},
		},
		{
			[]node{{"/properties/items/properties/type/type", "/items/type"}, {"/properties/items/required", "/items"}},
			[]node{{"/properties/items", "/items"}, {"/properties/items/required", "/items"}, {"/properties/items/properties/type/type", "/items/type"}},
		},
		{
			[]node{{"/items/0/type", "/0"}, {"/items/0/const", "/0"}, {"/additionalItems/type", "/1"}},
			[]node{{"/items/0", "/0"}, {"/items/0/const", "/0"}, {"/items/0/type", "/0"}, {"/additionalItems/type", "/1"}},
		},
		{
			[]node{{"/propertyNames/pattern", "/x"}, {"/propertyNames/maxLength", "/x"}, {"/dependentSchemas/a/required", ""}, {"/not", ""}},
			[]node{{"/dependentSchemas/a/required", ""}, {"/not", ""}, {"/propertyNames", "/x"}, {"/propertyNames/maxLength", "/x"}, {"/propertyNames/pattern", "/x"}},
		},
		{[]node{{"", ""}}, []node{{"", ""}}},
	} {
		var units []proviso.Unit
		for _, n := range c.units {
			units = append(units, proviso.Unit{KeywordLocation: n.keyword, InstanceLocation: n.instance, Message: "no"})
		}
		root, err := proviso.NewOutput(&proviso.ValidationError{Units: proviso.SortUnits(units)}, proviso.OutputDetailed)
		if err != nil {
			t.Fatal(err)
		}
		var got []node
		var collect func(*proviso.Output)
		collect = func(o *proviso.Output) {
			for _, child := range o.Errors {
				got = append(got, node{child.KeywordLocation, child.InstanceLocation})
				collect(child)
			}
		}
		collect(root)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v:\n got %v\nwant %v", c.units, got, c.want)
		}
	}
}

func TestOutputOfNoVerdict(t *testing.T) {
	t.Parallel()
	unknown := &proviso.EngineError{Engine: "e", Op: "validate", Reason: "r"}
	for _, format := range []proviso.OutputFormat{proviso.OutputFlag, proviso.OutputBasic, proviso.OutputDetailed} {
		if o, err := proviso.NewOutput(unknown, format); !errors.Is(err, unknown) || o != nil {
			t.Errorf("%s: %v, %v", format, o, err)
		}
	}
	if _, err := proviso.NewOutput(nil, "verbose"); err == nil {
		t.Error("verbose is not refused")
	}
}

func TestSortUnits(t *testing.T) {
	t.Parallel()
	want := []string{"", "/a", "/a/2", "/a/10", "/a/10/x", "/a/b", "/a~0", "/b"}
	units := []proviso.Unit{{InstanceLocation: "/b"}, {InstanceLocation: "/a"}, {InstanceLocation: "/a"}}
	for i := len(want) - 1; i >= 0; i-- {
		units = append(units, proviso.Unit{InstanceLocation: want[i]})
	}
	var got []string
	for _, u := range proviso.SortUnits(units) {
		got = append(got, u.InstanceLocation)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
