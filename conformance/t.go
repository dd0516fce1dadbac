package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
)

// T is what a case is run with.
type T struct {
	options     *Options
	tb          testing.TB
	newProvider func(testing.TB) proviso.Provider
	dialect     proviso.Dialect

	mu       sync.Mutex
	failures []string
}

// maxFailures is how many failures of one case are reported.
const maxFailures = 10

// defaultTimeLimit is how long a case may take before it counts as hanging. None
// takes more than a few seconds, under the race detector too.
const defaultTimeLimit = 2 * time.Minute

// runCase runs a case, in each dialect that it is meant for, and returns what
// failed.
func runCase(tb testing.TB, c Case, newProvider func(testing.TB) proviso.Provider, o *Options) []string {
	dialects := o.Dialects[len(o.Dialects)-1:] // the newest
	if c.perDialect {
		dialects = o.Dialects
	}
	var failures []string
	for _, d := range dialects {
		t := &T{options: o, tb: tb, newProvider: newProvider, dialect: d}
		for _, failure := range t.guard(c.run) {
			if c.perDialect {
				failure = d.String() + ": " + failure
			}
			failures = append(failures, failure)
		}
	}
	return failures
}

// stop is the panic of Fatalf.
type stop struct{}

// guard runs a function on a goroutine of its own, so that neither a panic nor
// a hang of the provider ends the test, and returns what failed.
func (t *T) guard(run func(*T)) []string {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer t.recover()
		run(t)
	}()
	select {
	case <-done:
	case <-time.After(t.options.timeLimit):
		t.Errorf("it does not end: it was given %v", t.options.timeLimit)
	}
	// A goroutine that hangs may still report later, so the caller gets a copy.
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.failures)
}

// recover is deferred on every goroutine that calls the provider.
func (t *T) recover() {
	switch p := recover().(type) {
	case nil, stop:
	default:
		t.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// Errorf reports a failure.
func (t *T) Errorf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.failures) < maxFailures {
		t.failures = append(t.failures, fmt.Sprintf(format, args...))
	}
}

// Fatalf reports a failure and ends the goroutine's part of the case.
func (t *T) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	panic(stop{})
}

// parallel calls f on n goroutines at once and waits for them.
func (t *T) parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer t.recover()
			<-start
			f(i)
		}()
	}
	close(start)
	wg.Wait()
}

// provider makes the provider under test.
func (t *T) provider() proviso.Provider {
	p := t.newProvider(t.tb)
	if p == nil {
		t.Fatalf("newProvider returned nil")
	}
	return p
}

// text writes a schema object for the case's dialect: $schema is added, and
// @id, @defs and "@anchor":" stand for what the dialect has.
func (t *T) text(schema string) string { return textFor(t.dialect, schema) }

func textFor(d proviso.Dialect, schema string) string {
	id, defs, anchor := "$id", "$defs", `"$anchor":"`
	if d == proviso.Draft4 {
		id = "id"
	}
	if d < proviso.Draft201909 {
		// An anchor is an identifier that has nothing but a fragment.
		defs, anchor = "definitions", `"`+id+`":"#`
	}
	schema = strings.NewReplacer("@id", id, "@defs", defs, `"@anchor":"`, anchor).Replace(schema)
	head := fmt.Sprintf(`{"$schema":%q`, d.URI())
	if body := strings.TrimSpace(schema[1:]); body != "}" {
		head += ","
	}
	return head + schema[1:]
}

// json is the text as a schema.
func (t *T) json(schema string) proviso.Schema { return proviso.JSON([]byte(t.text(schema))) }

// tree is the text decoded, each time anew.
func (t *T) tree(schema string) map[string]any {
	v, err := proviso.Decode([]byte(t.text(schema)))
	if err != nil {
		t.Fatalf("the suite's own schema does not decode: %v", err)
	}
	return v.(map[string]any)
}

// compile asks for a validator that there must be.
func (t *T) compile(p proviso.Provider, schema proviso.Schema) proviso.Validator {
	v, err := p.Validator(context.Background(), schema)
	if err != nil {
		t.Fatalf("no validator for a good schema: %v", err)
	}
	if v == nil {
		t.Fatalf("neither a validator nor an error")
	}
	return v
}

// refused asks for a validator that there must not be, and returns the error.
func (t *T) refused(p proviso.Provider, what string, schema proviso.Schema) error {
	v, err := p.Validator(context.Background(), schema)
	if err == nil {
		t.Errorf("%s: no error, but a validator %T", what, v)
	}
	return err
}

// verdicts, as words.
const (
	valid   = "valid"
	invalid = "invalid"
)

// verdict asks for a verdict, in a word; an unknown one is the error's text.
func verdict(v proviso.Validator, instance any) string {
	err := v.Validate(instance)
	if err == nil {
		return valid
	}
	if _, ok := errors.AsType[*proviso.ValidationError](err); ok {
		return invalid
	}
	return "unknown: " + err.Error()
}

// want reports a verdict that is another.
func (t *T) want(v proviso.Validator, instance any, want string, when string) {
	if got := verdict(v, instance); got != want {
		t.Errorf("%s: the verdict on %#v is %s; it should be %s", when, instance, got, want)
	}
}

// units returns the units for an instance that is invalid.
func (t *T) units(v proviso.Validator, instance any) []proviso.Unit {
	err := v.Validate(instance)
	e, ok := errors.AsType[*proviso.ValidationError](err)
	if !ok {
		t.Fatalf("the verdict on %#v is %v; it should be a *ValidationError", instance, err)
	}
	return e.Units
}

// same compares two validators, which may be of a type that cannot be compared.
func same(a, b proviso.Validator) (equal bool) {
	defer func() {
		if recover() != nil {
			equal = false
		}
	}()
	return a == b
}
