package engine

import "testing"

func TestDelegatedResult(t *testing.T) {
	for _, c := range []struct {
		merged string
		size   int
		want   []int // lines of the opening markers of two conflicts
	}{
		{"a\n<<<<<<< x\n=======\n>>>>>>> y\n<<<<<<<\n=======\n>>>>>>>\n", 7, []int{2, 5}},
		{"<<<<<<<\r\n=======\r\n>>>>>>>\r\n<<<<<<< x\r\n=======\r\n>>>>>>>\r\n", 0, []int{1, 4}},
		{" a\n<\n=\nb\n>\n<\n=\nc\n>\n", 1, []int{2, 6}},
		{"<<<<<<<\n=======\n>>>>>>>\n", 7, []int{1, 0}}, // the second conflict has no marker
		{"<\n=\n>\n<\n=\n>\n<\n=\n>\n", 1, []int{1, 4}}, // more markers than conflicts
	} {
		res := DelegatedResult([]byte(c.merged), 2, c.size, "why")
		if string(res.Bytes) != c.merged || res.Method != Delegated || res.Reason != "why" || res.LineConflicts != 2 || len(res.Conflicts) != 2 {
			t.Fatalf("%q: %+v", c.merged, res)
		}
		for i, k := range res.Conflicts {
			if k.Kind != ConflictLine || k.Line != c.want[i] {
				t.Errorf("%q: conflict %d: %+v", c.merged, i, k)
			}
		}
	}
	if res := DelegatedResult([]byte("a\n"), 0, 0, ""); !res.Clean() {
		t.Errorf("%+v", res)
	}
}
