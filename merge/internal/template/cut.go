package template

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// survey looks at the lines of the blocks. It returns in which column the first
// line of each stands, of those that have lines, and which blocks cannot hold
// whole entries of one collection: a branch has a line left of its first one, or
// starts in another column than the other branches. The texts of block scalars are
// no such lines.
func (m *masker) survey() (column map[int]int, cut map[int]bool) {
	column, cut = map[int]int{}, map[int]bool{}
	var open []*columns
	for i := range m.lines {
		l := &m.lines[i]
		if l.shape == content && l.use != asText {
			for _, c := range open {
				c.line(l.column)
				column[c.block] = c.first
			}
		}
		for a := l.first; a < l.last; a++ {
			open = step(open, m.actions[a].kind, a, cut)
		}
	}
	return column, cut
}

// columns are those of the lines of a block.
type columns struct {
	block         int
	branch, first int // of this branch and of the first one; -1 without lines
	bad           bool
}

// line notes a line that starts at a column.
func (c *columns) line(column int) {
	switch {
	case c.branch >= 0:
		c.bad = c.bad || column < c.branch
		return
	case c.first >= 0:
		c.bad = c.bad || column != c.first
	default:
		c.first = column
	}
	c.branch = column
}

// step goes over an action.
func step(open []*columns, k kind, i int, cut map[int]bool) []*columns {
	switch {
	case k == opens:
		return append(open, &columns{block: i, branch: -1, first: -1})
	case k != output && len(open) == 0: // without its other half
	case k == divides:
		open[len(open)-1].branch = -1
	case k == closes:
		if c := open[len(open)-1]; c.bad {
			cut[c.block] = true
		}
		return open[:len(open)-1]
	}
	return open
}

// spans are the lines of the blocks, the outer ones alone, in order.
func (r *Reading) spans(blocks map[int]bool) []text.Span {
	var all []text.Span
	for b := range blocks {
		of := r.nest.blocks[b].actions
		start := lineOf(r.data, r.actions[b].Start).Start
		all = append(all, text.Span{Start: start, End: lineOf(r.data, r.actions[of[len(of)-1]].End-1).End})
	}
	slices.SortFunc(all, func(a, b text.Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	end := 0
	return slices.DeleteFunc(all, func(s text.Span) bool {
		inner := s.End <= end
		end = max(end, s.End)
		return inner
	})
}

// mostly reports whether spans are most of the lines of data.
func mostly(data []byte, spans []text.Span) bool {
	n := 0
	for _, s := range spans {
		n += bytes.Count(data[s.Start:s.End], []byte("\n"))
	}
	return 2*n > bytes.Count(data, []byte("\n"))
}
