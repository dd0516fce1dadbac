package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEngines(t *testing.T) {
	t.Parallel()
	code, out, err := run("", "engines")
	if code != 0 || err != "" {
		t.Fatalf("%d, %s", code, err)
	}
	for _, line := range []string{"tekuri", "github.com/santhosh-tekuri/jsonschema/v6", "gojsonschema", "qri", "draft-07, 2019-09", "draft-04, draft-06, draft-07, 2019-09, 2020-12"} {
		if !strings.Contains(out, line) {
			t.Errorf("no %s in\n%s", line, out)
		}
	}
	_, short, _ := run("", "engines", "--json")
	if _, out, _ = run("", "engines", "--output", "json"); out != short {
		t.Errorf("--json is not --output json:\n%s\n%s", short, out)
	}
	var rows []struct {
		Name, Version string
		Dialects      []string
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 3 || rows[0].Name != "tekuri" || len(rows[0].Dialects) != 5 {
		t.Errorf("%v: %s", err, out)
	}
}
