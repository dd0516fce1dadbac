package cli

import (
	"github.com/spf13/cobra"

	"github.com/proviso-go/proviso"
)

// complete offers a flag's values to the shell.
func complete(cmd *cobra.Command, flag string, values ...string) {
	must(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// must holds for what can only fail if the program names a flag that it has not
// defined.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func dialectNames(dialects []proviso.Dialect) []string {
	names := make([]string, len(dialects))
	for i, d := range dialects {
		names[i] = d.String()
	}
	return names
}
