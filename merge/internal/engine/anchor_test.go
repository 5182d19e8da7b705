package engine

import (
	"fmt"
	"testing"
)

// TestManyItemsAllChanged checks the merge of lists with 600 items, which are too
// many to compare each item with each other item. Both sides change a field of
// every item, insert items of their own and delete some of the same items. The
// merge has to be clean and contain all these edits, in either order of the sides.
func TestManyItemsAllChanged(t *testing.T) {
	version := func(ours, theirs bool) []byte {
		return []byte(times(600, func(i int) string {
			if (ours || theirs) && i%101 == 50 {
				return "" // both sides delete it
			}
			item := fmt.Sprintf("- u: %d\n  a: %d\n  b: %d\n  c: 7\n", i, i+5000*len(or(ours, "x", "")), i+9000*len(or(theirs, "x", "")))
			return item + or(ours && i%37 == 5, fmt.Sprintf("- ours %d\n", i), "") + or(theirs && i%41 == 11, fmt.Sprintf("- theirs %d\n", i), "")
		}))
	}
	o, d, u, want := version(false, false), version(true, false), version(false, true), version(true, true)
	for name, v := range map[string][2][]byte{"as it is": {d, u}, "swapped": {u, d}} {
		res, err := Merge(o, v[0], v[1], Options{})
		switch {
		case err != nil || !res.Clean():
			t.Errorf("%s: %d conflicts, %s %v", name, len(res.Conflicts), res.Reason, err)
		case string(res.Bytes) != string(want):
			t.Errorf("%s: another merge", name)
		}
	}
}
