package diff3

import (
	"bytes"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestParts checks the laws of parts on many merges.
func TestParts(t *testing.T) {
	conflicts, joined := 0, 0
	for _, x := range append(triples(1500), hardTriples(12)...) {
		for style := range text.Style(len(styles)) {
			for _, p := range checkParts(t, x, Options{As: Merge, Markers: text.Markers{Style: style, Ours: "ours", Base: "b", Theirs: "t"}}) {
				if p.Conflict != nil {
					conflicts++
				}
				if p.Conflict != nil && len(p.Conflict.Marked[text.StyleDiff3].Opens) > 1 {
					joined++
				}
			}
		}
	}
	if conflicts < 1000 || joined < 100 {
		t.Errorf("%d questions, %d of several conflicts", conflicts, joined)
	}
}

// checkParts holds that the parts of a line merge are its bytes, and with one
// side at every conflict those of a merge that takes it.
func checkParts(t *testing.T, x triple, opts Options) []Part {
	t.Helper()
	parts, err := Of(x.original, x.dest, x.updated).Parts(opts)
	if err != nil {
		t.Fatal(err)
	}
	want, n, _ := MergeLines(x.original, x.dest, x.updated, opts)
	checkMarked(t, parts, opts.Markers.Style, want, n)
	opts.Favor = FavorOurs
	ours, _, _ := MergeLines(x.original, x.dest, x.updated, opts)
	if got := choose(parts, func(c *Conflict) []byte { return x.dest[c.Dest.Start:c.Dest.End] }); !bytes.Equal(got, ours) {
		t.Fatalf("with ours %q, want %q", got, ours)
	}
	opts.Favor = FavorTheirs
	theirs, _, _ := MergeLines(x.original, x.dest, x.updated, opts)
	if got := choose(parts, func(c *Conflict) []byte { return x.updated[c.Updated.Start:c.Updated.End] }); !bytes.Equal(got, theirs) {
		t.Fatalf("with theirs %q, want %q", got, theirs)
	}
	return parts
}

// checkMarked compares the parts, marked, with a merge that has n conflicts.
func checkMarked(t *testing.T, parts []Part, style text.Style, want []byte, n int) {
	t.Helper()
	opens := 0
	got := choose(parts, func(c *Conflict) []byte {
		m := c.Marked[style]
		opens += len(m.Opens)
		for _, at := range m.Opens {
			if !bytes.HasPrefix(m.Text[at:], []byte("<<<<<<< ours")) {
				t.Fatalf("no conflict starts at %d of\n%s", at, m.Text)
			}
		}
		if len(m.Opens) == 0 {
			t.Fatalf("a question without a conflict:\n%s", m.Text)
		}
		return m.Text
	})
	if !bytes.Equal(got, want) || opens != n {
		t.Fatalf("%d conflicts in %q, want %d in %q", opens, got, n, want)
	}
}

// choose is the parts with what of says at each conflict.
func choose(parts []Part, of func(*Conflict) []byte) []byte {
	b := []byte{}
	for _, p := range parts {
		if p.Conflict != nil {
			b = append(b, of(p.Conflict)...)
		} else {
			b = append(b, p.Text...)
		}
	}
	return b
}

// TestPartsBase holds that a conflict knows all of its base, also where git
// joins what stands apart.
func TestPartsBase(t *testing.T) {
	original := []byte("a\nb\nc\nd\ne\nf\ng\n")
	dest := []byte("a\nB\nc\nd\nE\nf\ng\n")
	updated := []byte("a\nBB\nc\nd\nEE\nf\ng\n")
	for style, want := range []string{"b\nc\nd\ne\n", "b\nc\nd\ne\n", "b\nc\nd\ne\n"} {
		parts, err := Of(original, dest, updated).Parts(Options{As: Merge, Markers: text.Markers{Style: text.Style(style)}})
		if err != nil || len(parts) != 3 {
			t.Fatalf("style %d: %d parts, %v", style, len(parts), err)
		}
		c := parts[1].Conflict
		if got := string(original[c.Original.Start:c.Original.End]); got != want {
			t.Errorf("style %d: base %q, want %q", style, got, want)
		}
		if n := len(c.Marked[text.StyleMerge].Opens); n != 1 {
			t.Errorf("style %d: %d conflicts in merge style", style, n)
		}
		if n := len(c.Marked[text.StyleDiff3].Opens); n != 2 {
			t.Errorf("style %d: %d conflicts in diff3 style", style, n)
		}
	}
}

// TestPartsBinary: what MergeLines refuses has no parts.
func TestPartsBinary(t *testing.T) {
	if _, err := Of([]byte("a\x00"), nil, nil).Parts(Options{}); err != ErrBinary {
		t.Errorf("%v", err)
	}
}
