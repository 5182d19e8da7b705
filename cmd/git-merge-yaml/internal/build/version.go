// Package build returns the version of this program and a description of how it was built. It only reads what the Go
// toolchain recorded in the binary. Version returns the version, and Description returns the text of --version.
//
// In a release v1.2.3, Version returns "v1.2.3", and Description returns, for example,
//
//	v1.2.3, commit 1a2b3c, go1.26.8, linux/amd64
//
// The rules file of a team can require this version or a newer one:
//
//	requires: ">=1.2"
package build

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version of a build from sources without history, such as the archive of a release. Go records no version
// for such a build. Package builds from an archive set it with
//
//	-ldflags "-X github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build.release=v1.2.3"
var release string

// Version returns the version of the module that Go recorded in the binary: the tag of a release, a pseudo-version, or
// "(devel)". Without build information, it returns "unknown". A release that was set at build time is returned
// instead of "(devel)" and "unknown".
func Version() string { return readBuildInfo().Main.Version }

// Pin returns the version with which "go install PACKAGE@VERSION" builds this program again: its release, its
// pseudo-version or, if the sources had uncommitted changes, their commit. It returns "" if none is known.
func Pin() string { return pinnedVersion(readBuildInfo()) }

// pinnedVersion returns the version for Pin, from info: the version of the module if it starts with v and has no +,
// otherwise the commit, or "" if info has none.
func pinnedVersion(info *debug.BuildInfo) string {
	if v := info.Main.Version; strings.HasPrefix(v, "v") && !strings.Contains(v, "+") {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

// Description returns the text that --version prints after the name of the program: the version, the commit, the
// version of Go and the platform, as in "v1.2.3, commit 1a2b3c, go1.26.8, linux/amd64".
func Description() string { return describeBuild(readBuildInfo()) }

// readBuildInfo returns the build information in the binary. If the binary lacks it, the result contains only the
// version "unknown" and the version of Go. If release is set, it replaces the versions "(devel)" and "unknown". The
// result is never nil.
func readBuildInfo() *debug.BuildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{Main: debug.Module{Version: "unknown"}, GoVersion: runtime.Version()}
	}
	if release != "" && (!ok || info.Main.Version == "(devel)") {
		info.Main.Version = release
	}
	return info
}

// describeBuild returns the version, the commit, the version of Go and the platform, separated by commas. The commit is
// left out if it is unknown, and is followed by " (modified)" if the sources had uncommitted changes:
//
//	v1.2.3, commit 1a2b3c (modified), go1.26.8, linux/amd64
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
