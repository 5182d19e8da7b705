package merge

import (
	"fmt"
	"testing"
)

// TestManyItemsAllChanged merges lists of more items than are compared one by
// one, all of them changed by both sides, with others inserted and deleted.
func TestManyItemsAllChanged(t *testing.T) {
	version := func(ours, theirs bool) []byte {
		return []byte(times(600, func(i int) string {
			if (ours || theirs) && i%101 == 50 {
				return "" // both delete it
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
