// Package build says what this program was built from.
package build

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Version is the version of the module as Go stamps it on a build: a
// release's tag, or (devel).
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}

// Description is what --version prints behind the program's name.
func Description() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{Main: debug.Module{Version: Version()}, GoVersion: runtime.Version()}
	}
	return describeBuild(info)
}

// describeBuild says the version, the commit if it is known, Go, and what the
// build is for.
func describeBuild(info *debug.BuildInfo) string {
	parts := []string{info.Main.Version}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		if settings["vcs.modified"] == "true" {
			commit += " (modified)"
		}
		parts = append(parts, "commit "+commit)
	}
	return strings.Join(append(parts, info.GoVersion, runtime.GOOS+"/"+runtime.GOARCH), ", ")
}
