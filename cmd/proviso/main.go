// Command proviso validates JSON against JSON Schema with the engine of your
// choice, and shows what the engines do.
package main

import (
	"os"

	"github.com/proviso-go/proviso/cmd/proviso/internal/cli"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
