package leak

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
)

// Subcommand is the command that a child process is started with. It calls
// [Measure] with the two arguments after it, an engine and a use, and writes the
// measurement as JSON.
const Subcommand = "measure-leak"

// Child measures in a new process of this program, where nothing else uses the
// heap. Engines keep what they keep for the whole process, so that a second measurement in one
// process would depend on the first.
func Child(ctx context.Context, e engine.Engine, use string) (Measurement, error) {
	var m Measurement
	program, err := os.Executable()
	if err != nil {
		return m, fmt.Errorf("cannot measure in a process of its own: %w", err)
	}
	var stdout, stderr bytes.Buffer
	child := exec.CommandContext(ctx, program, Subcommand, e.Name, use)
	child.Stdout, child.Stderr = &stdout, &stderr
	if err := child.Run(); err != nil {
		return m, fmt.Errorf("measuring %s, %s: %w: %s", e.Name, use, err, strings.TrimSpace(stderr.String()))
	}
	if err := json.Unmarshal(stdout.Bytes(), &m); err != nil {
		return m, fmt.Errorf("measuring %s, %s: the process wrote no measurement: %w", e.Name, use, err)
	}
	return m, nil
}
