package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
)

// engineRow is an engine as the command shows it.
type engineRow struct {
	Name     string   `json:"name"`
	Module   string   `json:"module"`
	Version  string   `json:"version"`
	Dialects []string `json:"dialects"`
	Default  bool     `json:"default"`
}

func newEngines() *cobra.Command {
	l := &listing{}
	cmd := &cobra.Command{
		Use:   "engines",
		Short: "List the engines, with module, version and dialects",
		Long: `List the engines, the default first, with the version of each engine's module
that this program was built with, and the dialects it implements.`,
		Example: "  proviso engines\n  proviso engines --output json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := l.check(); err != nil {
				return err
			}
			var rows []engineRow
			for _, e := range engine.All() {
				rows = append(rows, engineRow{e.Name, e.Module, e.Version(), dialectNames(e.Dialects), e.Name == engine.Default})
			}
			return l.write(cmd.OutOrStdout(), rows, func(out io.Writer) error {
				w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ENGINE\tMODULE\tVERSION\tDIALECTS")
				for _, r := range rows {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.Name, r.Module, r.Version, strings.Join(r.Dialects, ", "))
				}
				return w.Flush()
			})
		},
	}
	l.define(cmd)
	return cmd
}
