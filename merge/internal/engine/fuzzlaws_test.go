package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// FuzzGenerated checks the merges of generated versions with any seed.
func FuzzGenerated(f *testing.F) {
	for seed := range 10 {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int) { newGenerated(seed).check(t) })
}

// FuzzCheck checks that Check has no findings for a clean result of Merge.
func FuzzCheck(f *testing.F) {
	addEdits(f)
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if raw := [3][]byte{o, edited(o, ours), edited(o, theirs)}; mergetest.AreSmall(o) {
			checkOwn(t, raw, Options{}, false)
		}
	})
}

// TestCheckOwnMerges checks that Check has no findings for the results of Merge, with either side taken at all
// conflicts. It merges edits of the cases of testdata/merge, and a few other versions.
func TestCheckOwnMerges(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return strings.Contains(file, "template-") }) // the scripts edit YAML, not templates
	for i, file := range files {
		v := readCase(t, file).Raw
		checkOwn(t, [3][]byte{v[three.Original], edited(v[three.Original], scripts[i%len(scripts)]), edited(v[three.Original], scripts[(i+1)%len(scripts)])}, Options{}, true)
		checkOwn(t, [3][]byte{v[three.Updated], edited(v[three.Updated], scripts[(i+4)%len(scripts)]), edited(v[three.Updated], scripts[(i+7)%len(scripts)])}, Options{}, true)
	}
	for _, v := range [][3]string{
		{"# a\na: 1\n", "# a\n", "# a\n# a\na: 1\n"},
		{"kind: A\nmetadata:\n name: a\n---\n", "kind: A\nmetadata:\n---\n", "kind: A\nmetadata:\n name: a # b\n---\n"},
		{"kind: A\nmetadata:\n  name: a\n---\n", "kind: A\nmetadata:\nname: a\n---\n", "kind: B\nmetadata:\n  name: a\n---\n"},
		{"a:\n- name: 1\n", "# c\na:\n- name: 1\n", "- name: 1\n"},
		{"z: 2\nrun: |\n  one\n  two\n  THREE", "z: 2\nrun: |\n  one\n  two\n    THREE", "z: 2\n  one\n  two\nx: |\n  THREE"},
	} {
		checkOwn(t, [3][]byte{[]byte(v[0]), []byte(v[1]), []byte(v[2])}, Options{}, true)
	}
}

// checkOwn merges raw and checks that Check has no findings for the result, with either side taken at all conflicts. If
// conflicts is false, it only checks clean results. It skips versions with duplicate keys, line merges, and results
// with a conflict of the kind ConflictRefused.
func checkOwn(t *testing.T, raw [3][]byte, opts Options, conflicts bool) {
	t.Helper()
	if doubles(raw[three.Original]) || doubles(raw[three.Dest]) || doubles(raw[three.Updated]) {
		return // no merge of a mapping with a duplicate key is correct
	}
	res, err := mergeBy(asMerge, raw, opts)
	if err != nil || res.Method == Delegated || !conflicts && !res.Clean() {
		return
	}
	if slices.ContainsFunc(res.Conflicts, func(c Conflict) bool { return c.Kind == plan.ConflictRefused }) {
		return // such a hunk also has lines that only one side changed
	}
	for _, s := range three.Sides {
		found, err := Check(raw[three.Original], raw[three.Dest], raw[three.Updated], chosen(res.Bytes, s), opts)
		if err == nil && len(found) > 0 {
			t.Errorf("with %s at all conflicts of\n%s\nfound: %v\nfor %q", three.Names[s], res.Bytes, found, raw)
		}
	}
}

// FuzzAssociative checks that edits of three different fields merge without conflicts, and that the result has the same
// data whichever two of the edits are merged first.
func FuzzAssociative(f *testing.F) {
	for i, v := range mergetest.MergeVersions(f) {
		f.Add(v[three.Original], scripts[i%len(scripts)], scripts[(i+2)%len(scripts)], scripts[(i+5)%len(scripts)])
	}
	f.Fuzz(func(t *testing.T, o, a, b, c []byte) {
		if mergetest.AreSmall(o) && !bytes.ContainsAny(o, "&*\r\x00") {
			checkAssociative(t, o, [3][]byte{a, b, c})
		}
	})
}

// checkAssociative writes files with three fields that have the value o or an edit of o, and checks their merges as
// described for FuzzAssociative. It does nothing if a file is not a mapping of the fields; see fieldsApart.
func checkAssociative(t *testing.T, o []byte, edits [3][]byte) {
	t.Helper()
	file := func(fields ...int) []byte {
		var b strings.Builder
		for i := range 3 {
			value := o
			if slices.Contains(fields, i) {
				value = edited(o, edits[i])
			}
			fmt.Fprintf(&b, "field%d:\n", i)
			for l := range bytes.Lines(value) {
				fmt.Fprintf(&b, "  %s\n", bytes.TrimRight(l, "\n"))
			}
			fmt.Fprintf(&b, "below%d: 1\n", i)
		}
		return []byte(b.String())
	}
	all := file(0, 1, 2)
	for _, b := range [...][]byte{file(), file(0), file(1), file(2), all} {
		if !fieldsApart(b) {
			return
		}
	}
	left := must(t, file(), must(t, file(), file(0), file(1)), file(2))
	right := must(t, file(), file(0), must(t, file(), file(1), file(2)))
	if want := contents(all); contents(left) != want || contents(right) != want {
		t.Errorf("got\n%s\nand\n%s\nwant\n%s\nof\n%s", left, right, all, file())
	}
}

// fieldsApart reports whether b is a valid file with one mapping of the six fields that checkAssociative writes. It
// reports false if b has an anchor, an alias, a duplicate key or a conflict marker, since the fields may then depend on
// each other.
func fieldsApart(b []byte) bool {
	st, err := parseFile(b)
	return err == nil && len(st.Docs) == 1 && st.Docs[0].Root.Kind == syntax.Mapping && len(st.Docs[0].Root.Entries) == 6 &&
		st.DuplicateKey() == nil && !bytes.ContainsAny(b, "&*") && text.UnresolvedConflictLine(b) == 0 && read.CheckLineEnds(st) == nil
}

// must merges three versions by field and returns the result. The test fails if the result is not clean.
func must(t *testing.T, o, d, u []byte) []byte {
	t.Helper()
	res, err := mergeBy(fieldsOnly, [3][]byte{o, d, u}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !res.Clean() {
		t.Errorf("not clean (%s):\n%s\nfor %q", res.Reason, res.Bytes, [][]byte{o, d, u})
	}
	return res.Bytes
}

// FuzzItemOrder checks that the merge of a list with an associative key has the same items and conflicts for every
// order of its items.
func FuzzItemOrder(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07"), uint64(1))
	f.Add([]byte("\x10\x21\x32\x43\x54\x65\x76\x07"), uint64(2))
	f.Fuzz(func(t *testing.T, items []byte, seed uint64) {
		if len(items) > 20 {
			return
		}
		order := rand.New(rand.NewPCG(seed, 1)).Perm(len(items))
		straight, mixed := mergeItems(t, items, nil), mergeItems(t, items, order)
		if straight != mixed {
			t.Errorf("in order\n%s\n\nmixed\n%s", straight, mixed)
		}
	})
}

// mergeItems merges a list that has an item for each byte of items, and returns the outcome as a string that does not
// depend on the order of the items. The byte says which side changes, deletes or adds the item. order is the order in
// which the items are written; nil for that of items.
func mergeItems(t *testing.T, items []byte, order []int) string {
	t.Helper()
	var v [3]strings.Builder
	for s := range v {
		v[s].WriteString("kind: Pod\nspec:\n  containers:\n  - name: first\n")
	}
	for i := range items {
		if order != nil {
			i = order[i]
		}
		value := [3]string{"1", "1", "1"}
		switch items[i] % 7 {
		case 0:
			value[three.Dest] = "2"
		case 1:
			value[three.Updated] = "3"
		case 2:
			value[three.Dest], value[three.Updated] = "4", "4"
		case 3:
			value[three.Dest], value[three.Updated] = "5", "6"
		case 4:
			value[three.Dest] = ""
		case 5:
			value[three.Original], value[three.Dest] = "", ""
		}
		for s := range v {
			if value[s] != "" {
				fmt.Fprintf(&v[s], "  - name: c%d\n    image: i%d:%s\n    args: [a%d, b%d]\n", i, i, value[s], i, i)
			}
		}
	}
	res, err := mergeBy(fieldsOnly, [3][]byte{[]byte(v[0].String()), []byte(v[1].String()), []byte(v[2].String())}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var conflicts []string
	for _, c := range res.Conflicts {
		conflicts = append(conflicts, c.Path)
	}
	slices.Sort(conflicts)
	return fmt.Sprintf("%s\n%s\n%q", contents(chosen(res.Bytes, three.Dest)), contents(chosen(res.Bytes, three.Updated)), conflicts)
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
		r := &page.Renderer{Sources: page.Sources{Files: in.Files(), LineBreak: []byte("\n")}}
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
			if got := bytes.ReplaceAll(sideOf(out, s), read.BOM, nil); !bytes.Equal(got, alt[s]) {
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

// sideOf returns b with side s taken at every conflict. Unlike chosen, it also works for hunks that show the base.
func sideOf(b []byte, s three.Version) []byte {
	var out []byte
	base := false
	for l := range bytes.Lines(b) {
		base = bytes.HasPrefix(l, []byte("||||||| base")) || base && !bytes.HasPrefix(l, []byte("======="))
		if !base {
			out = append(out, l...)
		}
	}
	return chosen(out, s)
}
