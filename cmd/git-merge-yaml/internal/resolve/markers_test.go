package resolve

import "testing"

func TestSameButLabels(t *testing.T) {
	for _, c := range []struct {
		a, b string
		size int
		want bool
	}{
		{"", "", 7, true},
		{"a\n", "a\n", 7, true},
		{"a\n", "a", 7, false},
		{"a\n", "a\n\n", 7, false},
		{"<<<<<<< x\na\n>>>>>>> y\n", "<<<<<<< HEAD\na\n>>>>>>> side y\n", 7, true},
		{"<<<<<<<\na\n", "<<<<<<< HEAD\na\n", 7, true},
		{"||||||| x\n", "||||||| y\n", 7, true},
		{"<<<<<<< x\n", ">>>>>>> x\n", 7, false},
		{"<<<<<<< x\r\n", "<<<<<<< y\n", 7, false},
		{"<<<<<<<x\n", "<<<<<<<y\n", 7, false},
		{"<<<<<<<< x\n", "<<<<<<<< y\n", 7, false},
		{"<<<<<<<< x\n", "<<<<<<<< y\n", 8, true},
		{" <<<<<<< x\n", " <<<<<<< y\n", 7, false},
		{"======= x\n", "======= y\n", 7, false},
	} {
		if got := sameButLabels([]byte(c.a), []byte(c.b), c.size); got != c.want {
			t.Errorf("%q, %q, %d: %v", c.a, c.b, c.size, got)
		}
	}
}

func TestReadMarkers(t *testing.T) {
	for _, c := range []struct {
		file   string
		size   int
		labels [3]string
		length int
	}{
		{"a: 1\n", 7, [3]string{"ours", "base", "theirs"}, 7},
		{"<<<<<<< HEAD\n=======\n>>>>>>> v 1\r\n<<<<<<< x\n", 7, [3]string{"HEAD", "base", "v 1"}, 7},
		{"<<<<<<< a\n||||||| b\n=======\n>>>>>>> c\n", 7, [3]string{"a", "b", "c"}, 7},
		{"<<<<<<<< a\n========\n>>>>>>>> c\n", 7, [3]string{"a", "base", "c"}, 8},
		{"<<<<<<<\n>>>>>>>\n", 7, [3]string{"ours", "base", "theirs"}, 7},
		{"<<<<<<< a\n>>>>>>> c", 12, [3]string{"ours", "base", "theirs"}, 12},
	} {
		labels, length := readMarkers([]byte(c.file), c.size)
		if labels != c.labels || length != c.length {
			t.Errorf("%q, %d: %q, %d", c.file, c.size, labels, length)
		}
	}
}
