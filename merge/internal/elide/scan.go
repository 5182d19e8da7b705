package elide

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A frame is an entry of which the end was not seen yet.
type frame struct {
	place
	own    uint64 // what the places in it have as id
	start  int32  // of its line
	before int32  // the end of the last line before it that is no trivia
	kids   int32  // the column of its entries, -1 while there are none
	epoch  int32
	runs   int32 // how many runs there were before it
	names  int32 // likewise names
	name   text.Span
	blocks Indents // of what was seen in it
	value  value
	item   bool // it is an item, and what is in name is its name
	list   bool // its entries are items
	keep   bool // it is no run by itself
	meta   bool // it is the metadata of its document
}

// A place is where an entry stands.
type place struct {
	id     uint64 // of the entry that it stands in, or of the document
	col    int32
	within bool // it stands in an item
}

// A scanner reads lines in order and keeps the entries that are open. Lines
// that it does not understand start a new epoch: entries that were open before
// cannot be left out.
type scanner struct {
	Source
	opts  Options
	next  int // the line to read
	forms *forms
	dirty bool // the lines at hand have to stay
	epoch int32
	open  []frame
	last  int   // the end of the last line that is no trivia
	notes int32 // the rightmost column of a comment since then, -1 if there is none

	more    bool  // a plain scalar of the last line may go on
	text    bool  // within text of several lines
	textCol int32 // the column of whose holder it is
	textIn  int32 // its own column, -1 while it is not known

	runs   []Run
	names  []text.Span // of the fields of the runs, in order
	epochs []int32     // of the runs
	keys   keys
	doc    document
	ids    uint64 // of entries and documents
	root   uint64 // of the document
}

// breach starts a new epoch.
func (s *scanner) breach() { s.epoch++ }

func (s *scanner) line(l line) {
	if s.text {
		if l.kind == blank || l.col > s.textCol {
			s.textLine(l)
			return
		}
		s.text = false
	}
	if s.more && s.goesOn(l) {
		return
	}
	s.more = false
	switch l.kind {
	case blank:
	case comment:
		if s.notes = max(s.notes, l.col); !l.clean {
			s.breach()
		}
	default:
		s.token(l)
		s.last, s.notes = l.End, -1
	}
	if s.dirty {
		s.breach()
	}
}

// textLine reads a line of a literal or of folded text.
func (s *scanner) textLine(l line) {
	switch {
	case !l.clean:
		s.breach()
	case l.kind == blank && s.textIn < 0 && l.col > 0:
		s.breach() // leading blanks count
	case l.kind == blank && l.col <= s.textIn || l.kind == blank && s.textIn < 0:
		return
	case s.textIn < 0:
		s.textIn = l.col
		if n := len(s.open); n > 0 {
			s.open[n-1].blocks.saw(Text, l.col-s.textCol)
		}
	case l.col < s.textIn:
		s.breach()
	}
	s.last, s.notes = l.End, -1
	if s.dirty {
		s.breach()
	}
}

// goesOn reads a line that the plain scalar above goes on in; false if l is none.
func (s *scanner) goesOn(l line) bool {
	f := &s.open[len(s.open)-1]
	if l.kind == blank || l.kind == comment || l.col <= f.col {
		return false
	}
	switch b := withoutBreak(s.Text[l.Start:l.End]); {
	case !l.clean || !continues(b[l.col:]):
		return false
	case f.keep: // it may say what it is in
		s.breach()
	}
	s.last, s.notes = l.End, -1
	if s.dirty {
		s.breach()
	}
	return true
}

// token reads a line with a token on it.
func (s *scanner) token(l line) {
	s.close(l)
	switch l.kind {
	case marker:
		s.document(l)
	case other:
		s.foreign(l)
	default:
		s.entry(l)
	}
}

// foreign reads a line that is not understood: what it stands in stays.
func (s *scanner) foreign(l line) {
	s.breach()
	if l.block {
		s.begin(l.col)
	}
	if bytes.HasPrefix(s.Text[l.Start:], []byte("---")) {
		s.document(l)
		return
	}
	if in, ok := s.parent(l, l.dash); ok {
		f := s.push(l, in)
		f.item, f.keep, f.epoch = l.dash, true, -1
	}
}

// begin begins text of several lines, which an entry in column col holds.
func (s *scanner) begin(col int32) { s.text, s.textCol, s.textIn = true, col, -1 }

// close ends the entries that the line at hand does not stand in.
func (s *scanner) close(l line) {
	n := len(s.open)
	for n > 0 && s.open[n-1].ends(l) {
		n--
		f := &s.open[n]
		s.end(f, l)
		if f.kids < 0 && f.value != header {
			continue
		}
		around := &s.doc.blocks
		if n > 0 {
			around = &s.open[n-1].blocks
		}
		around.add(&f.blocks)
	}
	s.open = s.open[:n]
}

// ends reports whether l is behind the end of f.
func (f *frame) ends(l line) bool {
	if f.col != l.col || f.item || !l.isItem() {
		return f.col >= l.col
	}
	return f.value != none || f.kids >= 0 && (!f.list || f.kids != l.col)
}

// end adds f, which l ends, to the runs, if it is one.
func (s *scanner) end(f *frame, l line) {
	if f.epoch != s.epoch || f.keep || s.notes > f.col || s.notes == f.col && l.col < f.col {
		return
	}
	if f.item && f.name.Empty() || !f.item && f.within && f.kids < 0 {
		return
	}
	s.runs, s.epochs, s.names = s.runs[:f.runs], s.epochs[:f.runs], append(s.names[:f.names], f.name)
	n := len(s.runs) - 1
	if n < 0 || s.epochs[n] != s.epoch || s.runs[n].End != int(f.before) || s.runs[n].Col != int(f.col) || s.runs[n].Items != f.item {
		s.runs = append(s.runs, Run{Span: text.Span{Start: int(f.start)}, Col: int(f.col), Items: f.item, names: int(f.names)})
		s.epochs = append(s.epochs, s.epoch)
		n++
	}
	s.runs[n].End = s.last
	s.runs[n].Indents.add(&f.blocks)
}

// parent returns the place for an entry on l. It reports false where l does
// not fit into the entry around it.
func (s *scanner) parent(l line, isItem bool) (place, bool) {
	n := len(s.open)
	if n == 0 {
		s.doc.bad = s.doc.bad || l.col > 0 || isItem
		// in an indented document, or in what is not known
		return place{s.root, l.col, l.col > 0}, true
	}
	f := &s.open[n-1]
	if f.kids < 0 && f.value == none {
		f.kids, f.list = l.col, isItem
		if isItem {
			f.blocks.saw(List, l.col-f.col)
		} else {
			f.blocks.saw(Mapping, l.col-f.col)
		}
	}
	if f.kids != l.col || f.list != isItem {
		s.lose(l)
		return place{}, false
	}
	return place{f.own, l.col, f.within || f.item}, true
}

// entry opens the entries that start on l.
func (s *scanner) entry(l line) {
	in, ok := s.parent(l, l.kind != field)
	if !ok {
		return
	}
	meta := s.identify(l)
	switch l.kind {
	case field:
		s.nameItem(l)
		s.pushField(l, in, l.keep).meta = meta
	case item:
		f := s.push(l, in)
		f.item, f.value, f.name = true, l.value, text.Span{}
	case pair:
		f := s.push(l, in)
		f.item, f.kids, f.name = true, l.inner, text.Span{}
		s.nameItem(l)
		s.pushField(l, place{f.own, l.inner, true}, true)
	}
	s.more = l.open
}

// nameItem takes from a field of an item, which is open, what it says of its identity.
func (s *scanner) nameItem(l line) {
	n := len(s.open)
	if n == 0 || !s.open[n-1].item || l.role == anyField {
		return
	}
	f := &s.open[n-1]
	switch name, ok := s.scalar(l); {
	case l.role == nameField && ok && f.name.Empty():
		f.name = name
	case l.role == nameField, l.role == otherName:
		f.keep = true
	}
}

// lose forgets the entries around l, which does not fit into them.
func (s *scanner) lose(l line) {
	s.breach()
	s.open = s.open[:0]
	if l.value == header {
		s.begin(l.col)
	}
}

// push opens an entry on l.
func (s *scanner) push(l line, in place) *frame {
	s.ids++
	s.open = append(s.open, frame{
		place: in, start: int32(l.Start), before: int32(s.last), kids: -1, own: s.ids, value: none,
		epoch: s.epoch, runs: int32(len(s.runs)), names: int32(len(s.names)), name: l.name(),
	})
	return &s.open[len(s.open)-1]
}

// pushField opens a field, which may have to stay.
func (s *scanner) pushField(l line, in place, keep bool) *frame {
	if s.opts.Unique && s.keys.add(in.id, l.hash) {
		s.breach()
		keep = true
	}
	f := s.push(l, in)
	f.keep, f.value = keep, l.value
	if f.value == header {
		s.begin(f.col)
	}
	return f
}

// found returns the runs with their names.
func (s *scanner) found() []Run {
	end := len(s.names)
	for i := len(s.runs) - 1; i >= 0; i-- {
		r := &s.runs[i]
		r.Names = s.names[r.names:end]
		end = r.names
	}
	return s.runs
}

// outside reads what lies between two parts.
func (s *scanner) outside(end int) {
	s.breach()
	if int(s.Starts[s.next]) < end {
		s.dirty = true
		s.upTo(end)
		s.dirty = false
		s.breach()
	}
}

// upTo reads the lines before end.
func (s *scanner) upTo(end int) {
	for ; int(s.Starts[s.next]) < end; s.next++ {
		at := int(s.Starts[s.next])
		s.line(line{text.Span{Start: at, End: int(s.Starts[s.next+1])}, s.form(s.next)})
	}
}
