package diff3

import (
	"bytes"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestParts runs checkParts on many merges.
func TestParts(t *testing.T) {
	conflicts, joined := 0, 0
	for _, versions := range append(randomTriples(1500), randomHardTriples(12)...) {
		for style := range text.Style(len(styles)) {
			for _, p := range checkParts(t, versions, Options{As: Merge, Markers: text.Markers{Style: style, Ours: "ours", Base: "b", Theirs: "t"}}) {
				if p.Conflict != nil {
					conflicts++
				}
				if p.Conflict != nil && len(p.Conflict.Marked[text.StyleDiff3].OpeningMarkers) > 1 {
					joined++
				}
			}
		}
	}
	if conflicts < 1000 || joined < 100 {
		t.Errorf("%d questions, %d of several conflicts", conflicts, joined)
	}
}

// checkParts checks that the parts of a line merge, joined, are the merged text. If each
// conflict is replaced by the lines of one side, they must be the result of a merge with
// that Favor. It returns the parts.
func checkParts(t *testing.T, versions triple, opts Options) []Part {
	t.Helper()
	parts, err := NewVersions(versions.original, versions.dest, versions.updated).Parts(opts)
	if err != nil {
		t.Fatal(err)
	}
	want, n, _ := MergeLines(versions.original, versions.dest, versions.updated, opts)
	checkMarked(t, parts, opts.Markers.Style, want, n)
	opts.Favor = FavorOurs
	ours, _, _ := MergeLines(versions.original, versions.dest, versions.updated, opts)
	if got := replaceConflicts(parts, func(c *Conflict) []byte { return versions.dest[c.Dest.Start:c.Dest.End] }); !bytes.Equal(got, ours) {
		t.Fatalf("with ours %q, want %q", got, ours)
	}
	opts.Favor = FavorTheirs
	theirs, _, _ := MergeLines(versions.original, versions.dest, versions.updated, opts)
	if got := replaceConflicts(parts, func(c *Conflict) []byte { return versions.updated[c.Updated.Start:c.Updated.End] }); !bytes.Equal(got, theirs) {
		t.Fatalf("with theirs %q, want %q", got, theirs)
	}
	return parts
}

// checkMarked checks that the parts, marked in the style, are the merged text want, which
// has n conflicts.
func checkMarked(t *testing.T, parts []Part, style text.Style, want []byte, n int) {
	t.Helper()
	opens := 0
	got := replaceConflicts(parts, func(c *Conflict) []byte {
		m := c.Marked[style]
		opens += len(m.OpeningMarkers)
		for _, at := range m.OpeningMarkers {
			if !bytes.HasPrefix(m.Text[at:], []byte("<<<<<<< ours")) {
				t.Fatalf("no conflict starts at %d of\n%s", at, m.Text)
			}
		}
		if len(m.OpeningMarkers) == 0 {
			t.Fatalf("a question without a conflict:\n%s", m.Text)
		}
		return m.Text
	})
	if !bytes.Equal(got, want) || opens != n {
		t.Fatalf("%d conflicts in %q, want %d in %q", opens, got, n, want)
	}
}

// replaceConflicts returns the parts as one text, with each conflict replaced by its textOf.
func replaceConflicts(parts []Part, textOf func(*Conflict) []byte) []byte {
	b := []byte{}
	for _, p := range parts {
		if p.Conflict != nil {
			b = append(b, textOf(p.Conflict)...)
		} else {
			b = append(b, p.Text...)
		}
	}
	return b
}

// TestPartsBase checks that a conflict has all lines of its base, even if git joins two
// conflicts and the lines between them.
func TestPartsBase(t *testing.T) {
	original := []byte("a\nb\nc\nd\ne\nf\ng\n")
	dest := []byte("a\nB\nc\nd\nE\nf\ng\n")
	updated := []byte("a\nBB\nc\nd\nEE\nf\ng\n")
	for style, want := range []string{"b\nc\nd\ne\n", "b\nc\nd\ne\n", "b\nc\nd\ne\n"} {
		parts, err := NewVersions(original, dest, updated).Parts(Options{As: Merge, Markers: text.Markers{Style: text.Style(style)}})
		if err != nil || len(parts) != 3 {
			t.Fatalf("style %d: %d parts, %v", style, len(parts), err)
		}
		c := parts[1].Conflict
		if got := string(original[c.Original.Start:c.Original.End]); got != want {
			t.Errorf("style %d: base %q, want %q", style, got, want)
		}
		if n := len(c.Marked[text.StyleMerge].OpeningMarkers); n != 1 {
			t.Errorf("style %d: %d conflicts in merge style", style, n)
		}
		if n := len(c.Marked[text.StyleDiff3].OpeningMarkers); n != 2 {
			t.Errorf("style %d: %d conflicts in diff3 style", style, n)
		}
	}
}

// TestPartsBinary checks that Parts refuses binary versions like MergeLines.
func TestPartsBinary(t *testing.T) {
	if _, err := NewVersions([]byte("a\x00"), nil, nil).Parts(Options{}); err != ErrBinary {
		t.Errorf("%v", err)
	}
}
