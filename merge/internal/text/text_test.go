package text

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestPosition(t *testing.T) {
	for _, c := range []struct {
		in           string
		off          int
		line, column int
	}{
		{"", 0, 1, 1},
		{"ab", 1, 1, 2},
		{"ab", 2, 1, 3},
		{"ab", 9, 1, 3},
		{"ab", -1, 1, 1},
		{"a\nb", 1, 1, 2},
		{"a\nb", 2, 2, 1},
		{"a\nb\n", 4, 3, 1},
		{"a\r\nb", 2, 1, 3},
		{"a\r\nb", 3, 2, 1},
		{"a\rb", 2, 2, 1},
		{"\r\r\n\nb", 4, 4, 1},
		{"éß😀x", 8, 1, 4},
		{"\ufeffab", 4, 1, 2},
		{"\ufeffab", 0, 1, 1},
		{"\ufeffa\nb", 5, 2, 1},
		{"a\u2028b\u0085c", 7, 1, 5},
	} {
		want := Position{c.line, c.column}
		if got := New([]byte(c.in)).Position(c.off); got != want {
			t.Errorf("%q: position of %d = %v, want %v", c.in, c.off, got, want)
		}
	}
}

func TestFile(t *testing.T) {
	for _, c := range []struct {
		in    string
		lines int
	}{
		{"", 1},
		{"a", 1},
		{"a\n", 2},
		{"\n\n", 3},
		{"a\r\nb", 2},
		{"a\rb\r", 3},
		{"a\nb\r\n", 3},
		{"a\r\n\r\nb\rc\r\r\n", 6},
		{"\ufeff", 1},
		{"a\ufeff", 1},
	} {
		f := New([]byte(c.in))
		if lines := f.Line(len(c.in)); lines != c.lines {
			t.Errorf("%q: %d lines", c.in, lines)
		}
	}
}

func TestSpan(t *testing.T) {
	s := Span{2, 5}
	if s.Len() != 3 || s.Empty() || !(Span{4, 4}).Empty() {
		t.Errorf("%v: length %d, empty %v", s, s.Len(), s.Empty())
	}
	for in, want := range map[Span]bool{{2, 5}: true, {3, 3}: true, {1, 3}: false, {4, 6}: false} {
		if s.Contains(in) != want {
			t.Errorf("%v contains %v: %v", s, in, !want)
		}
	}
	if f := New([]byte("abcdef")); cap(f.Slice(s)) != 3 || string(f.Slice(s)) != "cde" {
		t.Errorf("slice %q may grow into the file", f.Slice(s))
	}
}

// FuzzFileLines checks that the lines cover the file completely, and that each line has
// only one line break, at its end.
func FuzzFileLines(f *testing.F) {
	for _, in := range []string{"", "a", "a\nb\n", "a\r\n\r\nb\r", "\r\r\n\n\r", "\ufeffé\u2028\n"} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		file := New(slices.Clone(in))
		var joined []byte
		for off, line := 0, 1; off < len(in); line++ {
			s := Span{file.LineStart(off), file.LineEnd(off)}
			body := bytes.TrimRight(file.Slice(s), "\r\n")
			end := string(file.Slice(s)[len(body):])
			if s.Start != off || file.Line(off) != line || file.Line(s.End-1) != line {
				t.Fatalf("%q: line %d is %v, found from %d", in, line, s, off)
			}
			if !slices.Contains([]string{"\n", "\r\n", "\r"}, end) && (end != "" || s.End < len(in)) || strings.ContainsAny(string(body), "\r\n") {
				t.Fatalf("%q: line %d is %q", in, line, file.Slice(s))
			}
			joined = append(joined, file.Slice(s)...)
			off = s.End
		}
		if !bytes.Equal(joined, in) {
			t.Fatalf("lines of %q make %q", in, joined)
		}
	})
}
