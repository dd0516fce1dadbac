package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
	"github.com/proviso-go/proviso/cmd/proviso/internal/report"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

// validateFlags are what the command line says.
type validateFlags struct {
	schema, engine, output, dialect, format, input string
	resources                                      []string
	maxErrors                                      int
	assertContent, linear, quiet, verbose          bool
}

func newValidate() *cobra.Command {
	f := &validateFlags{}
	cmd := &cobra.Command{
		Use:   "validate --schema SCHEMA [flags] FILE...",
		Short: "Validate documents against a schema",
		Long: `Validate the documents in each FILE against SCHEMA.

A FILE is one JSON document; a .jsonl or .ndjson file has one a line (blank
lines are skipped), and - is standard input. Every document is looked at, whatever
became of the ones before it. A document may have 256 MiB, and nest 1000 deep. No
file is read but those that the command line names, and nothing comes from the
network: a $ref to another document needs --resource.

Output (--output) goes to standard output, a summary to standard error:
  text      a line for each reason, FILE:LINE:COLUMN: LOCATION: KEYWORD: MESSAGE,
            where LOCATION is a JSON Pointer into the document. In JSON Lines
            it is FILE:LINE, of the document. No line shows a value of a document.
            FILE:LINE:COLUMN: unknown: MESSAGE is a verdict that could not be had.
  flag, basic, detailed
            the output formats of the specification. For one JSON file the output
            document itself; for several, and for JSON Lines, one line each:
            {"document": FILE, "line": LINE, "output": {...}}. A verdict
            that is unknown has "error": MESSAGE in place of "output", always in
            this form.

Exit code:
  0  every document is valid
  1  a document is invalid, and none is unknown
  2  the command line is wrong, or the schema is: it cannot be read, is not JSON,
     is no schema of its dialect, or refers to what is not there; no document is read
  3  a verdict is unknown: the engine refuses the schema (its dialect, also one that
     nobody knows; a keyword; a limit) or fails, or a document cannot be read, is
     not JSON, or is over a limit`,
		Example: `  proviso validate --schema examples/quickstart/schema.json examples/quickstart/valid.json
  proviso validate -s examples/quickstart/schema.json -o detailed examples/quickstart/invalid.json
  proviso validate -s examples/quickstart/schema.json examples/quickstart/events.jsonl
  proviso validate -s examples/quickstart/schema.json --input jsonl - <examples/quickstart/events.jsonl
  proviso validate -s examples/quickstart/forecast.json --resource https://example.com/weather=examples/quickstart/schema.json examples/quickstart/days.json`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("no FILE to validate; name one, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return f.run(cmd.Context(), files, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.schema, "schema", "s", "", "the schema's file, or - for standard input (required)")
	flags.StringVarP(&f.engine, "engine", "e", engine.Default, "the engine: "+strings.Join(engine.Names(), ", "))
	flags.StringVarP(&f.output, "output", "o", report.Text, "the output format: "+strings.Join(report.Formats(), ", "))
	flags.StringVar(&f.dialect, "dialect", proviso.DefaultDialect.String(), "the dialect of schemas without $schema, such as draft-07")
	flags.StringVar(&f.format, "format", formatAnnotate, "what the format keyword does: annotate, or assert (make a document invalid)")
	flags.BoolVar(&f.assertContent, "assert-content", false, "let contentEncoding, contentMediaType and contentSchema make a document invalid")
	flags.BoolVar(&f.linear, "linear-patterns", false, "refuse patterns that need backtracking, such as lookaround")
	flags.StringVar(&f.input, "input", string(source.Auto), "how a FILE is read: auto goes by its name; json, jsonl")
	flags.StringArrayVarP(&f.resources, "resource", "r", nil, "URI=FILE: a document that the schema may refer to; may be repeated")
	flags.IntVar(&f.maxErrors, "max-errors", 20, "lines for one document in the format text; 0 is no bound")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no summary on standard error")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "a line for each valid document as well, in the format text")
	must(cmd.MarkFlagRequired("schema"))
	complete(cmd, "engine", engine.Names()...)
	complete(cmd, "output", report.Formats()...)
	complete(cmd, "dialect", dialectNames(proviso.Dialects())...)
	complete(cmd, "format", formatAnnotate, formatAssert)
	complete(cmd, "input", string(source.Auto), string(source.JSON), string(source.Lines))
	return cmd
}

func usage(err error) error { return &exit{exitUsage, err} }

func (f *validateFlags) run(ctx context.Context, files []string, stdin io.Reader, stdout, stderr io.Writer) error {
	chosen, err := engine.Find(f.engine)
	if err != nil {
		return usage(err)
	}
	input, err := source.ParseFormat(f.input)
	if err != nil {
		return usage(err)
	}
	reporter, err := report.New(stdout, report.Options{
		Format: f.output, MaxErrors: f.maxErrors, Verbose: f.verbose,
		Enveloped: len(files) > 1 || source.IsLines(files[0], input),
	})
	if err != nil {
		return usage(err)
	}
	if err := f.checkStdin(files); err != nil {
		return usage(err)
	}
	options, given, err := f.options()
	if err != nil {
		return usage(err)
	}
	validator, err := compile(ctx, chosen, options, f.schema, given, stdin)
	if err != nil {
		return err
	}
	for _, file := range files {
		var failed error
		source.Read(file, input, stdin, func(d source.Document) bool {
			verdict := d.Err
			if verdict == nil {
				verdict = proviso.ValidateJSON(validator, d.Text)
			}
			failed = reporter.Report(d, verdict)
			return failed == nil
		})
		if failed != nil {
			return unwritten(failed)
		}
	}
	if !f.quiet {
		fmt.Fprintln(stderr, reporter.Summary())
	}
	switch {
	case reporter.Unknown > 0:
		return &exit{code: exitUnknown}
	case reporter.Invalid > 0:
		return &exit{code: exitInvalid}
	}
	return nil
}

// checkStdin finds out whether standard input is wanted more than once.
func (f *validateFlags) checkStdin(files []string) error {
	uses := 0
	for _, name := range append([]string{f.schema}, files...) {
		if name == source.Stdin {
			uses++
		}
	}
	if uses > 1 {
		return errors.New("standard input (-) can be read only once: as the schema or as one FILE")
	}
	return nil
}
