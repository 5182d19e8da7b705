package referee

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// text checks a scalar that both sides changed differently: only the lines of
// a scalar that all versions have, in one of them on several lines, merge.
func (c *checker) text(at *place, t quad) *Refusal {
	clash := at.refuse("value", "ours has %s, theirs %s: nothing clean can stand here", t[dest].show(), t[updated].show())
	o := t[original]
	if o == nil || t[result].Kind == syntax.Alias {
		return clash
	}
	var lines [versions][]*node
	var header [versions]string
	most := 0
	for v, n := range t {
		if isBlock(n) != isBlock(o) {
			return clash
		}
		header[v] = c.header(n)
		lines[v] = c.textLines(n)
		if v != int(result) {
			most = max(most, len(lines[v]))
		}
	}
	if want, ok := choose(header[original], header[dest], header[updated]); !ok || want != header[result] {
		return at.refuse("text", "the scalar starts with %q, that of ours with %q, that of theirs with %q", header[result], header[dest], header[updated])
	}
	if most < 2 {
		return clash
	}
	if r := c.ordered(at, lines, aside{}, ofLines); r != nil || c.openIn(t) {
		return r
	}
	return seams(at, lines)
}

// openIn reports whether lines of t stand in conflict.
func (c *checker) openIn(t quad) bool {
	for _, v := range inputs {
		for _, s := range slices.Concat(c.taken[v], c.opened[v]) {
			if t[v].v == v && t[v].Span.Contains(s) {
				return true
			}
		}
	}
	return false
}

// seams refuses lines of the result that follow each other in neither side:
// between changes of different sides stands at least one line that both have.
func seams(at *place, lines [versions][]*node) *Refusal {
	type seam [2]uint64
	known := map[seam]bool{}
	each := func(v version, f func(i int, s seam)) {
		var last uint64
		for i, n := range lines[v] {
			f(i, seam{last, n.sum})
			last = n.sum
		}
		f(len(lines[v]), seam{last, 0})
	}
	for _, s := range sides {
		each(s, func(_ int, s seam) { known[s] = true })
	}
	var bad *Refusal
	each(result, func(i int, s seam) {
		if bad == nil && !known[s] {
			bad = at.index(i).refuse("order", "neither side has this line behind the one before")
		}
	})
	return bad
}

func isBlock(n *node) bool { return n.Style == syntax.Literal || n.Style == syntax.Folded }

// header is the style of a scalar and, of a block scalar, its chomping.
func (c *checker) header(n *node) string {
	b := c.files[n.v].Slice(n.Content)
	switch {
	case !isBlock(n) && n.Style == syntax.Plain:
		return ""
	case !isBlock(n):
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

// textLines returns the lines of n as nodes, but for those in open ranges. A
// block scalar's are without its indentation, others without blanks around.
func (c *checker) textLines(n *node) []*node {
	f, at := c.files[n.v], n.Content
	if isBlock(n) {
		at = n.Lines
	}
	var lines []*node
	for start := at.Start; start < at.End; {
		end := min(f.LineEnd(start), at.End)
		line := text.Span{Start: start, End: end}
		start = end
		if within(c.opened[n.v], line) {
			continue
		}
		s := strings.TrimRight(string(f.Slice(line)), "\r\n")
		if isBlock(n) {
			s = s[min(n.Indent, len(s)-len(strings.TrimLeft(s, " "))):]
		} else {
			s = strings.TrimSpace(s)
		}
		sum := hash(s)
		lines = append(lines, &node{
			Node: &syntax.Node{Kind: syntax.Scalar, Style: syntax.Plain, Tag: "!!str", Value: s},
			v:    n.v, full: sum, sum: sum, raw: sum, weight: 1,
		})
	}
	return lines
}
