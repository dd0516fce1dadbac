// Package cli is the command line.
package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// The exit codes of every command.
const (
	exitOK      = 0
	exitInvalid = 1 // something is invalid, or leaks
	exitUsage   = 2 // the command line, or a schema that is none
	exitUnknown = 3 // a verdict is unknown
)

// exit is an error with an exit code; a nil err has been reported already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// Run runs the command with its arguments, and returns the exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteC()
	if err == nil {
		return exitOK
	}
	var e *exit
	if !errors.As(err, &e) {
		// cobra's own: an unknown command or flag, a missing argument.
		e = &exit{code: exitUsage, err: fmt.Errorf("%w\nrun '%s --help' for help", err, command.CommandPath())}
	}
	if e.err != nil {
		fmt.Fprintf(stderr, "proviso: %v\n", e.err)
	}
	return e.code
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "proviso",
		Short: "Validate JSON against JSON Schema, with the engine of your choice",
		Long: `Proviso validates JSON against JSON Schema, with any engine for Go behind one
interface. A verdict is valid, invalid, or unknown; it is never a guess.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.AddCommand(newValidate(), newEngines(), newLeak(), newMeasure(), newVersion())
	return root
}
