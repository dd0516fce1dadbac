package leak

import (
	"encoding/json"
	"fmt"
)

// outputSchema is the output schema of a tool as it arrives with a refresh,
// some 340 bytes. Tools differ in their titles. id is its $id, which the report's
// schemas did not have.
func outputSchema(tool int, id string) ([]byte, error) {
	schema := map[string]any{
		"title": fmt.Sprintf("Result of tool %02d", tool),
		"type":  "object",
		"properties": map[string]any{
			"query": map[string]any{"type": "string"},
			"total": map[string]any{"type": "integer", "minimum": 0},
			"items": map[string]any{
				"type": "array",
				"items": map[string]any{
					"type": "object",
					"properties": map[string]any{
						"id":    map[string]any{"type": "string", "minLength": 1},
						"score": map[string]any{"type": "number", "minimum": 0, "maximum": 1},
					},
					"required": []string{"id"},
				},
			},
		},
		"required": []string{"query", "total", "items"},
	}
	if id != "" {
		schema["$id"] = id
	}
	return json.Marshal(schema)
}

// output is what every tool answers.
const output = `{"query":"rain","total":2,"items":[{"id":"a","score":0.5},{"id":"b"}]}`

// uri is the name that a program which must have one gives to a schema without
// $id. Each refresh brings new schemas, whose equality with the ones before nobody
// has noticed.
func uri(tool, refresh int) string {
	return fmt.Sprintf("https://example.com/tools/%d/%d.json", tool, refresh)
}
