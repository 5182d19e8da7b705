package syntax

// A gap is the whole lines of trivia between a block entry and what follows
// it. Who owns its lines depends on the column of what follows and on the
// collections that end in the gap, so it is looked at once per collection;
// what was found is kept.
type gap struct {
	token int  // offset of what follows; valid while the cursor is not behind it
	bol   int  // start of the token's line
	end   bool // the document ends there
	// The first comment line at or behind the cursor; at bol if there is none.
	line, hash int
}

// look finds the gap that the cursor, at the start of a line, stands in.
func (p *placer) look() *gap {
	g := &p.gap
	if g.token < p.pos {
		save := p.cursor
		p.trivia()
		*g = gap{token: p.pos, bol: p.bol}
		g.end = p.pos == len(p.src) ||
			p.column() == 0 && (p.marker("---") || p.marker("...") || p.at('%'))
		if p.pos == len(p.src) {
			g.bol = p.pos
		}
		p.cursor = save
		p.nextComment(p.pos)
	}
	return g
}

// nextComment finds the first comment line of the gap from off on.
func (p *placer) nextComment(off int) {
	for ; off < p.gap.bol; off = p.lineAfter(off) {
		if hash := skipBlanks(p.src, off); isComment(p.src, hash) {
			p.gap.line, p.gap.hash = off, hash
			return
		}
	}
	p.gap.line = p.gap.bol
}

func isComment(src []byte, off int) bool { return off < len(src) && src[off] == '#' }

// toToken moves to what follows the gap.
func (p *placer) toToken() {
	g := p.look()
	if g.end {
		p.fail("a collection has fewer entries than it should")
		return
	}
	p.pos, p.bol = g.token, g.bol
}

// take moves behind the last of the comments from here on that stand at
// limit or a greater column, up to the first that does not.
func (p *placer) take(limit int) {
	g := p.look()
	for g.line < g.bol && g.hash-g.line >= limit {
		p.toLine(p.lineAfter(g.line))
	}
}

// foot places the Foot of e, an entry of a collection with the given indent:
// the comments at a greater column, and, before a sibling, the block of
// comments that touches e and is followed by a blank line.
func (p *placer) foot(e *Entry, indent int, last bool) {
	start := p.pos
	if p.err == nil {
		p.take(indent + 1)
		if g := p.look(); !last && g.line == p.pos {
			p.takeBlock()
		}
	}
	e.end(start, p.pos)
}

// takeBlock moves over the comment lines at the cursor if a blank line
// follows them.
func (p *placer) takeBlock() {
	off := p.pos
	for off < p.gap.bol && isComment(p.src, skipBlanks(p.src, off)) {
		off = p.lineAfter(off)
	}
	if off > p.pos && off < p.gap.bol {
		p.toLine(off)
	}
}

// toLine moves to the line of the gap that starts at off.
func (p *placer) toLine(off int) {
	p.pos, p.bol = off, off
	p.nextComment(off)
}

// tail moves over the Tail of a block collection with the given indent, all
// of whose entries are placed: the comments in its own column, if that is not
// also the column of what follows, or of the document's root at its end.
func (p *placer) tail(indent int) {
	if p.err != nil {
		return
	}
	g := p.look()
	next := g.token - g.bol
	if g.end {
		next = p.base
	}
	p.take(max(indent, next+1))
}
