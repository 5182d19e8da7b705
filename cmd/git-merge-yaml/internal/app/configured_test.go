package app

import "testing"

func TestMentionsRules(t *testing.T) {
	for _, c := range []struct {
		config string
		want   bool
	}{
		{"[merge \"yaml\"]\n\tconfig = rules.yaml\n", true},
		{"[merge \"yaml\"]\r\n\tCONFIG=rules.yaml\r\n", true},
		{"[merge \"yaml\"] config = rules.yaml\n", true},
		{"[merge \"yaml\"]\nconfig\n", true},
		{"[include]\n\tpath = other\n", true},
		{"  [IncludeIf \"gitdir:x\"]\n\tpath = other\n", true},
		{"[merge \"yaml\"]\n\tdriver = git-merge-yaml %O %A %B\n", false},
		{"[core]\n\tattributesFile = ~/.config/git/attributes\n[extensions]\n\tworktreeConfig = true\n", false},
		{"", false},
	} {
		if got := mentionsRules([]byte(c.config)); got != c.want {
			t.Errorf("%q: %v", c.config, got)
		}
	}
}
