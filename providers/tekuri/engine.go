package tekuri

import (
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

// newCompiler returns a compiler that reads nothing but what is added to it.
func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compileRegexp)
	return c
}

// compile compiles the documents of one schema.
func compile(d *documents) (*jsonschema.Schema, error) {
	c := newCompiler()
	err := d.each(func(url string, document any) error { return c.AddResource(url, document) })
	if err != nil {
		return nil, compileError(err)
	}
	if d.assertsFormat {
		c.AssertFormat() // those that only annotate are no longer there
	}
	if d.options.AssertContent {
		c.AssertContent()
		c.RegisterContentMediaType(strictJSON(d.graph.Chain))
	}
	schema, err := c.Compile(d.location(d.graph.Root))
	if err != nil {
		return nil, compileError(err)
	}
	return schema, nil
}

// compileError is for what the checks before should have found.
func compileError(err error) error {
	return &proviso.EngineError{
		Engine: Name, Op: "compile",
		Reason: "the engine does not take the schema as it was rewritten for it: " + err.Error(), Err: err,
	}
}

// noLoader denies: every document has been added.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(string) (any, error) {
	return nil, errors.New("documents are not loaded while the engine compiles")
}

// judge asks the engine. Its own account of an invalid instance is dropped:
// it comes in random order, and its form is the engine's own.
func judge(schema *jsonschema.Schema, instance any) (valid bool, err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		valid = false
		if failure, ok := r.(failure); ok {
			err = failure.at(instance)
			return
		}
		err = proviso.PanicError(Name, "validate", r, debug.Stack())
	}()
	err = schema.Validate(instance)
	if err == nil {
		return true, nil
	}
	if _, invalid := errors.AsType[*jsonschema.ValidationError](err); invalid {
		return false, nil
	}
	return false, &proviso.EngineError{Engine: Name, Op: "validate", Reason: err.Error(), Err: err}
}

// recoverInto makes an error of a panic; it is to be deferred.
func recoverInto(err *error, op string) {
	if r := recover(); r != nil {
		*err = proviso.PanicError(Name, op, r, debug.Stack())
	}
}

// failure carries an error through the engine, which has no room for one in
// its hooks: that a match took too long is not a mismatch. It is the value of a
// panic.
type failure struct {
	err error
	// text is the string that was being judged, decoded if it was encoded.
	text string
}

// at returns the error with the place of the text in the instance: the first,
// where it is there more than once, since all of them fare alike, and none where it
// was encoded.
func (f failure) at(instance any) error {
	location, _ := locate(instance, f.text)
	switch err := f.err.(type) {
	case *proviso.LimitError:
		located := *err
		located.Instance, located.Location = true, location
		return &located
	case *proviso.UnsupportedError:
		located := *err
		located.Instance, located.Location = true, location
		return &located
	}
	return f.err
}

// locate returns the location of a string, as a value or as a member name.
func locate(value any, text string) (string, bool) {
	switch v := value.(type) {
	case string:
		return "", v == text
	case []any:
		for i, element := range v {
			if below, ok := locate(element, text); ok {
				return proviso.AppendPointerIndex("", i) + below, true
			}
		}
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			below, ok := locate(v[name], text)
			if ok || name == text {
				return proviso.AppendPointer("", name) + below, true
			}
		}
	}
	return "", false
}

// strictJSON is the media type of JSON, in UTF-8. What is to be judged by a
// contentSchema must be such that one can: it is decoded and checked as instances
// are, with the chain of the schema's graph.
func strictJSON(chain int) *jsonschema.MediaType {
	valid := func(text []byte) error {
		if !utf8.Valid(text) || !json.Valid(text) {
			return errors.New("not JSON")
		}
		return nil
	}
	return &jsonschema.MediaType{
		Name:     "application/json",
		Validate: valid,
		UnmarshalJSON: func(text []byte) (any, error) {
			if err := valid(text); err != nil {
				return nil, err
			}
			value, err := proviso.Decode(text)
			if err == nil {
				err = normalise.CheckInstance(value, chain)
			}
			if err != nil {
				panic(failure{err: contentError(err), text: string(text)})
			}
			return value, nil
		},
	}
}

// contentError says that the content of a string is JSON, and still cannot be
// judged.
func contentError(err error) error {
	if limit, ok := errors.AsType[*proviso.LimitError](err); ok {
		within := *limit
		within.Reason = "in the content of the string"
		return &within
	}
	return &proviso.UnsupportedError{
		Engine: Name, Keyword: "contentSchema", Reason: "the content of the string cannot be judged: " + err.Error(),
	}
}
