package read

import (
	"fmt"
	"testing"
)

// TestFormat checks that a file in the merged format does not change when it is read and written.
func TestFormat(t *testing.T) {
	for _, c := range []struct {
		file string
		form Format
		data string // Data of the inputs
	}{
		{"", Format{}, ""},
		{"a: 1\n", Format{LineEnd: "\n", HasFinalLineEnd: true}, "a: 1\n"},
		{"a: 1\nb: 2", Format{LineEnd: "\n"}, "a: 1\nb: 2\n"},
		{"a: 1\r\nb: 2\r\n", Format{LineEnd: "\r\n", HasFinalLineEnd: true}, "a: 1\r\nb: 2\r\n"},
		{"\ufeffa: 1\r\nb: 2\n", Format{HasBOM: true, HasFinalLineEnd: true}, "a: 1\r\nb: 2\n"},
		{"a: 1\rb: 2\n", Format{HasFinalLineEnd: true}, "a: 1\rb: 2\n"},
	} {
		b := []byte(c.file)
		in := New([3][]byte{b, b, b}, [3]string{})
		in.UnifyFormat(false)
		if DetectFormat(b) != c.form || in.MergedFormat != c.form || string(in.Data[1]) != c.data || string(in.FormatResult(in.Data[1])) != c.file {
			t.Errorf("%q: %+v, %+v, %q, %q", c.file, DetectFormat(b), in.MergedFormat, in.Data[1], in.FormatResult(in.Data[1]))
		}
	}
}

// TestLineEndError checks that the error about a line end that git does not know has the position in the form of other
// errors.
func TestLineEndError(t *testing.T) {
	b := []byte("a: 1\rb: 2\n")
	for name, want := range map[string]string{
		"":      "base cannot be read as YAML: line 2, column 1: the line above ends with CR without LF, which is not a line end for git",
		"a.yml": "a.yml:2:1: the line above ends with CR without LF, which is not a line end for git",
	} {
		in := New([3][]byte{b, b, b}, [3]string{name})
		in.UnifyFormat(false)
		if got := fmt.Sprint(in.Parse()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestKnownTrees checks that bytes with a known tree are not parsed again, but get a copy of the tree.
func TestKnownTrees(t *testing.T) {
	b := []byte("a: 1\n")
	in := New([3][]byte{b, b, b}, [3]string{})
	in.UnifyFormat(false)
	if err := in.Parse(); err != nil {
		t.Fatal(err)
	}
	in.KnownTrees = in.Streams[:]
	st, err := in.Open([]byte("a: 1\n"))
	if err != nil || st.File != in.Streams[0].File || st.Stream == in.Streams[0] || st.Docs[0].Root == in.Streams[0].Docs[0].Root {
		t.Errorf("%v, %v: a tree of its own of the file that was read is wanted", st, err)
	}
	if st, err = in.Open([]byte("a: 2\n")); err != nil || st.Docs[0].Root.ScalarAt("a") != "2" {
		t.Errorf("%v, %v", st, err)
	}
}
