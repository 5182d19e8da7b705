package elide

import (
	"bytes"
	"hash/maphash"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A frame is an entry of which the end was not seen yet.
type frame struct {
	start  int  // of its line
	before int  // the end of the last line before it that is no trivia
	col    int  // of its key or dash
	item   bool // it is an item
	value  value
	kids   int  // the column of its entries, -1 while there are none
	list   bool // its entries are items
	within bool // it stands in an item
	keep   bool // it is no run by itself
	epoch  int
	name   text.Span
	meta   bool   // it is the metadata of its document
	runs   int    // how many runs there were before it
	names  int    // likewise names
	id     uint64 // of the entry among all
}

// A scanner reads lines in order and keeps the entries that are open. Lines
// that it does not understand start a new epoch: entries that were open before
// cannot be left out.
type scanner struct {
	src   []byte
	opts  Options
	dirty bool // the lines at hand have to stay
	epoch int
	open  []frame
	last  int // the end of the last line that is no trivia
	notes int // the rightmost column of a comment since then, -1 if there is none

	text    bool // within text of several lines
	textCol int  // the column of whose holder it is
	textIn  int  // its own column, -1 while it is not known

	runs   []Run
	names  []text.Span // of the fields of the runs, in order
	epochs []int       // of the runs
	keys   map[uint64]bool
	see    func(Block, int)
	doc    document
	ids    uint64
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
	switch l.kind {
	case blank:
	case comment:
		if s.notes = max(s.notes, l.col); !l.clean {
			s.breach()
		}
	default:
		s.token(l)
	}
	if l.kind > comment || l.kind == other {
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
		s.saw(Text, l.col-s.textCol)
	case l.col < s.textIn:
		s.breach()
	}
	s.last, s.notes = l.End, -1
	if s.dirty {
		s.breach()
	}
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
		s.text, s.textCol, s.textIn = true, l.col, -1
	}
	if bytes.HasPrefix(s.src[l.Start:], []byte("---")) {
		s.document(l)
		return
	}
	if f, ok := s.parent(l, l.dash); ok {
		f.col, f.item, f.keep, f.value = l.col, l.dash, true, none
		s.push(l, f)
		s.open[len(s.open)-1].epoch = -1
	}
}

// close ends the entries that the line at hand does not stand in.
func (s *scanner) close(l line) {
	n := len(s.open)
	for n > 0 && s.ends(&s.open[n-1], l) {
		s.end(&s.open[n-1], l)
		n--
	}
	s.open = s.open[:n]
}

// ends reports whether l is behind the end of f.
func (s *scanner) ends(f *frame, l line) bool {
	if f.col != l.col || f.item || l.kind != item && l.kind != pair {
		return f.col >= l.col
	}
	return f.value != none || f.kids >= 0 && (!f.list || f.kids != l.col)
}

// end adds f, which l ends, to the runs, if it is one.
func (s *scanner) end(f *frame, l line) {
	if f.epoch != s.epoch || f.item || f.keep || s.notes > f.col || s.notes == f.col && l.col < f.col {
		return
	}
	if f.within && (!s.opts.Items || f.kids < 0) {
		return
	}
	s.runs, s.epochs, s.names = s.runs[:f.runs], s.epochs[:f.runs], append(s.names[:f.names], f.name)
	n := len(s.runs) - 1
	if n < 0 || s.epochs[n] != s.epoch || s.runs[n].End != f.before || s.runs[n].Col != f.col {
		s.runs = append(s.runs, Run{Span: text.Span{Start: f.start}, Col: f.col, names: f.names})
		s.epochs = append(s.epochs, s.epoch)
		n++
	}
	s.runs[n].End = s.last
}

// saw tells that a block is indented by so many columns.
func (s *scanner) saw(b Block, by int) {
	if s.see != nil {
		s.see(b, by)
	}
}

// parent returns a frame for an entry on l, with what it has from the frame
// around it. It reports false where l does not fit into that.
func (s *scanner) parent(l line, isItem bool) (frame, bool) {
	n := len(s.open)
	if n == 0 {
		s.doc.bad = s.doc.bad || l.col > 0 || isItem
		// in an indented document, or in what is not known
		return frame{within: l.col > 0, id: s.root}, true
	}
	f := &s.open[n-1]
	if f.kids < 0 && f.value == none {
		f.kids, f.list = l.col, isItem
		if isItem {
			s.saw(List, l.col-f.col)
		} else {
			s.saw(Mapping, l.col-f.col)
		}
	}
	if f.kids != l.col || f.list != isItem {
		s.lose(l)
		return frame{}, false
	}
	return frame{within: f.within || f.item, id: f.id}, true
}

// entry opens the entries that start on l.
func (s *scanner) entry(l line) {
	f, ok := s.parent(l, l.kind != field)
	if !ok {
		return
	}
	f.col, f.value = l.col, l.value
	f.meta = s.identify(l)
	switch l.kind {
	case field:
		f.keep = s.opts.Keep[string(s.src[l.key.Start:l.key.End])]
		s.pushField(l, f)
	case item:
		f.item = true
		s.push(l, f)
	case pair:
		f.item, f.value = true, none
		s.push(l, f)
		top := &s.open[len(s.open)-1]
		top.kids = l.inner
		s.pushField(l, frame{col: l.inner, value: l.value, within: true, keep: true, id: top.id})
	}
}

// lose forgets the entries around l, which does not fit into them.
func (s *scanner) lose(l line) {
	s.breach()
	s.open = s.open[:0]
	if l.value == header {
		s.text, s.textCol, s.textIn = true, l.col, -1
	}
}

// push opens the entry f on l; id is that of its parent.
func (s *scanner) push(l line, f frame) {
	if f.kids == 0 {
		f.kids = -1
	}
	f.start, f.before, f.epoch, f.runs, f.names, f.name = l.Start, s.last, s.epoch, len(s.runs), len(s.names), l.key
	s.ids++
	f.id = s.ids
	s.open = append(s.open, f)
}

// pushField opens a field.
func (s *scanner) pushField(l line, f frame) {
	if s.keys != nil && s.again(f.id, s.src[l.key.Start:l.key.End]) {
		s.breach()
		f.keep = true
	}
	s.push(l, f)
	if f.value == header {
		s.text, s.textCol, s.textIn = true, f.col, -1
	}
}

var seed = maphash.MakeSeed()

// again reports whether the mapping in the entry id has the key already.
func (s *scanner) again(id uint64, key []byte) bool {
	h := maphash.Bytes(seed, key) ^ id*0x9e3779b97f4a7c15
	if s.keys[h] {
		return true
	}
	s.keys[h] = true
	return false
}
