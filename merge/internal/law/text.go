package law

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
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
	rows := pair(lines, byValue, false)
	for _, k := range rows {
		if n := k.counts; !n.between(false) {
			return q.refuse("text", "base has the line %q %d times, ours %d, theirs %d, the result %d", k.q.any().Value, n[original], n[dest], n[updated], n[result])
		}
	}
	x := order(rows, q.part())
	if x == nil && !q.part() {
		x = abreast(rows, lines[original].size())
	}
	if x != nil {
		return q.refuse(x.Rule, "a line of it: %s", x.Detail)
	}
	return nil
}

// clash refuses one value for two different ones.
func (q quad) clash() *Refusal {
	return q.refuse("value", "ours has %s, theirs %s: nothing clean can stand here", q[dest].show(), q[updated].show())
}

// A gap is where in the original a line stands that one side added: from behind the
// line from-1, which the side kept, to before the line to.
type gap struct{ from, to int }

// abreast refuses lines that one side added before what the other added, where the
// lines of the original around them say that it was behind that. The original has n lines.
func abreast(rows []*row, n int) *Refusal {
	at := map[*row]gap{}
	for _, s := range sides {
		if !gaps(rows, s, n, at) {
			return nil // it has another order
		}
	}
	added := slices.DeleteFunc(slices.Clone(rows), func(k *row) bool { _, ok := at[k]; return !ok || k.q[result] == nil })
	slices.SortFunc(added, func(x, y *row) int { return cmp.Compare(x.at[result], y.at[result]) })
	far := [versions]int{dest: -1, updated: -1} // the greatest from of a side so far
	wide := far                                 // the same of gaps that hold a line
	for _, k := range added {
		g, s := at[k], dest
		if k.q[dest] == nil {
			s = updated
		}
		if o := s.other(); far[o] > g.to || far[o] == g.to && (g.from < g.to || wide[o] == g.to) {
			return k.q.refuse("order", "it stands behind what %s has behind it", o)
		}
		far[s] = max(far[s], g.from)
		if g.from < g.to {
			wide[s] = max(wide[s], g.from)
		}
	}
	return nil
}

// gaps notes where the lines stand that s alone has. It reports false where s has the
// lines of the original in another order.
func gaps(rows []*row, s version, n int, at map[*row]gap) bool {
	own := slices.DeleteFunc(slices.Clone(rows), func(k *row) bool { return k.q[s] == nil || k.several() })
	slices.SortFunc(own, func(x, y *row) int { return cmp.Compare(x.at[s], y.at[s]) })
	from, first := 0, 0 // of own, the first one behind the last line that s kept
	close := func(end, to int) {
		for _, k := range own[first:end] {
			if k.q[s.other()] == nil && k.q[original] == nil {
				at[k] = gap{from, to}
			}
		}
	}
	for i, k := range own {
		if k.q[original] == nil {
			continue
		}
		o := int(k.at[original])
		if o < from {
			return false
		}
		close(i, o)
		from, first = o+1, i+1
	}
	close(len(own), n)
	return true
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
