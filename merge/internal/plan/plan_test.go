package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// slot is trivia of which each version is a text, below an owner at column 0.
func slot(v [3]string) Slot {
	var t Slot
	for s, in := range v {
		f := text.New([]byte(in))
		t.Spans[s] = text.Span{End: len(in)}
		t.Lines[s] = Lines(f, t.Spans[s], 0)
	}
	return t
}

// spell writes merged trivia: its text, and conflicts as <ours|base|theirs>.
func spell(t Trivia) string {
	var b strings.Builder
	lines := func(ls []Line) (all string) {
		for _, l := range ls {
			all += string(l.Text)
		}
		return all
	}
	for _, p := range t {
		if c := p.Clash; c != nil {
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
		{"ours took it away", "# a\n", "", "# a\n", ""},
		{"both alike", "# a\n", "# b\n", "# b\n", "# b\n"},
		{"both differently", "# a\n", "# b\n", "# c\n", "<# b\n|# a\n|# c\n>"},
		{"both added", "", "# b\n", "# c\n", "<# b\n||# c\n>"},
		{"both added, one more", "", "# a\n", "# a\n# b\n", "# a\n# b\n"},
		{"different lines", "# a\n# b\n# c\n", "# x\n# b\n# c\n", "# a\n# b\n# y\n", "# x\n# b\n# y\n"},
		{"blank lines of both", "# a\n", "\n# a\n", "# a\n\n\n", "\n# a\n"},
		{"blank lines of theirs", "# a\n", "# a\n", "\n# a\n", "\n# a\n"},
		{"blank lines beside a change", "\n# a\n", "# a\n", "\n# b\n", "\n# b\n"},
		{"theirs alone indented it", "# a\n", "# a\n", "  # a\n", "  # a\n"},
		{"actions", "# {{ if a }}\n", "# {{ if a }}\n# x\n", "# {{ if b }}\n", "<# {{ if a }}\n# x\n|# {{ if a }}\n|# {{ if b }}\n>"},
	} {
		got := slot([3]string{c.base, c.ours, c.theirs}).Merge()
		if spell(got) != c.want || got.Clashes() != strings.Contains(c.want, "<") {
			t.Errorf("%s: %q, want %q", c.name, spell(got), c.want)
		}
	}
}

func TestCommentAt(t *testing.T) {
	for line, want := range map[string]int{"": -1, "  # a": 2, "{{ if }} # x": 0, " {% x %}": 1, "---": -1, "# {{ a }}": 0} {
		if got := CommentAt([]byte(line)); got != want {
			t.Errorf("%q: %d", line, got)
		}
	}
	ls := slot([3]string{"\n# a\n  \n#b"}).Lines[three.Original]
	if got := strings.Join(Comments(ls), ","); got != "# a,#b" || len(ls) != 4 {
		t.Errorf("comments %q of %d lines", got, len(ls))
	}
}

// children makes entries of a block mapping, each as all versions have it.
func children(t *testing.T, in string) (*Document, []*Child) {
	t.Helper()
	st, err := syntax.Parse(text.New([]byte(in)))
	if err != nil {
		t.Fatal(err)
	}
	d := &Document{At: [3]*syntax.Document{st.Docs[0], st.Docs[0], st.Docs[0]}}
	return d, childrenOf(st.Docs[0].Root, nil, d)
}

func childrenOf(n *syntax.Node, up *Child, d *Document) (all []*Child) {
	for _, e := range n.Entries {
		v := e.Value
		c := &Child{At: three.Entries{e, e, e}, Up: up, Doc: d, Value: &Value{V: three.Nodes{v, v, v}, Merged: len(v.Entries) > 0}}
		c.Value.Kids = childrenOf(v, c, d)
		all = append(all, c)
	}
	return all
}

func TestContest(t *testing.T) {
	_, kids := children(t, "a:\n  b: 1\nc: 1\n")
	a, b := kids[0], kids[0].Value.Kids[0]
	m := &Value{Kids: kids}
	if m.Clashes() || b.Within() {
		t.Error("a conflict where there is none")
	}
	b.Contest(ConflictValue)
	if !m.Clashes() || b.Within() || len(b.Clash.Runs[three.Dest]) != 1 || b.Clash.Runs[three.Dest][0] != b.At[three.Dest] {
		t.Errorf("contested below: %+v", b.Clash)
	}
	a.At[three.Updated] = nil
	if a.Contest(ConflictDeleteModify); !b.Within() || a.Clash.Kind != ConflictDeleteModify || len(a.Clash.Runs[three.Updated]) != 0 {
		t.Errorf("contested above: %+v", a.Clash)
	}
	if kids[1].Within() {
		t.Error("beside a conflict is not within it")
	}
	if kids[1].Doc.Contest(ConflictRefused); !kids[1].Within() || len(kids[1].Doc.Clash.Runs[three.Original]) != 1 {
		t.Error("a document in conflict holds all that stands in it")
	}
}

func TestSetKids(t *testing.T) {
	_, kids := children(t, "a: 1\nb: 1\nc: 1\n")
	a, b, c := kids[0], kids[1], kids[2]
	a.Gone, c.Gone = true, true
	var m Value
	m.SetKids([]*Child{a, b, c})
	if len(m.Kids) != 1 || m.Kids[0] != b || len(m.Gone) != 2 || m.Gone[0] != (Gone{a, 0}) || m.Gone[1] != (Gone{c, 1}) {
		t.Errorf("%+v", m)
	}
}

func TestBreakSeals(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string // the key in conflict
	}{
		{"a: 1\n", ""},
		{"a: 1\nsops:\n  lastmodified: x\n  mac: y\n", "mac"},
		{"a: 1\nsops: x\n", "sops"},
	} {
		d, kids := children(t, c.in)
		n := d.At[three.Dest].Root
		d.Root = &Value{V: three.Nodes{n, n, n}, Merged: true, Kids: kids}
		if found := BreakSeals([]*Document{{}, d}); found != (c.want != "") {
			t.Errorf("%q: %v", c.in, found)
		}
		got := ""
		for _, k := range append(kids, kids[len(kids)-1].Value.Kids...) {
			if k.Clash != nil && k.Clash.Kind == ConflictEncrypted {
				got += k.At[three.Dest].Key.Value
			}
		}
		if got != c.want {
			t.Errorf("%q: %q is in conflict", c.in, got)
		}
	}
	d, _ := children(t, "{a: 1, sops: {mac: x}}\n")
	n := d.At[three.Dest].Root
	d.Root = &Value{V: three.Nodes{n, n, n}, Flow: Flow{Style: FlowTaken, Form: three.Dest}}
	if !BreakSeals([]*Document{d}) || d.Clash == nil {
		t.Error("a document in flow style is in conflict as a whole")
	}
}
