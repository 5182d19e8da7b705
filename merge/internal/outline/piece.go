package outline

import (
	"bytes"
	"iter"
)

// A Grain says how many bytes a collection needs for its entries to be a run, and from how
// many on these are cut into pieces; and how many a document needs, where there are several.
type Grain struct{ Run, Piece, Document int }

// A Run is the lines of the entries of a block collection.
type Run struct {
	Start  int // of the line with the first entry
	First  int // where that entry starts
	End    int // where the line behind the last one starts
	Line   int // how many lines the frame around it has before that line; Frame says it
	List   bool
	Pieces []Piece
}

// A Piece is some entries of a run, or a file.
type Piece struct {
	Start, End int
	Runs       []*Run // within it, in their order
	Index      int    // of the piece among those of Each
}

// Size is how many bytes of p are in no run.
func (p *Piece) Size() int {
	n := p.End - p.Start
	for _, r := range p.Runs {
		n -= r.End - r.Start
	}
	return n
}

// Frame returns the text of p with one entry in place of those of each run, and says
// where these end in it.
func (p *Piece) Frame(src []byte) []byte {
	if len(p.Runs) == 0 {
		return src[p.Start:p.End]
	}
	n := p.Size()
	for _, r := range p.Runs {
		n += r.First - r.Start + len(emptyField)
	}
	out, from, line := make([]byte, 0, n), p.Start, 0
	for _, r := range p.Runs {
		line += bytes.Count(src[from:r.Start], []byte("\n")) + 1
		out = append(out, src[from:r.First]...)
		if r.List {
			out = append(out, emptyItem...)
		} else {
			out = append(out, emptyField...)
		}
		from, r.Line = r.End, line
	}
	return append(out, src[from:p.End]...)
}

// What stands in a frame in place of the entries of a run.
const (
	emptyField = "0: 0\n"
	emptyItem  = "- 0\n"
)

// Each returns the pieces of runs, and of those within them, in their order.
func Each(runs []*Run) iter.Seq[*Piece] {
	var each func(runs []*Run, yield func(*Piece) bool) bool
	each = func(runs []*Run, yield func(*Piece) bool) bool {
		for _, r := range runs {
			for i := range r.Pieces {
				if p := &r.Pieces[i]; !yield(p) || !each(p.Runs, yield) {
					return false
				}
			}
		}
		return true
	}
	return func(yield func(*Piece) bool) { each(runs, yield) }
}
