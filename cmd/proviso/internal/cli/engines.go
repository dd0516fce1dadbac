package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
)

func newEngines() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "engines",
		Short: "List the engines, with module, version and dialects",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return enginesJSON(cmd)
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ENGINE\tMODULE\tVERSION\tDIALECTS")
			for _, e := range engine.All() {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Name, e.Module, e.Version(), strings.Join(dialects(e), ", "))
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON array")
	return cmd
}

func dialects(e engine.Engine) []string {
	var names []string
	for _, d := range e.Dialects {
		names = append(names, d.String())
	}
	return names
}

func enginesJSON(cmd *cobra.Command) error {
	type row struct {
		Name     string   `json:"name"`
		Module   string   `json:"module"`
		Version  string   `json:"version"`
		Dialects []string `json:"dialects"`
		Default  bool     `json:"default"`
	}
	var rows []row
	for _, e := range engine.All() {
		rows = append(rows, row{e.Name, e.Module, e.Version(), dialects(e), e.Name == engine.Default})
	}
	encoder := json.NewEncoder(cmd.OutOrStdout())
	encoder.SetIndent("", "  ")
	return encoder.Encode(rows)
}
