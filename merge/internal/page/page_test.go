package page

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// newTestRenderer returns a Renderer for the versions base, ours and theirs.
func newTestRenderer(t *testing.T, v ...string) *Renderer {
	t.Helper()
	r := &Renderer{LineBreak: []byte("\n")}
	for s := range r.Files {
		in := ""
		if s < len(v) {
			in = v[s]
		}
		st := trees.Parse(t, in)
		r.Files[s], r.Streams[s] = st.File, st
	}
	return r
}

// newConflict returns a conflict with the versions base, ours and theirs.
func newConflict(base, ours, theirs string) *Conflict {
	return &Conflict{Texts: [3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, Kind: plan.ConflictValue}
}

// newPage returns a page of texts and conflicts.
func newPage(parts ...any) *Page {
	p := &Page{}
	for _, x := range parts {
		switch x := x.(type) {
		case string:
			p.addText(writtenText(three.Decided, []byte(x)))
		case *Conflict:
			p.Add(x)
		}
	}
	return p
}

// shortMarkers returns markers with a size of one character.
func shortMarkers(style text.Style) text.Markers { return text.Markers{Style: style, Size: 1} }

func TestWrite(t *testing.T) {
	const five = "1\n2\n3\n4\n5\n"
	for _, c := range []struct {
		name  string
		page  *Page
		style text.Style
		want  string
		lines string // of the marks
	}{
		{"text", newPage("a\n"), text.StyleMerge, "a\n", "[]"},
		{"merge", newPage("a\n", newConflict("1\n", "2\n", "3\n"), "b\n"), text.StyleMerge, "a\n<\n2\n=\n3\n>\nb\n", "[2]"},
		{"diff3", newPage("a\n", newConflict("1\n", "2\n", "3\n")), text.StyleDiff3, "a\n<\n2\n|\n1\n=\n3\n>\n", "[2]"},
		{"nothing on one side", newPage(newConflict("1\n", "", "3\n")), text.StyleMerge, "<\n=\n3\n>\n", "[1]"},
		{"no last break", newPage(newConflict("1", "2", "3")), text.StyleZdiff3, "<\n2\n|\n1\n=\n3\n>\n", "[1]"},
		{"equal at the edges", newPage(newConflict("x\n", "a\n2\nb\n", "a\n3\nb\n")), text.StyleMerge, "a\n<\n2\n=\n3\n>\nb\n", "[2]"},
		{"equal inside, few lines", newPage(newConflict("x\n", "2\na\n4\n", "3\na\n5\n")), text.StyleMerge, "<\n2\na\n4\n=\n3\na\n5\n>\n", "[1]"},
		{"equal inside, many lines", newPage(newConflict("x\n", "a\n"+five+"b\n", "c\n"+five+"d\n")), text.StyleMerge,
			"<\na\n=\nc\n>\n" + five + "<\nb\n=\nd\n>\n", "[1 11]"},
		{"equal in the sides, not in the base", newPage(newConflict("x\n", "a\n2\n", "a\n3\n")), text.StyleDiff3, "<\na\n2\n|\nx\n=\na\n3\n>\n", "[1]"},
		{"equal in the sides, zdiff3", newPage(newConflict("x\n", "a\n2\n", "a\n3\n")), text.StyleZdiff3, "a\n<\n2\n|\nx\n=\n3\n>\n", "[2]"},
		{"two that touch", newPage(newConflict("1\n", "2\n", "3\n"), newConflict("4\n", "5\n", "6\n")), text.StyleDiff3,
			"<\n2\n5\n|\n1\n4\n=\n3\n6\n>\n", "[1 1]"},
		{"two apart", newPage(newConflict("1\n", "2\n", "3\n"), "a\n", newConflict("4\n", "5\n", "6\n")), text.StyleMerge,
			"<\n2\n=\n3\n>\na\n<\n5\n=\n6\n>\n", "[1 7]"},
		{"what crosses over", newPage(newConflict("", "2\n", ""), newConflict("", "", "2\n")), text.StyleMerge, "<\n2\n=\n>\n<\n=\n2\n>\n", "[1 5]"},
		{"encrypted, although equal", newPage(&Conflict{Kind: plan.ConflictEncrypted, Texts: [3][]byte{nil, []byte("m\n"), []byte("m\n")}}),
			text.StyleMerge, "<\nm\n=\nm\n>\n", "[1]"},
	} {
		w := newTestRenderer(t).Write(c.page, shortMarkers(c.style), false)
		var lines []int
		for _, k := range w.Marks {
			lines = append(lines, k.Line)
		}
		if string(w.Bytes) != c.want || fmt.Sprint(lines) != c.lines {
			t.Errorf("%s: %q at %v, want %q at %s", c.name, w.Bytes, lines, c.want, c.lines)
		}
	}
	if w := newTestRenderer(t).Write(newPage(newConflict("", "2\n", "3\n")), shortMarkers(text.StyleMerge), true); string(w.Bytes) != "<\n\ufeff2\n=\n\ufeff3\n>\n" {
		t.Errorf("a byte order mark behind the markers: %q", w.Bytes)
	}
}

// TestMarkPositions tests the lines that marks report for the versions of a conflict.
func TestMarkPositions(t *testing.T) {
	r := newTestRenderer(t, "x: 0\na: 1\n", "a: 1\nb: 2\n", "y: 0\nz: 0\na: 1\nb: 3\n")
	c := newConflict("a: 1\n", "a: 1\nb: 2\n", "a: 1\nb: 3\n")
	c.Spans = [3]text.Span{{Start: 5, End: 10}, {Start: 0, End: 10}, {Start: 10, End: 20}}
	w := r.Write(newPage(c), shortMarkers(text.StyleMerge), false)
	if len(w.Marks) != 1 {
		t.Fatalf("%d marks in %s", len(w.Marks), w.Bytes)
	}
	if m := w.Marks[0]; m.Conflict != c || m.Line != 2 || m.Versions[three.Dest] != (version{"b: 2\n", 2}) || m.Versions[three.Updated] != (version{"b: 3\n", 4}) {
		t.Errorf("%+v", m)
	}
	if m := r.WholeMark(c, 7); m.Line != 7 || m.Versions != [3]version{{"a: 1\n", 2}, {"a: 1\nb: 2\n", 1}, {"a: 1\nb: 3\n", 3}} {
		t.Errorf("%+v", m)
	}
}

// TestFind finds the conflicts in written files, unchanged and edited.
func TestFind(t *testing.T) {
	r := newTestRenderer(t)
	a, b := newConflict("1\n", "2\n", "3\n"), newConflict("4\n", "5\n", "6\n")
	p := newPage("x\n", a, "y\n", b, "z\n")
	k := shortMarkers(text.StyleMerge)
	for _, c := range []struct {
		name, file   string
		open         string // the open ones of a and b
		textA, textB string // the texts of those that are not open
	}{
		{"as written", "x\n<\n2\n=\n3\n>\ny\n<\n5\n=\n6\n>\nz\n", "ab", "", ""},
		{"one answered", "x\n2\ny\n<\n5\n=\n6\n>\nz\n", "b", "2\n", ""},
		{"other texts", "x\nn\nm\ny\nz\n", "", "n\nm\n", ""},
		{"lines that may be of either answer", "x\ny\ny\n6\nz\n", "", "", "y\n6\n"},
		{"edited outside", "w\n2\ny\n5\nz\n", "-", "", ""},
		{"cut off", "x\n2\ny\n5\n", "-", "", ""},
		{"a marker is left", "x\n<\n2\ny\n5\nz\n", "-", "", ""},
	} {
		f := r.Find(p, []byte(c.file), k, false, false)
		if f == nil {
			if c.open != "-" {
				t.Errorf("%s: not found", c.name)
			}
			continue
		}
		open := ""
		for name, x := range map[string]*Conflict{"a": a, "b": b} {
			if f.Open[x] {
				open += name
			}
		}
		if len(open) != len(c.open) || c.open != "" && len(c.open) == 1 && open != c.open {
			t.Errorf("%s: %q is open", c.name, open)
		}
		if !f.Open[a] && (f.Text(a) != c.textA || f.Line(a) != 2) || !f.Open[b] && f.Text(b) != c.textB {
			t.Errorf("%s: %q at line %d, %q", c.name, f.Text(a), f.Line(a), f.Text(b))
		}
	}
	if f := r.Find(newPage("x\n", a), []byte("x\nn\nm"), k, false, false); f == nil || f.Text(a) != "n\nm" {
		t.Errorf("without a final line break: %+v", f)
	}
	if f := r.Find(p, []byte("x\n<\n2\ny\n5\nz\n"), k, false, true); f == nil || f.Text(a) != "<\n2\n" {
		t.Errorf("loosely found: %+v", f)
	}
}

func TestDecide(t *testing.T) {
	a, b := newConflict("1\n", "2\n", "3\n"), newConflict("4\n", "5\n", "6\n")
	mac := &Conflict{Kind: plan.ConflictEncrypted, Texts: [3][]byte{nil, []byte("m\n"), []byte("n\n")}}
	p, done := newPage("x\n", a, b, mac).Decide(newTestRenderer(t), func(c *Conflict) (Verdict, bool) {
		return c.TakeSide(three.Updated, team.Decision{Side: "me"}), c != b
	})
	if len(p.Parts) != 4 || string(p.Parts[1].Text) != "3\n" || p.Parts[2].Conflict != b || p.Parts[3].Conflict != mac {
		t.Errorf("%+v", p.Parts)
	}
	if len(done) != 1 || done[0].Conflict != a || done[0].By.Side != "me" || done[0].Side != "theirs" || done[0].Line != 0 {
		t.Errorf("%+v", done)
	}
}

func TestUnion(t *testing.T) {
	scalars := func(v ...string) *Conflict {
		entry := &plan.EntryConflict{}
		c := &Conflict{Kind: plan.ConflictValue, Entry: entry}
		for s, in := range v {
			c.Texts[s], entry.Entries[s] = []byte(in), trees.Root(t, in).Entries[0]
		}
		return c
	}
	added := newConflict("", "a\n", "b\n")
	added.Kind = plan.ConflictAddAdd
	for _, c := range []struct {
		name string
		of   *Conflict
		want string
		ok   bool
	}{
		{"both added", added, "a\nb\n", true},
		{"lines of a text", scalars("a: |\n  1\n  2\n", "a: |\n  0\n  1\n  2\n", "a: |\n  1\n  2\n  3\n"), "a: |\n  0\n  1\n  2\n  3\n", true},
		{"a mapping", scalars("a: 1\n", "a: {b: 1}\n", "a: 2\n"), "", false},
		{"no entry", newConflict("1\n", "2\n", "3\n"), "", false},
	} {
		if v, ok := c.of.Union(); ok != c.ok || ok && string(v.Text) != c.want {
			t.Errorf("%s: %q, %v", c.name, v.Text, ok)
		}
	}
}

func TestResolve(t *testing.T) {
	a, b := newConflict("1\n", "2\n", "2\n"), newConflict("", "5\n", "6\n")
	p := newPage("x\n", a, "y\n", b)
	for s, want := range [3]string{"x\n1\ny\n", "x\n2\ny\n5\n", "x\n2\ny\n6\n"} {
		if got := string(p.Resolve(three.Version(s))); got != want {
			t.Errorf("%s: %q", three.Names[s], got)
		}
	}
	if p.ResolveIdentical(); len(p.Conflicts()) != 1 || p.Conflicts()[0] != b || string(p.Resolve(three.Original)) != "x\n2\ny\n" {
		t.Errorf("where both agree there is no conflict: %+v", p.Parts)
	}
}

// TestFromLineMerge tests that the page of a line merge is written exactly as git writes it.
func TestFromLineMerge(t *testing.T) {
	raw := [3][]byte{[]byte("a: 1\nb: 1\nc: 1\n"), []byte("a: 2\nb: 1\nc: 2"), []byte("a: 3\nb: 1\nc: 3\n")}
	for _, style := range []text.Style{text.StyleMerge, text.StyleDiff3, text.StyleZdiff3} {
		opts := diff3.Options{Markers: text.Markers{Style: style, Ours: "x", Theirs: "y"}, As: diff3.Merge}
		want, n, err := diff3.MergeLines(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		parts, err := diff3.NewVersions(raw[three.Original], raw[three.Dest], raw[three.Updated]).Parts(opts)
		if err != nil {
			t.Fatal(err)
		}
		r := newTestRenderer(t, string(raw[three.Original]), string(raw[three.Dest]), string(raw[three.Updated]))
		w := r.Write(FromLineMerge(raw, parts, nil), opts.Markers, false)
		if !bytes.Equal(w.Bytes, want) || len(w.Marks) != n {
			t.Errorf("%d marks in\n%swant %d in\n%s", len(w.Marks), w.Bytes, n, want)
		}
		for i, c := range text.Conflicts(want, 0) {
			if w.Marks[i].Line != c.Line {
				t.Errorf("mark %d is at line %d, the marker at %d", i, w.Marks[i].Line, c.Line)
			}
		}
	}
	c := &Conflict{Texts: [3][]byte{nil, []byte("a"), []byte("b")}, LineMerge: new([3]diff3.MarkedText)}
	if got := string(c.BothTexts([]byte("\n"))); got != "a\nb" {
		t.Errorf("both: %q", got)
	}
}
