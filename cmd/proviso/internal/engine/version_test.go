package engine

import (
	"runtime/debug"
	"testing"
)

func TestVersionIn(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{
		Main: debug.Module{Path: "example.com/main"},
		Deps: []*debug.Module{
			{Path: "example.com/plain", Version: "v1.2.3"},
			{Path: "example.com/plain/v2", Version: "v2.0.0"},
			{Path: "example.com/workspace", Version: ""},
			{Path: "example.com/fork", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/mine", Version: "v1.0.1"}},
			{Path: "example.com/local", Version: "v1.0.0", Replace: &debug.Module{Path: "../local"}},
		},
	}
	for module, want := range map[string]string{
		"example.com/main":      "(devel)",
		"example.com/plain":     "v1.2.3",
		"example.com/plain/v2":  "v2.0.0",
		"example.com/workspace": "(devel)",
		"example.com/fork":      "v1.0.0 replaced by example.com/mine v1.0.1",
		"example.com/local":     "v1.0.0 replaced by ../local",
		"example.com/none":      "unknown (the program has no record of this module)",
	} {
		if got := versionIn(info, module); got != want {
			t.Errorf("%s: %s; want %s", module, got, want)
		}
	}
	if got := versionIn(nil, "example.com/plain"); got != "unknown (the program was built without module information)" {
		t.Errorf("without module information: %s", got)
	}
}
