package syntax_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/features"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestParseSimilar checks that Parse returns the same tree, or the same error, with similar files as without, for the
// versions of all cases and for versions with random edits of lines, which may make them invalid. Up to three
// files before it are similar to each.
func TestParseSimilar(t *testing.T) {
	reused, files := 0, 0
	for i, c := range mergetest.MergeVersions(t) {
		r := rand.New(rand.NewPCG(uint64(i), 0))
		versions := c[:]
		for range 2 {
			versions = append(versions, editLines(r, versions[r.IntN(len(versions))], versions[r.IntN(3)]))
		}
		var similar []*syntax.Stream
		for _, b := range versions {
			s, isReused := parseSimilar(t, b, similar)
			if s == nil {
				continue
			}
			if files++; isReused {
				reused++
			}
			similar = append(similar[max(0, len(similar)-2):], s)
		}
	}
	if reused < files/6 {
		t.Errorf("only %d of %d files reused nodes", reused, files)
	}
}

// TestReuseOfLargeFiles checks that the parser's nodes of a file are kept up to a size of 1 MB. Those of larger files take
// too much memory.
func TestReuseOfLargeFiles(t *testing.T) {
	b := []byte("a: 1\nb: 2\nc: 3\nd: 4\ne: " + strings.Repeat("x", 1<<20))
	for _, size := range []int{1 << 20, 1<<20 + 1} {
		s, err := syntax.Parse(text.New(b[:size]))
		if err != nil {
			t.Fatal(err)
		}
		if isReused, err := syntax.Reuses(b[:1000], []*syntax.Stream{s}); isReused != (size == 1<<20) || err != nil {
			t.Errorf("nodes of a file of %d bytes are reused: %v, %v", size, isReused, err)
		}
	}
}

// parseSimilar returns the tree of b, or nil if b is not valid, and reports whether nodes of similar were reused. It
// fails the test if Parse returns another tree or another error with similar than without.
func parseSimilar(t *testing.T, b []byte, similar []*syntax.Stream) (s *syntax.Stream, isReused bool) {
	t.Helper()
	want, wantErr := syntax.Parse(text.New(b))
	s, err := syntax.Parse(text.New(b), similar...)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("error %v, want %v, for\n%s", err, wantErr, b)
	}
	isReused, reuseErr := syntax.Reuses(b, similar)
	if reuseErr != nil && strings.Contains(reuseErr.Error(), "internal error") {
		t.Fatalf("%v, for\n%s", reuseErr, b)
	}
	if err == nil && (!reflect.DeepEqual(s.Docs, want.Docs) || !reflect.DeepEqual(s.Comments(), want.Comments())) {
		t.Fatalf("another tree of\n%s", b)
	}
	return s, isReused
}

// FuzzParseSimilar tests that Parse returns the same tree, or the same error, with similar files as without: for b, for
// a again, whose tree reuses that of b, and for a after edits of lines, which seed determines.
func FuzzParseSimilar(f *testing.F) {
	for i, c := range mergetest.FuzzVersions(f) {
		f.Add(c[0], c[1], uint64(i))
	}
	run := "  b: 1\n  c:\n    - 2\n  d: 3\n"
	for _, pair := range [][2]string{
		{"a:\n" + run + "e: 1\n", "x: &r 1\na: &s !t\n" + run + "e: *r\n"},
		{"a:\n" + run, "- !\n" + run},
		{"a:\n" + run, "a:\n" + strings.TrimSuffix(run, "\n")},
		{"a:\n" + run + "e: 1\n", "a: |\n" + run + "e: 1\n"},
		{"a:\n" + run + "e: 1\n", "a: \"\n" + run + "e: 1\"\n"},
		{"a:\n" + run + "e: 1\n", "a: x\n" + run + "e: 1\n"},
		{"a:\n" + run + "e: 1\n", "a: {\n" + run + "e: 1}\n"},
		{"a:\n" + run + "e: 1\n", "a:\n" + run + "---\n" + run + "e: 1\n...\n"},
		{"a:\n" + run + "# c\n\ne: 1\n", "# d\n\na:\n" + run + "\n# c\ne: 1\n"},
		{"a:\n- 1\n- b: 2\n- 3\n- 4\nc: 5\n", "a:\n-\n- 1\n- b: 2\n- 3\n- 4\nc: 5\n"},
		{"? a\n: 1\nb: 2\nc: 3\nd: 4\ne: 5\n", "b: 2\nc: 3\nd: 4\n? a\n: 1\nb: 2\n"},
		{"a: 1\na: 2\na: 3\na: 4\nb: x\n", "a: 1\na: 2\na: 3\na: 4\nb: x\n  y\n"},
		{"a:\n  b:\n    c: 1\n    d: 2\n    e: 3\n  f: 4\ng: 5\n", "b:\n    c: 1\n    d: 2\n    e: 3\n  f: 4\ng: 5\n"},
	} {
		f.Add([]byte(pair[0]), []byte(pair[1]), uint64(0))
	}
	all, err := features.Read("../../../testdata/features")
	if err != nil {
		f.Fatal(err)
	}
	for i, feature := range all {
		f.Add(feature.Data, all[(i+1)%len(all)].Data, uint64(i))
	}
	f.Fuzz(func(t *testing.T, a, b []byte, seed uint64) {
		if !mergetest.AreSmall(a, b) {
			return
		}
		r := rand.New(rand.NewPCG(seed, 0))
		var similar []*syntax.Stream
		for _, version := range [][]byte{a, b, a, editLines(r, a, b), editLines(r, a, b), editLines(r, b, a)} {
			if s, _ := parseSimilar(t, version, similar); s != nil {
				similar = append(similar[max(0, len(similar)-1):], s)
			}
		}
	})
}

// oddLines are lines that change how the lines around them are read.
var oddLines = []string{
	"---", "--- a", "--- |", "--- &r !t", "...", "%YAML 1.1", "%TAG ! tag:x,1:", "# c", "", " ", "\t", "\ufeff",
	"a:", "a: 1", "a: &r", "a: &r 1", "a: *r", "<<: *r", "a: !", "a: !t", "a: !!str", "!", "! a: 1", "!t", "&r", "&r a: 1", "*r : 1",
	"a: |", "a: |+", "a: >2-", "a: |1 # c", "a: \"", "\"", "a: '", "'", "a: {", "a: [", "}", "]", ",", "a: x", "x", "x: # c",
	"? a", "? |", "? [a, b]", "? ", ": 1", ": ", "-", "- a", "- - a", "- a: 1", "- ? a", "- |", "- \"", "- !", "- &r", "- # c", "a: 1\r", "a: b\u2028", "a:\t1",
}

// editLines returns b with one to three edits: lines that are deleted, moved, repeated, indented, put below a key or a
// dash, or replaced by lines of other or by one of oddLines, or a final line break that is removed.
func editLines(r *rand.Rand, b, other []byte) []byte {
	lines, others := bytes.SplitAfter(b, []byte("\n")), bytes.SplitAfter(other, []byte("\n"))
	for range 1 + r.IntN(3) {
		i, j := r.IntN(len(lines)), r.IntN(len(others))
		n, m := 1+r.IntN(min(8, len(lines)-i)), 1+r.IntN(min(8, len(others)-j))
		indent := lines[i][:len(lines[i])-len(bytes.TrimLeft(lines[i], " "))]
		odd := []byte(strings.Repeat(" ", max(0, len(indent)+[]int{-2, 0, 0, 0, 1, 2}[r.IntN(6)])) + oddLines[r.IntN(len(oddLines))] + "\n")
		var edited [][]byte
		switch r.IntN(10) {
		case 0: // delete
		case 1: // move one line below the others
			edited = append(append(edited, lines[i+1:i+n]...), lines[i])
		case 2:
			edited = append(append(edited, lines[i:i+n]...), lines[i:i+n]...)
		case 3, 4:
			if r.IntN(2) == 0 {
				edited = append(edited, odd)
			}
			for _, l := range lines[i : i+n] {
				edited = append(edited, append([]byte("  "), l...))
			}
		case 5:
			edited = append(append(edited, lines[i]), others[j:j+m]...)
		case 6: // unindent
			for _, l := range lines[i : i+n] {
				edited = append(edited, bytes.TrimPrefix(l, []byte("  ")))
			}
		case 7:
			edited = append(append(edited, lines[i:i+n]...), odd)
		case 8:
			edited = append(append(edited, odd), lines[i+1:i+n]...)
		default:
			edited = append(append(edited, odd), lines[i:i+n]...)
		}
		lines = append(append(append([][]byte(nil), lines[:i]...), edited...), lines[i+n:]...)
		if len(lines) == 0 {
			return nil
		}
	}
	edited := bytes.Join(lines, nil)
	if r.IntN(8) == 0 {
		edited = bytes.TrimSuffix(edited, []byte("\n"))
	}
	return edited
}
