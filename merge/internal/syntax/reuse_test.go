package syntax_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

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
			want, wantErr := syntax.Parse(text.New(b))
			got, err := syntax.Parse(text.New(b), similar...)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("case %d: error %v, want %v, for\n%s", i, err, wantErr, b)
			}
			if err != nil {
				continue
			}
			if !reflect.DeepEqual(got.Docs, want.Docs) || !reflect.DeepEqual(got.Comments(), want.Comments()) {
				t.Fatalf("case %d: another tree of\n%s", i, b)
			}
			if files++; syntax.Reuses(b, similar) {
				reused++
			}
			similar = append(similar[max(0, len(similar)-2):], got)
		}
	}
	if reused < files/6 {
		t.Errorf("only %d of %d files reused nodes", reused, files)
	}
}

// editLines returns b with one to three edits: lines that are deleted, moved, indented or replaced by lines of other.
func editLines(r *rand.Rand, b, other []byte) []byte {
	lines, others := bytes.SplitAfter(b, []byte("\n")), bytes.SplitAfter(other, []byte("\n"))
	for range 1 + r.IntN(3) {
		i, j := r.IntN(len(lines)), r.IntN(len(others))
		n, m := 1+r.IntN(min(8, len(lines)-i)), 1+r.IntN(min(8, len(others)-j))
		var edited [][]byte
		switch r.IntN(4) {
		case 0: // delete
		case 1: // move one line below the others
			edited = append(append(edited, lines[i+1:i+n]...), lines[i])
		case 2:
			for _, l := range lines[i : i+n] {
				edited = append(edited, append([]byte("  "), l...))
			}
		default:
			edited = append(append(edited, lines[i]), others[j:j+m]...)
		}
		lines = append(append(append([][]byte(nil), lines[:i]...), edited...), lines[i+n:]...)
		if len(lines) == 0 {
			return nil
		}
	}
	return bytes.Join(lines, nil)
}
