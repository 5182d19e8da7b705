// Package outline finds block collections of YAML files that stand so plainly that the YAML
// parser may read them by themselves. It takes a file, and gives the runs of lines that are
// entries of such collections, cut into pieces, and what is left of the file without them.
//
// It looks at lines, each as it looks to who knows nothing of those before: it may take the text
// of a scalar for entries. So what it says is where to cut, and not what stands there.
package outline

import "bytes"

// An outline looks for runs.
type outline struct {
	src   []byte
	lines []line
	Grain
	runs []*Run // of the piece that is being looked at, in their order
}

// Of returns src, whose lines end with LF alone, as a piece with the runs in it; false if it is
// to be read whole.
func Of(src []byte, g Grain) (file *Piece, ok bool) {
	file = &Piece{End: len(src)}
	if directives(src) {
		return nil, false
	}
	o := outline{src: src, Grain: g, lines: make([]line, 0, bytes.Count(src, []byte("\n"))+1)}
	for off := 0; off < len(src); {
		next := len(src)
		if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
			next = off + i + 1
		}
		l, known := lineAt(src, off, next)
		if !known {
			return nil, false
		}
		o.lines = append(o.lines, l)
		off = next
	}
	o.documents()
	file.Runs = o.runs
	n := 0
	for p := range Each(file.Runs) {
		p.Index = n
		n++
	}
	return file, true
}

// directives reports whether a line of src starts like a directive.
func directives(src []byte) bool {
	return bytes.IndexByte(src, '%') >= 0 && (src[0] == '%' || bytes.Contains(src, []byte("\n%")))
}

// documents finds the runs of each document.
func (o *outline) documents() {
	several := false
	for i := 0; i < len(o.lines); {
		switch l := o.lines[i]; l.kind {
		case empty:
			i++
		case marker:
			i++
			if rest := bytes.TrimLeft(o.src[int(l.off)+len("---"):], " \t"); len(rest) > 0 && rest[0] != '\n' && rest[0] != '#' {
				i = o.toMarker(i)
			}
			several = several || i > 1
		default:
			r, last, next := o.collection(i, l)
			i = o.toMarker(next)
			switch {
			case !l.begins():
			case len(r.Pieces) > 0 || (several || i < len(o.lines)) && r.End-r.Start >= o.Document:
				o.keep(r, last)
			default:
				o.runs = append(o.runs, last.Runs...)
			}
		}
	}
}

// toMarker returns the first marker from the line i on.
func (o *outline) toMarker(i int) int {
	for i < len(o.lines) && o.lines[i].kind != marker {
		i++
	}
	return i
}

// collection returns the run that begins with the line i, l, but for its last piece, that
// piece, and the line behind it; nothing and the next line if l begins none.
func (o *outline) collection(i int, l line) (r Run, last Piece, next int) {
	if !l.begins() {
		return r, last, i + 1
	}
	outer := o.runs
	r = Run{Start: int(l.off), First: int(l.off + l.column), List: l.dashed()}
	last.Start = r.Start
	o.runs = nil
	for i < len(o.lines) {
		at := o.lines[i]
		if at.kind == marker || at.kind != empty && (at.column < l.column || at.column == l.column && at.dashed() != r.List) {
			break
		}
		if at.kind == empty || at.column > l.column || !at.begins() {
			i++
			continue
		}
		if last.End, last.Runs = int(at.off), o.runs; o.cuts(&last) {
			r.Pieces = append(r.Pieces, last)
			last, o.runs = Piece{Start: int(at.off)}, nil
		}
		i = o.entry(i)
	}
	r.End = o.offset(i)
	last.End, last.Runs = r.End, o.runs
	o.runs = outer
	return r, last, i
}

// keep keeps a run with its last piece.
func (o *outline) keep(r Run, last Piece) {
	r.Pieces = append(r.Pieces, last)
	o.runs = append(o.runs, &r)
}

// cuts reports whether another piece is to begin behind p. Where pieces begin depends on
// little but the lines there, so that what is changed changes few of them.
func (o *outline) cuts(p *Piece) bool {
	size := p.Size()
	if size < o.Piece || p.End == p.Start {
		return false
	}
	sum := uint32(0)
	for at := p.End; at < len(o.src) && o.src[at] != '\n'; at++ {
		sum = sum*31 + uint32(o.src[at])
	}
	return sum>>4&3 == 0 || size >= 4*o.Piece
}

// offset is where the line i starts.
func (o *outline) offset(i int) int {
	if i == len(o.lines) {
		return len(o.src)
	}
	return int(o.lines[i].off)
}

// entry looks for the runs in the entry that begins with the line i, and returns a line
// behind its first ones.
func (o *outline) entry(i int) int {
	l := o.lines[i]
	switch {
	case l.kind != compact && !l.opens:
		return i + 1
	case l.kind == field:
		return o.value(i+1, l.column, true)
	case l.kind == item:
		return o.value(i+1, l.column, false)
	}
	for column, opens := l.inner, l.opens; ; opens = o.lines[i].opens {
		i++
		if opens {
			i = o.value(i, column, true)
		}
		for i < len(o.lines) && (o.lines[i].kind == empty || o.lines[i].column > column) {
			i++
		}
		if i == len(o.lines) || o.lines[i].kind != field || o.lines[i].column != column {
			return i
		}
	}
}

// value looks for the runs in the value, from the line i on, of an entry at a column. At says
// that the items of a list may stand in that column.
func (o *outline) value(i int, column int32, at bool) int {
	j := i
	for j < len(o.lines) && o.lines[j].kind == empty {
		j++
	}
	if j == len(o.lines) || !o.lines[j].begins() ||
		o.lines[j].column < column || o.lines[j].column == column && !(at && o.lines[j].dashed()) {
		return i
	}
	r, last, next := o.collection(j, o.lines[j])
	switch alone := len(r.Pieces) == 0; {
	case alone && r.End-r.Start < o.Run:
	case alone && last.Size() < o.Run/2:
		o.runs = append(o.runs, last.Runs...)
	default:
		o.keep(r, last)
	}
	return next
}
