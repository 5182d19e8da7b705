package resolve

import "testing"

func TestReadMarkers(t *testing.T) {
	for _, c := range []struct {
		file     string
		minSize  int
		labels   [3]string
		wantSize int
	}{
		{"a: 1\n", 7, [3]string{}, 7},
		{"<<<<<<< HEAD\n=======\n>>>>>>> v 1\r\n<<<<<<< x\n", 7, [3]string{"HEAD", "base", "v 1"}, 7},
		{"<<<<<<< a\n||||||| b\n=======\n>>>>>>> c\n", 7, [3]string{"a", "b", "c"}, 7},
		{"<<<<<<<< a\n========\n>>>>>>>> c\n", 7, [3]string{"a", "base", "c"}, 8},
		{"<<<<<<<\n>>>>>>>\n", 7, [3]string{}, 7},
		{"<<<<<<< a\n>>>>>>> c", 12, [3]string{}, 12},
	} {
		labels, size := readMarkers([]byte(c.file), c.minSize)
		if labels != c.labels || size != c.wantSize {
			t.Errorf("%q, %d: %q, %d", c.file, c.minSize, labels, size)
		}
	}
	const committed = "<<<<<<< x\na\n=======\nb\n>>>>>>> y\n"
	labels, _ := readMarkers([]byte("<<<<<<< HEAD\n"+committed+"=======\nc\n>>>>>>> side\n"), 7, []byte(committed))
	if labels != [3]string{"HEAD", "base", "side"} {
		t.Errorf("with markers that ours contains: %q", labels)
	}
}
