package diff3

import (
	"strings"
	"testing"
)

var chunkCases = []struct{ original, dest, updated, want string }{
	{"", "", "", ""},
	{"", "a", "", "<|a|"},
	{"", "a", "b", "!|a|b"},
	{"", "a", "a", "!|a|a"},
	{"a", "", "", "!a||"},
	{"a", "", "b", "!a||b"},
	{"abc", "abc", "abc", "=abc"},
	{"abc", "axc", "abc", "=a <b|x|b =c"},
	{"abc", "abc", "axc", "=a >b|b|x =c"},
	{"abc", "xbc", "aby", "<a|x|a =b >c|c|y"},
	{"abc", "xabc", "abcy", "<|x| =abc >||y"},
	{"ab", "xb", "ay", "?ab|xb|ay"},                   // neighbours touch
	{"ab", "xb", "acb", "?a|x|ac =b"},                 // an insertion beside a change
	{"ab", "axb", "ayb", "=a !|x|y =b"},               // insertions at one place
	{"abcde", "axxxe", "abyde", "=a ?bcd|xxx|byd =e"}, // one inside the other
	{"abcde", "xbxde", "aydye", "?abc|xbx|ay =d >||y =e"},
	{"abcd", "xbxd", "aycy", "?abcd|xbxd|aycy"},
	{"abc", "ac", "axc", "=a !b||x =c"},
	{"abc", "c", "axc", "?ab||ax =c"},
	{"abc", "cab", "bca", "?a|ca| =b ?c||ca"},
}

func TestChunks(t *testing.T) {
	for _, c := range chunkCases {
		o, d, u := chars(c.original), chars(c.dest), chars(c.updated)
		chunks := Chunks(len(o), len(d), len(u), Match(o, d), Match(o, u))
		if got := show(o, d, u, chunks); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.original, c.dest, c.updated, got, c.want)
		}
	}
}

// TestApart cuts what both changed where their changes touch.
func TestApart(t *testing.T) {
	for _, c := range []struct{ original, dest, updated, want string }{
		{"ab", "xb", "ay", "<a|x|a >b|b|y"},
		{"ab", "b", "ay", "<a||a >b|b|y"},
		{"ab", "xb", "a", "<a|x|a >b|b|"},
		{"ab", "b", "a", "<a||a >b|b|"},
		{"abc", "ac", "abyc", "=a <b||b >||y =c"},
		{"abc", "ac", "aybc", "=a >||y <b||b =c"},
		{"abcd", "xbxd", "aycd", "<a|x|a >b|b|y <c|x|c =d"},
		{"abcd", "xbxd", "aycy", "<a|x|a >b|b|y <c|x|c >d|d|y"},
		{"a", "x", "y", ""},             // one item
		{"abc", "xxc", "ayy", ""},       // they overlap
		{"", "x", "y", ""},              // insertions at one place
		{"ab", "xb", "acb", ""},         // an insertion behind what was replaced
		{"ab", "ax", "acb", ""},         // and before it
		{"abc", "c", "axbc", ""},        // within what was deleted
		{"ab", "xab", "yab", ""},        // at the start
		{"abc", "xc", "abyc", ""},       // behind several
		{"abcde", "axxxe", "abyde", ""}, // one inside the other
	} {
		o, d, u := chars(c.original), chars(c.dest), chars(c.updated)
		whole := Chunk{BothChanged, Range{0, len(o)}, Range{0, len(d)}, Range{0, len(u)}, false, false}
		if got := show(o, d, u, whole.Apart([3][]string{o, d, u})); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.original, c.dest, c.updated, got, c.want)
		}
	}
}

// TestMeet compares a million patches of each side, which would never end if each were
// compared with each.
func TestMeet(t *testing.T) {
	var a, b []patch
	for i := 0; i < 4<<20; i += 4 {
		a = append(a, patch{Range{i, i + 1}, Range{i, i + 1}})
		b = append(b, patch{Range{i + 1, i + 2}, Range{i + 1, i + 2}})
	}
	if meet(a, b) || meet(b, a) {
		t.Error("patches that touch meet")
	}
	last := patch{Range{4<<20 - 3, 4<<20 - 1}, Range{}}
	if !meet(append(a, last), b) || !meet(b, append(a, last)) {
		t.Error("the last two do not meet")
	}
}

// show writes chunks as one letter for the kind (! is Whole) and the three
// texts.
func show(o, d, u []string, chunks []Chunk) string {
	var parts []string
	for _, c := range chunks {
		kind := string("=<>?"[c.Kind])
		if c.Whole {
			kind = "!"
		}
		text := textOf(o, c.Original)
		if c.Kind != Same {
			text += "|" + textOf(d, c.Dest) + "|" + textOf(u, c.Updated)
		}
		parts = append(parts, kind+text)
	}
	return strings.Join(parts, " ")
}

func textOf(items []string, r Range) string { return strings.Join(items[r.Start:r.End], "") }
