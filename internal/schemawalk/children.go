package schemawalk

import (
	"maps"
	"slices"

	"github.com/proviso-go/proviso"
)

// A Child is one subschema of a schema object.
type Child struct {
	Name    string  // the keyword
	Keyword Keyword // what the dialect knows of it
	// Pointer leads from the schema object to the subschema.
	Pointer string
	// Member is the subschema's name where the keyword's value is an object, Index its
	// index where it is an array; -1 if it is not.
	Member string
	Index  int
	// Value is the subschema: a map[string]any, a bool, or, in a schema that is
	// not valid, anything.
	Value any
}

// Children calls yield for each subschema of the schema object, sorted by
// keyword and member name, as the dialect has them. It takes no account of $ref, and
// leaves out values that cannot hold a schema.
func Children(d proviso.Dialect, object map[string]any, yield func(Child)) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		keyword, ok := Lookup(d, name)
		if !ok || keyword.Shape == None {
			continue
		}
		at := proviso.AppendPointer("", name)
		child := Child{Name: name, Keyword: keyword, Pointer: at, Index: -1}
		switch value := object[name].(type) {
		case map[string]any:
			switch keyword.Shape {
			case One, OneOrList:
				child.Value = value
				yield(child)
			case Named, NamedOrNames:
				for _, member := range slices.Sorted(maps.Keys(value)) {
					child.Member, child.Value = member, value[member]
					if !isSchema(child.Value) {
						continue
					}
					child.Pointer = proviso.AppendPointer(at, member)
					yield(child)
				}
			}
		case []any:
			if keyword.Shape != List && keyword.Shape != OneOrList {
				continue
			}
			for i, element := range value {
				if !isSchema(element) {
					continue
				}
				child.Index, child.Value = i, element
				child.Pointer = proviso.AppendPointerIndex(at, i)
				yield(child)
			}
		case bool:
			// Also in draft-04, for additionalProperties and additionalItems.
			if keyword.Shape == One || keyword.Shape == OneOrList {
				child.Value = value
				yield(child)
			}
		}
	}
}

func isSchema(v any) bool {
	switch v.(type) {
	case map[string]any, bool:
		return true
	}
	return false
}
