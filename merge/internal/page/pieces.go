package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Whole is how many lines of both sides stand between markers, as style has them, only so
// that no item is cut.
func (p *Page) Whole(style conflict.Style) (n int) {
	for _, c := range p.Conflicts() {
		if c.Items[three.Dest] != nil {
			n += marked(hunks(c.Alt, style, c.Items)) - marked(hunks(c.Alt, style, [3][]int{}))
		}
	}
	return n
}

// marked is how many lines of both sides are in hunks that are not the same.
func marked(all []hunk) (n int) {
	for _, h := range all {
		if !h.same {
			n += bytes.Count(h.alt[three.Dest], lf) + bytes.Count(h.alt[three.Updated], lf)
		}
	}
	return n
}

// Split puts pieces in the place of their conflicts.
func (p *Page) Split(pieces map[*Conflict][]Part) *Page {
	out := &Page{}
	for _, x := range p.Parts {
		if x.Conflict != nil && pieces[x.Conflict] != nil {
			out.Parts = append(out.Parts, pieces[x.Conflict]...)
			continue
		}
		out.Parts = append(out.Parts, x)
	}
	return out
}

// Pieces cuts a conflict by lines. It returns nil where nothing is gained: no
// lines that one side alone changed, or nothing left in conflict.
func (r *Renderer) Pieces(c *Conflict) []Part {
	if c.Kind == plan.ConflictEncrypted || !r.verbatim(c) {
		return nil
	}
	var lines [3][][]byte
	var keys [3][]string
	for s := range c.Alt {
		lines[s] = slices.Collect(bytes.Lines(c.Alt[s]))
		for _, l := range lines[s] {
			keys[s] = append(keys[s], string(l))
		}
	}
	b := &pieceMaker{clash: c, lines: lines}
	for s := range c.At {
		b.at[s] = c.At[s].Start
	}
	for _, k := range diff3.ChunksOf(keys) {
		b.chunk(k)
	}
	return b.finish()
}

// verbatim reports whether the versions of a conflict are the bytes of the
// inputs as they stand there, so that their lines can be found again.
func (r *Renderer) verbatim(c *Conflict) bool {
	for s, sp := range c.At {
		if !bytes.Equal(c.Alt[s], r.bytes(three.Side(s), sp)) {
			return false
		}
	}
	return true
}

// piece is some lines of a conflict: merged, or still in conflict.
type piece struct {
	alt     [3][]byte
	open    [3]text.Span
	clash   bool
	merged  three.Side // whose lines stand where there is no conflict
	changed bool
}

func (p piece) text() []byte { return p.alt[p.merged] }

type pieceMaker struct {
	clash  *Conflict
	lines  [3][][]byte
	at     [3]int
	pieces []piece
}

// chunk adds the lines of a chunk.
func (b *pieceMaker) chunk(k diff3.Chunk) {
	p := piece{merged: three.Dest, changed: k.Kind != diff3.Same}
	for s, r := range [3]diff3.Range{k.Original, k.Dest, k.Updated} {
		p.alt[s] = bytes.Join(b.lines[s][r.Start:r.End], nil)
		p.open[s] = text.Span{Start: b.at[s], End: b.at[s] + len(p.alt[s])}
		b.at[s] = p.open[s].End
	}
	switch k.Kind {
	case diff3.UpdatedChanged:
		p.merged = three.Updated
	case diff3.BothChanged:
		p.clash = !bytes.Equal(p.alt[three.Dest], p.alt[three.Updated])
	}
	if n := len(b.pieces); p.clash && n >= 2 && b.pieces[n-2].clash && bytes.Count(b.pieces[n-1].text(), []byte("\n")) < apart {
		b.join(p)
		return
	}
	b.pieces = append(b.pieces, p)
}

// join makes one conflict of p, the one above it, and the few lines between.
func (b *pieceMaker) join(p piece) {
	n := len(b.pieces)
	first, between := &b.pieces[n-2], b.pieces[n-1]
	mid := [3][]byte{between.alt[three.Original], between.text(), between.text()}
	for s := range first.alt {
		first.alt[s] = append(append(first.alt[s], mid[s]...), p.alt[s]...)
		first.open[s].End = p.open[s].End
	}
	b.pieces = b.pieces[:n-1]
}

// finish returns the parts, or nil if nothing was gained.
func (b *pieceMaker) finish() []Part {
	gained, left := false, false
	var parts []Part
	for _, p := range b.pieces {
		if !p.clash {
			gained = gained || p.changed
			parts = append(parts, Part{Text: p.text()})
			continue
		}
		left = true
		c := *b.clash
		c.Alt, c.At, c.Behind = p.alt, p.open, nil
		parts = append(parts, Part{Conflict: &c})
	}
	if !gained || !left {
		return nil
	}
	return parts
}
