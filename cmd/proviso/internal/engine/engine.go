// Package engine lists the engines that the command knows.
package engine

import (
	"fmt"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/providers/gojsonschema"
	"github.com/proviso-go/proviso/providers/qri"
	"github.com/proviso-go/proviso/providers/tekuri"
)

// An Engine is one provider.
type Engine struct {
	Name string
	// Module is the path of the engine's own module.
	Module   string
	Dialects []proviso.Dialect
	New      func(*proviso.EngineOptions) (proviso.Provider, error)
}

// All lists the engines, the default first.
func All() []Engine {
	return []Engine{
		{tekuri.Name, tekuri.Module, tekuri.Dialects(), func(o *proviso.EngineOptions) (proviso.Provider, error) { return tekuri.New(o) }},
		{gojsonschema.Name, gojsonschema.Module, gojsonschema.Dialects(), func(o *proviso.EngineOptions) (proviso.Provider, error) { return gojsonschema.New(o) }},
		{qri.Name, qri.Module, qri.Dialects(), func(o *proviso.EngineOptions) (proviso.Provider, error) { return qri.New(o) }},
	}
}

// Default is the name of the engine that is used unless another is asked for.
const Default = tekuri.Name

// Names lists the engines' names.
func Names() []string {
	var names []string
	for _, e := range All() {
		names = append(names, e.Name)
	}
	return names
}

// Find returns the engine of a name. The error lists the names.
func Find(name string) (Engine, error) {
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
	}
	return Engine{}, fmt.Errorf("unknown engine %q; there are %s", name, strings.Join(Names(), ", "))
}
