package conformance

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
)

// A test that is meant to fail is run in a process of its own: this binary
// again, told by the environment which of the trials it is to run.
const trialVariable = "CONFORMANCE_TRIAL"

// trials are uses of Run, most of which must fail.
var trials = map[string]struct {
	newProvider func(testing.TB) proviso.Provider
	skip        map[string]string
	// run is what go test -run would be given below the test's name.
	run string
	// passes tells whether the test must pass; says are what it must print, and
	// hides what it must not.
	passes      bool
	says, hides []string
}{
	"a broken promise is printed in words": {
		newProvider: animalNamed("reads files"), run: "io",
		says:  []string{"FAIL: TestTrial/io/files", "broken promise: no file is read, whatever a schema refers to", "PASS: TestTrial/io/network"},
		hides: []string{"no connection is made"},
	},
	"a reason excuses a case": {
		newProvider: animalNamed("reads files"), run: "io", skip: map[string]string{"io/files": "it is made to read files"},
		passes: true, says: []string{"SKIP: TestTrial/io/files", "the author says: it is made to read files"},
	},
	"a reason excuses the failing cases of a group": {
		newProvider: animalNamed("reads files"), run: "io", skip: map[string]string{"io": "it is made to read files"},
		passes: true, says: []string{"SKIP: TestTrial/io/files", "PASS: TestTrial/io/network"},
	},
	"a stale reason for a case fails": {
		newProvider: honest, run: "io", skip: map[string]string{"io/files": "it was made to read files"},
		says: []string{`Skip["io/files"] is no longer needed`, "it was made to read files", "PASS: TestTrial/io/files"},
	},
	"a stale reason for a group fails": {
		newProvider: honest, run: "io", skip: map[string]string{"io": "it was made to read files"},
		says: []string{`Skip["io"] is no longer needed`},
	},
	"a reason beside one for the whole group has to be needed as well": {
		newProvider: animalNamed("reads files"), run: "io", skip: map[string]string{"io": "a", "io/files": "b"},
		says: []string{`Skip["io"] is no longer needed`}, hides: []string{`Skip["io/files"] is`},
	},
	"a reason for what was not run is not stale": {
		newProvider: honest, run: "io/network", skip: map[string]string{"io/files": "it is made to read files", "io": "and other things", "caching": "no cache"},
		passes: true, hides: []string{"no longer needed"},
	},
	"a skip of nothing is refused": {
		newProvider: honest, run: "io", skip: map[string]string{"io/printers": "it prints"},
		says: []string{`Options.Skip has "io/printers"`},
	},
	"panics fail their cases and no other": {
		newProvider: animalNamed("panics on a bad schema"), run: "(errors|dialects)",
		says: []string{"FAIL: TestTrial/errors/typed", "panic: zoo", "PASS: TestTrial/errors/units", "PASS: TestTrial/dialects/references", "broken promise: every error of Provider.Validator"},
	},
	"no provider": {
		newProvider: func(testing.TB) proviso.Provider { return nil }, run: "io/network",
		says: []string{"newProvider returned nil"},
	},
	"a factory that gives up": {
		newProvider: func(tb testing.TB) proviso.Provider { tb.Fatal("there is no engine today"); return nil }, run: "io/network",
		says: []string{"there is no engine today", "FAIL: TestTrial/io/network"}, hides: []string{"panic"},
	},
}

// animalNamed makes the providers of an animal.
func animalNamed(name string) func(testing.TB) proviso.Provider {
	return func(tb testing.TB) proviso.Provider {
		for _, a := range zoo() {
			if a.name == name {
				return a.newProvider()(tb)
			}
		}
		tb.Fatalf("there is no animal %q", name)
		return nil
	}
}

// child runs this binary again and returns whether it passed, and its output.
func child(t *testing.T, trial, run string) (passed bool, output string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^TestTrial$/^"+strings.ReplaceAll(run, "/", "$/^")+"$")
	command.Env = append(os.Environ(), trialVariable+"="+trial)
	text, err := command.CombinedOutput()
	if err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return command.ProcessState.Success(), string(text)
}

func TestRun(t *testing.T) {
	t.Parallel()
	for name, trial := range trials {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passed, output := child(t, name, trial.run)
			if passed != trial.passes {
				t.Errorf("passed: %v; it should be %v", passed, trial.passes)
			}
			for _, text := range trial.says {
				if !strings.Contains(output, text) {
					t.Errorf("it does not say %q", text)
				}
			}
			for _, text := range trial.hides {
				if strings.Contains(output, text) {
					t.Errorf("it says %q", text)
				}
			}
			if t.Failed() {
				t.Logf("the output:\n%s", output)
			}
		})
	}
}

// TestTrial is what the children run.
func TestTrial(t *testing.T) {
	name := os.Getenv(trialVariable)
	if name == "" {
		t.Skip("it is meant to fail, and is run by TestRun in a process of its own")
	}
	if newProvider, ok := racing[name]; ok {
		Run(t, newProvider, &Options{Keeps: MinKeeps})
		return
	}
	trial := trials[name]
	Run(t, trial.newProvider, &Options{Keeps: MinKeeps, Skip: trial.skip})
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options *Options
		want    string // "" for options that are right
	}{
		"none":             {nil, ""},
		"empty":            {&Options{}, ""},
		"a cache":          {&Options{Keeps: MinKeeps}, ""},
		"a reason":         {&Options{Skip: map[string]string{"caching": "no cache", "io/files": "reads"}}, ""},
		"no dialects":      {&Options{Dialects: []proviso.Dialect{}}, "Dialects is empty"},
		"no dialect":       {&Options{Dialects: []proviso.Dialect{0}}, "0 is not a dialect"},
		"a tiny cache":     {&Options{Keeps: MinKeeps - 1}, "at least 64"},
		"a negative cache": {&Options{Keeps: -1}, "at least 64"},
		"an unknown case":  {&Options{Skip: map[string]string{"caching/none": "x"}}, `"caching/none"`},
		"no reason":        {&Options{Skip: map[string]string{"caching": " "}}, `Skip["caching"] has no reason`},
		"a skip of cases that need Wrap": {
			&Options{Skip: map[string]string{"wrapping": "no wrapper"}}, `"wrapping"`,
		},
		"a skip of cases that there are with Wrap": {
			&Options{Wrap: honestWrap, Skip: map[string]string{"wrapping/panics": "it panics"}}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.options.checked()
			if (err == nil) != (c.want == "") || (err != nil && !strings.Contains(err.Error(), c.want)) {
				t.Errorf("the error is %v; want one with %q", err, c.want)
			}
		})
	}
}
