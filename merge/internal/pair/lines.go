package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Lines are the second witness of what is one thing: where no name pairs two
// entries, git's diff of the lines of both versions may.
type Lines struct {
	Files   [3]*text.File
	Aligned *diff3.Versions // of Files
	LeftOut string          // what the keys have that stand for entries that were left out; empty if none were
	Asked   bool            // something was looked up

	mates [3][]int // of dest and updated: the line of each of the original's, -1 where it is gone
}

// of returns the mates in s of the original's lines.
func (l *Lines) of(s three.Side) []int {
	l.Asked = true
	if l.mates[s] != nil {
		return l.mates[s]
	}
	if l.Aligned == nil {
		l.Aligned = diff3.Of(l.Files[three.Original].Bytes(), l.Files[three.Dest].Bytes(), l.Files[three.Updated].Bytes())
	}
	runs, withUpdated := l.Aligned.Align(diff3.Merge)
	if s == three.Updated {
		runs = withUpdated
	}
	mates := slices.Repeat([]int{-1}, l.Files[three.Original].Line(len(l.Files[three.Original].Bytes())))
	for _, r := range runs {
		for i := range r.Len {
			mates[r.A+i] = r.B + i
		}
	}
	l.mates[s] = mates
	return mates
}

// lineRange is the lines of sp in version s, from 0.
func (l *Lines) lineRange(s three.Side, sp text.Span) diff3.Range {
	if sp.Empty() {
		return diff3.Range{}
	}
	return diff3.Range{Start: l.Files[s].Line(sp.Start) - 1, End: l.Files[s].Line(sp.End - 1)}
}

// leastKept is how many lines two entries have in common at least that are one
// by their lines.
const leastKept = 3

// witness pairs things of the original, at the lines of from, with things of s at
// those of to, both in order: it returns for each of from the one of to, or -1.
// Two are one if half of the lines of the smaller one are kept lines of the other,
// with its first or last line, and no other has more in common with either.
func (l *Lines) witness(s three.Side, from, to []text.Span) []int {
	mates := l.of(s)
	owner := map[int]int{}
	toLines := make([]diff3.Range, len(to))
	for j, sp := range to {
		toLines[j] = l.lineRange(s, sp)
		for n := toLines[j].Start; n < toLines[j].End; n++ {
			owner[n] = j
		}
	}
	best, kept := make([]int, len(from)), map[[2]int]int{}
	taker := map[int]int{}
	for i, sp := range from {
		r := l.lineRange(three.Original, sp)
		best[i] = -1
		for n := r.Start; n < r.End; n++ {
			if mates[n] < 0 {
				continue
			}
			if j, ok := owner[mates[n]]; ok {
				kept[[2]int{i, j}]++
				if best[i] < 0 || kept[[2]int{i, j}] > kept[[2]int{i, best[i]}] {
					best[i] = j
				}
			}
		}
		j := best[i]
		if j < 0 || !l.half(mates, r, toLines[j], kept[[2]int{i, j}]) {
			best[i] = -1
			continue
		}
		if k, ok := taker[j]; ok && kept[[2]int{k, j}] >= kept[[2]int{i, j}] {
			best[i] = -1
			continue
		} else if ok {
			best[k] = -1
		}
		taker[j] = i
	}
	return best
}

// half reports whether n lines that are kept from a to b are enough to make them one.
func (l *Lines) half(mates []int, a, b diff3.Range, n int) bool {
	size := min(a.Len(), b.Len())
	if n < leastKept || 2*n < size {
		return false
	}
	first, last := mates[a.Start], mates[a.End-1]
	if a.Len() <= b.Len() {
		return within(first, b) || within(last, b)
	}
	for i := a.Start; i < a.End; i++ {
		if mates[i] == b.Start || mates[i] == b.End-1 {
			return true
		}
	}
	return false
}

func within(n int, r diff3.Range) bool { return r.Start <= n && n < r.End }
