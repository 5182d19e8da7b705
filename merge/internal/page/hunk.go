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
func hunks(alt [3][]byte, style conflict.Style) []hunk {
	h := &cutter{}
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
		first := r.A == 0 && r.B == 0
		if last := r.A+r.Len == len(d) && r.B+r.Len == len(u); !first && !last && r.Len < apart {
			continue
		}
		from, to := h.baseOf(d[r.A:r.A+r.Len], first, base)
		h.cut([3]int{from, r.A, r.B}, [3]int{to, r.A + r.Len, r.B + r.Len})
	}
	h.rest()
}

// baseOf returns the lines of the base that go with common ones of both sides, the
// first lines or others.
func (h *cutter) baseOf(common []string, first, base bool) (from, to int) {
	o := h.keys(three.Original)
	from, to = 0, len(o)
	switch {
	case first && !base:
		return 0, 0
	case !base:
		return to, to
	case first:
		for to = 0; to < min(len(o), len(common)) && o[to] == common[to]; {
			to++
		}
	default:
		for from = to; from > h.at[three.Original] && to-from < len(common) && o[from-1] == common[len(common)-1-(to-from)]; {
			from--
		}
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
