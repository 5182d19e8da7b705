package merge

import (
	"bytes"
	"testing"
)

// checkLaws holds the laws of the default rules against one triple: identity
// for every pair of versions, byte for byte, also without the shortcut for
// equal inputs; and the swap of dest and updated.
func checkLaws(t *testing.T, raw [3][]byte, opts Options) {
	t.Helper()
	for a := range raw {
		for b := range raw {
			o, x := raw[a], raw[b]
			for name, v := range map[string][3][]byte{"O X O": {o, x, o}, "O O X": {o, o, x}, "O X X": {o, x, x}} {
				res, err := merge(v, opts, shortcuts{off: true})
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(res.Bytes, x) && res.Reason != sopsReason {
					t.Errorf("merge(%s) with O=%s X=%s (%v %s):\n%q\nwant\n%q", name, userNames[a], userNames[b], res.Method, res.Reason, res.Bytes, x)
				}
			}
		}
	}
	checkSwap(t, raw, opts)
}

// checkSwap holds that swapped sides give as many conflicts, and data that
// the referee takes for the same merge.
func checkSwap(t *testing.T, raw [3][]byte, opts Options) {
	t.Helper()
	there, err := merge(raw, opts, shortcuts{})
	if err != nil {
		t.Fatal(err)
	}
	back, err := merge([3][]byte{raw[original], raw[updated], raw[dest]}, opts, shortcuts{})
	if err != nil {
		t.Fatal(err)
	}
	if opts.Resolve == ResolveNone && len(there.Conflicts) != len(back.Conflicts) {
		t.Errorf("swapped sides: %d conflicts, not %d\n%s\n---\n%s", len(back.Conflicts), len(there.Conflicts), there.Bytes, back.Bytes)
	}
}
