package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
	"github.com/proviso-go/proviso/cmd/proviso/internal/report"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

// compile reads the schema and asks the engine for its validator. given are
// the resources.
func compile(ctx context.Context, chosen engine.Engine, options *proviso.EngineOptions, file string, given map[string]schemaText, stdin io.Reader) (proviso.Validator, error) {
	provider, err := chosen.New(options)
	if err != nil {
		return nil, usage(err)
	}
	text, err := source.ReadOne(file, stdin)
	if err != nil {
		return nil, usage(fmt.Errorf("the schema %s %w", report.FileName(file), err))
	}
	validator, err := provider.Validator(ctx, proviso.JSON(text))
	if err == nil {
		return validator, nil
	}
	// The location is in the schema, in a resource that it refers to, or in a
	// document that was not read from a file.
	fault := faultOf(err)
	at, ok := given[fault.uri]
	switch {
	case fault.uri == "":
		at = schemaText{file, text}
	case !ok:
		at = schemaText{file, nil}
	}
	return nil, &exit{fault.code, errors.New(at.message(err, fault.advice(chosen, options)))}
}

// A fault is what the typed errors have in common.
type fault struct {
	code          int
	located       bool
	uri, location string // where, if located: see proviso.SchemaError
	err           error
}

func (f *fault) at(uri, location string) { f.located, f.uri, f.location = true, uri, location }

func faultOf(err error) fault {
	f := fault{code: exitUnknown, err: err}
	if e, ok := errors.AsType[*proviso.UnsupportedError](err); ok {
		f.at(e.URI, e.Location)
	}
	if e, ok := errors.AsType[*proviso.LimitError](err); ok {
		f.at(e.URI, e.Location)
	}
	if e, ok := errors.AsType[*proviso.SchemaError](err); ok {
		f.code = exitUsage
		f.at(e.URI, e.Location)
	}
	if e, ok := errors.AsType[*proviso.LoadError](err); ok {
		f.code = exitUsage
		f.at(e.From, e.Location)
	}
	return f
}

// advice says what to do, where the error itself does not.
func (f fault) advice(chosen engine.Engine, options *proviso.EngineOptions) string {
	if e, ok := errors.AsType[*proviso.LoadError](f.err); ok {
		target, _, _ := strings.Cut(e.URI, "#")
		_, there := options.Resource(target)
		switch {
		case target == "" && !strings.HasPrefix(e.Reference, "#"):
			return "; give the schema an absolute $id, and the document that is meant with --resource URI=FILE"
		case there || target == f.uri || strings.HasPrefix(e.Reference, "#"):
			return "; correct the reference, or add what it names"
		}
		return fmt.Sprintf("; give the document with --resource %s=FILE", target)
	}
	if e, ok := errors.AsType[*proviso.UnsupportedError](f.err); ok {
		if e.Keyword == "$schema" && !e.Dialect.Known() {
			return "; correct $schema, or give its meta-schema with --resource URI=FILE"
		}
		if chosen.Name != engine.Default {
			return "; try another engine, such as --engine " + engine.Default + " ('proviso engines' lists them)"
		}
	}
	return ""
}

// schemaText is a schema as it was read.
type schemaText struct {
	file string
	text []byte
}

// message names the file, and the line and column where they can be had,
// before an error about a schema, and what to do after it.
func (s schemaText) message(err error, advice string) string {
	name := report.FileName(s.file)
	if e, ok := errors.AsType[*proviso.DecodeError](err); ok && e.Line > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", name, e.Line, e.Column, report.Printable(report.Message(err, false)))
	}
	f := faultOf(err)
	if at, ok := source.Locate(s.text, f.location)[f.location]; ok && f.located {
		name = fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column)
	}
	return name + ": " + report.Printable(err.Error()+advice)
}
