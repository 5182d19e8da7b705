package template

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
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
				if c.first < 0 {
					column[c.block] = l.column
				}
				c.line(l.column)
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
		all = append(all, r.block(b))
	}
	slices.SortFunc(all, func(a, b text.Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	end := 0
	return slices.DeleteFunc(all, func(s text.Span) bool {
		inner := s.End <= end
		end = max(end, s.End)
		return inner
	})
}

// block is the lines of a block.
func (r *Reading) block(opening int) text.Span {
	of := r.nest.blocks[opening].actions
	start := lineOf(r.data, r.actions[opening].Start).Start
	return text.Span{Start: start, End: lineOf(r.data, r.actions[of[len(of)-1]].End-1).End}
}

// mostly reports whether spans are most of the lines of data.
func mostly(data []byte, spans []text.Span) bool {
	n := 0
	for _, s := range spans {
		n += bytes.Count(data[s.Start:s.End], []byte("\n"))
	}
	return 2*n > bytes.Count(data, []byte("\n"))
}

// CutAlike returns an error if a block that both sides changed is text in one version, since
// it cuts through an entry there, and holds entries in another. What the other side changed
// in these could not be told from what the text says:
//
//	{{ if x }}        {{ if x }}
//	b: 1              b: 1
//	{{ end }}x        {{ end }}
func CutAlike(versions [3]*Reading) error {
	for _, r := range versions {
		for _, opening := range slices.Sorted(maps.Keys(r.closed)) {
			said := r.actions[opening].said
			var cut [3]int
			var lines [3]string
			for i, v := range versions {
				cut[i], lines[i] = v.opened(said)
			}
			alike := cut[0] == cut[1] && cut[0] == cut[2]
			if !alike && apart(lines) && !slices.Contains(lines[:], "") {
				return fmt.Errorf("the block %s cuts through an entry in one version alone", said)
			}
		}
	}
	return nil
}

// apart reports whether both sides changed a text, and not alike.
func apart(t [3]string) bool { return t[0] != t[1] && t[0] != t[2] && t[1] != t[2] }

// opened returns how many of the blocks that an action opens are text, and the lines
// of all of them.
func (r *Reading) opened(said string) (cut int, lines string) {
	var all bytes.Buffer
	end := 0
	for opening, b := range r.nest.blocks {
		if b == nil || r.actions[opening].said != said {
			continue
		}
		if r.closed[opening] {
			cut++
		}
		if s := r.block(opening); s.Start >= end { // not within another
			all.Write(r.data[s.Start:s.End])
			end = s.End
		}
	}
	return cut, all.String()
}

// mostTorn bounds the size of files that are looked at for what makes them no YAML,
// and maxTorn how often: it takes a parse for each halving.
const (
	mostTorn = 256 << 10
	maxTorn  = 4
)

// culprit is the block because of which masked is no YAML: the innermost one around
// the first line with which it is none, else the last one above. It is noBlock
// where there is none, or the file is large.
func (r *Reading) culprit(masked []byte, lines []line) int {
	if len(masked) > mostTorn {
		return noBlock
	}
	i := sort.Search(len(lines), func(i int) bool {
		_, err := syntax.Parse(text.New(masked[:lines[i].End]))
		return err != nil
	})
	if i == len(lines) {
		return noBlock
	}
	if f := r.at(lines[i].Start); f != nil {
		return f.block
	}
	block := noBlock
	for opening, b := range r.nest.blocks {
		if b == nil {
			continue
		}
		last := r.actions[b.actions[len(b.actions)-1]]
		if last.End <= lines[i].Start && opening > block && bytes.IndexByte(r.data[r.actions[opening].Start:last.End], '\n') >= 0 {
			block = opening
		}
	}
	return block
}
