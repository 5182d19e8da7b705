package merge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkLaws holds the laws of the default rules against one triple: identity
// for every pair of versions, and the swap of dest and updated.
func checkLaws(t *testing.T, raw [3][]byte, opts Options) {
	t.Helper()
	for a := range raw {
		for b := range raw {
			checkIdentity(t, raw[a], raw[b], opts)
		}
	}
	checkSwap(t, raw, opts)
}

// remerged tells how the law is broken that what both sides made stands once: a clean merge, merged again
// with either side, is the same, byte for byte; "" if it holds.
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

// checkIdentity holds that a merge with only one change gives that change, byte
// for byte, by field alone.
func checkIdentity(t *testing.T, o, x []byte, opts Options) {
	t.Helper()
	if doubles(o) || doubles(x) {
		return // never merged clean by fields; the other ways have the verifier
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

// doubles reports whether a mapping of b has a key twice.
func doubles(b []byte) bool {
	st, err := parseFile(b)
	return err == nil && st.DuplicateKey() != nil
}

// checkSwap holds that swapped sides give as many conflicts, and without any
// the same data but for order.
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

// swapped are the options of a merge with its sides swapped.
func swapped(opts Options) Options {
	if own := opts.Own; own != nil {
		opts.Own = func() Own { return [...]Own{OwnUnknown, OwnTheirs, OwnOurs}[own()] }
	}
	return opts
}

// contents spells the data of a file; nothing in it has an order.
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

func streamContents(st *syntax.Stream) string {
	var docs []string
	for _, d := range st.Docs {
		docs = append(docs, spelled(d.Root))
	}
	slices.Sort(docs)
	return strings.Join(docs, "\n")
}

func spelled(n *syntax.Node) string {
	if n.Tag == "!!null" {
		return n.TagText + n.Tag + "&" + n.Anchor // however it is written
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
