package plan

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// parseVersions parses three files. v contains the roots of their first documents.
func parseVersions(t *testing.T, o, d, u string) (f *Versions, v three.Nodes) {
	t.Helper()
	var streams [3]*syntax.Stream
	for s, in := range [3]string{o, d, u} {
		streams[s] = trees.Parse(t, in)
		v[s] = streams[s].Docs[0].Root
	}
	return NewVersions(streams), v
}

func TestCollectionFormat(t *testing.T) {
	for _, c := range []struct {
		name, o, d, u string
		kids          int
		want          three.Version
	}{
		{"unchanged", "a: 1\n", "a: 1\n", "a: 1\n", 1, three.Dest},
		{"only updated changed it to flow style", "a: 1\n", "a: 1\n", "{a: 1}\n", 1, three.Updated},
		{"only dest changed it to flow style", "a: 1\n", "{a: 1}\n", "a: 1\n", 1, three.Dest},
		{"only updated added blanks", "{a: 1}\n", "{a: 1}\n", "{ a: 1 }\n", 1, three.Updated},
		{"updated emptied it, empty result", "a: 1\n", "a: 1\n", "{}\n", 0, three.Updated},
		{"updated emptied it, result is not empty", "a: 1\n", "a: 1\n", "{}\n", 1, three.Dest},
		{"dest emptied it, result is not empty", "a: 1\n", "{}\n", "a: 1\n", 1, three.Updated},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, v := parseVersions(t, c.o, c.d, c.u)
			m := &Value{Nodes: v, Children: make([]Entry, c.kids)}
			if got := f.collectionFormat(m, [3]int{}); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestChooseFlow(t *testing.T) {
	for _, c := range []struct {
		name, d, u string
		take       []three.Version // the sides of the entries, in order
		want       FlowStyle
	}{
		{"the entries of dest", "{a: 1, b: 2}\n", "{a: 1}\n", []three.Version{three.Dest, three.Dest}, FlowSpliced},
		{"a new entry", "{a: 1}\n", "{b: 2}\n", []three.Version{three.Dest, three.Updated}, FlowRebuilt},
		{"a new entry that cannot be flow", "{a: 1}\n", "b:\n- 1\n", []three.Version{three.Dest, three.Updated}, NoFlow},
		{"a new entry and a comment", "{a: 1 # d\n}\n", "{b: 2}\n", []three.Version{three.Dest, three.Updated}, NoFlow},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, v := parseVersions(t, "{}\n", c.d, c.u)
			m := &Value{Nodes: v, FormatFrom: three.Dest, Merged: true}
			var next [3]int
			for _, s := range c.take {
				k := &TakenEntry{Side: s}
				k.Entries[s] = v[s].Entries[next[s]]
				next[s]++
				m.Children = append(m.Children, k)
			}
			if got := f.ChooseFlow(m, v); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestAddsComment(t *testing.T) {
	for _, c := range []struct {
		name, o, x string
		want       bool
	}{
		{"the same", "# a\na: 1\n", "# a\na: 2\n", false},
		{"added", "a: 1\n", "a: 1 # a\n", true},
		{"changed", "# a\na: 1\n", "# b\na: 1\n", true},
		{"removed", "# a\na: 1\n", "a: 1\n", false},
	} {
		f, v := parseVersions(t, c.o, c.x, "{}\n")
		if got := f.AddsComment(v[three.Original].Span, three.Dest, v[three.Dest].Span); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
}

func TestWillBeOnWholeLines(t *testing.T) {
	for in, want := range map[string]bool{"a: 1\n": true, "---\na: 1\n": true, "--- {a: 1}\n": false, "{a: 1} # c\n": false} {
		f, _ := parseVersions(t, in, "{}\n", "{}\n")
		w := &Walker{Versions: f}
		if got := w.willBeOnWholeLines(three.Original, f.Streams[three.Original].Docs[0], nil); got != want {
			t.Errorf("%q: got %t", in, got)
		}
	}
}
