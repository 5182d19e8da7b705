package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// hunk is a stretch of lines of a conflict: the same in every version that
// is shown, or to be marked.
type hunk struct {
	alt  [3][]byte
	skip [3]int // lines of the conflict above it
	same bool
}

// apart is how many lines must be the same between two hunks: fewer would
// only break one conflict into crumbs. Git joins at the same distance.
const apart = 4

// hunks cuts a conflict at the lines that all its versions share. Whichever
// side is chosen, at all hunks alike, the file is the same as without the
// cuts. The base does not count where it has nothing, or is not shown.
//
// Nor is an item cut that a side added: items are those of the conflict.
func hunks(alt [3][]byte, style conflict.Style, items [3][]int) []hunk {
	h := &cutter{items: items}
	for s, b := range alt {
		h.lines[s] = slices.Collect(bytes.Lines(b))
	}
	if style == conflict.StyleMerge || style == conflict.StyleZdiff3 || len(alt[three.Original]) == 0 {
		h.cutSides(style == conflict.StyleZdiff3)
	} else {
		h.cutAll()
	}
	return h.out
}

// cutter cuts the lines of a conflict.
type cutter struct {
	lines [3][][]byte
	items [3][]int
	at    [3]int
	out   []hunk
}

func (h *cutter) keys(s three.Side) []string {
	k := make([]string, len(h.lines[s]))
	for i, l := range h.lines[s] {
		k[i] = string(l)
	}
	return k
}

// cutSides cuts where ours and theirs agree. The base, if it is shown, goes
// to the one hunk that is left between the edges, without the lines there that it has
// too.
func (h *cutter) cutSides(base bool) {
	d, u := h.keys(three.Dest), h.keys(three.Updated)
	runs := diff3.Match(d, u)
	if base && len(h.lines[three.Original]) > 0 {
		runs = diff3.EdgeRuns(d, u)
	}
	for _, r := range runs {
		if r = h.between(r); r.Len == 0 {
			continue
		}
		first := r.A == 0 && r.B == 0
		if last := r.A+r.Len == len(d) && r.B+r.Len == len(u); !first && !last && r.Len < apart {
			continue
		}
		from, to := len(h.lines[three.Original]), len(h.lines[three.Original])
		switch {
		case base:
			from, to = h.baseOf(d[r.A:r.A+r.Len], first)
		case first:
			from, to = 0, 0
		}
		h.cut([3]int{from, r.A, r.B}, [3]int{to, r.A + r.Len, r.B + r.Len})
	}
	h.rest()
}

// fewShared is how many lines that both sides share stand between markers for the sake of an
// item: more would have to be read for nothing.
const fewShared = 8

// between is what of r, lines that both sides share, begins and ends between items, if that is
// not much less.
func (h *cutter) between(r diff3.Run) diff3.Run {
	if h.items[three.Dest] == nil {
		return r
	}
	at := func(i int) bool {
		return slices.Contains(h.items[three.Dest], r.A+i) && slices.Contains(h.items[three.Updated], r.B+i)
	}
	from, to := 0, r.Len
	for from < to && !at(from) {
		from++
	}
	for from < to && !at(to) {
		to--
	}
	if r.Len-(to-from) > fewShared {
		return r
	}
	return diff3.Run{A: r.A + from, B: r.B + from, Len: to - from}
}

// baseOf returns the lines of the base that go with common ones of both sides, the
// first lines or others.
func (h *cutter) baseOf(common []string, first bool) (from, to int) {
	o := h.lines[three.Original]
	from, to = 0, len(o)
	if first {
		for to = 0; to < min(len(o), len(common)) && string(o[to]) == common[to]; {
			to++
		}
		return from, to
	}
	for from = to; from > h.at[three.Original] && to-from < len(common) && string(o[from-1]) == common[len(common)-1-(to-from)]; {
		from--
	}
	return from, to
}

// cutAll cuts where all versions agree.
func (h *cutter) cutAll() {
	o, d, u := h.keys(three.Original), h.keys(three.Dest), h.keys(three.Updated)
	for _, c := range diff3.ChunksOf([3][]string{o, d, u}) {
		first := c.Original.Start == 0 && c.Dest.Start == 0 && c.Updated.Start == 0
		last := c.Original.End == len(o) && c.Dest.End == len(d) && c.Updated.End == len(u)
		if c.Kind == diff3.Same && (first || last || c.Original.Len() >= apart) {
			h.cut([3]int{c.Original.Start, c.Dest.Start, c.Updated.Start}, [3]int{c.Original.End, c.Dest.End, c.Updated.End})
		}
	}
	h.rest()
}

// cut makes the lines up to from a hunk, and those up to to common ones.
func (h *cutter) cut(from, to [3]int) {
	h.add(from, false)
	h.add(to, true)
}

func (h *cutter) rest() {
	h.add([3]int{len(h.lines[three.Original]), len(h.lines[three.Dest]), len(h.lines[three.Updated])}, false)
}

func (h *cutter) add(to [3]int, same bool) {
	if h.at == to {
		return
	}
	x := hunk{skip: h.at, same: same}
	for s := range to {
		x.alt[s] = bytes.Join(h.lines[s][h.at[s]:to[s]], nil)
	}
	h.at = to
	h.out = append(h.out, x)
}
