package bump

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestDecideNext checks the decision of a conflict over the first field of a file. own is the user's side.
func TestDecideNext(t *testing.T) {
	for _, c := range []struct {
		name               string
		base, ours, theirs string
		own                three.Version
		want, took, wrote  string
		ok                 bool
	}{
		{"raised differently", "v: 1.0.0\n", "v: 1.0.1\n", "v: 1.1.0\n", three.Dest, "v: 1.1.1\n", "", "1.1.1", true},
		{"own side is theirs", "v: 1.0.0\n", "v: 1.1.0\n", "v: 1.0.1\n", three.Updated, "v: 1.1.1\n", "", "1.1.1", true},
		{"own version is higher", "v: 1.0.0\n", "v: 2.0.0\n", "v: 1.1.0\n", three.Dest, "v: 2.0.0\n", "ours", "", true},
		{"upstream's format is kept", "v: 1.0.0\n", "v: 1.0.1\n", "v:  \"1.1.0\" # new\n", three.Dest, "v:  \"1.1.1\" # new\n", "", "1.1.1", true},
		{"not versions", "v: a\n", "v: b\n", "v: c\n", three.Dest, "", "", "", false},
		{"an anchor", "v: 1.0.0\n", "v: &x 1.0.1\n", "v: 1.1.0\n", three.Dest, "", "", "", false},
		{"a mapping", "v: 1.0.0\n", "v: {a: 1}\n", "v: 1.1.0\n", three.Dest, "", "", "", false},
	} {
		var streams [3]*syntax.Stream
		entry := &plan.EntryConflict{}
		conflict := &page.Conflict{Kind: plan.ConflictValue, Entry: entry}
		for s, in := range []string{c.base, c.ours, c.theirs} {
			streams[s] = trees.Parse(t, in)
			conflict.Texts[s], entry.Entries[s] = []byte(in), streams[s].Docs[0].Root.Entries[0]
		}
		by := team.Decision{Policy: team.Next}
		v, ok := DecideNext(conflict, c.own, streams, by)
		if ok != c.ok || ok && (string(v.Text) != c.want || v.Side != c.took || v.NewValue != c.wrote || v.By != by) {
			t.Errorf("%s: %q, %+v, %v", c.name, v.Text, v, ok)
		}
	}
}

// TestFindEqualBumps checks which fields FindEqualBumps finds, and what Rewrite writes into both sides.
func TestFindEqualBumps(t *testing.T) {
	rules, err := team.Parse("rules", []byte("rules:\n- fields: {version: next, chart.version: next}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name               string
		base, ours, theirs string
		want               string // both sides after Rewrite; "" if they do not change
		wantPaths          string
	}{
		{"same version", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.1\n", "version: 1.0.2\n", "version"},
		{"nested, the format is kept", "chart:\n  version: 'v1.0.0'\n", "chart:\n  version: 'v1.1.0'\n", "chart:\n  version: 'v1.1.0'\n",
			"chart:\n  version: 'v1.2.0'\n", "chart.version"},
		{"value on a separate line", "version:\n  # next\n\n  1.0.0\n", "version:\n  # next\n\n  1.0.1\n", "version:\n  # next\n\n  1.0.1\n",
			"version:\n  # next\n\n  1.0.2\n", "version"},
		{"different versions", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.1.0\n", "", ""},
		{"only one side", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.0\n", "", ""},
		{"another field", "a: 1.0.0\n", "a: 1.0.1\n", "a: 1.0.1\n", "", ""},
		{"not YAML", "version: 1.0.0\n", "version: [\n", "version: 1.0.1\n", "", ""},
		{"different numbers of documents", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.1\n---\na: 1\n", "", ""},
		{"the second document", "a: 1\n---\nversion: 1.0.0\n", "a: 1\n---\nversion: 1.0.1\n", "a: 1\n---\nversion: 1.0.1\n", "a: 1\n---\nversion: 1.0.2\n", "version"},
	} {
		raw := [3][]byte{[]byte(c.base), []byte(c.ours), []byte(c.theirs)}
		found := FindEqualBumps(raw, "file.yaml", rules)
		got := Rewrite(raw, found)
		want := [3]string{c.base, c.ours, c.theirs}
		paths := ""
		if c.want != "" {
			want[three.Dest], want[three.Updated] = c.want, c.want
		}
		for _, bump := range found {
			paths += bump.Path.String()
		}
		for s := range got {
			if string(got[s]) != want[s] {
				t.Errorf("%s: %s is %q", c.name, three.Names[s], got[s])
			}
		}
		if paths != c.wantPaths {
			t.Errorf("%s: found %q", c.name, paths)
		}
	}
}
