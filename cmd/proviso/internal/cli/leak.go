package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
	"github.com/proviso-go/proviso/cmd/proviso/internal/leak"
)

func newLeak() *cobra.Command {
	var name string
	l := &listing{}
	cmd := &cobra.Command{
		Use:   "leak",
		Short: "Replay the leak that this project began with",
		Long: fmt.Sprintf(`Replay the report that this project began with: a client that lists %d tools,
refreshes the list %d times, and validates an output of each tool by the
schema that came with the refresh. The schemas have no $id and never change.

Each engine is used naively (one compiler, loader or registry for the life of the
program), through its provider with each validator dropped after use, and through its
provider behind a memo, as in the standard stack. Each use has a process of its own. What the
heap gained is measured after collections: by the first refresh, and by all the
others.

Exit code:
  0  every provider keeps below %.1f KB (%.1f bytes) for a validation
  1  a provider does not
  2  the command line is wrong
  3  something could not be measured`, leak.Tools, leak.Refreshes, leak.MaxBytes/1024, leak.MaxBytes),
		Example: "  proviso leak\n  proviso leak --engine qri --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := l.check(); err != nil {
				return err
			}
			engines := engine.All()
			if name != "" {
				e, err := engine.Find(name)
				if err != nil {
					return usage(err)
				}
				engines = []engine.Engine{e}
			}
			all, err := measureAll(cmd.Context(), engines)
			if err != nil {
				return &exit{exitUnknown, err}
			}
			if err := l.write(cmd.OutOrStdout(), all, func(out io.Writer) error { return writeLeaks(out, all) }); err != nil {
				return err
			}
			return judge(all)
		},
	}
	cmd.Flags().StringVarP(&name, "engine", "e", "", "only this engine: "+strings.Join(engine.Names(), ", "))
	complete(cmd, "engine", engine.Names()...)
	l.define(cmd)
	return cmd
}

func measureAll(ctx context.Context, engines []engine.Engine) ([]leak.Measurement, error) {
	var all []leak.Measurement
	for _, e := range engines {
		for _, use := range leak.Uses(e) {
			m, err := leak.Child(ctx, e, use)
			if err != nil {
				return nil, err
			}
			all = append(all, m)
		}
	}
	return all, nil
}

// judge names the providers that retain too much.
func judge(all []leak.Measurement) error {
	var over []string
	for _, m := range all {
		if m.OverLimit() {
			over = append(over, fmt.Sprintf("%s, %s: %.1f bytes", m.Engine, m.Use, m.PerValidation))
		}
	}
	if len(over) > 0 {
		return &exit{exitInvalid, fmt.Errorf("more than %.1f KB for a validation: %s", leak.MaxBytes/1024, strings.Join(over, "; "))}
	}
	return nil
}

func writeLeaks(out io.Writer, all []leak.Measurement) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ENGINE\tUSE\tFIRST REFRESH\tVALIDATIONS\tRETAINED BYTES\tBYTES/VALIDATION")
	for _, m := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.1f\n", m.Engine, m.Use, m.FirstRefresh, m.Validations, m.Retained, tenths(m.PerValidation))
	}
	return w.Flush()
}

// tenths rounds to one decimal, and never to a zero with a sign.
func tenths(f float64) float64 { return math.Round(f*10)/10 + 0 }

// newMeasure is what newLeak starts in a process of its own.
func newMeasure() *cobra.Command {
	return &cobra.Command{
		Use:    leak.Subcommand + " ENGINE USE",
		Short:  "Measure one use of an engine, for 'proviso leak'",
		Hidden: true,
		Args:   cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := engine.Find(args[0])
			if err != nil {
				return usage(err)
			}
			m, err := leak.Measure(e, args[1])
			if err != nil {
				return &exit{exitUnknown, err}
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(m)
		},
	}
}
