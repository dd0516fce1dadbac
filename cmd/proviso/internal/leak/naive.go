package leak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/qri-io/jsonschema"
	tekuri "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/xeipuuv/gojsonschema"
)

// naive is an engine used directly, the way its documentation suggests for
// many schemas: one compiler, loader or registry for the life of the program.
type naive struct {
	kind string
	new  func() use
}

var naives = map[string]naive{
	"tekuri":       {"one Compiler", func() use { return &naiveTekuri{tekuri.NewCompiler()} }},
	"gojsonschema": {"one SchemaLoader", func() use { return &naiveGojsonschema{gojsonschema.NewSchemaLoader()} }},
	"qri":          {"its registry, with $id", func() use { return naiveQri{client: clients.Add(1)} }},
}

// name is under which a schema without $id is filed: each refresh is another.
func name(tool, refresh int) string {
	return fmt.Sprintf("https://example.com/tools/%d/%d.json", tool, refresh)
}

type naiveTekuri struct{ compiler *tekuri.Compiler }

func (n *naiveTekuri) validate(tool, refresh int) error {
	doc, err := tekuri.UnmarshalJSON(bytes.NewReader(text(tool, "")))
	if err != nil {
		return err
	}
	if err := n.compiler.AddResource(name(tool, refresh), doc); err != nil {
		return err
	}
	schema, err := n.compiler.Compile(name(tool, refresh))
	if err != nil {
		return err
	}
	instance, err := tekuri.UnmarshalJSON(bytes.NewReader([]byte(result)))
	if err != nil {
		return err
	}
	return schema.Validate(instance)
}

type naiveGojsonschema struct{ loader *gojsonschema.SchemaLoader }

func (n *naiveGojsonschema) validate(tool, refresh int) error {
	if err := n.loader.AddSchema(name(tool, refresh), gojsonschema.NewBytesLoader(text(tool, ""))); err != nil {
		return err
	}
	schema, err := n.loader.Compile(gojsonschema.NewReferenceLoader(name(tool, refresh)))
	if err != nil {
		return err
	}
	verdict, err := schema.Validate(gojsonschema.NewStringLoader(result))
	if err != nil {
		return err
	}
	if !verdict.Valid() {
		return errors.New("invalid")
	}
	return nil
}

// naiveQri needs an identifier: the engine files no schema without one. The
// registry is the process's, so that each measurement needs names of its own.
type naiveQri struct{ client int64 }

var clients atomic.Int64

func (n naiveQri) validate(tool, refresh int) error {
	schema := &jsonschema.Schema{}
	if err := schema.UnmarshalJSON(text(tool, fmt.Sprintf("%s?client=%d", name(tool, refresh), n.client))); err != nil {
		return err
	}
	wrong, err := schema.ValidateBytes(context.Background(), []byte(result))
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		return errors.New("invalid")
	}
	return nil
}
