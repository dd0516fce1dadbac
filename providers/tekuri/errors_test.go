package tekuri_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
)

// TestCompileErrors has what is wrong, or refused, with the place and the
// keyword that the error has to name.
func TestCompileErrors(t *testing.T) {
	t.Parallel()
	linear := &proviso.EngineOptions{Regexp: proviso.RegexpLinear}
	remote := &proviso.EngineOptions{Resources: map[string]*proviso.Document{"http://example.org/bad": document(t, `{"properties":{"a":{"type":"nothing"}}}`)}}
	for _, c := range []struct {
		name    string
		options *proviso.EngineOptions
		schema  string
		want    error // of which type, location and keyword count
	}{
		{"a bad type", nil, `{"properties":{"a":{"type":"nothing"}}}`, &proviso.SchemaError{Location: "/properties/a/type", Keyword: "type"}},
		{"a bad limit in draft-04", nil, `{"$schema":"http://json-schema.org/draft-04/schema#","maxLength":-1}`, &proviso.SchemaError{Location: "/maxLength", Keyword: "maxLength"}},
		{"array items in 2020-12", nil, `{"items":[{}]}`, &proviso.SchemaError{Location: "/items", Keyword: "items"}},
		{"a bad schema that is referred to", remote, `{"$ref":"http://example.org/bad"}`, &proviso.SchemaError{URI: "http://example.org/bad", Location: "/properties/a/type", Keyword: "type"}},
		{"a bad pattern", nil, `{"items":{"pattern":"("}}`, &proviso.SchemaError{Location: "/items/pattern", Keyword: "pattern"}},
		{"a bad pattern of names", nil, `{"patternProperties":{"a/(":{}}}`, &proviso.SchemaError{Location: "/patternProperties/a~1(", Keyword: "patternProperties"}},
		{"a pattern beyond the linear matcher", linear, `{"pattern":"(?=a)"}`, &proviso.UnsupportedError{Location: "/pattern", Keyword: "pattern"}},
		{"a broken pointer", nil, `{"items":{"$ref":"#/$defs/no"}}`, &proviso.LoadError{Location: "/items/$ref"}},
		{"a broken anchor", nil, `{"items":{"$ref":"#no"}}`, &proviso.LoadError{Location: "/items/$ref"}},
		{"a document that is not there", nil, `{"items":{"$ref":"http://example.org/no"}}`, &proviso.LoadError{Location: "/items/$ref"}},
		{"a file", nil, `{"$ref":"file:///etc/hostname"}`, &proviso.LoadError{Location: "/$ref"}},
		{"an in-place cycle", nil, `{"items":{"not":{"$ref":"#/items"}}}`, &proviso.LimitError{}},
		{"an unknown $schema", nil, `{"$schema":"http://example.org/x"}`, &proviso.UnsupportedError{Location: "/$schema", Keyword: "$schema"}},
		{"a huge limit", nil, `{"items":{"maximum":1e2000000}}`, &proviso.LimitError{Location: "/items/maximum"}},
		{"a huge constant", nil, `{"enum":[{"a":1e-2000000}]}`, &proviso.LimitError{Location: "/enum/0/a"}},
		{"a schema that is too deep", nil, strings.Repeat(`{"not":`, 1001) + `{}` + strings.Repeat(`}`, 1001), &proviso.LimitError{Location: strings.Repeat("/not", 1000)}},
		{"two schemas of one identifier", nil, `{"$defs":{"a":{"$id":"http://e/a"},"b":{"$id":"http://e/a"}}}`, &proviso.SchemaError{Location: "/$defs/b/$id", Keyword: "$id"}},
		{"a number", nil, `12`, &proviso.SchemaError{}},
		{"no text", nil, ``, &proviso.SchemaError{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := provider(t, c.options).Validator(context.Background(), proviso.JSON([]byte(c.schema)))
			if reflect.TypeOf(err) != reflect.TypeOf(c.want) {
				t.Fatalf("the error is %T, %v; it should be %T", err, err, c.want)
			}
			got, want := place(err), place(c.want)
			if _, cycle := err.(*proviso.LimitError); got != want && !(cycle && want == place(&proviso.LimitError{})) {
				t.Errorf("the error names %q; it should name %q (%v)", got, want, err)
			}
		})
	}
}

// place is where an error points to: document, location and keyword.
func place(err error) [3]string {
	switch e := err.(type) {
	case *proviso.SchemaError:
		return [3]string{e.URI, e.Location, e.Keyword}
	case *proviso.UnsupportedError:
		return [3]string{e.URI, e.Location, e.Keyword}
	case *proviso.LoadError:
		return [3]string{e.From, e.Location}
	case *proviso.LimitError:
		return [3]string{e.URI, e.Location}
	}
	return [3]string{}
}

func TestMetaSchemaUnits(t *testing.T) {
	t.Parallel()
	_, err := provider(t, nil).Validator(context.Background(), proviso.JSON([]byte(`{"type":"nothing","minLength":-1}`)))
	schema, ok := errors.AsType[*proviso.SchemaError](err)
	if !ok {
		t.Fatal(err)
	}
	units, ok := errors.AsType[*proviso.ValidationError](schema.Err)
	if !ok {
		t.Fatalf("the cause is %T", schema.Err)
	}
	at := map[string]bool{}
	for _, u := range units.Units {
		at[u.InstanceLocation] = true
	}
	if !at["/type"] || !at["/minLength"] {
		t.Errorf("the units point to %v", at)
	}
	if sorted := proviso.SortUnits(append([]proviso.Unit(nil), units.Units...)); !reflect.DeepEqual(sorted, units.Units) {
		t.Error("the units are not sorted")
	}
}

// TestUnits has the units of an invalid instance, of which the engine's own
// account has none of the order and half of the locations.
func TestUnits(t *testing.T) {
	t.Parallel()
	v := compile(t, nil, `{"$id":"http://example.org/s","properties":{"b":{"$ref":"#/$defs/n"},"a":{"not":{}}},"propertyNames":{"maxLength":2},"$defs":{"n":{"type":"number"}}}`)
	want := []string{"/a not /properties/a/not http://example.org/s#/properties/a/not", "/abc maxLength /propertyNames/maxLength http://example.org/s#/propertyNames/maxLength", "/b type /properties/b/$ref/type http://example.org/s#/$defs/n/type"}
	for range 20 {
		err := proviso.ValidateJSON(v, []byte(`{"a":1,"abc":1,"b":"x"}`))
		invalid, ok := errors.AsType[*proviso.ValidationError](err)
		if !ok {
			t.Fatal(err)
		}
		var got []string
		for _, u := range invalid.Units {
			got = append(got, strings.Join([]string{u.InstanceLocation, u.Keyword, u.KeywordLocation, u.AbsoluteKeywordLocation}, " "))
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("the units are\n%s\nand should be\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestContexts(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	options := &proviso.EngineOptions{Loader: proviso.LoaderFunc(func(ctx context.Context, uri string) ([]byte, error) {
		switch uri {
		case "http://example.org/cancels":
			cancel()
			return []byte(`{}`), nil
		case "http://example.org/waits":
			<-ctx.Done()
			return nil, ctx.Err()
		}
		panic("the loader's")
	})}
	p := provider(t, options)
	ask := func(ctx context.Context, uri string) error {
		_, err := p.Validator(ctx, proviso.Value(map[string]any{"$ref": uri}))
		return err
	}
	if err := ask(ctx, "http://example.org/cancels"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ends on the way: %v", err)
	}
	if err := ask(ctx, "http://example.org/panics"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	over, cancelOver := context.WithTimeout(context.Background(), 1)
	defer cancelOver()
	if err := ask(over, "http://example.org/waits"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a loader that waits: %v", err)
	}
	if err, ok := errors.AsType[*proviso.EngineError](ask(context.Background(), "http://example.org/panics")); !ok || len(err.Stack) == 0 {
		t.Errorf("a loader that panics: %v", err)
	}
}

func TestInstances(t *testing.T) {
	t.Parallel()
	v := compile(t, nil, `{"type":"number"}`)
	for name, instance := range map[string]any{"NaN": math.NaN(), "a channel": make(chan int)} {
		if _, ok := errors.AsType[*proviso.DecodeError](v.Validate(instance)); !ok {
			t.Errorf("%s: %v", name, v.Validate(instance))
		}
	}
	for _, instance := range []any{1, int64(1), uint8(1), float32(0.5), 1.5} {
		if err := v.Validate(instance); err != nil {
			t.Errorf("%T: %v", instance, err)
		}
	}
	v = compile(t, nil, `{"properties":{"a":{"type":"array","minItems":1}},"required":["a"]}`)
	if err := v.Validate(struct {
		A []string `json:"a"`
	}{[]string{"x"}}); err != nil {
		t.Errorf("a struct: %v", err)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	if _, err := newProvider(&proviso.EngineOptions{DefaultDialect: 77}); err == nil || !strings.Contains(err.Error(), "DefaultDialect") {
		t.Errorf("%v", err)
	}
}
