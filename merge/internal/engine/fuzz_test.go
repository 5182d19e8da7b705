package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// scripts are the edit scripts in the seed corpus.
var scripts = [][]byte{
	{}, {0, 3, 0}, {1, 2, 0}, {2, 1, 0}, {3, 4, 0}, {4, 2, 0}, {5, 1, 3}, {5, 4, 7, 0, 1, 0}, {6, 2, 0, 6, 3, 0}, {7, 3, 1},
}

// words are the lines that an edit can insert.
var words = []string{
	"x: 1", "  x: 2", "- x", "  - name: x", "# c", "  # c", "", "x: |", "    text", "---", "x: &a 1", "y: *a", "x: [1, {a: b}]",
	"name: x", "x:", "\tx", "  - - x", "? x", "...", "x: \"a", "  b\"", "<<: *a",
}

// applyScript returns b after a script of line edits. Each edit has three bytes: the operation, the line, and an argument.
func applyScript(b, script []byte) []byte {
	lines := slices.Collect(bytes.Lines(b))
	for ; len(script) >= 3 && len(lines) < 500; script = script[3:] {
		if len(lines) == 0 {
			lines = append(lines, []byte("a: 1\n"))
		}
		at, arg := int(script[1])%len(lines), int(script[2])
		l := lines[at]
		switch script[0] % 9 {
		case 0:
			lines = slices.Delete(lines, at, at+1)
		case 1:
			lines = slices.Insert(lines, at, l)
		case 2:
			lines = slices.Insert(slices.Delete(lines, at, at+1), arg%len(lines), l)
		case 3:
			lines[at] = append([]byte("  "), l...)
		case 4:
			lines[at] = bytes.TrimPrefix(l, []byte("  "))
		case 5:
			lines = slices.Insert(lines, at, []byte(words[arg%len(words)]+"\n"))
		case 6:
			lines[at] = append(bytes.TrimRight(bytes.Clone(l), "\r\n"), fmt.Sprintf("%d\n", arg%3)...)
		case 7:
			lines[at] = append(bytes.TrimRight(bytes.Clone(l), "\r\n"), fmt.Sprintf(" # %d\n", arg%3)...)
		case 8:
			lines[at] = bytes.ReplaceAll(l, []byte("1"), []byte{'a' + byte(arg%5)})
		}
	}
	return slices.Concat(lines...)
}

// FuzzEdits runs checkResult on two edits of one file.
func FuzzEdits(f *testing.F) {
	addEdits(f)
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if mergetest.AreSmall(o) {
			checkResult(t, [3][]byte{o, applyScript(o, ours), applyScript(o, theirs)})
		}
	})
}

// FuzzMerge runs checkResult on any three inputs.
func FuzzMerge(f *testing.F) {
	for _, v := range mergetest.FuzzVersions(f) {
		f.Add(v[three.Original], v[three.Dest], v[three.Updated])
	}
	f.Fuzz(func(t *testing.T, o, d, u []byte) {
		if mergetest.AreSmall(o, d, u) {
			checkResult(t, [3][]byte{o, d, u})
		}
	})
}

func addEdits(f *testing.F) {
	for i, v := range mergetest.FuzzVersions(f) {
		f.Add(v[three.Original], scripts[i%len(scripts)], scripts[(i+1)%len(scripts)])
		f.Add(v[three.Updated], scripts[(i+4)%len(scripts)], scripts[(i+7)%len(scripts)])
	}
}

// checkResult checks that a merge has no internal error, that each reported conflict line is an opening marker, and
// that a result merged as YAML parses with either side chosen at every conflict.
func checkResult(t *testing.T, raw [3][]byte) {
	t.Helper()
	for _, by := range []order{asMerge, fieldsOnly} {
		res, err := mergeBy(by, raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(res.Reason, "internal error") {
			t.Fatalf("%s\n%q", res.Reason, raw)
		}
		checkMarkers(t, res)
		if res.Method == Delegated || res.Method == Trivial {
			continue
		}
		for _, s := range three.Sides {
			if b := mergetest.TakeSide(res.Bytes, s); !parses(b) {
				t.Errorf("with %s the result does not parse:\n%s\nof\n%s\nfor %q", three.Names[s], b, res.Bytes, raw)
			}
		}
	}
}

// checkMarkers reports an error for each conflict of res whose Line is not the line of an opening marker in res.Bytes.
func checkMarkers(t *testing.T, res Result) {
	t.Helper()
	lines := bytes.Split(res.Bytes, []byte("\n"))
	for _, c := range res.Conflicts {
		if c.Line < 1 || c.Line > len(lines) || !bytes.HasPrefix(lines[c.Line-1], []byte("<<<<<<<")) {
			t.Errorf("no opening marker at line %d:\n%s", c.Line, res.Bytes)
		}
	}
}

func parses(b []byte) bool {
	_, err := parseFile(b)
	return err == nil
}

// FuzzRenderConflict writes a conflict as hunks. It checks that taking one side at all hunks gives the lines of that
// side, and that the markers are on the lines that the conflicts report.
func FuzzRenderConflict(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n", "a\nd\n", uint8(0), uint8(0), false)
	f.Add("", "a\nb\nc\nd\ne\nx\n", "a\nb\nc\nd\ne\ny\n", uint8(1), uint8(0), true)
	f.Add("1\n2\n3\n4\n5\n6\n", "0\n1\n2\n3\n4\n5\n6\n7\n", "x\n1\n2\n3\n4\n5\n6\ny\n", uint8(2), uint8(3), false)
	f.Add("a\nb\n", "a\nB\n", "A\nb\n", uint8(1), uint8(1), false)
	f.Fuzz(func(t *testing.T, o, d, u string, style, half uint8, mark bool) {
		alt := [3][]byte{[]byte(o), []byte(d), []byte(u)}
		for s, b := range alt {
			if bytes.ContainsAny(b, "<=>|\r\ufeff") {
				return
			}
			if len(b) > 0 && b[len(b)-1] != '\n' {
				alt[s] = append(b, '\n')
			}
		}
		if bytes.Equal(alt[three.Dest], alt[three.Updated]) {
			return
		}
		in := read.Inputs{Data: alt}
		r := &page.Renderer{Files: in.Files(), LineBreak: []byte("\n")}
		p := &page.Page{}
		for _, part := range halves(alt, int(half)) {
			p.Add(&page.Conflict{Texts: part, Kind: plan.ConflictValue})
		}
		p.ResolveIdentical()
		w := r.Write(p, text.Markers{Style: text.Style(style % 3), Ours: "ours", Base: "base", Theirs: "theirs"}, mark)
		out := w.Bytes
		var conflicts []Conflict
		for _, k := range w.Marks {
			conflicts = append(conflicts, conflictOf(k))
		}
		checkMarkers(t, Result{Bytes: out, Conflicts: conflicts})
		for _, s := range three.Sides {
			if got := bytes.ReplaceAll(sideOf(out, s), text.BOM, nil); !bytes.Equal(got, alt[s]) {
				t.Errorf("with %s %q, not %q, of\n%s", three.Names[s], got, alt[s], out)
			}
		}
	})
}

// halves splits each version after n lines and returns the first and the second parts.
func halves(alt [3][]byte, n int) (h [2][3][]byte) {
	for s, b := range alt {
		lines := slices.Collect(bytes.Lines(b))
		at := min(n, len(lines))
		h[0][s], h[1][s] = bytes.Join(lines[:at], nil), bytes.Join(lines[at:], nil)
	}
	return h
}

// sideOf returns b with side s taken at every conflict. Unlike mergetest.TakeSide, it also works for hunks that show
// the base.
func sideOf(b []byte, s three.Version) []byte {
	var out []byte
	base := false
	for l := range bytes.Lines(b) {
		base = bytes.HasPrefix(l, []byte("||||||| base")) || base && !bytes.HasPrefix(l, []byte("======="))
		if !base {
			out = append(out, l...)
		}
	}
	return mergetest.TakeSide(out, s)
}
