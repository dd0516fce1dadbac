package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/proviso-go/proviso"
)

// Options say what a provider is measured against.
type Options struct {
	// Root is the suite's folder, with tests/ and remotes/.
	Root    string
	Dialect proviso.Dialect
	Which   Which
	// Refusals are the groups, or single tests, that the provider refuses, with the
	// reason: by file ("ref.json"), by file and group ("ref.json: description") or by
	// file, group and test. An entry that nothing needs fails the test.
	Refusals map[string]string
	// Format and AssertContent are handed to the provider, which knows them as
	// EngineOptions.
	Format        proviso.FormatPolicy
	AssertContent bool
}

// Counts are numbers of verdicts.
type Counts struct{ Right, Wrong, Refused int }

// Total is how many verdicts were asked for.
func (c Counts) Total() int { return c.Right + c.Wrong + c.Refused }

// String returns the counts as one line.
func (c Counts) String() string {
	return fmt.Sprintf("%d right, %d refused, %d wrong of %d", c.Right, c.Refused, c.Wrong, c.Total())
}

// A Result is what came of a dialect's tests.
type Result struct {
	// Counts are those of all files together.
	Counts
	// Files are the counts of each file, by its name, such as "ref.json".
	Files map[string]Counts
	// Failures are the wrong verdicts, the refusals that are not on the list or not
	// needed there, and the failures of the engine, in words and sorted.
	Failures []string
}

// Run measures the provider that newProvider makes of the engine options
// (DefaultDialect and Resources are those of the suite), and fails the test for
// each wrong verdict, each refusal that is not listed, and each listed one that is
// not needed.
func Run(t *testing.T, newProvider func(*proviso.EngineOptions) (proviso.Provider, error), o *Options) *Result {
	t.Helper()
	result, err := Measure(newProvider, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, failure := range result.Failures {
		t.Error(failure)
	}
	t.Logf("%s: %s", o.Dialect, result)
	return result
}

// Measure is Run without a test. Its error is one of the suite's files.
func Measure(newProvider func(*proviso.EngineOptions) (proviso.Provider, error), o *Options) (*Result, error) {
	groups, err := Load(o.Root, o.Dialect, o.Which)
	if err != nil {
		return nil, err
	}
	remotes, err := Remotes(o.Root)
	if err != nil {
		return nil, err
	}
	provider, err := newProvider(&proviso.EngineOptions{
		DefaultDialect: o.Dialect, Resources: remotes, Format: o.Format, AssertContent: o.AssertContent,
	})
	if err != nil {
		return nil, err
	}
	m := measurement{options: o, used: make(map[string]bool), result: &Result{Files: make(map[string]Counts)}}
	for _, g := range groups {
		before := m.result.Counts
		m.group(provider, g)
		file := m.result.Files[g.File]
		file.Right += m.result.Right - before.Right
		file.Wrong += m.result.Wrong - before.Wrong
		file.Refused += m.result.Refused - before.Refused
		m.result.Files[g.File] = file
	}
	for entry := range o.Refusals {
		if !m.used[entry] {
			m.result.Failures = append(m.result.Failures, fmt.Sprintf("refusal %q is no longer needed; take it off the list", entry))
		}
	}
	slices.Sort(m.result.Failures)
	return m.result, nil
}

type measurement struct {
	options *Options
	used    map[string]bool
	result  *Result
}

func (m *measurement) group(provider proviso.Provider, g Group) {
	at := g.File + ": " + g.Description
	validator, err := compile(provider, g.Schema)
	if err != nil {
		for _, test := range g.Tests {
			m.refused(err, g.File, at, at+": "+test.Description)
		}
		return
	}
	for _, test := range g.Tests {
		m.test(validator, test, g.File, at)
	}
}

// compile and validate make an error of a panic, so that the other tests are
// run all the same.
func compile(provider proviso.Provider, schema []byte) (v proviso.Validator, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = nil, proviso.PanicError("the provider", "compile", r, debug.Stack())
		}
	}()
	return provider.Validator(context.Background(), proviso.JSON(schema))
}

func validate(v proviso.Validator, text []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = proviso.PanicError("the provider", "validate", r, debug.Stack())
		}
	}()
	return proviso.ValidateJSON(v, text)
}

func (m *measurement) test(validator proviso.Validator, test Test, file, group string) {
	at := group + ": " + test.Description
	err := validate(validator, test.Data)
	invalid, isInvalid := errors.AsType[*proviso.ValidationError](err)
	switch {
	case err != nil && !isInvalid:
		m.refused(err, file, group, at)
	case (err == nil) != test.Valid:
		m.result.Wrong++
		m.fail("%s: the verdict is %v; it should be valid=%v", at, err, test.Valid)
	default:
		m.result.Right++
		if isInvalid {
			m.output(invalid, at)
		}
	}
}

// output checks that an error can be written in each format.
func (m *measurement) output(invalid *proviso.ValidationError, at string) {
	for _, format := range []proviso.OutputFormat{proviso.OutputFlag, proviso.OutputBasic, proviso.OutputDetailed} {
		output, err := proviso.NewOutput(invalid, format)
		if err == nil {
			_, err = json.Marshal(output)
		}
		if err != nil {
			m.fail("%s: no %s output: %v", at, format, err)
		}
	}
}

// refused counts a refusal that one of the names lists.
func (m *measurement) refused(err error, names ...string) {
	m.result.Refused++
	if _, isEngine := errors.AsType[*proviso.EngineError](err); isEngine {
		m.fail("%s: the engine failed: %v", names[len(names)-1], err)
		return
	}
	listed := false
	for _, name := range names {
		if _, ok := m.options.Refusals[name]; ok {
			m.used[name] = true
			listed = true
		}
	}
	if !listed {
		m.fail("%s: refused, and not on the list: %v", names[len(names)-1], err)
	}
}

func (m *measurement) fail(format string, args ...any) {
	m.result.Failures = append(m.result.Failures, fmt.Sprintf(format, args...))
}
