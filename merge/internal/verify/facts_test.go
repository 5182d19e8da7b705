package verify

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestHashes tests which files have equal data hashes.
func TestHashes(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		data       bool
	}{
		{"order of fields", "a: 1\nb: 2\n", "b: 2\na: 1\n", true},
		{"order of items", "- a\n- b\n", "- b\n- a\n", false},
		{"quotes", "a: x\n", "a: 'x'\n", true},
		{"quotes of a key", "a: x\n", "'a': x\n", true},
		{"a word that YAML 1.1 reads otherwise", "a: yes\n", "a: 'yes'\n", false},
		{"null", "a: ~\n", "a:\n", true},
		{"a comment above", "a: x\n", "# c\na: x\n", true},
		{"an anchor", "a: x\n", "a: &x x\n", false},
		{"style", "a: [x]\n", "a:\n- x\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := Read(parse(t, c.a), ours, nil), Read(parse(t, c.b), theirs, nil)
			if got := a.Children[0].Data == b.Children[0].Data; got != c.data {
				t.Errorf("same data: %v", got)
			}
		})
	}
}

// TestMasks tests which lines of a version are ignored if another side was chosen.
func TestMasks(t *testing.T) {
	s := parse(t, "a: 1\nb: 2\n")
	line := s.Docs[0].Root.Entries[0].Span
	open := []Conflict{{At: [3]text.Span{line, line, line}, Chosen: ours}}
	for v, want := range [versions]conflictState{base: countsForTheirs, ours: outside, theirs: masked, result: outside} {
		docs := new(Trees).read(s, version(v), masksOf(open, version(v)), nil)
		if got := docs.Children[0].Children[0].conflict; got != want {
			t.Errorf("of %s: %v, want %v", version(v), got, want)
		}
	}
}
