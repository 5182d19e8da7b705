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
