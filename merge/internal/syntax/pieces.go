package syntax

import (
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/outline"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// The YAML parser reads a file in pieces: entries of block collections that stand plainly,
// each piece as a document of its own, and the file with one entry that says nothing in place
// of those (its frame). The versions of a file, and what a merge of them writes, have most pieces
// in common, and a Reader asks the parser once for each; and of a large file the
// parser's nodes, three times as large as the tree, are never in memory at once.
//
// Why that is the same: the parser reads an entry of a block collection by what stands in its
// lines, and where the entries before it were read to their ends it is in the state in which
// it reads the first of a collection. What it may know besides is anchors, and tags that
// directives name. For the pieces all anchors are known; that they stand above their aliases the
// placer sees, which finds every node of every piece in the file itself, where one has to
// stand behind the other. A file with directives has no pieces.
// What the parser refuses in pieces, or what does not stand where it should, is read whole,
// as if nothing had happened.

// A Reader reads files that have much in common: the versions of one, and what a merge of
// them writes. It remembers the pieces of which they consist, and asks the YAML parser once for
// each. It may read several files at a time. A nil Reader remembers nothing.
type Reader struct {
	mu    sync.Mutex
	known map[string]*reading
	left  int  // how many bytes more it may remember
	whole bool // a file could be read as a whole, but not by its pieces: no other is
}

// NewReader returns a Reader that knows nothing yet.
func NewReader() *Reader { return &Reader{known: map[string]*reading{}, left: mostKnown} }

// A Reader reads files from leastFine bytes on in small pieces, and remembers up to mostKnown bytes of
// them, of which the parser's nodes take some thirty times as much memory. Files from leastCoarse bytes
// on, if there is no Reader, and from mostKnown on if there is, are read in large pieces, one at a time; the
// documents of a frame of that many bytes are, and are not remembered.
const (
	leastFine   = 256
	leastCoarse = 128 << 10
	mostKnown   = 1 << 20
)

var (
	fine   = outline.Grain{Run: 64, Piece: 128}
	coarse = outline.Grain{Run: 16 << 10, Piece: 16 << 10, Document: 1 << 10}
)

// inPieces returns the tree of f, read in pieces; nil if it is to be read whole. Each field has a
// key of its own if own is set.
func (r *Reader) inPieces(f *text.File, own bool) *Stream {
	switch size := len(f.Bytes()); {
	case r != nil && size < mostKnown:
		if size < leastFine || r.gaveUp() {
			return nil
		}
		return r.remembered(f, fine, own)
	case size >= leastCoarse:
		return atOnce(f, coarse, own)
	}
	return nil
}

func (r *Reader) gaveUp() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.whole
}

func (r *Reader) giveUp() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.whole = true
}

// remembered reads f by what r knows of its pieces.
func (r *Reader) remembered(f *text.File, g outline.Grain, own bool) *Stream {
	src := f.Bytes()
	file, ok := outlineOf(src, g)
	if !ok {
		return nil
	}
	c := cut{runs: file.Runs}
	var sum size // not known of what is read while it is placed
	if text := file.Frame(src); len(text) >= leastCoarse {
		c.roots = documents(text)
	} else if frame := r.frame(text); frame != nil {
		c.roots, sum = these(frame.roots), frame.size
	} else {
		return nil
	}
	if c.pieces, ok = r.pieces(src, file.Runs); !ok {
		return nil
	}
	if sum != (size{}) {
		sum.plus(sizeOfRuns(c.runs, c.pieces))
	}
	s, _ := place(f, c, sum, own)
	return s
}

// atOnce reads f piece by piece while it is placed.
func atOnce(f *text.File, g outline.Grain, own bool) *Stream {
	file, ok := outlineOf(f.Bytes(), g)
	if !ok || len(file.Runs) == 0 {
		return nil
	}
	s, _ := place(f, cut{documents(file.Frame(f.Bytes())), file.Runs, nil}, size{}, own)
	return s
}

// frame returns what the YAML parser makes of the frame of a file, nil if it is none.
func (r *Reader) frame(text []byte) *reading {
	key := "\x00" + string(text) // no piece looks so
	r.mu.Lock()
	known := r.known[key]
	r.mu.Unlock()
	if known != nil {
		return known
	}
	roots, err := decode(text) // others are not kept waiting: it may be all of the file
	if err != nil {
		return nil
	}
	known = &reading{roots: roots, line: 1, size: sizeOf(roots)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.remember(key, known)
	return known
}

// pieces reads the pieces of the runs of src, in the order of outline.Each; it reports false if one
// cannot be read by itself. What is asked for another file at the same time it waits for; if that file
// is no YAML, it asks itself.
func (r *Reader) pieces(src []byte, runs []*outline.Run) ([]*reading, bool) {
	for range mostWaits {
		all, asked, texts := r.claim(src, runs)
		r.ask(asked, texts)
		if len(asked) > 0 && asked[0].roots == nil {
			return nil, false
		}
		if !slices.ContainsFunc(all, (*reading).failed) {
			return all, true
		}
	}
	return nil, false
}

// mostWaits is how often a file that is no YAML may be met.
const mostWaits = 4

// claim returns the pieces of the runs of src; asked are those that nobody has asked for yet, which
// is to be done now, with their texts.
func (r *Reader) claim(src []byte, runs []*outline.Run) (all, asked []*reading, texts [][]byte) {
	done := make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	for p := range outline.Each(runs) {
		frame := p.Frame(src)
		known := r.known[string(frame)]
		if known == nil {
			known = &reading{done: done}
			asked, texts = append(asked, known), append(texts, frame)
			r.remember(string(frame), known)
		}
		all = append(all, known)
	}
	return all, asked, texts
}

// ask asks the YAML parser for these texts, and forgets them if it does not read one.
func (r *Reader) ask(asked []*reading, texts [][]byte) {
	if len(asked) == 0 {
		return
	}
	last := len(texts) - 1
	for i, t := range texts[:last] {
		if t[len(t)-1] != '\n' { // as the file does not end; only behind the others is that the same
			asked[i], asked[last], texts[i], texts[last] = asked[last], asked[i], texts[last], texts[i]
		}
	}
	defer func() { // whatever happens
		if asked[0].roots == nil {
			r.forget(texts)
		}
		close(asked[0].done)
	}()
	ask(texts, asked)
}

// forget makes these texts be asked for again.
func (r *Reader) forget(texts [][]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range texts {
		delete(r.known, string(t))
	}
}

// remember keeps what is read of text, as far as there is room. R is locked.
func (r *Reader) remember(text string, read *reading) {
	if r.left -= len(text); r.left >= 0 {
		r.known[text] = read
	}
}

// outlineOf is outline.Of where lines end with LF alone.
func outlineOf(src []byte, g outline.Grain) (*outline.Piece, bool) {
	if !onlyLF(src) {
		return nil, false
	}
	return outline.Of(src, g)
}

// A cut is what the YAML parser makes of a file: the documents of its frame, and its
// runs with their pieces, which are nil where they are still to be read.
type cut struct {
	roots  source
	runs   []*outline.Run
	pieces []*reading
}

// sizeOfRuns is the size of runs, whose pieces are read, with those within them, less what
// is counted in them and their frames though it is not in the file: one entry for each run,
// and its collection once more for each piece.
func sizeOfRuns(runs []*outline.Run, pieces []*reading) (sum size) {
	for _, r := range runs {
		sum.entries--
		sum.nodes -= len(r.Pieces) + 2
		if r.List {
			sum.nodes++
		}
		for _, p := range r.Pieces {
			sum.plus(pieces[p.Index].size)
			sum.plus(sizeOfRuns(p.Runs, pieces))
		}
	}
	return sum
}
