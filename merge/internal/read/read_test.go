package read

import "testing"

// TestForm holds that a file which is read in its own form is written as it was.
func TestForm(t *testing.T) {
	for _, c := range []struct {
		file string
		form Form
		data string // as it is read
	}{
		{"", Form{}, ""},
		{"a: 1\n", Form{Newline: "\n", Final: true}, "a: 1\n"},
		{"a: 1\nb: 2", Form{Newline: "\n"}, "a: 1\nb: 2\n"},
		{"a: 1\r\nb: 2\r\n", Form{Newline: "\r\n", Final: true}, "a: 1\r\nb: 2\r\n"},
		{"\ufeffa: 1\r\nb: 2\n", Form{Bom: true, Final: true}, "a: 1\r\nb: 2\n"},
		{"a: 1\rb: 2\n", Form{Final: true}, "a: 1\rb: 2\n"},
	} {
		b := []byte(c.file)
		in := New([3][]byte{b, b, b}, [3]string{})
		in.Unify(false)
		if FormOf(b) != c.form || in.Merged != c.form || string(in.Data[1]) != c.data || string(in.Write(in.Data[1])) != c.file {
			t.Errorf("%q: %+v, %+v, %q, %q", c.file, FormOf(b), in.Merged, in.Data[1], in.Write(in.Data[1]))
		}
	}
}

// TestTrees holds that what was read is not read again, but for a tree of its own.
func TestTrees(t *testing.T) {
	b := []byte("a: 1\n")
	in := New([3][]byte{b, b, b}, [3]string{})
	in.Unify(false)
	if err := in.Parse(); err != nil {
		t.Fatal(err)
	}
	in.Trees = in.Streams[:]
	st, err := in.Open([]byte("a: 1\n"))
	if err != nil || st.File != in.Streams[0].File || st.Stream == in.Streams[0] || st.Docs[0].Root == in.Streams[0].Docs[0].Root {
		t.Errorf("%v, %v: a tree of its own of the file that was read is wanted", st, err)
	}
	if st, err = in.Open([]byte("a: 2\n")); err != nil || st.Docs[0].Root.ScalarAt("a") != "2" {
		t.Errorf("%v, %v", st, err)
	}
}
