package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Messages say what the schema wants. They may show values of the schema, but
// never one of the instance: not its strings, and not the names of its members.

// maxListed is how many names or values of the schema a message lists, maxQuoted
// how many bytes of each it shows.
const (
	maxListed = 20
	maxQuoted = 100
)

func list(quoted []string) string {
	if len(quoted) > maxListed {
		quoted = append(quoted[:maxListed:maxListed], fmt.Sprintf("and %d more", len(quoted)-maxListed))
	}
	return strings.Join(quoted, ", ")
}

func quote(s string) string {
	if len(s) > maxQuoted {
		return strconv.Quote(strings.ToValidUTF8(s[:maxQuoted], "")) + "..."
	}
	return strconv.Quote(s)
}

// missing lists the names that the object lacks, quoted; they are the schema's.
func missing(object map[string]any, names []string) string {
	var lacking []string
	for _, name := range names {
		if _, ok := object[name]; !ok {
			lacking = append(lacking, quote(name))
		}
	}
	return list(lacking)
}

// text spells a keyword's value as the schema does, shortened.
func text(n *node, keyword string) string { return spell(n.Object[keyword]) }

// spell writes a value of the schema as JSON, shortened.
func spell(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "a value that has no JSON form"
	}
	encoded := strings.TrimSuffix(b.String(), "\n")
	if len(encoded) > maxQuoted {
		return strings.ToValidUTF8(encoded[:maxQuoted], "") + "..."
	}
	return encoded
}

// wantEnum is the message of enum.
func wantEnum(allowed []any) string {
	if len(allowed) == 0 {
		return "no value is allowed"
	}
	spelled := make([]string, 0, min(len(allowed), maxListed+1))
	for _, value := range allowed[:min(len(allowed), maxListed)] {
		spelled = append(spelled, spell(value))
	}
	if more := len(allowed) - maxListed; more > 0 {
		spelled = append(spelled, fmt.Sprintf("and %d more", more))
	}
	return "want one of " + strings.Join(spelled, ", ")
}
