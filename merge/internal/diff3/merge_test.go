package diff3

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// The texts of mergeCases have a letter per line: "abc" is "a\nb\nc\n". A "!" at the
// end removes the last line break. In want, a conflict is written as <ours|base=theirs>.
var mergeCases = []struct {
	original, dest, updated string
	style                   text.Style
	want                    string
}{
	{"", "", "", text.StyleMerge, ""},
	{"abc", "abc", "abc", text.StyleMerge, "abc"},
	{"abc", "xbc", "abc", text.StyleMerge, "xbc"},
	{"abc", "abc", "aby", text.StyleMerge, "aby"},
	{"abc", "xbc", "aby", text.StyleMerge, "xby"},
	{"abc", "axc", "axc", text.StyleMerge, "axc"},
	{"abc", "ac", "ac", text.StyleMerge, "ac"},
	{"abc", "", "abc", text.StyleMerge, ""},
	{"", "a", "a", text.StyleMerge, "a"},
	{"", "a", "b", text.StyleMerge, "<a=b>"},
	{"", "a", "b", text.StyleDiff3, "<a|=b>"},
	{"abc", "axc", "ayc", text.StyleMerge, "a<x=y>c"},
	{"abc", "axc", "ayc", text.StyleDiff3, "a<x|b=y>c"},
	{"abc", "axc", "ayc", text.StyleZdiff3, "a<x|b=y>c"},
	{"abc", "ac", "ayc", text.StyleMerge, "a<=y>c"},
	{"ab", "xb", "ay", text.StyleMerge, "<xb=ay>"},
	// Both sides have lines in common that original does not have.
	{"abc", "apxqc", "apyqc", text.StyleMerge, "ap<x=y>qc"},
	{"abc", "apxqc", "apyqc", text.StyleDiff3, "a<pxq|b=pyq>c"},
	{"abc", "apxqc", "apyqc", text.StyleZdiff3, "ap<x|b=y>qc"},
	{"ae", "apqe", "apqre", text.StyleMerge, "apq<=r>e"},
	// Both sides have the same lines, by the same edits or by different edits.
	{"abcd", "axcyd", "axcyd", text.StyleDiff3, "axcyd"},
	{"b", "ab!", "ab!", text.StyleDiff3, "ab!"},
	// Up to three common lines are part of the conflict; more lines split it.
	{"-", "1abc2", "3abc4", text.StyleMerge, "<1abc2=3abc4>"},
	{"-", "1abcd2", "3abcd4", text.StyleMerge, "<1=3>abcd<2=4>"},
	{"-", "1abcd2", "3abcd4", text.StyleZdiff3, "<1abcd2|-=3abcd4>"},
	{"-", "1.,;:2", "3.,;:4", text.StyleMerge, "<1.,;:2=3.,;:4>"},
	{"-", "1.,;x2", "3.,;x4", text.StyleMerge, "<1=3>.,;x<2=4>"},
	// A line that only one side changed is not part of a conflict.
	{"abc", "xbz", "ybc", text.StyleMerge, "<x=y>bz"},
	// No line break at the end.
	{"ab!", "ab!", "xb!", text.StyleMerge, "xb!"},
	{"ab!", "ab", "ab!", text.StyleMerge, "ab"},
	{"ab!", "abc!", "ab!", text.StyleMerge, "abc!"},
	{"abcd!", "abcx!", "ybcd!", text.StyleMerge, "ybcx!"},
	{"ab!", "ax!", "ay!", text.StyleMerge, "a<x=y>"},
	{"ab!", "ax!", "ay!", text.StyleDiff3, "a<x|b=y>"},
	{"ab!", "ax", "ab", text.StyleMerge, "a<x=b>"},
	{"ab", "ab!", "abc", text.StyleMerge, "a<b=bc>"},
}

// textOf returns the text that s abbreviates, with line breaks nl. See mergeCases.
func textOf(s, nl string) string {
	s, open := strings.CutSuffix(s, "!")
	text := strings.Join(append(chars(s), ""), nl)
	if open {
		text = strings.TrimSuffix(text, nl)
	}
	return text
}

// markedTextOf returns the merged text that s abbreviates, with line breaks nl. See mergeCases.
func markedTextOf(s, nl string) string {
	var b strings.Builder
	marked := strings.NewReplacer("<", "<<<<<<< ours", "|", "||||||| base", "=", "=======", ">", ">>>>>>> theirs")
	open := strings.HasSuffix(s, "!")
	for _, c := range chars(strings.TrimSuffix(s, "!")) {
		b.WriteString(marked.Replace(c) + nl)
	}
	if open {
		return strings.TrimSuffix(b.String(), nl)
	}
	return b.String()
}

var gitMarkers = text.Markers{Base: "base", Ours: "ours", Theirs: "theirs"}

func TestMergeLines(t *testing.T) {
	for _, c := range mergeCases {
		for _, nl := range []string{"\n", "\r\n"} {
			if c.original == "" && nl == "\r\n" && c.want != "" {
				continue // see TestMixedLineBreaks
			}
			opts := Options{Markers: gitMarkers}
			opts.Markers.Style = c.style
			got, n, err := MergeLines([]byte(textOf(c.original, nl)), []byte(textOf(c.dest, nl)), []byte(textOf(c.updated, nl)), opts)
			want := markedTextOf(c.want, nl)
			if err != nil || string(got) != want || n != strings.Count(c.want, "<") {
				t.Errorf("%s %s %s %d: %q, %d conflicts, %v; want %q", c.original, c.dest, c.updated, c.style, got, n, err, want)
			}
		}
	}
}

func TestMarkers(t *testing.T) {
	for _, c := range []struct {
		markers text.Markers
		want    string
	}{
		{text.Markers{}, "<<<<<<<\nb\n=======\nc\n>>>>>>>\n"},
		{text.Markers{Size: 3, Ours: "our side", Theirs: "x, y"}, "<<< our side\nb\n===\nc\n>>> x, y\n"},
		{text.Markers{Size: 1, Style: text.StyleDiff3}, "<\nb\n|\na\n=\nc\n>\n"},
		{text.Markers{Size: 1, Style: text.StyleZdiff3, Base: "0"}, "<\nb\n| 0\na\n=\nc\n>\n"},
	} {
		got, _, _ := MergeLines([]byte("a\n"), []byte("b\n"), []byte("c\n"), Options{Markers: c.markers})
		if string(got) != c.want {
			t.Errorf("%+v: %q, want %q", c.markers, got, c.want)
		}
	}
}

func TestMixedLineBreaks(t *testing.T) {
	const lfMarkers, crlfMarkers = "<\n", "<\r\n"
	for _, c := range []struct{ original, dest, updated, want string }{
		{"a\r\nb\r\n", "a\r\nx\r\n", "a\r\ny\r\n", crlfMarkers},
		{"a\r\nb\r\n", "a\r\nx\n", "a\r\ny\n", crlfMarkers}, // the line before decides
		{"a\nb\n", "a\nx\r\n", "a\ny\r\n", lfMarkers},
		{"b\r\n", "x\r\n", "y\r\n", crlfMarkers},
		{"b\r\n", "x\n", "y\r\n", lfMarkers},
		{"b\r\n", "x", "y\r\n", crlfMarkers}, // x has no line break
		{"b", "x\r\n", "y\r\n", lfMarkers},   // original has no line break
		{"", "x\r\n", "y\r\n", lfMarkers},
		{"b\n", "x\r\n", "y\r\n", lfMarkers},
	} {
		got, _, _ := MergeLines([]byte(c.original), []byte(c.dest), []byte(c.updated), Options{Markers: text.Markers{Size: 1}})
		if !strings.Contains(string(got), c.want) {
			t.Errorf("%q %q %q: %q", c.original, c.dest, c.updated, got)
		}
	}
}

func TestFavor(t *testing.T) {
	for _, c := range []struct {
		original, dest, updated string
		favor                   Favor
		want                    string
	}{
		{"abcde", "axcdE", "aycde", FavorOurs, "axcdE"},
		{"abcde", "axcdE", "aycde", FavorTheirs, "aycdE"},
		{"abcde", "axcdE", "aycde", FavorUnion, "axycdE"},
		{"abcde", "axcde", "aycde", FavorNone, "a<x=y>cde"},
		{"a!", "ab!", "ac!", FavorUnion, "abc!"},
		{"a", "ap", "apq", FavorUnion, "apq"},
	} {
		got, n, _ := MergeLines([]byte(textOf(c.original, "\n")), []byte(textOf(c.dest, "\n")), []byte(textOf(c.updated, "\n")), Options{Favor: c.favor, Markers: gitMarkers})
		if string(got) != markedTextOf(c.want, "\n") || n != strings.Count(c.want, "<") {
			t.Errorf("%s %s %s %d: %q, %d conflicts; want %s", c.original, c.dest, c.updated, c.favor, got, n, c.want)
		}
	}
}

func TestBinary(t *testing.T) {
	text, late := []byte("a\n"), []byte(strings.Repeat("a", 8000)+"\x00")
	for _, c := range []struct {
		original, dest, updated []byte
		want                    error
	}{
		{[]byte("\x00"), text, text, ErrBinary},
		{text, []byte("a\x00"), text, ErrBinary},
		{text, text, late[1:], ErrBinary},
		{text, text, late, nil},
	} {
		if _, _, err := MergeLines(c.original, c.dest, c.updated, Options{}); !errors.Is(err, c.want) {
			t.Errorf("%.9q %.9q %.9q: %v", c.original, c.dest, c.updated, err)
		}
	}
}

// TestMergeConflictsMemory checks that the memory of a merge grows with the size of the
// texts and not with its square, if there are many conflicts.
func TestMergeConflictsMemory(t *testing.T) {
	versions := func(n int) (v [3][]byte) {
		for s := range v {
			for i := range n {
				v[s] = fmt.Appendf(v[s], "- name: n%d\n  a: %d\n  b: %d\n", i, i+n*(s&1), i+n*(s>>1))
			}
		}
		return v
	}
	for as := range Merge + 1 {
		allocated := func(n int) uint64 {
			v := versions(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, n, err := MergeLines(v[0], v[1], v[2], Options{As: as}); err != nil || n == 0 {
				t.Fatal(n, err)
			}
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if few, many := allocated(1000), allocated(4000); many > 6*few {
			t.Errorf("%d: %d and %d bytes for four times the conflicts", as, few, many)
		}
	}
}

// TestContestedInsertionsAtOnePlace contests two insertions next to each other. Only the
// lines in which they differ are in a conflict.
func TestContestedInsertionsAtOnePlace(t *testing.T) {
	const rest = "y\nz\nw\nv\n"
	got, n, err := MergeLines([]byte("a\nb\nc\n"), []byte("a\nx: 1\n"+rest+"b\nc\n"), []byte("a\nb\nx: 2\n"+rest+"c\n"), Options{ForcedConflicts: []int{0, 1}})
	want := "a\n<<<<<<<\nx: 1\n=======\nb\nx: 2\n>>>>>>>\n" + rest + "<<<<<<<\nb\n=======\n>>>>>>>\nc\n"
	if err != nil || n != 2 || string(got) != want {
		t.Errorf("%v, %d conflicts\n%s", err, n, got)
	}
}
