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
	// The location is in the schema, or in a resource that it refers to.
	fault := faultOf(err)
	at, ok := schemaText{file, text}, true
	if fault.uri != "" {
		at, ok = given[fault.uri]
	}
	if !ok {
		at = schemaText{file, nil}
	}
	return nil, &exit{fault.code, errors.New(at.message(err, fault.advice(chosen, options)))}
}

// A fault is what the typed errors have in common.
type fault struct {
	code          int
	uri, location string // where: see proviso.SchemaError
	err           error
}

func faultOf(err error) fault {
	f := fault{code: exitUnknown, err: err}
	if e, ok := errors.AsType[*proviso.UnsupportedError](err); ok {
		f.uri, f.location = e.URI, e.Location
	}
	if e, ok := errors.AsType[*proviso.LimitError](err); ok {
		f.uri, f.location = e.URI, e.Location
	}
	if e, ok := errors.AsType[*proviso.SchemaError](err); ok {
		f.code, f.uri, f.location = exitUsage, e.URI, e.Location
	}
	if e, ok := errors.AsType[*proviso.LoadError](err); ok {
		f.code, f.uri, f.location = exitUsage, e.From, e.Location
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
	location := faultOf(err).location
	if at, ok := source.Locate(s.text, location)[location]; ok {
		name = fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column)
	}
	return name + ": " + report.Printable(err.Error()+advice)
}
