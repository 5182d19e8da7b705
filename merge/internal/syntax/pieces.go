package syntax

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// A large list is read in pieces, so that the YAML parser's nodes of all of it, three
// times as large as the tree, are never in memory at once. The parser reads the file
// without all but the first item of the list (its frame), and then a piece of whole
// items at a time, each as a file of its own.
//
// Why that is the same: where a piece begins, with a dash in the list's column, and the
// pieces before it were read to their ends, the parser is in the state in which it
// reads the dash of a list that it has just begun; what it may know besides is anchors,
// and tags that directives name. An alias to another piece, or such a tag, is an error
// in the piece. What the parser refuses in pieces, or what does not stand where it
// should, is read whole, as if nothing had happened.

// A grain says how large a list has to be to be read in pieces, and how large these are
// at least.
type grain struct{ list, piece int }

var coarse = grain{128 << 10, 16 << 10}

// A run is whole lines that look like the items of a block list.
type run struct {
	first  int   // where its first dash stands
	second int   // where the line of the second one starts
	end    int   // where the line behind the last item starts
	line   int   // the number of that line in the frame
	pieces []int // where they start, and the end
	items  int
}

// findRuns returns the runs of src, in their order. They do not overlap.
func findRuns(src []byte, size grain) []run {
	if len(src) < size.list || !onlyLF(src) || bytes.IndexByte(src, '%') >= 0 && directives(src) {
		return nil
	}
	s := runScan{src: src, grain: size, column: -1}
	for off := 0; off < len(src); s.line++ {
		next := len(src)
		if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
			next = off + i + 1
		}
		s.look(off, next)
		off = next
	}
	s.close(len(src))
	return s.runs
}

// directives reports whether a line of src starts like a directive.
func directives(src []byte) bool {
	return src[0] == '%' || bytes.Contains(src, []byte("\n%"))
}

// A runScan looks for runs, line by line.
type runScan struct {
	grain
	src    []byte
	runs   []run
	open   run
	column int // of the dashes of the open run; -1 if there is none
	line   int // the number of the line in the frame, from 0
	behind int // the same of the second item of the open run
}

// look takes the line from off to next.
func (s *runScan) look(off, next int) {
	at := off
	for at < next && s.src[at] == ' ' {
		at++
	}
	switch column := at - off; {
	case at == next, s.src[at] == '\n', s.src[at] == '#', s.column >= 0 && column > s.column:
		return
	case s.src[at] != '-' || !isBlankz(s.src, at+1):
		s.close(off)
	case column == s.column:
		s.item(off)
	default:
		s.close(off)
		s.column = column
		s.open = run{first: at, pieces: []int{off}, items: 1}
	}
}

// item begins another item of the open run, with the line at off.
func (s *runScan) item(off int) {
	r := &s.open
	if r.items++; r.items == 2 {
		r.second, s.behind = off, s.line
	}
	if off-r.pieces[len(r.pieces)-1] >= s.piece {
		r.pieces = append(r.pieces, off)
	}
}

// close ends the open run before the line at off.
func (s *runScan) close(off int) {
	r := s.open
	if s.column >= 0 && r.items > 1 && off-r.pieces[0] >= s.list {
		s.line = s.behind // what follows takes the place of the second item
		r.end, r.line, r.pieces = off, s.line+1, append(r.pieces, off)
		s.runs = append(s.runs, r)
	}
	s.column, s.open = -1, run{}
}

// frame is src without the runs but for the first item of each.
func frame(src []byte, runs []run) []byte {
	left := len(src)
	for _, r := range runs {
		left -= r.end - r.second
	}
	out, from := make([]byte, 0, left), 0
	for _, r := range runs {
		out, from = append(out, src[from:r.second]...), r.end
	}
	return append(out, src[from:]...)
}

// run returns the run that stands at the cursor as y, which has its first item; nil if
// there is none.
func (p *placer) run(y *yaml.Node) *run {
	if len(p.runs) == 0 || y.Kind != yaml.SequenceNode || len(y.Content) != 1 || p.pos != p.runs[0].first {
		return nil
	}
	r := &p.runs[0]
	p.runs = p.runs[1:]
	return r
}

// pieces reads and places the items of r, all of n's.
func (p *placer) pieces(n *Node, r *run, from int) {
	n.Entries = make([]*Entry, 0, r.items)
	for i, start := range r.pieces[:len(r.pieces)-1] {
		end := r.pieces[i+1]
		y := p.piece(p.src[start:end])
		if p.err != nil {
			return
		}
		p.where.reset(start, 1)
		from = p.entries(n, y, from, false, end == r.end)
	}
	if len(n.Entries) != r.items {
		p.fail("a list read in pieces has another number of items")
	}
	p.where.reset(r.end, r.line)
}

// piece reads b, which has to be a block list and nothing else.
func (p *placer) piece(b []byte) *yaml.Node {
	roots, err := decode(b)
	switch {
	case err != nil:
		p.fail("a piece cannot be read by itself")
	case len(roots) != 1 || len(roots[0].Content) != 1 || roots[0].Content[0].Kind != yaml.SequenceNode || !isBlock(roots[0].Content[0]):
		p.fail("a piece is no list by itself")
	default:
		return roots[0].Content[0]
	}
	return nil
}
