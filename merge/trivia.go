package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// line is a whole line of trivia with the column of what owns it, so that it
// can move with its owner.
type line struct {
	text []byte
	base int
}

func (l line) blank() bool { return len(bytes.TrimSpace(l.text)) == 0 }

// trivia is a merged slot of comments and blank lines.
type trivia []triviaPart

// triviaPart is some lines, or three versions of a comment in conflict.
type triviaPart struct {
	lines []line
	clash *triviaClash
}

type triviaClash struct {
	lines [3][]line
	spans [3]text.Span
}

func (t trivia) clashes() bool {
	for _, p := range t {
		if p.clash != nil {
			return true
		}
	}
	return false
}

// triviaLines splits a slot into its lines.
func triviaLines(f *text.File, sp text.Span, base int) []line {
	var ls []line
	for at := sp.Start; at < sp.End; {
		end := min(f.LineEnd(at), sp.End)
		ls = append(ls, line{f.Slice(text.Span{Start: at, End: end}), base})
		at = end
	}
	return ls
}

// slot is trivia in its three versions.
type slot struct {
	lines [3][]line
	spans [3]text.Span
}

// merge merges a slot as text. Comments merge three-way by lines; blank lines
// never conflict: where both changed them, dest's stand.
func (t slot) merge() trivia {
	var words [3][]string
	for s := range t.lines {
		words[s] = commentText(t.lines[s])
	}
	switch {
	case equalStrings(words[dest], words[updated]):
		if sameLines(t.lines[original], t.lines[dest]) {
			return t.take(updated)
		}
		return t.take(dest)
	case equalStrings(words[original], words[dest]):
		return t.take(updated)
	case equalStrings(words[original], words[updated]):
		return t.take(dest)
	}
	return t.byLine()
}

func (t slot) take(s side) trivia {
	if len(t.lines[s]) == 0 {
		return nil
	}
	return trivia{{lines: t.lines[s]}}
}

// commentText is the lines that are not blank, without their indentation.
func commentText(ls []line) []string {
	var c []string
	for _, l := range ls {
		if !l.blank() {
			c = append(c, string(bytes.TrimSpace(l.text)))
		}
	}
	return c
}

func equalStrings(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// sameLines reports whether two versions of a slot are the same bytes but for
// where their owner stands.
func sameLines(a, b []line) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i].unowned(), b[i].unowned()) {
			return false
		}
	}
	return true
}

// unowned is the line without the indentation of its owner. A blank line has
// none.
func (l line) unowned() []byte {
	t := l.text
	if l.blank() {
		return t
	}
	for i := 0; i < l.base && len(t) > 0 && t[0] == ' '; i++ {
		t = t[1:]
	}
	return t
}

// byLine merges comments that both sides changed, line by line.
func (t slot) byLine() trivia {
	var keys [3][]string
	for s := range t.lines {
		for _, l := range t.lines[s] {
			keys[s] = append(keys[s], string(bytes.TrimSpace(l.text)))
		}
	}
	var out trivia
	for _, c := range chunks(keys) {
		o, d, u := t.lines[original][c.Original.Start:c.Original.End], t.lines[dest][c.Dest.Start:c.Dest.End], t.lines[updated][c.Updated.Start:c.Updated.End]
		switch {
		case c.Kind == diff3.Same || c.Kind == diff3.DestChanged:
			out = append(out, triviaPart{lines: d})
		case c.Kind == diff3.UpdatedChanged:
			out = append(out, triviaPart{lines: u})
		case equalStrings(commentText(d), commentText(u)):
			out = append(out, triviaPart{lines: d})
		case equalStrings(commentText(o), commentText(d)):
			out = append(out, triviaPart{lines: u})
		case equalStrings(commentText(o), commentText(u)):
			out = append(out, triviaPart{lines: d})
		default:
			out = append(out, triviaPart{clash: &triviaClash{[3][]line{o, d, u}, t.spans}})
		}
	}
	return out
}

// chunks compares three versions of a text, given as lines.
func chunks(v [3][]string) []diff3.Chunk {
	return diff3.Chunks(len(v[original]), len(v[dest]), len(v[updated]),
		diff3.Match(v[original], v[dest]), diff3.Match(v[original], v[updated]))
}
