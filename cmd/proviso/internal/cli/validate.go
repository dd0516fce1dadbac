package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
became of the ones before it. Nothing is read but what the command line names:
a $ref to another document needs --resource.

Output (--output) goes to standard output, a summary to standard error:
  text      a line for each reason: FILE:LINE:COLUMN: LOCATION: KEYWORD: MESSAGE,
            where LINE is the document's in a file of JSON Lines. No line shows a
            value of the document.
  flag, basic, detailed
            the output formats of the specification. For one JSON document the output
            document itself; for several, one line of JSON each:
            {"document": FILE, "line": LINE, "output": {...}}, or "error" in
            place of "output" if the verdict is unknown.

Exit code, the highest that applies:
  0  every document is valid
  1  a document is invalid
  2  the command line is wrong, or the schema is: it cannot be read, is not JSON,
     is no schema, or refers to what is not there
  3  a verdict is unknown: the engine refuses the schema (its dialect, a
     keyword, a limit), or a document cannot be read, is not JSON, or is over a limit`,
		Example: `  proviso validate --schema examples/quickstart/schema.json examples/quickstart/valid.json
  proviso validate -s examples/quickstart/schema.json -o detailed examples/quickstart/invalid.json
  proviso validate -s examples/quickstart/schema.json examples/quickstart/events.jsonl
  generate | proviso validate -s schema.json --input jsonl -
  proviso validate -s schema.json --resource https://example.com/point=point.json data.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			return f.run(cmd.Context(), files, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.schema, "schema", "s", "", "the schema's file, or - for standard input (required)")
	flags.StringVarP(&f.engine, "engine", "e", engine.Default, "the engine: "+strings.Join(engine.Names(), ", "))
	flags.StringVarP(&f.output, "output", "o", report.Text, "the output format: "+strings.Join(report.Formats(), ", "))
	flags.StringVar(&f.dialect, "dialect", proviso.DefaultDialect.String(), "the dialect of schemas without $schema, such as draft-07")
	flags.StringVar(&f.format, "format", "annotate", "what the format keyword does: annotate, or assert")
	flags.BoolVar(&f.assertContent, "assert-content", false, "let contentEncoding, contentMediaType and contentSchema make a document invalid")
	flags.BoolVar(&f.linear, "linear-patterns", false, "refuse patterns that need backtracking, such as lookaround")
	flags.StringVar(&f.input, "input", string(source.Auto), "how a FILE is read: auto goes by its name; json, jsonl")
	flags.StringArrayVarP(&f.resources, "resource", "r", nil, "URI=FILE: a document that the schema may refer to; may be repeated")
	flags.IntVar(&f.maxErrors, "max-errors", 20, "lines for one document in the format text; 0 is no bound")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no summary")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "a line for each valid document as well, in the format text")
	if err := cmd.MarkFlagRequired("schema"); err != nil {
		panic(err) // the flag is defined above
	}
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
	options, err := f.options()
	if err != nil {
		return usage(err)
	}
	validator, err := f.compile(ctx, chosen, options, stdin)
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

func (f *validateFlags) options() (*proviso.EngineOptions, error) {
	dialect, err := proviso.ParseDialect(f.dialect)
	if err != nil {
		return nil, fmt.Errorf("--dialect: %w", err)
	}
	o := &proviso.EngineOptions{DefaultDialect: dialect, AssertContent: f.assertContent, Resources: make(map[string]*proviso.Document)}
	switch f.format {
	case "annotate":
	case "assert":
		o.Format = proviso.FormatAssert
	default:
		return nil, fmt.Errorf("--format: unknown policy %q; there are annotate and assert", f.format)
	}
	if f.linear {
		o.Regexp = proviso.RegexpLinear
	}
	for _, resource := range f.resources {
		uri, file, ok := strings.Cut(resource, "=")
		if !ok || uri == "" || file == "" {
			return nil, fmt.Errorf("--resource %q: it must be URI=FILE", resource)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--resource: %w", err)
		}
		doc, err := proviso.JSON(text).Document()
		if err != nil {
			return nil, fmt.Errorf("--resource: %s", schemaMessage(file, text, err))
		}
		o.Resources[uri] = doc
	}
	return o, nil
}

// compile reads the schema and asks the engine for its validator.
func (f *validateFlags) compile(ctx context.Context, chosen engine.Engine, options *proviso.EngineOptions, stdin io.Reader) (proviso.Validator, error) {
	provider, err := chosen.New(options)
	if err != nil {
		return nil, usage(err)
	}
	var text []byte
	source.Read(f.schema, source.JSON, stdin, func(d source.Document) bool {
		text, err = d.Text, d.Err
		return false
	})
	if err != nil {
		return nil, usage(fmt.Errorf("the schema %s %w", report.Printable(f.schema), err))
	}
	if ctx == nil {
		ctx = context.Background()
	}
	validator, err := provider.Validator(ctx, proviso.JSON(text))
	if err == nil {
		return validator, nil
	}
	code := exitUnknown
	_, isSchema := errors.AsType[*proviso.SchemaError](err)
	_, isLoad := errors.AsType[*proviso.LoadError](err)
	if isSchema || isLoad {
		code = exitUsage
	}
	return nil, &exit{code, errors.New(schemaMessage(f.schema, text, err))}
}

// schemaMessage names the file, and the line and column where they can be had,
// before an error about a schema, and what to do after it.
func schemaMessage(file string, text []byte, err error) string {
	name := report.Printable(filepath.ToSlash(file))
	if file == source.Stdin {
		name = "(standard input)"
	}
	uri, pointer, advice := "", "", ""
	if e, ok := errors.AsType[*proviso.SchemaError](err); ok {
		uri, pointer = e.URI, e.Location
	}
	if e, ok := errors.AsType[*proviso.UnsupportedError](err); ok {
		uri, pointer = e.URI, e.Location
		advice = "; 'proviso engines' lists what each engine supports"
	}
	if e, ok := errors.AsType[*proviso.LimitError](err); ok {
		uri, pointer = e.URI, e.Location
	}
	if e, ok := errors.AsType[*proviso.LoadError](err); ok {
		uri, pointer = e.From, e.Location
		if target, _, _ := strings.Cut(e.URI, "#"); target != "" {
			advice = fmt.Sprintf("; give the document with --resource %s=FILE", target)
		}
	}
	if e, ok := errors.AsType[*proviso.DecodeError](err); ok && e.Line > 0 && uri == "" {
		return fmt.Sprintf("%s:%d:%d: %s", name, e.Line, e.Column, report.Printable(err.Error()))
	}
	if line, column, ok := source.Locate(text, pointer); ok && uri == "" {
		name = fmt.Sprintf("%s:%d:%d", name, line, column)
	}
	return name + ": " + report.Printable(err.Error()) + advice
}
