package leak

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/engine"
	"github.com/proviso-go/proviso/cmd/proviso/internal/leak/naive"
	"github.com/proviso-go/proviso/memo"
)

// validateTool validates one tool's output by its schema, as it came with one
// refresh.
type validateTool func(tool, refresh int) error

// A use is a way to use an engine.
type use struct {
	key   string // on the command line
	name  string // for people
	naive bool
	new   func() (validateTool, error)
}

func uses(e engine.Engine) []use {
	all := []use{
		{key: "provider", name: "provider", new: func() (validateTool, error) {
			provider, err := newProvider(e)
			return throughProvider(provider), err
		}},
		{key: "memo", name: "provider behind memo", new: func() (validateTool, error) {
			provider, err := newProvider(e)
			if err != nil {
				return nil, err
			}
			memoised, err := memo.New(provider, nil)
			return throughProvider(memoised), err
		}},
	}
	if n, ok := naive.Find(e.Name); ok {
		all = append([]use{{key: "naive", name: "naive: " + n.Name, naive: true, new: func() (validateTool, error) {
			return directly(n), nil
		}}}, all...)
	}
	return all
}

// Uses lists the uses of an engine that [Measure] knows.
func Uses(e engine.Engine) []string {
	var keys []string
	for _, u := range uses(e) {
		keys = append(keys, u.key)
	}
	return keys
}

func find(e engine.Engine, key string) (use, error) {
	for _, u := range uses(e) {
		if u.key == key {
			return u, nil
		}
	}
	return use{}, fmt.Errorf("unknown use %q of %s; there are %s", key, e.Name, strings.Join(Uses(e), ", "))
}

// newProvider takes the engine's newest dialect, as the report's schemas have
// no $schema.
func newProvider(e engine.Engine) (proviso.Provider, error) {
	return e.New(&proviso.EngineOptions{DefaultDialect: e.Dialects[len(e.Dialects)-1]})
}

// throughProvider asks for a validator each time and drops it, with a schema
// that was decoded for the purpose, as a client has it.
func throughProvider(provider proviso.Provider) validateTool {
	return func(tool, _ int) error {
		text, err := outputSchema(tool, "")
		if err != nil {
			return err
		}
		var schema any
		if err := json.Unmarshal(text, &schema); err != nil {
			return err
		}
		validator, err := provider.Validator(context.Background(), proviso.Value(schema))
		if err != nil {
			return err
		}
		return proviso.ValidateJSON(validator, []byte(output))
	}
}

// directly uses the engine without a provider.
func directly(n naive.Use) validateTool {
	validate := n.New()
	return func(tool, refresh int) error {
		name, id := uri(tool, refresh), ""
		if n.WithID {
			id = name
		}
		text, err := outputSchema(tool, id)
		if err != nil {
			return err
		}
		return validate(name, text, []byte(output))
	}
}
