package diff3

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// FuzzMatch checks that the runs of every algorithm are valid, and that Match finds a
// longest common subsequence of small inputs.
func FuzzMatch(f *testing.F) {
	for _, c := range matchCases {
		f.Add([]byte(c.a), []byte(c.b))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		runs := Match(a, b)
		checkRuns(t, a, b, runs)
		if len(a)*len(b) < 1<<14 && pairedItems(runs) != lcsLength(a, b) {
			t.Fatalf("%d matched, could be %d", pairedItems(runs), lcsLength(a, b))
		}
		for _, h := range []algorithm{gitMyers, gitHistogram} {
			checkRuns(t, a, b, matchItems(a, b, h))
		}
	})
}

func pairedItems(runs []Run) int {
	n := 0
	for _, r := range runs {
		n += r.Len
	}
	return n
}

// lcsLength returns the length of the longest common subsequence.
func lcsLength(a, b []byte) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		corner := 0 // the value of the row above at j-1
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			corner = above
		}
	}
	return row[len(b)]
}

// FuzzChunks checks that chunks cover the versions completely, that their kinds are right,
// and that exchanging the sides only exchanges them in the chunks.
func FuzzChunks(f *testing.F) {
	for _, c := range chunkCases {
		f.Add([]byte(c.original), []byte(c.dest), []byte(c.updated))
	}
	f.Fuzz(func(t *testing.T, o, d, u []byte) {
		withDest, withUpdated := Match(o, d), Match(o, u)
		chunks := Chunks(len(o), len(d), len(u), withDest, withUpdated)
		var end Chunk
		for _, c := range chunks {
			if c.Original.Start != end.Original.End || c.Dest.Start != end.Dest.End || c.Updated.Start != end.Updated.End {
				t.Fatalf("%v does not follow %v", c, end)
			}
			if c.Kind != Same && end.Kind != Same {
				t.Fatalf("nothing between %v and %v", end, c)
			}
			checkKind(t, c, o[c.Original.Start:c.Original.End], d[c.Dest.Start:c.Dest.End], u[c.Updated.Start:c.Updated.End])
			checkSplitBySide(t, c, o, d, u)
			end = c
		}
		if end.Original.End != len(o) || end.Dest.End != len(d) || end.Updated.End != len(u) {
			t.Fatalf("%v is not the end", end)
		}
		swapped := Chunks(len(o), len(u), len(d), withUpdated, withDest)
		for i, c := range swapped {
			swapped[i].Dest, swapped[i].Updated = c.Updated, c.Dest
			swapped[i].Kind = c.Kind&1<<1 | c.Kind>>1
		}
		if !slices.Equal(swapped, chunks) {
			t.Fatalf("%v swapped is %v", chunks, swapped)
		}
	})
}

// checkSplitBySide checks that the chunks of splitBySide cover c completely, that none of
// them was changed by both sides, and that exchanging the sides only exchanges them in
// the chunks.
func checkSplitBySide(t *testing.T, c Chunk, o, d, u []byte) {
	t.Helper()
	chunks := splitBySide(c, [3][]string{splitBytes(o), splitBytes(d), splitBytes(u)})
	if c.Kind != BothChanged || chunks == nil {
		return
	}
	end := Chunk{Original: Range{c.Original.Start, c.Original.Start}, Dest: Range{c.Dest.Start, c.Dest.Start}, Updated: Range{c.Updated.Start, c.Updated.Start}}
	for _, k := range chunks {
		if k.Original.Start != end.Original.End || k.Dest.Start != end.Dest.End || k.Updated.Start != end.Updated.End || k.Kind == BothChanged {
			t.Fatalf("%v behind %v in %v", k, end, c)
		}
		checkKind(t, k, o[k.Original.Start:k.Original.End], d[k.Dest.Start:k.Dest.End], u[k.Updated.Start:k.Updated.End])
		end = k
	}
	if end.Original.End != c.Original.End || end.Dest.End != c.Dest.End || end.Updated.End != c.Updated.End {
		t.Fatalf("%v is not the end of %v", end, c)
	}
	back := Chunk{Kind: c.Kind, Original: c.Original, Dest: c.Updated, Updated: c.Dest}
	swapped := splitBySide(back, [3][]string{splitBytes(o), splitBytes(u), splitBytes(d)})
	for i, k := range swapped {
		swapped[i].Dest, swapped[i].Updated = k.Updated, k.Dest
		swapped[i].Kind = k.Kind&1<<1 | k.Kind>>1
	}
	if !slices.Equal(swapped, chunks) {
		t.Fatalf("%v swapped is %v", chunks, swapped)
	}
}

// splitBytes returns each byte of b as a string.
func splitBytes(b []byte) (out []string) {
	for i := range b {
		out = append(out, string(b[i:i+1]))
	}
	return out
}

func checkKind(t *testing.T, c Chunk, o, d, u []byte) {
	t.Helper()
	sameDest, sameUpdated := bytes.Equal(o, d), bytes.Equal(o, u)
	if c.Kind&DestChanged == 0 && !sameDest || c.Kind&UpdatedChanged == 0 && !sameUpdated {
		t.Fatalf("%v of %q %q %q", c, o, d, u)
	}
	if c.Whole && (c.Kind != BothChanged || sameDest || sameUpdated) {
		t.Fatalf("%v of %q %q %q is whole", c, o, d, u)
	}
}

// FuzzMergeLines checks properties of a line merge that do not depend on the alignment.
func FuzzMergeLines(f *testing.F) {
	for _, c := range mergeCases {
		f.Add([]byte(textOf(c.original, "\n")), []byte(textOf(c.dest, "\n")), []byte(textOf(c.updated, "\r\n")))
	}
	for _, tr := range randomTriples(20) {
		f.Add(tr.original, tr.dest, tr.updated)
	}
	f.Fuzz(func(t *testing.T, o, d, u []byte) {
		if NewVersions(o, d, u).checkMergeable() != nil {
			return
		}
		for _, as := range []As{MergeFile, Merge} {
			m := laws{t, Options{As: as, Markers: gitMarkers}}
			m.checkUnchangedSide(o, d)
			m.checkUnchangedSide(o, u)
			m.checkFavor(o, d, u)
			for style := range text.Style(len(styles)) {
				m.Markers.Style = style
				checkParts(t, triple{o, d, u}, m.Options)
			}
		}
	})
}

type laws struct {
	*testing.T
	Options
}

func (l laws) merge(o, d, u []byte, style text.Style, favor Favor) ([]byte, int) {
	l.Markers.Style, l.Favor = style, favor
	merged, n, err := MergeLines(o, d, u, l.Options)
	if err != nil {
		l.Fatal(err)
	}
	return merged, n
}

// checkUnchangedSide checks that the result is x if only one side changed the original to
// x, or if both did.
func (l laws) checkUnchangedSide(o, x []byte) {
	for style := range text.Style(len(styles)) {
		for _, in := range [][3][]byte{{o, x, o}, {o, o, x}, {o, x, x}} {
			if got, n := l.merge(in[0], in[1], in[2], style, FavorNone); n != 0 || !bytes.Equal(got, x) {
				l.Fatalf("%q merged is %q", in, got)
			}
		}
	}
}

// checkFavor checks that FavorOurs and FavorTheirs give the same text in every style, that
// the lines of one side in the marked text are that text, too, and that
// exchanging dest and updated exchanges the two texts.
func (l laws) checkFavor(o, d, u []byte) {
	ours, _ := l.merge(o, d, u, text.StyleDiff3, FavorOurs)
	theirs, _ := l.merge(o, d, u, text.StyleDiff3, FavorTheirs)
	if swapped, _ := l.merge(o, u, d, text.StyleDiff3, FavorOurs); !bytes.Equal(swapped, theirs) {
		l.Fatalf("theirs is %q, but ours of the swapped merge is %q", theirs, swapped)
	}
	for style := range text.Style(len(styles)) {
		if got, _ := l.merge(o, d, u, style, FavorOurs); !bytes.Equal(got, ours) {
			l.Fatalf("ours in style %d is %q, in diff3 %q", style, got, ours)
		}
		if got, _ := l.merge(o, d, u, style, FavorTheirs); !bytes.Equal(got, theirs) {
			l.Fatalf("theirs in style %d is %q, in diff3 %q", style, got, theirs)
		}
		marked, n := l.merge(o, d, u, style, FavorNone)
		if hasMarkers(o) || hasMarkers(d) || hasMarkers(u) {
			continue
		}
		if n != bytes.Count(marked, []byte("<<<<<<< ours")) {
			l.Fatalf("%d conflicts in %q", n, marked)
		}
		if got := pickSide(marked, '<'); !equalsExceptFinalBreak(got, ours) {
			l.Fatalf("ours in %q is %q, want %q", marked, got, ours)
		}
		if got := pickSide(marked, '='); !equalsExceptFinalBreak(got, theirs) {
			l.Fatalf("theirs in %q is %q, want %q", marked, got, theirs)
		}
	}
}

// equalsExceptFinalBreak reports whether got equals want, or want and a line break. A
// conflict at the end of a text adds a line break.
func equalsExceptFinalBreak(got, want []byte) bool {
	rest, ok := bytes.CutPrefix(got, want)
	return ok && (len(rest) == 0 || !bytes.HasSuffix(want, lf) && (bytes.Equal(rest, lf) || bytes.Equal(rest, crlf)))
}

// pickSide returns a marked text in which each conflict is replaced by the lines after the
// marker of the given character.
func pickSide(marked []byte, side byte) []byte {
	var out []byte
	var marker byte // the character of the last marker, 0 outside of conflicts
	for line := range bytes.Lines(marked) {
		switch {
		case isMarker(line):
			if marker = line[0]; marker == '>' {
				marker = 0
			}
		case marker == 0 || marker == side:
			out = append(out, line...)
		}
	}
	return out
}

func isMarker(line []byte) bool {
	for _, m := range [...]string{"<<<<<<< ours", "||||||| base", "=======", ">>>>>>> theirs"} {
		if strings.TrimRight(string(line), "\r\n") == m {
			return true
		}
	}
	return false
}

func hasMarkers(text []byte) bool {
	for line := range bytes.Lines(text) {
		if isMarker(line) {
			return true
		}
	}
	return false
}
