package syntax

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/features"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// fine cuts every list at every item.
var fine = grain{}

// inPieces fails t unless in, read in pieces, has the tree that it has as a whole. It
// reports whether it can be read so.
func inPieces(t *testing.T, in []byte, size grain) bool {
	t.Helper()
	f := text.New(in)
	runs := findRuns(in, size)
	if len(runs) == 0 || checkEncoding(f) != nil {
		return false
	}
	s, err := read(f, frame(in, runs), runs, false)
	if err != nil {
		return false
	}
	whole, err := read(f, in, nil, false)
	switch {
	case err != nil:
		t.Errorf("%q is read in pieces, but not as a whole: %v", in, err)
	case !reflect.DeepEqual(s, whole):
		t.Errorf("%q in pieces is\n%s\nas a whole\n%s", in, dump(s), dump(whole))
	}
	return true
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		name, in string
		ok       bool
	}{
		{"root", "- a: 1\n  b: 2\n- c\n-\n- - d\n  - e\n", true},
		{"below its key", "x: 1\nl:\n- a\n- b\n# c\n\n- d # e\ny: 2\nz:\n  - f\n  - g\n", true},
		{"lists in items", "- a:\n  - 1\n  - 2\n- b:\n  - 3\n", true},
		{"of documents", "---\n- a\n- b\n...\n---\n- c\n- d\n", true},
		{"texts over lines", "- |\n  a\n  - b\n\n- >+\n  c\n\n- 'd\n  e'\n- f\n  g\n", true},
		{"anchor in an item", "- &a x\n- b: &b 1\n  c: *b\n", true},
		{"alias to another item", "- &a x\n- *a\n", false},
		{"tag of a directive", "%TAG ! tag:x,2000:\n---\n- !a 1\n- !a 2\n", false},
		{"a quote to the left", "- \"a\n- b\"\n- c\n", false},
		{"in a text", "a: |\n  - b\n  - c\n", false},
		{"CR LF", "- a\r\n- b\r\n", false},
		{"no list in flow", "a: [\n- b,\n- c]\n", false},
		{"a field behind an item", "- a: 1\n- b: 2\n c: 3\n", false},
		{"no list before another", "a: |\n  - b\n  - c\nd:\n- e\n- f\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if ok := inPieces(t, []byte(c.in), fine); ok != c.ok {
				t.Errorf("read in pieces: %t, want %t", ok, c.ok)
			}
		})
	}
}

// TestLargePieces holds that Parse reads a large list in pieces.
func TestLargePieces(t *testing.T) {
	var b strings.Builder
	b.WriteString("x: 1\nl:\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "- name: n%d\n\n  # c\n  b: %d\n", i, i)
	}
	b.WriteString("y: 1\n")
	in := []byte(b.String())
	if runs := findRuns(in, coarse); len(runs) != 1 || len(runs[0].pieces) < 10 || runs[0].items != 10_000 {
		t.Fatalf("found %d lists", len(runs))
	}
	if !inPieces(t, in, coarse) {
		t.Error("not read in pieces")
	}
}

func TestPiecesOfSeeds(t *testing.T) {
	all, err := features.Read("../../../testdata/features")
	if err != nil {
		t.Fatal(err)
	}
	files := seeds()
	for _, in := range seeds() {
		files = append(files, "- x\n- "+strings.ReplaceAll(in, "\n", "\n  ")+"\n-\n"+in)
	}
	for _, f := range all {
		files = append(files, string(f.Data))
	}
	read := 0
	for _, in := range files {
		if inPieces(t, []byte(in), fine) {
			read++
		}
	}
	if t.Logf("%d of %d have lists that are read in pieces", read, len(files)); read < 100 {
		t.Error("too few to tell")
	}
}

// FuzzPieces holds that what is read in pieces is read as it is read whole.
func FuzzPieces(f *testing.F) {
	for _, in := range seeds() {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) { inPieces(t, in, fine) })
}
