package build

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "1a2b3c"}
	for want, settings := range map[string][]debug.BuildSetting{
		"v1.2.3, go1.26.8, ":                           nil,
		"v1.2.3, commit 1a2b3c, go1.26.8, ":            {revision, {Key: "vcs.modified", Value: "false"}},
		"v1.2.3, commit 1a2b3c (modified), go1.26.8, ": {revision, {Key: "vcs.modified", Value: "true"}},
	} {
		want += runtime.GOOS + "/" + runtime.GOARCH
		info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, GoVersion: "go1.26.8", Settings: settings}
		if got := describeBuild(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPinnedVersion(t *testing.T) {
	revision := []debug.BuildSetting{{Key: "vcs.revision", Value: "1a2b3c"}}
	for _, x := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", revision, "v1.2.3"},
		{"v0.0.0-20261128220000-1a2b3c4d5e6f", revision, "v0.0.0-20261128220000-1a2b3c4d5e6f"},
		{"v0.0.0-20261128220000-1a2b3c4d5e6f+dirty", revision, "1a2b3c"},
		{"(devel)", revision, "1a2b3c"},
		{"(devel)", nil, ""},
		{"unknown", nil, ""},
	} {
		if got := pinnedVersion(&debug.BuildInfo{Main: debug.Module{Version: x.version}, Settings: x.settings}); got != x.want {
			t.Errorf("%s: %q, want %q", x.version, got, x.want)
		}
	}
}
