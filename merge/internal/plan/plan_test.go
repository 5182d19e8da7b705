package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// newSlot returns trivia with the given text in each version, below an owner at column 0.
func newSlot(v [3]string) Slot {
	var t Slot
	for s, in := range v {
		f := text.New([]byte(in))
		t.Spans[s] = text.Span{End: len(in)}
		t.Lines[s] = Lines(f, three.Version(s), t.Spans[s], 0)
	}
	return t
}

// formatTrivia returns the text of merged trivia. Conflicts are written as <ours|base|theirs>.
func formatTrivia(t Trivia) string {
	var b strings.Builder
	lines := func(ls []Line) (all string) {
		for _, l := range ls {
			all += string(l.Text)
		}
		return all
	}
	for _, p := range t {
		if c := p.Conflict; c != nil {
			fmt.Fprintf(&b, "<%s|%s|%s>", lines(c.Lines[three.Dest]), lines(c.Lines[three.Original]), lines(c.Lines[three.Updated]))
			continue
		}
		b.WriteString(lines(p.Lines))
	}
	return b.String()
}

func TestSlotMerge(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs, want string
	}{
		{"nothing", "", "", "", ""},
		{"theirs changed it", "# a\n", "# a\n", "# b\n", "# b\n"},
		{"ours removed it", "# a\n", "", "# a\n", ""},
		{"both identically", "# a\n", "# b\n", "# b\n", "# b\n"},
		{"both differently", "# a\n", "# b\n", "# c\n", "<# b\n|# a\n|# c\n>"},
		{"both added", "", "# b\n", "# c\n", "<# b\n||# c\n>"},
		{"both added, one more", "", "# a\n", "# a\n# b\n", "# a\n# b\n"},
		{"different lines", "# a\n# b\n# c\n", "# x\n# b\n# c\n", "# a\n# b\n# y\n", "# x\n# b\n# y\n"},
		{"blank lines of both", "# a\n", "\n# a\n", "# a\n\n\n", "\n# a\n"},
		{"blank lines of theirs", "# a\n", "# a\n", "\n# a\n", "\n# a\n"},
		{"blank lines and a change", "\n# a\n", "# a\n", "\n# b\n", "\n# b\n"},
		{"only theirs indented it", "# a\n", "# a\n", "  # a\n", "  # a\n"},
		{"actions", "# {{ if a }}\n", "# {{ if a }}\n# x\n", "# {{ if b }}\n", "<# {{ if a }}\n# x\n|# {{ if a }}\n|# {{ if b }}\n>"},
	} {
		got := newSlot([3]string{c.base, c.ours, c.theirs}).Merge()
		if formatTrivia(got) != c.want || got.HasConflict() != strings.Contains(c.want, "<") {
			t.Errorf("%s: %q, want %q", c.name, formatTrivia(got), c.want)
		}
	}
}

func TestCommentStart(t *testing.T) {
	for line, want := range map[string]int{"": -1, "  # a": 2, "{{ if }} # x": 0, " {% x %}": 1, "---": -1, "# {{ a }}": 0} {
		if got := CommentStart([]byte(line)); got != want {
			t.Errorf("%q: %d", line, got)
		}
	}
	ls := newSlot([3]string{"\n# a\n  \n#b"}).Lines[three.Original]
	if got := strings.Join(Comments(ls), ","); got != "# a,#b" || len(ls) != 4 {
		t.Errorf("comments %q of %d lines", got, len(ls))
	}
}

// parseEntries returns the plans of the entries of a block mapping that is the same in all versions.
func parseEntries(t *testing.T, in string) []Entry {
	t.Helper()
	return mergedEntriesOf(trees.Root(t, in))
}

func mergedEntriesOf(n *syntax.Node) (all []Entry) {
	for _, e := range n.Entries {
		v := e.Value
		c := &MergedEntry{Entries: three.Entries{e, e, e}, Value: &Value{Nodes: three.Nodes{v, v, v}, Merged: len(v.Entries) > 0}}
		c.Value.Children = mergedEntriesOf(v)
		all = append(all, c)
	}
	return all
}

func TestHasConflict(t *testing.T) {
	kids := parseEntries(t, "a:\n  b: 1\nc: 1\n")
	m, inner := &Value{Children: kids}, kids[0].(*MergedEntry).Value
	if m.HasConflict() {
		t.Error("a conflict where there is none")
	}
	b := inner.Children[0].Versions()
	inner.Children[0] = NewEntryConflict(b, nil, ConflictValue)
	if !m.HasConflict() {
		t.Error("no conflict where there is one below")
	}
}

func TestNewEntryConflict(t *testing.T) {
	at := parseEntries(t, "a: 1\n")[0].Versions()
	at[three.Updated] = nil
	c := NewEntryConflict(at, nil, ConflictDeleteModify)
	if c.Kind != ConflictDeleteModify || c.Versions() != at || len(c.Runs[three.Dest]) != 1 || c.Runs[three.Dest][0] != at[three.Dest] || len(c.Runs[three.Updated]) != 0 {
		t.Errorf("%+v", c)
	}
}
