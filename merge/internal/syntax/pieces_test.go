package syntax

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/features"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/outline"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// finest cuts every collection at every entry that allows it.
var finest = outline.Grain{}

// inPieces fails t unless in, read in pieces, has the tree that it has as a whole. It
// reports whether it can be read so.
func inPieces(t *testing.T, in []byte, g outline.Grain) bool {
	t.Helper()
	f := text.New(in)
	if checkEncoding(f) != nil || len(in) == 0 {
		return false
	}
	r := NewReader()
	ok := asWhole(t, f, r.remembered(f, g, false))
	if atOnce := asWhole(t, f, atOnce(f, g, false)); atOnce && !ok {
		t.Errorf("%q is read in pieces at once, but not by a Reader", in)
	}
	if _, rest, some := bytes.Cut(in, []byte("\n")); ok && some { // of which much is known
		f := text.New(rest)
		asWhole(t, f, r.remembered(f, g, false))
	}
	return ok
}

// asWhole fails t unless s is nil or the tree of f. It reports whether there is one.
func asWhole(t *testing.T, f *text.File, s *Stream) bool {
	t.Helper()
	if s == nil {
		return false
	}
	in := f.Bytes()
	whole, err := whole(f, false)
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
		{"anchor in an item", "- &a x\n- b: &b 1\n  c: 2\n", true},
		{"alias within an item", "- &a x\n- b: &b 1\n  c: *b\n", true},
		{"alias in brackets", "- &a x\n- b: &b 1\n  c: [*b]\n", true},
		{"alias to a collection around", "- &a\n  b: *a\n- c\n", true},
		{"alias to what is below", "- *a\n- &a x\n", false},
		{"alias without an anchor", "a:\n- *a\n- b: \"&a\"\n", false},
		{"alias to another document", "- &a x\n- b\n---\n- *a\n- c\n", true},
		{"alias below <<", "a: &a\n  b: 1\nc:\n  <<: *a\n  d: 2\n", true},
		{"fields of an anchor", "a: &a # b\n  c: 1\n  d: 2\ne: !t\n- f\n- g\n- &h\n  i: 1\n  j: 2\nk: &k !!map\n  l: *a\n  m: *h\n", true},
		{"items of an anchor", "a:\n  b: 1\n  c: &c\n  - d\n  - e\n  f: *c\ng: 2\n", true},
		{"no break at the end", "a:\n  b: 1\n  c: 2", true},
		{"alias as a key", "- &a x\n- *a : b\n", false},
		{"alias to a collection as a key", "- &a {}\n- b: {*a : c}\n", false},
		{"documents with comments", "# a\n---\n# b\na:\n  b: c\n  d: e\n---\n# c\n...\n# d\n", true},
		{"fields of items", "a:\n- b:\n    c: 1\n    d: |\n      e: f\n  g:\n  - h\n  - i\n-\n  j: 2\n", true},
		{"a text that keeps its breaks", "a:\n  b: |+\n    c\n\n\nd:\n  e: |+\n    f\n\n  g: 1\n", true},
		{"quotes over keys", "a: \"b\n  c:\n    d: e\"\nf:\n  g: h\n", true},
		{"quotes over keys to the left", "a: \"b\nc:\n  d: e\"\nf:\n  g: \"h\n\"\n", false},
		{"an explicit key", "? a\n: b:\n    c: d\n    e: f\ng:\n  h: i\n", true},
		{"a byte order mark", "\ufeffa:\n  b: c\n", false},
		{"a tab", "a:\n  b: c\n\t\n", false},
		{"below its column", "a:\n    b: 1\n  c: 2\n", false},
		{"alias to another item", "- &a x\n- *a\n", true},
		{"tag of a directive", "%TAG ! tag:x,2000:\n---\n- !a 1\n- !a 2\n", false},
		{"a quote to the left", "- \"a\n- b\"\n- c\n", false},
		{"in a text", "a: |\n  - b\n  - c\n", true},
		{"CR LF", "- a\r\n- b\r\n", false},
		{"no list in flow", "a: [\n- b,\n- c]\n", false},
		{"a field behind an item", "- a: 1\n- b: 2\n c: 3\n", false},
		{"no list before another", "a: |\n  - b\n  - c\nd:\n- e\n- f\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if ok := inPieces(t, []byte(c.in), finest); ok != c.ok {
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
		fmt.Fprintf(&b, "- name: n%d\n\n  # c\n  b: %d\n  c: {}\n", i, i)
	}
	b.WriteString("y: 1\n")
	in := []byte(b.String())
	if file, _ := outlineOf(in, coarse); len(file.Runs) != 1 || len(file.Runs[0].Pieces) < 10 {
		t.Fatalf("found %d lists", len(file.Runs))
	}
	if !inPieces(t, in, coarse) {
		t.Error("not read in pieces")
	}
}

// TestManyDocuments holds that documents that are read while they are placed are those that are
// read before, and that what is no YAML below them is told.
func TestManyDocuments(t *testing.T) {
	in := []byte(strings.Repeat("---\na: {b: 1}\n# c\n", 20_000) + "---\nd:\n  e: |\n    f\n")
	if file, _ := outlineOf(in, fine); len(file.Frame(in)) < leastCoarse {
		t.Fatal("too few to be read while they are placed")
	}
	if !inPieces(t, in, fine) {
		t.Error("not read in pieces")
	}
	f, r := text.New(append(in, "---\ng: [\n"...)), NewReader()
	_, want := whole(f, false)
	if _, err := r.Parse(f); err == nil || err.Error() != want.Error() {
		t.Errorf("read in pieces: %v, as a whole: %v", err, want)
	}
}

// TestReader holds that a Reader may read several files at a time, of which some are no YAML, and that it
// reads what was in such a file where another has it too.
func TestReader(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "k%d:\n  name: n%d\n  list:\n  - a: %d\n    b: {}\n  - c: |\n      text %d\n", i, i, i, i)
	}
	in := b.String()
	r := NewReader()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			was, is := fmt.Sprintf("name: n%d\n", i), "name: other\n"
			if i%4 == 3 {
				is = "name: [\n"
			}
			f := text.New([]byte(strings.Replace(in, was, is, 1)))
			s, err := r.Parse(f)
			want, wantErr := whole(f, false)
			if (err == nil) != (i%4 != 3) || !reflect.DeepEqual(err, error(wantErr)) || !reflect.DeepEqual(s, want) {
				t.Errorf("file %d: %v, want %v\n%s\nwant\n%s", i, err, wantErr, dump(s), dump(want))
			}
		})
	}
	wg.Wait()
	if r.whole {
		t.Error("it gave up")
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
		if inPieces(t, []byte(in), finest) {
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
	f.Fuzz(func(t *testing.T, in []byte) { inPieces(t, in, finest) })
}
