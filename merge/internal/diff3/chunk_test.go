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
	{"ab", "xb", "ay", "?ab|xb|ay"},                   // neighboring edits touch
	{"ab", "xb", "acb", "?a|x|ac =b"},                 // an insertion next to a change
	{"ab", "axb", "ayb", "=a !|x|y =b"},               // insertions at the same place
	{"abcde", "axxxe", "abyde", "=a ?bcd|xxx|byd =e"}, // one edit inside the other
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
		if got := formatChunks(o, d, u, chunks); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.original, c.dest, c.updated, got, c.want)
		}
	}
}

// splitBySide aligns the items of k, a chunk of v, and splits it.
func splitBySide(k Chunk, v [3][]string) []Chunk {
	o := v[0][k.Original.Start:k.Original.End]
	return k.SplitBySideRuns(Match(o, v[1][k.Dest.Start:k.Dest.End]), Match(o, v[2][k.Updated.Start:k.Updated.End]))
}

// TestSplitBySide splits chunks that both sides changed.
func TestSplitBySide(t *testing.T) {
	for _, c := range []struct{ original, dest, updated, want string }{
		{"ab", "xb", "ay", "<a|x|a >b|b|y"},
		{"ab", "b", "ay", "<a||a >b|b|y"},
		{"ab", "xb", "a", "<a|x|a >b|b|"},
		{"ab", "b", "a", "<a||a >b|b|"},
		{"abc", "ac", "abyc", "=a <b||b >||y =c"},
		{"abc", "ac", "aybc", "=a >||y <b||b =c"},
		{"abcd", "xbxd", "aycd", "<a|x|a >b|b|y <c|x|c =d"},
		{"abcd", "xbxd", "aycy", "<a|x|a >b|b|y <c|x|c >d|d|y"},
		{"a", "x", "y", ""},             // both edit the same item
		{"abc", "xxc", "ayy", ""},       // the edits overlap
		{"", "x", "y", ""},              // insertions at the same place
		{"ab", "xb", "acb", ""},         // an insertion after a replaced item
		{"ab", "ax", "acb", ""},         // an insertion before a replaced item
		{"abc", "c", "axbc", ""},        // an insertion within deleted items
		{"ab", "xab", "yab", ""},        // insertions at the start
		{"abc", "xc", "abyc", ""},       // an insertion after several replaced items
		{"abcde", "axxxe", "abyde", ""}, // one edit inside the other
	} {
		o, d, u := chars(c.original), chars(c.dest), chars(c.updated)
		whole := Chunk{BothChanged, Range{0, len(o)}, Range{0, len(d)}, Range{0, len(u)}, false, false}
		if got := formatChunks(o, d, u, splitBySide(whole, [3][]string{o, d, u})); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.original, c.dest, c.updated, got, c.want)
		}
	}
}

// TestPatchesMeet compares a million patches of each side. It would not finish if each
// patch were compared with each patch of the other side.
func TestPatchesMeet(t *testing.T) {
	var a, b []patch
	for i := 0; i < 4<<20; i += 4 {
		a = append(a, patch{replaced: Range{i, i + 1}, replacement: Range{i, i + 1}})
		b = append(b, patch{replaced: Range{i + 1, i + 2}, replacement: Range{i + 1, i + 2}})
	}
	if patchesMeet(a, b) || patchesMeet(b, a) {
		t.Error("patches that touch meet")
	}
	last := patch{replaced: Range{4<<20 - 3, 4<<20 - 1}}
	if !patchesMeet(append(a, last), b) || !patchesMeet(b, append(a, last)) {
		t.Error("the last two do not meet")
	}
}

// formatChunks returns each chunk as a character for its kind ("!" if Whole is set) and its texts.
func formatChunks(o, d, u []string, chunks []Chunk) string {
	var parts []string
	for _, c := range chunks {
		kind := string("=<>?"[c.Kind])
		if c.Whole {
			kind = "!"
		}
		text := concat(o, c.Original)
		if c.Kind != Same {
			text += "|" + concat(d, c.Dest) + "|" + concat(u, c.Updated)
		}
		parts = append(parts, kind+text)
	}
	return strings.Join(parts, " ")
}

func concat(items []string, r Range) string { return strings.Join(items[r.Start:r.End], "") }
