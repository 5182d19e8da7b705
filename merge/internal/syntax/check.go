package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// check returns an error unless the spans of s tile its file as documented.
// It knows the contract of the types only, nothing of how they were filled.
func check(s *Stream) *Error {
	t := tiler{src: s.File.Bytes()}
	for _, d := range s.Docs {
		t.document(d)
	}
	t.start(len(t.src))
	if t.bad {
		return errorAt(s.File, t.pos, Unplaced, "the parts of the file do not fit together")
	}
	return nil
}

// A tiler goes over the tiles of a file from its start; pos is where the next
// one must start.
type tiler struct {
	src []byte
	pos int
	bad bool
}

// tile takes a tile.
func (t *tiler) tile(s text.Span) {
	t.start(s.Start)
	t.end(s.End)
}

func (t *tiler) must(ok bool) { t.bad = t.bad || !ok }

// start demands that a tile starts at off.
func (t *tiler) start(off int) { t.must(off == t.pos) }

// end demands that a tile ends at off.
func (t *tiler) end(off int) {
	if t.bad = t.bad || off < t.pos || off > len(t.src); !t.bad {
		t.pos = off
	}
}

func (t *tiler) document(d *Document) {
	t.start(d.Span.Start)
	t.tile(d.Head)
	t.node(d.Root)
	t.tile(d.Foot)
	t.start(d.Span.End)
}

// node takes the tiles of n; those of a block collection start at its
// Content.
func (t *tiler) node(n *Node) {
	if t.bad {
		return
	}
	if n.Style == Block {
		t.block(n)
		return
	}
	t.must(n.Span.Start <= n.Content.Start && n.Content.End == n.Span.End)
	t.start(n.Span.Start)
	t.end(n.Content.Start)
	if n.Style == Flow {
		t.flow(n)
	} else {
		t.must(t.reads(n))
	}
	t.end(n.Content.End)
}

func (t *tiler) block(n *Node) {
	t.start(n.Content.Start)
	t.must(n.Span.Start <= n.Content.Start && len(n.Entries) > 0)
	for _, e := range n.Entries {
		t.blockEntry(e)
	}
	t.tile(n.Tail)
	t.start(n.Content.End)
	t.start(n.Span.End)
}

func (t *tiler) blockEntry(e *Entry) {
	if t.bad {
		return
	}
	t.start(e.Span.Start)
	t.tile(e.Lead)
	t.key(e)
	if t.bad {
		return
	}
	if e.Value.Style == Block {
		t.must(e.Value.Span.Start >= e.Colon && e.Value.Span.Start <= e.HeadEnd)
		t.end(e.HeadEnd)
		t.block(e.Value)
	} else {
		t.end(e.Value.Span.Start)
		t.node(e.Value)
		t.end(e.HeadEnd)
	}
	t.tile(e.Foot)
	t.start(e.Span.End)
}

// key takes the tiles from the indentation to the Colon.
func (t *tiler) key(e *Entry) {
	t.end(e.Start)
	if e.Key != nil {
		t.end(e.Key.Span.Start)
		t.node(e.Key)
	}
	t.end(e.Colon)
}

func (t *tiler) flow(n *Node) {
	if !n.Implicit {
		t.end(n.Content.Start + 1)
	}
	for _, e := range n.Entries {
		t.flowEntry(e)
	}
	t.tile(n.Tail)
	if !n.Implicit {
		t.end(n.Tail.End + 1)
	}
	t.start(n.Content.End)
}

func (t *tiler) flowEntry(e *Entry) {
	if t.bad {
		return
	}
	t.start(e.Span.Start)
	t.tile(e.Lead)
	t.start(e.Start)
	t.key(e)
	if t.bad {
		return
	}
	t.end(e.Value.Span.Start)
	t.node(e.Value)
	t.start(e.HeadEnd)
	t.tile(e.Foot)
	t.start(e.Span.End)
}

// reads reports whether the text of a scalar or alias reads as its value, as
// far as that is cheap to tell.
func (t *tiler) reads(n *Node) bool {
	s := t.src[n.Content.Start:n.Content.End]
	switch {
	case n.Kind == Alias:
		return len(s) > 0 && s[0] == '*' && string(s[1:]) == n.Value
	case n.Style == SingleQuoted:
		return len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\''
	case n.Style == DoubleQuoted:
		return len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"'
	case n.Style == Literal:
		return len(s) > 0 && s[0] == '|'
	case n.Style == Folded:
		return len(s) > 0 && s[0] == '>'
	}
	return (len(s) == 0) == (n.Value == "")
}
