package engine

import (
	"runtime/debug"
	"strings"
)

// Version returns the version of the engine's module that this program was
// built with, as the Go toolchain recorded it; "unknown", with the reason, if it
// did not.
func (e Engine) Version() string {
	info, _ := debug.ReadBuildInfo()
	return versionIn(info, e.Module)
}

// versionIn finds a module among those of a program. A nil info says that the
// program has no record of its modules.
func versionIn(info *debug.BuildInfo, module string) string {
	if info == nil {
		return "unknown (the program was built without module information)"
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module {
			return describe(m)
		}
	}
	return "unknown (the program has no record of this module)"
}

func describe(m *debug.Module) string {
	version := m.Version
	if version == "" {
		version = "(devel)"
	}
	if m.Replace == nil {
		return version
	}
	return version + " replaced by " + strings.TrimSpace(m.Replace.Path+" "+m.Replace.Version)
}

// Program returns the version of the program itself, and of the Go toolchain
// that built it.
func Program() (version, toolchain string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown (the program was built without module information)", ""
	}
	return describe(&info.Main), info.GoVersion
}
