package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// A spread is a merged flow collection with lines of their own for its entries.
type spread struct {
	*Renderer
	of     *plan.Value
	indent []byte
	moves  [3]move // of the lines of each version
	all    []spreadEntry
}

// A spreadEntry is an entry as it is written, with a comma behind it.
type spreadEntry struct {
	parts []Part // the last has the comma; where it is a conflict, that of the base is as it was
	// tail is how long what stands behind the comma is; absent in a side without the entry.
	tail [3]int
}

const absent = -1

// everywhere says of an entry that is no conflict that all versions have it.
func everywhere(tail int) [3]int { return [3]int{tail, tail, tail} }

// clash is a conflict over entries.
func (x *spread) clash(c *plan.Child) spreadEntry {
	k := &Conflict{Kind: c.Clash.Kind, Path: c.Path, Child: c}
	tail := everywhere(absent)
	for s, run := range c.Clash.Runs {
		for _, e := range run {
			k.Items[s] = append(k.Items[s], bytes.Count(k.Alt[s], lf))
			b, n := x.lines(three.Side(s), e, c.Clash.Bare)
			if tail[s] = n; s == int(three.Original) && !e.Comma {
				b = without(b, n)
			}
			k.Alt[s] = append(k.Alt[s], b...)
			k.At[s] = joinSpans(k.At[s], x.span(three.Side(s), e, c.Clash.Bare))
		}
		k.Items[s] = append(k.Items[s], bytes.Count(k.Alt[s], lf))
	}
	if !c.Clash.TwoInsertions() {
		k.Items = [3][]int{}
	}
	p := &Page{}
	if c.Clash.Bare {
		x.trivia(c.Lead, c, len(x.indent), p)
	}
	p.Add(k)
	return spreadEntry{p.Parts, tail}
}

// span are the whole lines of an entry, without those above it if bare.
func (x *spread) span(s three.Side, e *syntax.Entry, bare bool) text.Span {
	sp := tree.SpreadLines(x.Files[s], e)
	if bare {
		sp.Start = x.Files[s].LineStart(e.Start)
	}
	return sp
}

// lines are those of an entry with a comma, and how long what stands behind that is.
func (x *spread) lines(s three.Side, e *syntax.Entry, bare bool) ([]byte, int) {
	behind := x.behind(s, e)
	upTo := text.Span{Start: x.span(s, e, bare).Start, End: tree.CommaAt(x.Files[s], e)}
	return slices.Concat(x.moves[s].lines(x.bytes(s, upTo)), []byte(","), behind), len(behind)
}

// behind is what stands behind the comma of an entry on its line.
func (x *spread) behind(s three.Side, e *syntax.Entry) []byte {
	at := tree.CommaAt(x.Files[s], e)
	if e.Comma {
		at++
	}
	return x.bytes(s, text.Span{Start: at, End: x.Files[s].LineEnd(e.Span.End)})
}

// finish writes the entries with their commas: whichever side is taken, none stands behind the last
// one, unless the file has it so. Where it depends on the side which entry is the last, the line that is
// so in one of them is in conflict too.
func (x *spread) finish(p *Page) {
	last := len(x.all) - 1
	for last >= 0 && (x.all[last].tail[three.Dest] == absent || x.all[last].tail[three.Updated] == absent) {
		last--
	}
	switch {
	case x.trailing():
		last = len(x.all)
	case last < len(x.all)-1:
		x.join(max(last, 0))
		last = len(x.all)
	}
	for i := range x.all {
		if i == last {
			x.all[i].endWithout()
		}
		p.Parts = append(p.Parts, x.all[i].parts...)
	}
}

// trailing reports whether a comma stands behind the last entry, as in the merged form.
func (x *spread) trailing() bool {
	var comma [3]bool
	for s, n := range x.of.V {
		comma[s] = n != nil && trailingComma(n)
	}
	if o := x.of.V[three.Original]; o == nil || len(o.Entries) == 0 {
		return comma[three.Dest]
	}
	return three.Form(comma[three.Original], comma[three.Dest], comma[three.Updated])
}

// endWithout takes the comma from e.
func (e *spreadEntry) endWithout() {
	part := &e.parts[len(e.parts)-1]
	if part.Conflict == nil {
		part.Text = without(part.Text, e.tail[three.Dest])
		return
	}
	for _, s := range three.Sides {
		part.Conflict.Alt[s] = without(part.Conflict.Alt[s], e.tail[s])
	}
	part.Conflict.Behind = &e.tail[three.Dest]
}

// without is b without the comma that stands before its tail.
func without(b []byte, tail int) []byte {
	at := len(b) - tail - 1
	return slices.Concat(b[:at], b[at+1:])
}

// join makes one conflict of what stands from the last line of the entry at from on.
func (x *spread) join(from int) {
	first := &x.all[from]
	parts, above := first.parts, []Part(nil)
	if end := len(parts) - 1; end > 0 {
		above, parts = parts[:end:end], parts[end:]
	}
	if t := parts[0].Text; parts[0].Conflict == nil {
		cut := 1 + bytes.LastIndexByte(t[:len(t)-1], '\n')
		above, parts = append(above, Part{Text: t[:cut]}), []Part{{Text: t[cut:]}}
	}
	k := &Conflict{}
	var comma [3]int
	for i, e := range x.all[from:] {
		if i > 0 {
			parts = e.parts
		}
		k.take(parts)
		for s, tail := range e.tail {
			if tail != absent {
				comma[s] = len(k.Alt[s]) - tail
			}
		}
	}
	for _, s := range three.Sides {
		if end := comma[s]; end > 0 {
			k.Alt[s] = without(k.Alt[s], len(k.Alt[s])-end)
		}
	}
	x.all = append(x.all[:from], spreadEntry{parts: append(above, Part{Conflict: k})})
}

// take adds parts to a conflict: text to each version.
func (c *Conflict) take(parts []Part) {
	for _, x := range parts {
		if k := x.Conflict; k != nil {
			c.Child = k.Child
			if c.Kind != "" {
				c.Child = nil
			} else {
				c.Kind, c.Path = k.Kind, k.Path
			}
			for s := range k.Alt {
				c.Alt[s] = append(c.Alt[s], k.Alt[s]...)
				c.At[s] = joinSpans(c.At[s], k.At[s])
			}
			continue
		}
		for s := range c.Alt {
			c.Alt[s] = append(c.Alt[s], x.Text...)
		}
	}
}

// joinSpans is from a to b, which stands behind it; either may be none.
func joinSpans(a, b text.Span) text.Span {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return text.Span{Start: a.Start, End: b.End}
}

// extend writes more behind the last part, which is text.
func (p *Page) extend(more ...[]byte) {
	last := &p.Parts[len(p.Parts)-1]
	last.Text = slices.Concat(append([][]byte{last.Text}, more...)...)
}

// A move is how lines of a version change their indent: those that start with from start with to, and
// what of unit stands behind that is as often toUnit.
type move struct{ from, to, unit, toUnit []byte }

// line is b, which starts a line.
func (v move) line(b []byte) []byte {
	rest, ok := bytes.CutPrefix(b, v.from)
	if !ok || len(bytes.TrimSpace(rest)) == 0 && bytes.HasSuffix(rest, lf) {
		return bytes.Clone(b)
	}
	out := bytes.Clone(v.to)
	for len(v.unit) > 0 && bytes.HasPrefix(rest, v.unit) {
		out, rest = append(out, v.toUnit...), rest[len(v.unit):]
	}
	return append(out, rest...)
}

// lines are whole lines, the last perhaps in part.
func (v move) lines(b []byte) (out []byte) {
	if bytes.Equal(v.from, v.to) && bytes.Equal(v.unit, v.toUnit) {
		return b
	}
	for line := range bytes.Lines(b) {
		out = append(out, v.line(line)...)
	}
	return out
}

// rest is text that starts in mid line: the first line stays.
func (v move) rest(b []byte) []byte {
	i := bytes.IndexByte(b, '\n') + 1
	if i == 0 {
		return b
	}
	return append(bytes.Clone(b[:i]), v.lines(b[i:])...)
}

func trailingComma(n *syntax.Node) bool {
	return len(n.Entries) > 0 && n.Entries[len(n.Entries)-1].Comma
}
