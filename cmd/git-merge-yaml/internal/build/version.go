// Package build says what this program was built from.
package build

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version of sources that have no history to stamp, such as the
// archive of a release. Packages that are built of one set it:
//
//	-ldflags "-X github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build.release=v1.2.3"
var release string

// Version is the version of the module as Go stamps it on a build: a
// release's tag, or (devel).
func Version() string { return info().Main.Version }

// Description is what --version prints behind the program's name.
func Description() string { return describeBuild(info()) }

// info returns what Go stamped on the build, with the release where Go knows none.
func info() *debug.BuildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{Main: debug.Module{Version: "unknown"}, GoVersion: runtime.Version()}
	}
	if release != "" && (!ok || info.Main.Version == "(devel)") {
		info.Main.Version = release
	}
	return info
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
