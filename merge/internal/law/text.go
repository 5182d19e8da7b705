package law

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// text holds a scalar that both sides changed differently: the lines of one that
// all versions have merge, as items of a list.
func (c *checker) text(q quad) *Refusal {
	o, r := q[original], q[result]
	if c.person && q.part() {
		return nil
	}
	if o == nil || q.has(func(n *node) bool { return n.isText() != r.isText() }) {
		return q.clash()
	}
	var lines quad
	for v, n := range q {
		lines[v] = c.textLines(n)
	}
	if !q.part() && lines[dest].size() < 2 && lines[updated].size() < 2 {
		return q.clash()
	}
	if header := of(q, c.header); broken(header) {
		return q.refuse("text", "the scalar starts with %q, that of ours with %q, that of theirs with %q", header[result], header[dest], header[updated])
	}
	was := lines[original].standing()
	if !woven(was, edited(was, lines[dest].standing(), dest), edited(was, lines[updated].standing(), updated), lines[result].standing()) {
		return q.refuse("text", "its lines are not those that the edits of ours and theirs give")
	}
	return c.textGuards(lines)
}

// textGuards holds the blocks around each line of a text, as those around entries. Of lines that
// say the same it cannot be told which is which.
func (c *checker) textGuards(lines quad) *Refusal {
	var in [versions]branches
	for v, n := range lines {
		in[v] = newBranches()
		var spans []text.Span
		for i := range n.kept {
			spans = append(spans, n.kept[i].Span)
		}
		if len(spans) == 0 {
			continue
		}
		whole := text.Span{Start: spans[0].Start, End: spans[len(spans)-1].End}
		for i, levels := range template.Within(c.files[v].Bytes(), whole, spans) {
			c.guarded[n.kept[i].Node] = levels
			in[v].note(n.kept[i].data, levels)
		}
	}
	if len(c.guarded) == 0 {
		return nil
	}
	names := renames(in)
	for v, n := range lines {
		for i := range n.kept {
			c.guarded[n.kept[i].Node] = renamed(c.guarded[n.kept[i].Node], names[v])
		}
	}
	rows := pair(lines, byValue, false)
	return c.guards(slices.DeleteFunc(rows, func(k *row) bool { return k.several() || strings.TrimSpace(k.q.any().Value) == "" }))
}

// standing are the lines of a text that count.
func (n *node) standing() (all []*node) {
	for i := range n.kept {
		if k := &n.kept[i]; !k.gone {
			all = append(all, k)
		}
	}
	return all
}

// clash refuses one value for two different ones.
func (q quad) clash() *Refusal {
	return q.refuse("value", "ours has %s, theirs %s: nothing clean can stand here", q[dest].show(), q[updated].show())
}

// header is the style of a scalar and, of a block scalar, its chomping.
func (c *checker) header(n *node) string {
	b := string(c.files[n.v].Slice(n.Content))
	switch {
	case !n.isText() && n.Style == syntax.Plain:
		return ""
	case n.isText():
		b = b[:min(3, len(b))] // style, chomping and indentation, in either order
		if i := strings.IndexAny(b, "+-"); i > 0 {
			return b[:1] + b[i:i+1]
		}
	}
	return b[:1]
}

// textLines returns the lines of n as a list. A block scalar's are without its
// indentation, but in a line merge, which knows none; others without blanks around.
func (c *checker) textLines(n *node) *node {
	if all := c.texts[n.Node]; all != nil {
		return all
	}
	all := &node{Node: syntax.NewNode(syntax.Sequence, 0), v: n.v, part: n.part}
	file, at := c.files[n.v], n.Content
	if n.isText() {
		at = n.Lines
	}
	for start := at.Start; start < at.End; {
		line := text.Span{Start: start, End: min(file.LineEnd(start), at.End)}
		start = line.End
		s := strings.TrimRight(string(file.Slice(line)), "\r\n")
		switch {
		case !n.isText():
			s = strings.TrimSpace(s)
		case !c.byLine:
			s = s[min(n.Indent, len(s)-len(strings.TrimLeft(s, " "))):]
		}
		k := node{Node: syntax.NewNode(syntax.Scalar, 0), v: n.v, data: hash(s) | 1}
		k.Value, k.Span = s, line
		k.SetTag("!!str")
		if cut, _, open := cutAt(c.cuts[n.v], line); open {
			k.lent, k.gone = cut.lent, cut.lent == original
		}
		all.kept = append(all.kept, k)
	}
	c.texts[n.Node] = all
	return all
}

// The lines of a text merge by edits: what a side did to the original is which of its lines
// it kept, and what it put between them. A result holds if it is the lines that both sides
// kept, with what both put between: what both put there alike once or twice, and else in
// either order, unless lines of the original say which comes first.

// An edit of a text.
type edit struct {
	kept  []bool // of the original's lines
	added []addition
}

// An addition is a line that a side put behind the original's line from-1, which it
// kept, and before its line to.
type addition struct {
	line     uint64
	from, to int
}

// edited is what made b, which is of the side s, of a. What s did in a conflict that it
// lost does not count: there it has what a has.
func edited(a, b []*node, s version) edit {
	e := edit{kept: make([]bool, len(a))}
	for i, line := range a {
		e.kept[i] = line.lent == s
	}
	from, next := 0, 0
	until := func(line, to int) {
		for ; next < line; next++ {
			e.added = append(e.added, addition{b[next].data, from, to})
		}
	}
	for _, m := range common(a, b) {
		e.kept[m[0]] = true
		until(m[1], m[0])
		from, next = m[0]+1, m[1]+1
	}
	until(len(b), len(a))
	return e
}

// above reports whether x stands above y, as lines of the original say, of two additions
// of two sides.
func (x addition) above(y addition) bool {
	return x.to < y.from || x.to == y.from && (x.from < x.to || y.from < y.to)
}

// A weave is how far two edits have been told in a result: as many of the additions of
// each, and of the lines that both kept.
type weave struct{ d, u, kept int }

// mostWeaves bounds how many ways to tell a result are followed at a time.
const mostWeaves = 256

// woven reports whether got is what the edits d and u of one original make of it
// together.
func woven(original []*node, d, u edit, got []*node) bool {
	var kept []int
	for i := range d.kept {
		if d.kept[i] && u.kept[i] {
			kept = append(kept, i)
		}
	}
	ways := []weave{{}}
	for _, line := range got {
		var next []weave
		for _, w := range ways {
			for _, x := range w.steps(d.added, u.added, kept, original, line.data) {
				if !slices.Contains(next, x) {
					next = append(next, x)
				}
			}
		}
		if ways = next; len(ways) == 0 || len(ways) > mostWeaves {
			return false
		}
	}
	return slices.Contains(ways, weave{len(d.added), len(u.added), len(kept)})
}

// steps are how a line may go on from w.
func (w weave) steps(d, u []addition, kept []int, original []*node, line uint64) (all []weave) {
	end := len(original)
	if w.kept < len(kept) {
		end = kept[w.kept]
	}
	next := func(all []addition, i int) (addition, bool) {
		if i == len(all) || all[i].to > end {
			return addition{}, false
		}
		return all[i], true
	}
	x, ofD := next(d, w.d)
	y, ofU := next(u, w.u)
	both := ofD && ofU
	if ofD && x.line == line && !(both && y.above(x)) {
		all = append(all, weave{w.d + 1, w.u, w.kept})
	}
	if ofU && y.line == line && !(both && x.above(y)) {
		all = append(all, weave{w.d, w.u + 1, w.kept})
	}
	if both && x.line == line && y.line == line && !x.above(y) && !y.above(x) {
		all = append(all, weave{w.d + 1, w.u + 1, w.kept})
	}
	if !ofD && !ofU && w.kept < len(kept) && original[end].data == line {
		all = append(all, weave{w.d, w.u, w.kept + 1})
	}
	return all
}

// mostEdits bounds in how many lines two texts may differ: no two that people write come near.
const mostEdits = 1 << 10

// common are the indices of the lines of a longest common subsequence of a and b; of
// sequences that differ too much, those of their equal ends alone.
func common(a, b []*node) (all [][2]int) {
	start := 0
	for start < min(len(a), len(b)) && a[start].data == b[start].data {
		all = append(all, [2]int{start, start})
		start++
	}
	n, m := len(a), len(b)
	for n > start && m > start && a[n-1].data == b[m-1].data {
		n, m = n-1, m-1
	}
	for _, at := range middle(a[start:n], b[start:m]) {
		all = append(all, [2]int{start + at[0], start + at[1]})
	}
	for i := range len(a) - n {
		all = append(all, [2]int{n + i, m + i})
	}
	return all
}

// A reach is how far into a sequence a search with d insertions and deletions has come on
// each diagonal k, at k+d+2; less than -1 where it has not been.
type reach []int

// enter is where the search after r, with d edits, enters the diagonal k, and from which.
func (r reach) enter(d, k int) (x, from int) {
	if d == 0 {
		return 0, 0
	}
	if right, down := r[k+d]+1, r[k+d+2]; right > down {
		return right, k - 1
	} else {
		return down, k + 1
	}
}

// middle is common by Myers' greedy search.
func middle(a, b []*node) [][2]int {
	var all []reach
	var last reach
	for d := 0; d <= min(len(a)+len(b), mostEdits); d++ {
		r := make(reach, 2*d+5)
		for i := range r {
			r[i] = -2
		}
		for k := -d; k <= d; k += 2 {
			x, _ := last.enter(d, k)
			for x < len(a) && x-k < len(b) && a[x].data == b[x-k].data {
				x++
			}
			r[k+d+2] = x
			if x >= len(a) && x-k >= len(b) {
				return trace(append(all, r), k)
			}
		}
		all, last = append(all, r), r
	}
	return nil
}

// trace is what a search that ended on the diagonal k went through.
func trace(all []reach, k int) (out [][2]int) {
	for d := len(all) - 1; d >= 0; d-- {
		var before reach
		if d > 0 {
			before = all[d-1]
		}
		x, from := before.enter(d, k)
		for end := all[d][k+d+2] - 1; end >= x; end-- {
			out = append(out, [2]int{end, end - k})
		}
		k = from
	}
	slices.Reverse(out)
	return out
}
