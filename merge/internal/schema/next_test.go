package schema

import (
	"slices"
	"testing"
)

func TestNextVersion(t *testing.T) {
	for _, c := range []struct{ base, own, upstream, want string }{
		{"1.2.3", "1.2.4", "1.2.5", "1.2.6"},
		{"1.2.3", "1.3.0", "1.2.5", "1.3.0"}, // own is above
		{"1.2.3", "1.3.0", "1.4.1", "1.5.0"}, // minor: the rest is zero
		{"1.2.3", "2.0.0", "2.1.4", "3.0.0"},
		{"1.2.3", "1.2.7", "1.2.9", "1.2.10"}, // a step is one, however far own went
		{"1.2.3", "1.4.2", "1.6.3", "1.7.0"},
		{"1.2.3", "1.2.4", "1.2.4", "1.2.5"}, // both to one version
		{"1.2.3", "1.3.0", "1.3.0", "1.4.0"},
		{"v1.2.3", "v1.2.4", "v1.3.0", "v1.3.1"},
		{"1.2.3", "v1.2.4", "v1.3.0", "v1.3.1"}, // both gave it a v
		{"0.9.9", "0.10.0", "0.10.1", "0.11.0"},
		{"web-1.2.3", "web-1.2.4", "web-1.3.0", "web-1.3.1"}, // as a label has it
		{"my-web2-v1.2.3", "my-web2-v1.2.4", "my-web2-v1.2.5", "my-web2-v1.2.6"},
	} {
		if got, ok := NextVersion(c.base, c.own, c.upstream); !ok || got != c.want {
			t.Errorf("base %s, own %s, upstream %s: %q %v, want %s", c.base, c.own, c.upstream, got, ok, c.want)
		}
	}
}

func TestNextVersionOfWhatHasNone(t *testing.T) {
	for _, c := range []struct{ base, own, upstream string }{
		{"1.2.3", "1.2.2", "1.2.4"}, // own went down
		{"1.2.3", "1.2.4", "1.2.2"}, // upstream went down
		{"1.2.3", "1.2.3", "1.2.4"}, // own did not bump
		{"1.2.3", "1.2.4-rc.1", "1.2.5"},
		{"1.2.3", "1.2.4", "1.2.5+build"},
		{"1.2.3-rc.1", "1.2.4", "1.2.5"},
		{"1.2", "1.3", "1.4"},
		{"1.2.3.4", "1.2.3.5", "1.2.3.6"},
		{"1.2.3", "v1.2.4", "1.2.5"},
		{"2020.01.02", "2020.01.03", "2020.02.01"}, // leading zeros are no semantic version
		{"", "1.2.4", "1.2.5"},
		{"latest", "1.2.4", "1.2.5"},
		{"web-1.2.3", "api-1.2.4", "web-1.2.5"},
		{"1.2.3-fork-1.2.3", "1.2.3-fork-1.2.4", "1.2.3-fork-1.2.5"},
		{"1.2.3", "1.2.9999999999999999999", "1.2.99999999999999999999"},
		{"1.2.3", " 1.2.4", "1.2.5"},
	} {
		if got, ok := NextVersion(c.base, c.own, c.upstream); ok {
			t.Errorf("base %s, own %s, upstream %s: %q, want nothing", c.base, c.own, c.upstream, got)
		}
	}
}

// FuzzNextVersion: the next version is above base and above upstream, unless it
// is own's.
func FuzzNextVersion(f *testing.F) {
	f.Add("1.2.3", "1.2.4", "1.2.5")
	f.Add("v1.2.3", "v2.0.0", "v3.1.1")
	f.Fuzz(func(t *testing.T, base, own, upstream string) {
		got, ok := NextVersion(base, own, upstream)
		if !ok {
			return
		}
		_, n, valid := semantic(got)
		_, u, _ := semantic(upstream)
		_, o, _ := semantic(own)
		if !valid || slices.Compare(n, u) <= 0 || slices.Compare(n, o) < 0 {
			t.Errorf("base %s, own %s, upstream %s: %s", base, own, upstream, got)
		}
	})
}
