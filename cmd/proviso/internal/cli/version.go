package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
		Long: `Print the version of this program and of the Go toolchain that built it. The
engines' versions are in 'proviso engines'.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			version, toolchain := engine.Program()
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "proviso %s %s\n", version, toolchain)
			return unwritten(err)
		},
	}
}
