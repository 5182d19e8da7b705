package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// line is a whole line of trivia with the column of what owns it, so that it
// can move with its owner.
type line struct {
	text []byte
	base int
	at   text.Span
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
		l := line{base: base, at: text.Span{Start: at, End: min(f.LineEnd(at), sp.End)}}
		l.text = f.Slice(l.at)
		ls = append(ls, l)
		at = l.at.End
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
	case slices.Equal(words[dest], words[updated]):
		if sameLines(t.lines[original], t.lines[dest]) {
			return t.take(updated)
		}
		return t.take(dest)
	case slices.Equal(words[original], words[dest]):
		return t.take(updated)
	case slices.Equal(words[original], words[updated]):
		return t.take(dest)
	}
	return t.byLine()
}

// commented reports whether a line of s has a comment.
func (t slot) commented(s side) bool {
	return slices.ContainsFunc(t.lines[s], func(l line) bool { return bytes.IndexByte(l.text, '#') >= 0 })
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

// sameLines reports whether two versions of a slot are the same bytes but for
// where their owner stands.
func sameLines(a, b []line) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].sameAs(b[i]) {
			return false
		}
	}
	return true
}

// sameAs reports whether two lines are the same bytes, at the same distance
// from their owners. A blank line has no owner.
func (l line) sameAs(o line) bool {
	if l.blank() || o.blank() {
		return bytes.Equal(l.text, o.text)
	}
	x, y := bytes.TrimLeft(l.text, " "), bytes.TrimLeft(o.text, " ")
	return len(l.text)-len(x)-l.base == len(o.text)-len(y)-o.base && bytes.Equal(x, y)
}

// byLine merges comments that both sides changed, line by line.
func (t slot) byLine() trivia {
	var out trivia
	for _, c := range diff3.ChunksOf(t.keys()) {
		part := t.part(c.Original, c.Dest, c.Updated)
		switch c.Kind {
		case diff3.Same, diff3.DestChanged:
			out = append(out, part.take(dest)...)
		case diff3.UpdatedChanged:
			out = append(out, part.take(updated)...)
		default:
			out = append(out, part.contested()...)
		}
	}
	return out
}

// keys are the lines as they compare.
func (t slot) keys() [3][]string {
	var keys [3][]string
	for s, ls := range t.lines {
		for _, l := range ls {
			keys[s] = append(keys[s], string(bytes.TrimSpace(l.text)))
		}
	}
	return keys
}

// part is some lines of a slot.
func (t slot) part(r ...diff3.Range) slot {
	var p slot
	for s, r := range r {
		p.lines[s] = t.lines[s][r.Start:r.End]
		at := t.spans[s].End
		if r.Start < len(t.lines[s]) {
			at = t.lines[s][r.Start].at.Start
		}
		p.spans[s] = text.Span{Start: at, End: at}
		if !r.Empty() {
			p.spans[s].End = t.lines[s][r.End-1].at.End
		}
	}
	return p
}

// contested merges lines that both sides changed: what both brought alike
// stands once, what one of them alone brought between stands too, the rest is
// in conflict. Where there was a comment before, only the edges are looked at.
func (t slot) contested() trivia {
	keys := t.keys()
	runs := diff3.Match(keys[dest], keys[updated])
	if len(keys[original]) > 0 {
		runs = diff3.EdgeRuns(keys[dest], keys[updated])
	}
	var out trivia
	var at [3]int
	at[original] = 0
	upTo := func(o, d, u int) {
		out = append(out, t.part(diff3.Range{Start: at[original], End: o},
			diff3.Range{Start: at[dest], End: d}, diff3.Range{Start: at[updated], End: u}).settle()...)
		at = [3]int{o, d, u}
	}
	for _, r := range runs {
		o := 0
		if r.A > 0 {
			o = len(keys[original])
		}
		upTo(o, r.A, r.B)
		out = append(out, trivia{{lines: t.lines[dest][r.A : r.A+r.Len]}}...)
		at[dest], at[updated] = r.A+r.Len, r.B+r.Len
	}
	upTo(len(keys[original]), len(keys[dest]), len(keys[updated]))
	return out
}

// settle decides lines that have nothing in common.
func (t slot) settle() trivia {
	var words [3][]string
	for s := range t.lines {
		words[s] = commentText(t.lines[s])
	}
	switch {
	case slices.Equal(words[dest], words[updated]), slices.Equal(words[original], words[updated]):
		return t.take(dest)
	case slices.Equal(words[original], words[dest]):
		return t.take(updated)
	}
	return trivia{{clash: &triviaClash{t.lines, t.spans}}}
}
