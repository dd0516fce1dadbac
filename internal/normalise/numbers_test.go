package normalise_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/normalise"
)

func TestFloat(t *testing.T) {
	t.Parallel()
	for number, exact := range map[string]bool{
		"0": true, "-0": true, "1": true, "1.0": true, "10e-1": true, "0.1": true, "0.10": true, "1e300": true, "9007199254740992": true, "9007199254740993": false,
		"0.30000000000000004": true, "0.300000000000000040001": false, "1e400": false, "-1e400": false, "1e-400": false, "1e1000001": false, "123456789012345678": false,
	} {
		if _, ok := normalise.Float(json.Number(number)); ok != exact {
			t.Errorf("%s stands for one float: %v; want %v", number, ok, exact)
		}
	}
}

func TestInteger(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{"2": "2", "2.0": "2", "20e-1": "2", "1e3": "1000", "-0.0": "0", "0": "0"} {
		if got, ok := normalise.Integer(json.Number(number)); !ok || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", number, got, ok, want)
		}
	}
	for _, number := range []string{"0.5", "1e-1", "1e100000"} {
		if got, ok := normalise.Integer(json.Number(number)); ok {
			t.Errorf("%s is the integer %s", number, got)
		}
	}
}

func TestCheckInstance(t *testing.T) {
	t.Parallel()
	tree := map[string]any{"a": []any{1, 2.5, json.Number("1e1000"), json.Number(strings.Repeat("9", 1000))}, "b": "1e9999"}
	if err := normalise.CheckInstance(tree, 1000); err != nil {
		t.Errorf("%v", err)
	}
	for _, number := range []string{"1e1001", "-1e-1001", "1E+1000000000", "1e99999999999999999999", strings.Repeat("9", 1001), "0." + strings.Repeat("0", 1000) + "1"} {
		for range 20 { // whatever the order of the map
			err := normalise.CheckInstance(map[string]any{"z": json.Number(number), "m": []any{0, map[string]any{"a/b": json.Number(number)}}, "y": json.Number(number)}, 1)
			limit, ok := errors.AsType[*proviso.LimitError](err)
			if !ok || !limit.Instance || limit.Location != "/m/1/a~1b" {
				t.Fatalf("%.30s: %v", number, err)
			}
		}
	}
}

func TestCheckInstanceDepth(t *testing.T) {
	t.Parallel()
	deep := any("x")
	for range 99 {
		deep = map[string]any{"a": []any{1, deep}, "b": nil}
	}
	// 198 containers, and the value within.
	if err := normalise.CheckInstance(deep, normalise.MaxStack/199); err != nil {
		t.Errorf("%v", err)
	}
	err := normalise.CheckInstance(deep, normalise.MaxStack/199+1)
	if limit, ok := errors.AsType[*proviso.LimitError](err); !ok || limit.Limit != normalise.LimitStack || !limit.Instance {
		t.Errorf("%v", err)
	}
}

func TestCheckInstanceAllocatesNothing(t *testing.T) {
	tree := map[string]any{"a": []any{1, 2.5, json.Number("1e10"), "x"}, "b": map[string]any{"c": nil}}
	if n := testing.AllocsPerRun(100, func() {
		if err := normalise.CheckInstance(tree, 10); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
