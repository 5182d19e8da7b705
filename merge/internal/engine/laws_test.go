package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkLaws checks the laws of the default rules for three versions: checkIdentity for every pair of them, and
// checkSwap.
func checkLaws(t *testing.T, raw [3][]byte, opts Options) {
	t.Helper()
	for a := range raw {
		for b := range raw {
			checkIdentity(t, raw[a], raw[b], opts)
		}
	}
	checkSwap(t, raw, opts)
}

// remerged checks that a clean merge M stays identical if it is merged again in place of a side: merge(O, A, M) = M and
// merge(O, M, B) = M. It returns a message if it does not, else "". It returns "" as well if the merge is not clean, is
// a delegated line merge, or has conflicts that an option or policy resolved.
func remerged(t *testing.T, raw [3][]byte, opts Options) string {
	t.Helper()
	first, err := mergeBy(asMerge, raw, opts)
	if err != nil {
		t.Fatal(err)
	}
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

// checkIdentity checks that the merge by field of o and x, with x as one side or as both, is identical to x. It does
// nothing if o or x has duplicate keys, and allows the conflict of a file that SOPS encrypted.
func checkIdentity(t *testing.T, o, x []byte, opts Options) {
	t.Helper()
	if doubles(o) || doubles(x) {
		return // the merge by field of a file with duplicate keys is never clean
	}
	for name, v := range map[string][3][]byte{"O X O": {o, x, o}, "O O X": {o, o, x}, "O X X": {o, x, x}} {
		res, err := mergeBy(fieldsOnly, v, opts)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(res.Bytes, x) && res.Reason != sopsReason {
			t.Errorf("merge(%s) (%v %s):\nO=%q\nX=%q\ngot\n%s", name, res.Method, res.Reason, o, x, res.Bytes)
		}
	}
}

// doubles reports whether b is valid YAML in which a mapping has a duplicate key.
func doubles(b []byte) bool {
	st, err := parseFile(b)
	return err == nil && st.DuplicateKey() != nil
}

// checkSwap checks that a merge with ours and theirs swapped has the same number of conflicts. If both merges are
// clean, they have to have the same data in any order, except if the first one is a delegated line merge. With
// Options.Resolve, it only checks that neither merge fails.
func checkSwap(t *testing.T, raw [3][]byte, opts Options) {
	t.Helper()
	there, err := mergeBy(asMerge, raw, opts)
	if err != nil {
		t.Fatal(err)
	}
	back, err := mergeBy(asMerge, [3][]byte{raw[three.Original], raw[three.Updated], raw[three.Dest]}, swapped(opts))
	if err != nil {
		t.Fatal(err)
	}
	if opts.Resolve != ResolveNone {
		return
	}
	same := len(there.Conflicts) == len(back.Conflicts)
	if there.Clean() && back.Clean() && there.Method != Delegated {
		same = contents(there.Bytes) == contents(back.Bytes)
	}
	if !same {
		t.Errorf("swapped sides of %q:\n%s\n--- (%s)\n%s\n--- (%s)", raw, there.Bytes, there.Reason, back.Bytes, back.Reason)
	}
}

// swapped returns opts with the own side swapped.
func swapped(opts Options) Options {
	opts.Own = [...]Own{OwnUnknown, OwnTheirs, OwnOurs}[opts.Own]
	return opts
}

// contents returns the data of a file as a string that does not depend on the order of documents, fields and items. For
// a template, which cannot be parsed as YAML, it returns the sorted lines.
func contents(b []byte) string {
	if masked, _, ok := text.MaskJSON(b); ok {
		b = masked
	}
	st, err := syntax.Parse(text.New(b))
	if err != nil { // a template
		lines := strings.Split(string(b), "\n")
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	return streamContents(st)
}

// streamContents returns the data of a parsed file; see contents.
func streamContents(st *syntax.Stream) string {
	var docs []string
	for _, d := range st.Docs {
		docs = append(docs, spelled(d.Root))
	}
	slices.Sort(docs)
	return strings.Join(docs, "\n")
}

// spelled returns the data of a node as a string, with tags and anchors, in which fields and items are sorted.
func spelled(n *syntax.Node) string {
	if n.Tag == "!!null" {
		return n.TagText + n.Tag + "&" + n.Anchor // null, ~ and no value are equal
	}
	if n.Kind == syntax.Scalar || n.Kind == syntax.Alias {
		return n.TagText + n.Tag + "&" + n.Anchor + "=" + n.Value
	}
	var all []string
	for _, e := range n.Entries {
		if e.Key != nil {
			all = append(all, spelled(e.Key)+": "+spelled(e.Value))
			continue
		}
		all = append(all, spelled(e.Value))
	}
	slices.Sort(all)
	return n.TagText + "&" + n.Anchor + "(" + strings.Join(all, ", ") + ")"
}

// parseFile parses a file in the language that read.Open recognizes.
func parseFile(b []byte) (*syntax.Stream, error) {
	_, files, err := read.Open(b)
	if err != nil {
		return nil, err
	}
	return files[0].Stream, nil
}
