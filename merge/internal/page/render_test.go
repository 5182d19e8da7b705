package page

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A planMaker creates plans for three files with one document, so that pages are tested without a Walker.
type planMaker struct{ *Renderer }

func (m planMaker) document() *plan.MergedDocument {
	d := &plan.MergedDocument{Path: &three.Path{}, Frame: &plan.Frame{Head: three.Dest, Foot: three.Dest}}
	v := three.Nodes{}
	for s, st := range m.Streams {
		d.Documents[s] = st.Docs[0]
		v[s] = st.Docs[0].Root
	}
	d.Root = &plan.Value{Nodes: v, FormatFrom: three.Dest, PropertiesFrom: three.Dest, Merged: true}
	return d
}

// entryVersions returns the entry with the given key in all versions that contain it.
func (m planMaker) entryVersions(v three.Nodes, key string) (at three.Entries) {
	for s, n := range v {
		at[s] = n.Field(key)
	}
	return at
}

// takenEntry returns that entry, copied from s.
func (m planMaker) takenEntry(v three.Nodes, key string, s three.Version) plan.Entry {
	return &plan.TakenEntry{Entries: m.entryVersions(v, key), Side: s}
}

// mergedEntry returns that entry, with the value of one side and the comment of another.
func (m planMaker) mergedEntry(v three.Nodes, key string, value, comment three.Version) *plan.MergedEntry {
	at := m.entryVersions(v, key)
	c := &plan.MergedEntry{Entries: at, Path: (&three.Path{}).Child(key), Key: at.First(), Comment: plan.LineComment{Side: comment}}
	c.Value = &plan.Value{Nodes: at.Values(), FormatFrom: value, PropertiesFrom: value}
	return c
}

func (m planMaker) checkPage(t *testing.T, d plan.Document, want string) {
	t.Helper()
	p := m.Page([]plan.Document{d})
	if w := m.Write(p, text.Markers{Style: text.StyleDiff3, Size: 1}, false); string(w.Bytes) != want {
		t.Errorf("got\n%swant\n%s", w.Bytes, want)
	}
}

func TestEntriesOfSides(t *testing.T) {
	m := planMaker{newTestRenderer(t, "a: 1\nb: 1\nc: 1\n", "a: 2\nb: 1\n", "a: 1\n# why\nb: 1\nc: 1\nd: 1\n")}
	d := m.document()
	d.Root.Children = []plan.Entry{
		m.takenEntry(d.Root.Nodes, "a", three.Dest), m.takenEntry(d.Root.Nodes, "b", three.Updated), m.takenEntry(d.Root.Nodes, "d", three.Updated),
	}
	m.checkPage(t, d, "a: 2\n# why\nb: 1\nd: 1\n")
	m.checkPage(t, &plan.TakenDocument{Documents: d.Documents, Side: three.Updated}, "a: 1\n# why\nb: 1\nc: 1\nd: 1\n")
}

// TestHeadLine tests from which versions the parts of a line are copied.
func TestHeadLine(t *testing.T) {
	for _, c := range []struct {
		name               string
		base, ours, theirs string
		value, comment     three.Version
		want               string
	}{
		{"value and comment of two sides", "a: 1 # x\n", "a: 2 # x\n", "a: 1 # y\n", three.Dest, three.Updated, "a: 2 # y\n"},
		{"no comment any more", "a: 1 # x\n", "a: 2 # x\n", "a: 1\n", three.Dest, three.Updated, "a: 2\n"},
		{"blanks of who changed them", "a: 1\n", "a:   1\n", "a: 2\n", three.Updated, three.Dest, "a:   2\n"},
		{"blanks before the comment", "a: 1 # x\n", "a: 1   # x\n", "a: 2 # x\n", three.Updated, three.Dest, "a: 2   # x\n"},
		{"nothing", "a: 1\n", "a:\n", "a: 1 # y\n", three.Dest, three.Updated, "a: # y\n"},
		{"quotes", "a: 1\n", "a: '1'\n", "a: 1\n", three.Dest, three.Dest, "a: '1'\n"},
		{"properties", "a: 1\n", "a: &x !!int 1\n", "a: 1\n", three.Dest, three.Dest, "a: &x !!int 1\n"},
		{"a block scalar", "a: |\n  x\n", "a: |-\n  y\n", "a: | # c\n  x\n", three.Dest, three.Updated, "a: |- # c\n  y\n"},
		{"CR LF", "a: 1\r\n", "a: 2\r\n", "a: 1 # y\r\n", three.Dest, three.Updated, "a: 2 # y\r\n"},
	} {
		m := planMaker{newTestRenderer(t, c.base, c.ours, c.theirs)}
		d := m.document()
		d.Root.Children = []plan.Entry{m.mergedEntry(d.Root.Nodes, "a", c.value, c.comment)}
		t.Run(c.name, func(t *testing.T) { m.checkPage(t, d, c.want) })
	}
}

// TestReindentedEntry tests that entries from a file with other indentation are moved.
func TestReindentedEntry(t *testing.T) {
	m := planMaker{newTestRenderer(t, "a:\n  b: 1\n", "a:\n    b: 1\n", "a:\n  b: 1\n  # why\n  c:\n    d: |\n      x\n        y\n")}
	d := m.document()
	c := m.mergedEntry(d.Root.Nodes, "a", three.Dest, three.Dest)
	c.Value.Merged = true
	inner := c.Value.Nodes
	c.Value.Children = []plan.Entry{m.takenEntry(inner, "b", three.Dest), m.takenEntry(inner, "c", three.Updated)}
	d.Root.Children = []plan.Entry{c}
	m.checkPage(t, d, "a:\n    b: 1\n    # why\n    c:\n        d: |\n            x\n              y\n")
}

func TestConflict(t *testing.T) {
	m := planMaker{newTestRenderer(t, "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 3\nb: 1\n")}
	d := m.document()
	conflict := plan.NewEntryConflict(m.entryVersions(d.Root.Nodes, "a"), (&three.Path{}).Child("a"), plan.ConflictValue)
	d.Root.Children = []plan.Entry{conflict, m.takenEntry(d.Root.Nodes, "b", three.Dest)}
	m.checkPage(t, d, "<\na: 2\n|\na: 1\n=\na: 3\n>\nb: 1\n")

	m.checkPage(t, plan.NewDocumentConflict(d.Documents, d.Path, plan.ConflictRefused), "<\na: 2\n|\na: 1\n=\na: 3\n>\nb: 1\n") // lines that all versions share are outside

	comment := planMaker{newTestRenderer(t, "a: 1 # x\n", "a: 2 # y\n", "a: 1 # z\n")}
	d = comment.document()
	a := comment.mergedEntry(d.Root.Nodes, "a", three.Dest, three.Dest)
	a.Comment.Conflict = true
	d.Root.Children = []plan.Entry{a}
	comment.checkPage(t, d, "<\na: 2 # y\n|\na: 2 # x\n=\na: 2 # z\n>\n")
}

func TestEmptiedCollection(t *testing.T) {
	m := planMaker{newTestRenderer(t, "a:\n  b: 1\n", "a:\n  b: 1\n", "a:\n  b: 1\n")}
	d := m.document()
	a := m.mergedEntry(d.Root.Nodes, "a", three.Dest, three.Dest)
	a.Value.Merged = true
	d.Root.Children = []plan.Entry{a}
	m.checkPage(t, d, "a: {}\n")
	d.Root.Children = nil
	m.checkPage(t, d, "{}\n")
}

// TestMergedFlow tests the three ways to write a merged flow collection.
func TestMergedFlow(t *testing.T) {
	m := planMaker{newTestRenderer(t, "a: [1, 2]\n", "a: [ 1,2, ]\n", "a: [1, 2, 3]\n")}
	for _, c := range []struct {
		style plan.FlowStyle
		form  three.Version
		from  [3]three.Version // of the items 1, 2, 3; three.Original leaves it out
		want  string
	}{
		{plan.FlowCopied, three.Updated, [3]three.Version{}, "a: [1, 2, 3]\n"},
		{plan.FlowSpliced, three.Dest, [3]three.Version{three.Dest, three.Updated}, "a: [ 1,2, ]\n"},
		{plan.FlowRebuilt, three.Dest, [3]three.Version{three.Dest, three.Dest, three.Updated}, "a: [ 1,2,3, ]\n"},
		{plan.FlowRebuilt, three.Updated, [3]three.Version{three.Updated, three.Original, three.Updated}, "a: [1, 3]\n"},
	} {
		d := m.document()
		a := m.mergedEntry(d.Root.Nodes, "a", three.Dest, three.Dest)
		v := a.Value
		v.Merged, v.Flow, v.FormatFrom = true, c.style, c.form
		for i, s := range c.from {
			if s != three.Original {
				item := &plan.TakenEntry{Side: s}
				item.Entries[s] = v.Nodes[s].Entries[i]
				v.Children = append(v.Children, item)
			}
		}
		d.Root.Children = []plan.Entry{a}
		m.checkPage(t, d, c.want)
	}
}

// TestSeparators tests the "---" lines between documents.
func TestSeparators(t *testing.T) {
	for _, c := range []struct{ name, base, ours, theirs, want string }{
		{"none at the start", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n"},
		{"at the start", "---\na: 1\n---\nb: 1\n", "---\na: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n"},
		{"one that ours added at the start", "a: 1\n---\nb: 1\n", "---\na: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n", "---\na: 1\n---\nb: 1\n"},
	} {
		r := newTestRenderer(t, c.base, c.ours, c.theirs)
		var docs []plan.Document
		for i := range 2 {
			d := &plan.TakenDocument{Side: three.Dest}
			for s, st := range r.Streams {
				d.Documents[s] = st.Docs[i]
			}
			docs = append(docs, d)
		}
		if got := string(r.Page(docs).Resolve(three.Dest)); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	r := newTestRenderer(t, "a: 1\n", "a: 1\n---\nb: 1\n", "c: 1\n---\na: 1\n")
	b, added := &plan.TakenDocument{Side: three.Dest}, &plan.TakenDocument{Side: three.Updated}
	b.Documents[three.Dest], added.Documents[three.Updated] = r.Streams[three.Dest].Docs[1], r.Streams[three.Updated].Docs[0]
	a := &plan.TakenDocument{Side: three.Dest, Documents: [3]*syntax.Document{r.Streams[0].Docs[0], r.Streams[1].Docs[0], r.Streams[2].Docs[1]}}
	if got := string(r.Page([]plan.Document{added, a, b}).Resolve(three.Dest)); got != "c: 1\n---\na: 1\n---\nb: 1\n" {
		t.Errorf("documents of both sides: %q", got)
	}
}
