package suite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/conformance/suite"
	"github.com/proviso-go/proviso/internal/corpus"
	"github.com/proviso-go/proviso/providers/tekuri"
)

func honest(o *proviso.EngineOptions) (proviso.Provider, error) { return tekuri.New(o) }

// files are a small suite of three groups and six tests.
var files = map[string]string{
	"tests/draft7/type.json": `[
		{"description": "strings", "schema": {"type": "string"}, "tests": [
			{"description": "a string", "data": "x", "valid": true},
			{"description": "a number", "data": 1.0, "valid": false}]},
		{"description": "numbers", "schema": {"enum": [9007199254740993]}, "tests": [
			{"description": "the same", "data": 9007199254740993, "valid": true},
			{"description": "its neighbour", "data": 9007199254740992, "valid": false}]}]`,
	"tests/draft7/ref.json": `[
		{"description": "remote", "schema": {"$ref": "http://localhost:1234/folder/tuple.json"}, "tests": [
			{"description": "right", "data": ["x"], "valid": true},
			{"description": "wrong", "data": [1], "valid": false}]}]`,
	"tests/draft7/optional/extra.json":        `[{"description": "o", "schema": true, "tests": [{"description": "t", "data": 1, "valid": true}]}]`,
	"tests/draft7/optional/format/email.json": `[{"description": "f", "schema": {"format": "email"}, "tests": [{"description": "t", "data": "no", "valid": false}]}]`,
	// Without $schema it is of the dialect under test: draft-07 has no prefixItems.
	"remotes/folder/tuple.json": `{"items": [{"type": "string"}], "prefixItems": [false]}`,
}

func root(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// broken is an honest provider but for what a hook says about a schema's text or
// an instance.
type broken struct {
	proviso.Provider
	compile  func(text string) error
	validate func(text string, instance any, err error) error
}

type brokenValidator struct {
	proviso.Validator
	text     string
	validate func(text string, instance any, err error) error
}

func (b *broken) Validator(ctx context.Context, schema proviso.Schema) (proviso.Validator, error) {
	text, _ := schema.Text()
	if b.compile != nil {
		if err := b.compile(string(text)); err != nil {
			return nil, err
		}
	}
	v, err := b.Provider.Validator(ctx, schema)
	if err != nil || b.validate == nil {
		return v, err
	}
	return &brokenValidator{v, string(text), b.validate}, nil
}

func (v *brokenValidator) Validate(instance any) error {
	return v.validate(v.text, instance, v.Validator.Validate(instance))
}

func with(b broken) func(*proviso.EngineOptions) (proviso.Provider, error) {
	return func(o *proviso.EngineOptions) (proviso.Provider, error) {
		p, err := tekuri.New(o)
		b.Provider = p
		return &b, err
	}
}

var errRefused = &proviso.UnsupportedError{Engine: "test", Keyword: "type", Reason: "refused"}

func TestMeasure(t *testing.T) {
	t.Parallel()
	dir := root(t)
	refusesType := broken{compile: func(text string) error {
		if strings.Contains(text, "type") {
			return errRefused
		}
		return nil
	}}
	for name, c := range map[string]struct {
		newProvider func(*proviso.EngineOptions) (proviso.Provider, error)
		refusals    map[string]string
		want        suite.Counts
		typeFile    suite.Counts
		failures    []string // parts of them, in order
	}{
		"an honest provider": {newProvider: honest, want: suite.Counts{Right: 6}, typeFile: suite.Counts{Right: 4}},
		"a wrong verdict": {
			newProvider: with(broken{validate: func(string, any, error) error { return nil }}),
			want:        suite.Counts{Right: 3, Wrong: 3}, typeFile: suite.Counts{Right: 2, Wrong: 2},
			failures: []string{"ref.json: remote: wrong: the verdict is <nil>", "type.json: numbers: its neighbour", "type.json: strings: a number"},
		},
		"a refusal that is not listed": {
			newProvider: with(refusesType),
			want:        suite.Counts{Right: 4, Refused: 2}, typeFile: suite.Counts{Right: 2, Refused: 2},
			failures: []string{"type.json: strings: a number: refused, and not on the list", "type.json: strings: a string: refused, and not on the list"},
		},
		"a file that is listed":  {newProvider: with(refusesType), refusals: map[string]string{"type.json": "types"}, want: suite.Counts{Right: 4, Refused: 2}, typeFile: suite.Counts{Right: 2, Refused: 2}},
		"a group that is listed": {newProvider: with(refusesType), refusals: map[string]string{"type.json: strings": "types"}, want: suite.Counts{Right: 4, Refused: 2}, typeFile: suite.Counts{Right: 2, Refused: 2}},
		"one test that is listed": {
			newProvider: with(refusesType), refusals: map[string]string{"type.json: strings: a number": "types"},
			want: suite.Counts{Right: 4, Refused: 2}, typeFile: suite.Counts{Right: 2, Refused: 2},
			failures: []string{"type.json: strings: a string: refused"},
		},
		"a list that is too long": {
			newProvider: with(refusesType), refusals: map[string]string{"type.json: strings": "types", "type.json: numbers": "numbers", "none.json": "none"},
			want: suite.Counts{Right: 4, Refused: 2}, typeFile: suite.Counts{Right: 2, Refused: 2},
			failures: []string{`refusal "none.json" is no longer needed`, `refusal "type.json: numbers" is no longer needed`},
		},
		"a verdict that is unknown": {
			newProvider: with(broken{validate: func(_ string, instance any, err error) error {
				if instance == "x" {
					return errRefused
				}
				return err
			}}),
			refusals: map[string]string{"type.json: strings: a string": "strings"},
			want:     suite.Counts{Right: 5, Refused: 1}, typeFile: suite.Counts{Right: 3, Refused: 1},
		},
		"an engine that fails, listed or not": {
			newProvider: with(broken{compile: func(text string) error {
				if strings.Contains(text, "type") {
					return &proviso.EngineError{Engine: "test", Op: "compile", Reason: "failed"}
				}
				return nil
			}}),
			want: suite.Counts{Right: 4, Refused: 2}, typeFile: suite.Counts{Right: 2, Refused: 2},
			refusals: map[string]string{"type.json: strings: a string": "strings"},
			failures: []string{`refusal "type.json: strings: a string" is no longer needed`, "type.json: strings: a number: the engine failed", "type.json: strings: a string: the engine failed"},
		},
		"a panic when it compiles": {
			newProvider: with(broken{compile: func(text string) error {
				if strings.Contains(text, "enum") {
					panic("boom")
				}
				return nil
			}}),
			want: suite.Counts{Right: 4, Refused: 2}, typeFile: suite.Counts{Right: 2, Refused: 2},
			failures: []string{"its neighbour: the engine failed: engine failure: the provider, compile: panic: boom", "the same: the engine failed"},
		},
		"a panic when it validates": {
			newProvider: with(broken{validate: func(_ string, instance any, err error) error {
				if instance == "x" {
					panic("boom")
				}
				return err
			}}),
			want: suite.Counts{Right: 5, Refused: 1}, typeFile: suite.Counts{Right: 3, Refused: 1},
			failures: []string{"type.json: strings: a string: the engine failed: engine failure: the provider, validate: panic: boom"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := suite.Measure(c.newProvider, &suite.Options{Root: dir, Dialect: proviso.Draft7, Refusals: c.refusals})
			if err != nil {
				t.Fatal(err)
			}
			if result.Counts != c.want || result.Files["type.json"] != c.typeFile {
				t.Errorf("%v, in type.json %v; want %v and %v", result, result.Files["type.json"], c.want, c.typeFile)
			}
			if len(result.Failures) != len(c.failures) {
				t.Fatalf("the failures are %q; want %q", result.Failures, c.failures)
			}
			for i, want := range c.failures {
				if !strings.Contains(result.Failures[i], want) {
					t.Errorf("failure %d is %q; want %q in it", i, result.Failures[i], want)
				}
			}
		})
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	result := suite.Run(t, honest, &suite.Options{Root: root(t), Dialect: proviso.Draft7, Which: suite.Formats, Format: proviso.FormatAssert})
	if want := map[string]suite.Counts{"optional/format/email.json": {Right: 1}}; !reflect.DeepEqual(result.Files, want) {
		t.Errorf("%v; want %v", result.Files, want)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := root(t)
	groups, err := suite.Load(dir, proviso.Draft7, suite.Required)
	if err != nil || len(groups) != 3 || groups[0].File != "ref.json" || string(groups[1].Tests[1].Data) != "1.0" {
		t.Errorf("%v, %v", groups, err)
	}
	optional, err := suite.Load(dir, proviso.Draft7, suite.Optional)
	if err != nil || len(optional) != 1 || optional[0].File != "optional/extra.json" {
		t.Errorf("%v, %v", optional, err)
	}
}

func TestMissingData(t *testing.T) {
	t.Parallel()
	dir := root(t)
	if err := os.WriteFile(filepath.Join(dir, "tests", "draft7", "bad.json"), []byte("[{]"), 0o600); err != nil {
		t.Fatal(err)
	}
	noRemotes := root(t)
	if err := os.RemoveAll(filepath.Join(noRemotes, "remotes")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		options     *suite.Options
		newProvider func(*proviso.EngineOptions) (proviso.Provider, error)
		want        string
	}{
		"no suite":       {&suite.Options{Root: t.TempDir(), Dialect: proviso.Draft7}, honest, "no tests in"},
		"no root":        {&suite.Options{Dialect: proviso.Draft7}, honest, "no tests in"},
		"no such folder": {&suite.Options{Root: dir, Dialect: proviso.Draft6}, honest, "no tests in"},
		"no dialect":     {&suite.Options{Root: dir}, honest, "no tests for"},
		"not JSON":       {&suite.Options{Root: dir, Dialect: proviso.Draft7}, honest, "bad.json"},
		"no remotes":     {&suite.Options{Root: noRemotes, Dialect: proviso.Draft7}, honest, "remotes"},
		"no provider":    {&suite.Options{Root: root(t), Dialect: proviso.Draft7}, func(*proviso.EngineOptions) (proviso.Provider, error) { return nil, errors.New("none today") }, "none today"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if result, err := suite.Measure(c.newProvider, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want an error with %q", result, err, c.want)
			}
		})
	}
}

// TestOfficialNumbers finds out that no test is lost on the way.
func TestOfficialNumbers(t *testing.T) {
	t.Parallel()
	dir := corpus.Path(t, "json-schema-test-suite")
	for dialect, want := range map[proviso.Dialect]int{
		proviso.Draft202012: 1299, proviso.Draft201909: 1259, proviso.Draft7: 927, proviso.Draft6: 839, proviso.Draft4: 618,
	} {
		groups, err := suite.Load(dir, dialect, suite.Required)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, g := range groups {
			n += len(g.Tests)
		}
		if n != want {
			t.Errorf("%s: %d tests; want %d", dialect, n, want)
		}
	}
}
