package proviso

import (
	"fmt"
	"strings"
)

// A Dialect is a version of JSON Schema, named by its meta-schema. The zero
// value names none.
type Dialect uint8

// The dialects that Proviso knows.
const (
	Draft4 Dialect = iota + 1
	Draft6
	Draft7
	Draft201909
	Draft202012
)

// DefaultDialect is the dialect of a schema without $schema, unless
// EngineOptions says otherwise.
const DefaultDialect = Draft202012

var dialects = [...]struct{ name, uri string }{
	Draft4:      {"draft-04", "http://json-schema.org/draft-04/schema#"},
	Draft6:      {"draft-06", "http://json-schema.org/draft-06/schema#"},
	Draft7:      {"draft-07", "http://json-schema.org/draft-07/schema#"},
	Draft201909: {"2019-09", "https://json-schema.org/draft/2019-09/schema"},
	Draft202012: {"2020-12", "https://json-schema.org/draft/2020-12/schema"},
}

// Dialects returns the known dialects, oldest first.
func Dialects() []Dialect {
	return []Dialect{Draft4, Draft6, Draft7, Draft201909, Draft202012}
}

// Known reports whether d is one of the dialects of this package.
func (d Dialect) Known() bool { return d >= Draft4 && d <= Draft202012 }

// String returns the dialect's usual name, such as "draft-07" or "2020-12".
func (d Dialect) String() string {
	if !d.Known() {
		return "unknown dialect"
	}
	return dialects[d].name
}

// URI returns the $schema value that the dialect's meta-schema prescribes, or
// "" for an unknown dialect.
func (d Dialect) URI() string {
	if !d.Known() {
		return ""
	}
	return dialects[d].uri
}

// DialectOf returns the dialect that a $schema value names. http and https
// are the same, and an empty fragment does not matter, for all dialects.
func DialectOf(schemaURI string) (Dialect, bool) {
	key := dialectKey(schemaURI)
	for _, d := range Dialects() {
		if dialectKey(d.URI()) == key {
			return d, true
		}
	}
	return 0, false
}

// ParseDialect returns the dialect that a person means by name: the usual names
// ("draft-07", "2020-12"), the same run together or with "draft" before it
// ("draft7", "draft2020-12", "draft-2020-12"), the bare number ("7"), or any
// $schema value that [DialectOf] knows.
func ParseDialect(name string) (Dialect, error) {
	if d, ok := DialectOf(name); ok {
		return d, nil
	}
	short := strings.ToLower(strings.TrimSpace(name))
	short = strings.TrimLeft(strings.TrimPrefix(short, "draft"), "-/")
	for _, d := range Dialects() {
		long := strings.TrimPrefix(d.String(), "draft-")
		if short == long || short == strings.TrimPrefix(long, "0") {
			return d, nil
		}
	}
	return 0, fmt.Errorf("unknown dialect %q; known are %s", name, dialectNames())
}

func dialectKey(uri string) string {
	uri = strings.TrimSuffix(uri, "#")
	if rest, ok := strings.CutPrefix(uri, "http://"); ok {
		return rest
	}
	return strings.TrimPrefix(uri, "https://")
}

func dialectNames() string {
	var b strings.Builder
	for i, d := range Dialects() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (%s)", d, d.URI())
	}
	return b.String()
}
