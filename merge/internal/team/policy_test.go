package team

import (
	"slices"
	"testing"
)

func TestHighestAndLowest(t *testing.T) {
	for _, c := range []struct{ low, high string }{
		{"1.2.3", "1.2.4"},
		{"1.9.0", "1.10.0"},
		{"v1.2.3", "v2.0.0"},
		{"v1.9", "v1.10"}, // versions, because of the v
		{"1.2.3-alpine", "1.3.0-alpine"},
		{"1.2.3+build", "1.3.0+build"},
		{"nginx:1.2.3", "nginx:1.3.0"},
		{"registry:5000/team/app:v1.2.3", "registry:5000/team/app:v1.2.10"},
		{"actions/checkout@v4.1.0", "actions/checkout@v4.2.0"},
		{"^1.2.3", "^1.3.0"},
		{">= 1.2.3", ">= 1.3.0"},
		{"2024.01.31", "2024.02.01"},
		{"1.2.3.4", "1.2.3.5"},
		{"1.99999999999999999999.0", "1.100000000000000000000.0"},
		{"3", "10"},
		{"v5", "v6"},
		{"v2", "v10"},
		{"nginx:7-alpine", "nginx:10-alpine"},
		{"actions/checkout@v5", "actions/checkout@v6"},
		{"frozen: v5.0.0", "frozen: v6.0.0"},
		{"-2", "1"},
		{"0.5", "1"},
		{"1.25", "1.75"},
		{"1.5", "2.0"},
		{"007", "8"},
		{"7", "010"},
		{"-010", "-7"},
		{"08", "9"},
	} {
		for _, d := range []struct {
			policy             Policy
			ours, theirs, want string
		}{
			{Highest, c.low, c.high, c.high},
			{Highest, c.high, c.low, c.high},
			{Lowest, c.low, c.high, c.low},
			{Lowest, c.high, c.low, c.low},
		} {
			if got, ok := d.policy.Pick(d.ours, d.theirs); !ok || got != d.want {
				t.Errorf("%s of %s and %s: %q %v, want %s", d.policy, d.ours, d.theirs, got, ok, d.want)
			}
		}
	}
}

func TestHighestWithoutOrder(t *testing.T) {
	for _, c := range []struct{ ours, theirs string }{
		{"1.9", "1.10"}, // ordered differently as numbers
		{"1.0", "1.00"},
		{"010", "9"}, // 8 in YAML 1.1
		{"-010", "-9"},
		{"1.2", "1.2.3"},
		{"v5", "v5.1"},
		{"v5", "6"},
		{"1.2.3", "1.2.3-rc.1"},
		{"1.2.3-rc.1", "1.2.3-rc.2"},
		{"1.2.3-alpine", "1.3.0-debian"},
		{"v1.2.3", "1.3.0"},
		{"nginx:1.2.3", "caddy:1.3.0"},
		{"app-1.2.3", "app-1.3.0"}, // a prefix has to end in a separator
		{"latest", "1.2.3"},
		{"100Mi", "200Mi"},
		{"1e3", "1e4"},
		{"0x10", "0x20"},
		{"", "1"},
		{"a", "b"},
		{"1.2.3\n", "1.3.0\n"},
		{">=1.2.3 <2.0.0", "^1.3.0"},
	} {
		for _, p := range []Policy{Highest, Lowest} {
			if got, ok := p.Pick(c.ours, c.theirs); ok {
				t.Errorf("%s of %q and %q: %q", p, c.ours, c.theirs, got)
			}
		}
	}
}

func TestPickSide(t *testing.T) {
	for _, c := range []struct {
		policy Policy
		want   string
		ok     bool
	}{
		{Ours, "o", true}, {Theirs, "t", true}, {Union, "", false}, {NoPolicy, "", false},
	} {
		if got, ok := c.policy.Pick("o", "t"); got != c.want || ok != c.ok {
			t.Errorf("%q: %q %v", c.policy, got, ok)
		}
	}
	if got, ok := Highest.Pick("x", "x"); got != "x" || !ok {
		t.Error("equal values have no highest")
	}
}

func FuzzPick(f *testing.F) {
	f.Add("1.2.3", "1.10.0")
	f.Add("v1.2-a", "v1.3-a")
	f.Add("-1", "2.50")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, ok := Highest.Pick(a, b)
		y, ok2 := Highest.Pick(b, a)
		if ok != ok2 || ok && x != y {
			t.Errorf("%q %q: swapping gives %q %v and %q %v", a, b, x, ok, y, ok2)
		}
		if z, ok3 := Lowest.Pick(a, b); ok3 != ok || ok && a != b && z == x {
			t.Errorf("%q %q: highest %q, lowest %q", a, b, x, z)
		}
	})
}

func TestNextVersion(t *testing.T) {
	for _, c := range []struct{ base, own, upstream, want string }{
		{"1.2.3", "1.2.4", "1.2.5", "1.2.6"},
		{"1.2.3", "1.3.0", "1.2.5", "1.3.0"}, // own is higher
		{"1.2.3", "1.3.0", "1.4.1", "1.5.0"}, // a minor increase sets the rest to zero
		{"1.2.3", "2.0.0", "2.1.4", "3.0.0"},
		{"1.2.3", "1.2.7", "1.2.9", "1.2.10"}, // the increase is 1, even if own increased more
		{"1.2.3", "1.4.2", "1.6.3", "1.7.0"},
		{"1.2.3", "1.2.4", "1.2.4", "1.2.5"}, // both to the same version
		{"1.2.3", "1.3.0", "1.3.0", "1.4.0"},
		{"v1.2.3", "v1.2.4", "v1.3.0", "v1.3.1"},
		{"1.2.3", "v1.2.4", "v1.3.0", "v1.3.1"}, // both added the v
		{"0.9.9", "0.10.0", "0.10.1", "0.11.0"},
		{"web-1.2.3", "web-1.2.4", "web-1.3.0", "web-1.3.1"}, // as in a label
		{"my-web2-v1.2.3", "my-web2-v1.2.4", "my-web2-v1.2.5", "my-web2-v1.2.6"},
	} {
		if got, ok := NextVersion(c.base, c.own, c.upstream); !ok || got != c.want {
			t.Errorf("base %s, own %s, upstream %s: %q %v, want %s", c.base, c.own, c.upstream, got, ok, c.want)
		}
	}
}

func TestNoNextVersion(t *testing.T) {
	for _, c := range []struct{ base, own, upstream string }{
		{"1.2.3", "1.2.2", "1.2.4"}, // own is lower than base
		{"1.2.3", "1.2.4", "1.2.2"}, // upstream is lower than base
		{"1.2.3", "1.2.3", "1.2.4"}, // own is not higher than base
		{"1.2.3", "1.2.4-rc.1", "1.2.5"},
		{"1.2.3", "1.2.4", "1.2.5+build"},
		{"1.2.3-rc.1", "1.2.4", "1.2.5"},
		{"1.2", "1.3", "1.4"},
		{"1.2.3.4", "1.2.3.5", "1.2.3.6"},
		{"1.2.3", "v1.2.4", "1.2.5"},
		{"2020.01.02", "2020.01.03", "2020.02.01"}, // a semantic version has no leading zeros
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

// FuzzNextVersion checks that the next version is higher than base and upstream, unless it is own.
func FuzzNextVersion(f *testing.F) {
	f.Add("1.2.3", "1.2.4", "1.2.5")
	f.Add("v1.2.3", "v2.0.0", "v3.1.1")
	f.Fuzz(func(t *testing.T, base, own, upstream string) {
		got, ok := NextVersion(base, own, upstream)
		if !ok {
			return
		}
		n, _ := parseVersion(got, semanticVersion)
		u, _ := parseVersion(upstream, semanticVersion)
		o, _ := parseVersion(own, semanticVersion)
		if n == nil || slices.CompareFunc(n, u, compareDigits) <= 0 || slices.CompareFunc(n, o, compareDigits) < 0 {
			t.Errorf("base %s, own %s, upstream %s: %s", base, own, upstream, got)
		}
	})
}
