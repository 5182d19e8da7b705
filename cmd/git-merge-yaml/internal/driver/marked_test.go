package driver

import (
	"fmt"
	"testing"
)

// TestEqualExceptLabels checks that files with conflicts may differ in the labels of their markers, and in nothing else.
func TestEqualExceptLabels(t *testing.T) {
	const marked = "a\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\nd\n"
	for _, c := range []struct {
		name, other string
		size        int
		want        bool
	}{
		{"identical", marked, 0, true},
		{"other labels", "a\n<<<<<<< v\nb\n=======\nc\n>>>>>>>\nd\n", 7, true},
		{"another size", "a\n<<<<<<< v\nb\n=======\nc\n>>>>>>> y\nd\n", 8, false},
		{"another side", "a\n<<<<<<< x\nb\n=======\ne\n>>>>>>> y\nd\n", 7, false},
		{"another line outside", "e\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\nd\n", 7, false},
		{"with the base", "a\n<<<<<<< x\nb\n||||||| o\n=======\nc\n>>>>>>> y\nd\n", 7, false},
		{"another line break", "a\n<<<<<<< x\r\nb\n=======\nc\n>>>>>>> y\nd\n", 7, false},
		{"no final line break", "a\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y", 7, false},
		{"no conflict", "a\nb\n", 7, false},
	} {
		if got := EqualExceptLabels([]byte(marked), []byte(c.other), c.size); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if !EqualExceptLabels([]byte("<<<<<<< x\n=======\n>>>>>>> y"), []byte("<<<<<<<\n=======\n>>>>>>>"), 7) {
		t.Error("the last line has no line break")
	}
	const nested = "<<<<<<< %s\n<<<<<<< x\na\n=======\nb\n>>>>>>> y\n=======\nc\n>>>>>>> %s\n"
	if !EqualExceptLabels(fmt.Appendf(nil, nested, "HEAD", "side"), fmt.Appendf(nil, nested, "ours", "theirs"), 7) {
		t.Error("markers that a side contains are no labels")
	}
	if n := LinesInConflict([]byte(marked), 0); n != 2 {
		t.Errorf("%d lines in conflict", n)
	}
}
