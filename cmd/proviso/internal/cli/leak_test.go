package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestLeak(t *testing.T) {
	code, out, err := run("", "leak", "-e", "qri")
	if code != 0 || err != "" || strings.Count(out, "\n") != 4 || strings.Count(out, "qri  ") != 3 {
		t.Errorf("%d\n%s%s", code, out, err)
	}
	_, out, _ = run("", "leak", "--json")
	var rows []struct {
		Engine             string
		Naive              bool
		Validations        int
		BytesPerValidation float64
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 9 {
		t.Fatalf("%v: %s", err, out)
	}
	for _, r := range rows {
		// The naive uses leak kilobytes: were it otherwise, the measurement would be broken.
		if r.Validations != 2000 || r.Naive != (r.BytesPerValidation > 1024) {
			t.Errorf("%+v", r)
		}
	}
}
