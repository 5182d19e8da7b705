package engine

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkLaws checks the laws of the default rules for three versions: checkSwap and checkOneChange. Of the pairs of
// versions, it checks one in three, each with one of its mergesOfOne, in turn; or all with -long. It returns the
// difference of the law of merging again, as remergeDifference does.
func checkLaws(t *testing.T, raw [3][]byte, opts Options) (remerged string) {
	t.Helper()
	var versions [][]byte // distinct, and without duplicate keys
	for _, v := range raw {
		if !slices.ContainsFunc(versions, func(w []byte) bool { return bytes.Equal(v, w) }) && !hasDuplicateKey(v) {
			versions = append(versions, v)
		}
	}
	turn := len(raw[three.Original])
	for _, o := range versions {
		for _, x := range versions {
			if turn++; *long || turn%3 == 0 {
				checkOneChange(t, inTurn(mergesOfOne(o, x), turn/3), x, opts)
			}
		}
	}
	return remergeDifference(t, checkSwap(t, raw, opts), raw, opts)
}

// inTurn returns one of all merges, another one for the next number n; or all of them with -long.
func inTurn(all [][3][]byte, n int) [][3][]byte {
	if *long {
		return all
	}
	return all[n%len(all):][:1]
}

// remergeDifference checks that the merge M of raw, which is first, stays identical if it is merged again in place of a
// side: merge(O, A, M) = M and merge(O, M, B) = M. It returns a message if it does not, else "". It returns "" as well if
// the merge is not clean, is a delegated line merge, or has conflicts that an option or policy resolved.
func remergeDifference(t *testing.T, first Result, raw [3][]byte, opts Options) string {
	t.Helper()
	if !first.Clean() || first.Method == Delegated || len(first.Resolved) > 0 {
		return ""
	}
	for _, s := range three.Sides {
		v := raw
		v[s] = first.Bytes
		again, err := mergeBy(asMerge, v, opts)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.Bytes, first.Bytes) {
			return fmt.Sprintf("%q (%v, %v %s):\n%s\nis not\n%s", raw, first.Method, again.Method, again.Reason, again.Bytes, first.Bytes)
		}
	}
	return ""
}

// checkIdentity is checkOneChange for any files. It does nothing if o or x has duplicate keys: their merge by field is
// never clean.
func checkIdentity(t *testing.T, o, x []byte, opts Options) {
	t.Helper()
	if !hasDuplicateKey(o) && !hasDuplicateKey(x) {
		checkOneChange(t, mergesOfOne(o, x), x, opts)
	}
}

// mergesOfOne returns the merges of base o in which one side, or both, changed o to x.
func mergesOfOne(o, x []byte) [][3][]byte {
	if bytes.Equal(o, x) {
		return [][3][]byte{{o, o, o}}
	}
	return [][3][]byte{{o, x, o}, {o, o, x}, {o, x, x}}
}

// checkOneChange checks that each of the merges by field is identical to x. It allows the conflict of a file that SOPS
// encrypted.
func checkOneChange(t *testing.T, merges [][3][]byte, x []byte, opts Options) {
	t.Helper()
	for _, v := range merges {
		res, err := mergeBy(fieldsOnly, v, opts)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(res.Bytes, x) && res.Reason != sopsReason {
			t.Errorf("merged by field (%v %s): %q\ngot\n%s\nwant\n%s", res.Method, res.Reason, v, res.Bytes, x)
		}
	}
}

// hasDuplicateKey reports whether b is valid YAML in which a mapping has a duplicate key.
func hasDuplicateKey(b []byte) bool {
	st, err := parseFile(b)
	return err == nil && st.DuplicateKey() != nil
}

// mergeBothWays returns the merges of raw (base, ours and theirs) with opts: there with the sides as they are, and back
// with ours and theirs swapped, also in opts. It fails the test at once if a merge fails.
func mergeBothWays(t *testing.T, raw [3][]byte, opts Options) (there, back Result) {
	t.Helper()
	there, err := mergeBy(asMerge, raw, opts)
	if err != nil {
		t.Fatal(err)
	}
	back, err = mergeBy(asMerge, [3][]byte{raw[three.Original], raw[three.Updated], raw[three.Dest]}, swapped(opts))
	if err != nil {
		t.Fatal(err)
	}
	return there, back
}

// checkSwap checks that a merge with ours and theirs swapped has the same number of conflicts. If both merges are
// clean, they have to have the same data in any order. With Options.Resolve, it only checks that neither merge fails.
// It returns the merge with the sides as they are.
func checkSwap(t *testing.T, raw [3][]byte, opts Options) Result {
	t.Helper()
	there, back := mergeBothWays(t, raw, opts)
	if opts.Resolve != diff3.FavorNone {
		return there
	}
	same := len(there.Conflicts) == len(back.Conflicts)
	if there.Clean() && back.Clean() {
		same = contents(there.Bytes) == contents(back.Bytes)
	}
	if !same {
		t.Errorf("swapped sides of %q:\n%s\n--- (%s)\n%s\n--- (%s)", raw, there.Bytes, there.Reason, back.Bytes, back.Reason)
	}
	return there
}

// swapped returns opts with the own side swapped.
func swapped(opts Options) Options {
	if own, ok := opts.Own.Get(); ok {
		opts.Own = three.Some(own.Other())
	}
	return opts
}

// spaceBeforeAction matches an action that removes the white space before it.
var spaceBeforeAction = regexp.MustCompile(`\s+\{\{-`)

// contents returns the data of a file as a string that does not depend on the order of documents, fields and items. For
// a template, which cannot be parsed as YAML, it returns the sorted lines, without white space that actions remove. Blank
// lines and the indentation of lines with an action do not count: if both sides change them, the result has those of a
// side.
func contents(b []byte) string {
	if masked, _, ok := text.MaskJSON(b); ok {
		b = masked
	}
	st, err := syntax.Parse(text.New(b))
	if err != nil { // a template
		lines := strings.Split(spaceBeforeAction.ReplaceAllString(string(b), "\n{{-"), "\n")
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
		for i, l := range lines {
			if action := strings.TrimLeft(l, " "); strings.HasPrefix(action, "{{") {
				lines[i] = action
			}
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	return mergetest.StreamData(st)
}

// parseFile parses a file in the language that read.Open recognizes.
func parseFile(b []byte) (*syntax.Stream, error) {
	_, files, err := read.Open(b)
	if err != nil {
		return nil, err
	}
	return files[0].Stream, nil
}

// FuzzIdentity checks that a merge in which only one version differs returns that version byte for byte, with the
// normal merge and with the merge by field alone.
func FuzzIdentity(f *testing.F) {
	for i, v := range mergetest.FuzzVersions(f) {
		f.Add(v[three.Original], scripts[i%len(scripts)])
		f.Add(v[three.Dest], scripts[(i+3)%len(scripts)])
	}
	f.Fuzz(func(t *testing.T, o, script []byte) {
		if mergetest.AreSmall(o) {
			checkIdentity(t, o, applyScript(o, script), Options{})
		}
	})
}

// FuzzSwap checks that swapping the sides gives the same data and as many conflicts. It skips inputs for which
// verification rejects one of the two results.
func FuzzSwap(f *testing.F) {
	addEdits(f)
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if raw := [3][]byte{o, applyScript(o, ours), applyScript(o, theirs)}; mergetest.AreSmall(o) && !isRefused(t, raw, Options{}) {
			checkSwap(t, raw, Options{})
		}
	})
}

// isRefused reports whether the merge of raw (base, ours and theirs), or that with the sides swapped, has a Reason or a
// sentence in Refused. It fails the test at once if a merge fails.
func isRefused(t *testing.T, raw [3][]byte, opts Options) bool {
	t.Helper()
	there, back := mergeBothWays(t, raw, opts)
	return there.Reason+there.Refused+back.Reason+back.Refused != ""
}

// FuzzAssociative checks that edits of three different fields merge without conflicts, and that the result has the same
// data whichever two of the edits are merged first.
func FuzzAssociative(f *testing.F) {
	for i, v := range mergetest.FuzzVersions(f) {
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
				value = applyScript(o, edits[i])
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
	left := mergeCleanly(t, file(), mergeCleanly(t, file(), file(0), file(1)), file(2))
	right := mergeCleanly(t, file(), file(0), mergeCleanly(t, file(), file(1), file(2)))
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

// mergeCleanly merges three versions by field and returns the result. The test fails if the result is not clean.
func mergeCleanly(t *testing.T, o, d, u []byte) []byte {
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
