package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
	"github.com/proviso-go/proviso/cmd/proviso/internal/leak"
)

func newLeak() *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "leak",
		Short: "Replay the leak that this project began with",
		Long: fmt.Sprintf(`Replay the report that this project began with: a client that lists %d tools,
refreshes the list %d times, and validates a result of each tool by the schema
that came with the refresh.

Each engine is used in three ways: naively, as its documentation suggests (one
compiler, loader or registry for the life of the program), through its provider, and through its
provider behind a memo. What each retains is measured after a collection,
from the first refresh on.

Exit code 1 says that a provider retains more than %.1f KB a validation.`, leak.Tools, leak.Refreshes, leak.MaxBytes/1024),
		Example: "  proviso leak\n  proviso leak --engine qri --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			engines := engine.All()
			if name != "" {
				e, err := engine.Find(name)
				if err != nil {
					return usage(err)
				}
				engines = []engine.Engine{e}
			}
			var all []leak.Measurement
			for _, e := range engines {
				m, err := leak.Measure(e)
				if err != nil {
					return &exit{exitUnknown, err}
				}
				all = append(all, m...)
			}
			if err := writeLeaks(cmd.OutOrStdout(), all, asJSON); err != nil {
				return err
			}
			var over []string
			for _, m := range all {
				if m.OverLimit() {
					over = append(over, m.Engine+" ("+m.Use+")")
				}
			}
			if len(over) > 0 {
				return &exit{exitInvalid, fmt.Errorf("more than %.1f KB a validation: %s", leak.MaxBytes/1024, strings.Join(over, ", "))}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&name, "engine", "e", "", "only this engine: "+strings.Join(engine.Names(), ", "))
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON array")
	return cmd
}

func writeLeaks(out io.Writer, all []leak.Measurement, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(all)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ENGINE\tUSE\tVALIDATIONS\tRETAINED BYTES\tBYTES/VALIDATION")
	for _, m := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.1f\n", m.Engine, m.Use, m.Validations, m.Retained, m.PerValidation)
	}
	return w.Flush()
}
