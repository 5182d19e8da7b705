package law

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// text holds a scalar that both sides changed differently: the lines of one that
// all versions have merge, as items of a list.
func (c *checker) text(q quad) *Refusal {
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	if c.person && q.part() {
		return nil
	}
	clash := q.refuse("value", "ours has %s, theirs %s: nothing clean can stand here", d.show(), u.show())
	if o == nil || r.Kind != syntax.Scalar || o.Kind != syntax.Scalar {
		return clash
	}
	var lines quad
	var header [versions]string
	for v, n := range q {
		if n.isText() != o.isText() {
			return clash
		}
		header[v] = c.header(n)
		lines[v] = c.textLines(n, version(v))
	}
	if !q.part() && len(lines[dest].kids) < 2 && len(lines[updated].kids) < 2 {
		return clash
	}
	c.eachLine(q[original], func(line *node, k cut, open bool) {
		if open && k.lent != original && q[k.lent].v == k.lent {
			lines[k.lent].kids = append(lines[k.lent].kids, *line)
		}
	})
	if want, ok := choose(header[original], header[dest], header[updated]); !ok || want != header[result] {
		return q.refuse("text", "the scalar starts with %q, that of ours with %q, that of theirs with %q", header[result], header[dest], header[updated])
	}
	rows := pair(lines, byValue)
	many := tally(rows)
	for _, k := range rows {
		n, ok := many[k.key]
		if !ok {
			n = k.counts()
		}
		if !n.between(false) {
			return q.refuse("text", "base has the line %q %d times, ours %d, theirs %d, the result %d", k.q.any().Value, n[original], n[dest], n[updated], n[result])
		}
	}
	if x := order(rows, many, q.part()); x != nil {
		return q.refuse(x.Rule, "a line of it: %s", x.Detail)
	}
	return nil
}

// header is the style of a scalar and, of a block scalar, its chomping.
func (c *checker) header(n *node) string {
	b := c.files[n.v].Slice(n.Content)
	switch {
	case !n.isText() && n.Style == syntax.Plain:
		return ""
	case !n.isText():
		return string(b[:1])
	}
	h := string(b[:1])
	for _, ch := range b[1:min(3, len(b))] {
		if ch == '+' || ch == '-' {
			h += string(ch)
		}
	}
	return h
}

// textLines returns the lines of n as a list, but for those in conflict. A block
// scalar's are without its indentation, others without blanks around.
func (c *checker) textLines(n *node, v version) *node {
	all := &node{Node: &syntax.Node{Kind: syntax.Sequence}, v: v}
	c.eachLine(n, func(line *node, k cut, open bool) {
		if !open || k.lent != original {
			all.kids = append(all.kids, *line)
		}
	})
	return all
}

// eachLine calls f with every line of n, and what it stands in if that is in
// conflict.
func (c *checker) eachLine(n *node, f func(line *node, k cut, open bool)) {
	file, at := c.files[n.v], n.Content
	if n.isText() {
		at = n.Lines
	}
	for start := at.Start; start < at.End; {
		line := text.Span{Start: start, End: min(file.LineEnd(start), at.End)}
		start = line.End
		s := strings.TrimRight(string(file.Slice(line)), "\r\n")
		if n.isText() {
			s = s[min(n.Indent, len(s)-len(strings.TrimLeft(s, " "))):]
		} else {
			s = strings.TrimSpace(s)
		}
		k, _, open := cutAt(c.cuts[n.v], line)
		f(&node{Node: &syntax.Node{Kind: syntax.Scalar, Tag: "!!str", Value: s, Span: line}, v: n.v, data: hash(s) | 1}, k, open)
	}
}
