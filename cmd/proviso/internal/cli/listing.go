package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// listing is how a command writes a table: for people, or as JSON.
type listing struct {
	output string
	json   bool
}

const (
	listingText = "text"
	listingJSON = "json"
)

func (l *listing) define(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&l.output, "output", "o", listingText, "the output format: text, json")
	cmd.Flags().BoolVar(&l.json, "json", false, "short for --output json")
	cmd.MarkFlagsMutuallyExclusive("output", "json")
	complete(cmd, "output", listingText, listingJSON)
}

func (l *listing) check() error {
	if l.json {
		l.output = listingJSON
	}
	if l.output != listingText && l.output != listingJSON {
		return usage(fmt.Errorf("unknown output format %q; there are %s and %s", l.output, listingText, listingJSON))
	}
	return nil
}

// write writes rows as JSON, or calls text.
func (l *listing) write(out io.Writer, rows any, text func(io.Writer) error) error {
	if l.output == listingText {
		return unwritten(text(out))
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return unwritten(encoder.Encode(rows))
}

// unwritten is the error for output that could not be written, nil for a nil err.
func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return &exit{exitUnknown, fmt.Errorf("writing the output: %w", err)}
}
