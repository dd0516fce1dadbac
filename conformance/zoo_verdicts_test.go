package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/proviso-go/proviso"
)

// saying is an engine whose validators' errors pass through say.
func saying(say func(instance any, err error) error) func() func(testing.TB) proviso.Provider {
	return each(func(tb testing.TB) proviso.Provider {
		return inside(tb, broken{validate: func(next proviso.Validator, instance any) error {
			return say(instance, next.Validate(instance))
		}})
	})
}

// units is an engine whose validators' units pass through f.
func units(f func(instance any, units []proviso.Unit) []proviso.Unit) func() func(testing.TB) proviso.Provider {
	return saying(func(instance any, err error) error {
		if e, ok := errors.AsType[*proviso.ValidationError](err); ok {
			return &proviso.ValidationError{Units: f(instance, slices.Clone(e.Units))}
		}
		return err
	})
}

// isUnknown tells whether an error is no verdict.
func isUnknown(err error) bool {
	_, isInvalid := errors.AsType[*proviso.ValidationError](err)
	return err != nil && !isInvalid
}

// decodedOnly tells whether a value is of the types that encoding/json decodes
// to.
func decodedOnly(v any) bool {
	switch v := v.(type) {
	case nil, bool, string, float64, json.Number:
		return true
	case map[string]any:
		for _, member := range v {
			if !decodedOnly(member) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(element any) bool { return !decodedOnly(element) })
	}
	return false
}

func instanceErrorZoo() []animal {
	return []animal{
		{
			name: "does not name the keyword",
			species: units(func(_ any, units []proviso.Unit) []proviso.Unit {
				for i := range units {
					units[i].Keyword = ""
				}
				return units
			}),
			caughtBy: []string{"errors/units"},
		},
		{
			name: "does not say where in the instance",
			species: units(func(_ any, units []proviso.Unit) []proviso.Unit {
				for i := range units {
					units[i].InstanceLocation = ""
				}
				return units
			}),
			caughtBy: []string{"errors/units"},
		},
		{
			name:     "gives no reason",
			species:  units(func(any, []proviso.Unit) []proviso.Unit { return nil }),
			caughtBy: []string{"errors/units"},
		},
		{
			name: "has its errors in random order",
			species: units(func(_ any, units []proviso.Unit) []proviso.Unit {
				rand.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
				return units
			}),
			caughtBy: []string{"errors/order"},
		},
		{
			name:     "has its errors in an order of its own",
			species:  units(func(_ any, units []proviso.Unit) []proviso.Unit { slices.Reverse(units); return units }),
			caughtBy: []string{"errors/order"},
		},
		{
			name: "gives one error, a random one",
			species: units(func(_ any, units []proviso.Unit) []proviso.Unit {
				i := rand.IntN(len(units))
				return units[i : i+1]
			}),
			caughtBy: []string{"errors/order"},
		},
		{
			name: "shows the instance in a message",
			species: units(func(instance any, units []proviso.Unit) []proviso.Unit {
				units[0].Message += fmt.Sprintf(", but it is %v", instance)
				return units
			}),
			caughtBy: []string{"errors/secrets"},
		},
		{
			name: "says invalid where it cannot judge",
			species: saying(func(_ any, err error) error {
				if isUnknown(err) {
					return &proviso.ValidationError{Units: []proviso.Unit{{Keyword: "type", Message: err.Error()}}}
				}
				return err
			}),
			caughtBy: []string{"errors/unknown-verdicts"},
		},
		{
			name: "says valid where it cannot judge",
			species: saying(func(_ any, err error) error {
				if isUnknown(err) {
					return nil
				}
				return err
			}),
			caughtBy: []string{"errors/unknown-verdicts"},
		},
		{
			name: "panics on strange instances",
			species: saying(func(instance any, err error) error {
				if !decodedOnly(instance) {
					panic(fmt.Sprintf("zoo: %T", instance))
				}
				return err
			}),
			caughtBy: []string{"errors/no-panics", "errors/go-numbers"},
		},
		{
			name: "takes what it does not know for invalid",
			species: saying(func(instance any, err error) error {
				if err == nil && !decodedOnly(instance) {
					return &proviso.ValidationError{Units: []proviso.Unit{{Keyword: "type", Message: "not a type"}}}
				}
				return err
			}),
			caughtBy: []string{"errors/go-numbers"},
		},
	}
}
