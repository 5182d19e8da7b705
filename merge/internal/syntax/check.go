package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// check returns an error unless the spans of s tile its file as documented.
// It knows the contract of the types only, nothing of how they were filled.
func check(s *Stream) *Error {
	t := tiler{src: s.File.Bytes()}
	for _, d := range s.Docs {
		t.at(d.Span.Start)
		t.tile(d.Head)
		t.node(d.Root)
		t.tile(d.Foot)
		t.at(d.Span.End)
	}
	t.at(len(t.src))
	if !t.bad {
		return nil
	}
	e := errorAt(s.File, t.pos, "the parts of the file do not fit together")
	e.Unplaced = true
	return e
}

// A tiler goes over the tiles of a file from its start; pos is where the next
// one must start.
type tiler struct {
	src []byte
	pos int
	bad bool
}

func (t *tiler) must(ok bool) { t.bad = t.bad || !ok }

// at demands that a tile starts at off.
func (t *tiler) at(off int) { t.must(off == t.pos) }

// to demands that a tile ends at off.
func (t *tiler) to(off int) {
	if t.must(off >= t.pos && off <= len(t.src)); !t.bad {
		t.pos = off
	}
}

// tile takes a tile.
func (t *tiler) tile(s text.Span) {
	t.at(s.Start)
	t.to(s.End)
}

// node takes the tiles of n; those of a block collection start at its
// Content.
func (t *tiler) node(n *Node) {
	switch {
	case t.bad:
		return
	case n.Style == Block:
		t.at(n.Content.Start)
		t.must(n.Span.Start <= n.Content.Start && len(n.Entries) > 0)
		for _, e := range n.Entries {
			t.entry(e, false)
		}
		t.tile(n.Tail)
		t.at(n.Content.End)
		t.at(n.Span.End)
		return
	}
	t.must(n.Span.Start <= n.Content.Start && n.Content.End == n.Span.End)
	t.at(n.Span.Start)
	t.to(n.Content.Start)
	if n.Style != Flow {
		t.to(n.Content.End)
		t.must(t.bad || reads(n, t.src[n.Content.Start:n.Content.End]))
		return
	}
	bracket := 1
	if n.Implicit {
		bracket = 0
	}
	t.to(n.Content.Start + bracket)
	for _, e := range n.Entries {
		t.entry(e, true)
	}
	t.tile(n.Tail)
	t.to(n.Tail.End + bracket)
	t.at(n.Content.End)
}

// entry takes the tiles of an entry of a block or flow collection.
func (t *tiler) entry(e *Entry, flow bool) {
	t.at(e.Span.Start)
	t.tile(e.Lead)
	t.must(!flow || e.Start == t.pos)
	t.to(e.Start)
	if e.Key != nil {
		t.to(e.Key.Span.Start)
		t.node(e.Key)
	}
	t.to(e.Colon)
	if e.Value.Style == Block {
		t.must(e.Value.Span.Start >= e.Colon && e.Value.Span.Start <= e.HeadEnd)
		t.to(e.HeadEnd)
		t.node(e.Value)
	} else {
		t.to(e.Value.Span.Start)
		t.node(e.Value)
		t.must(!flow || e.HeadEnd == t.pos)
		t.to(e.HeadEnd)
	}
	t.tile(e.Foot)
	t.at(e.Span.End)
}

// reads reports whether s, the text of a scalar or alias, reads as its value, as
// far as that is cheap to tell.
func reads(n *Node, s []byte) bool {
	enclosed := func(by byte) bool { return len(s) > 1 && s[0] == by && s[len(s)-1] == by }
	switch {
	case n.Kind == Alias:
		return len(s) > 0 && s[0] == '*' && string(s[1:]) == n.Value
	case n.Style == SingleQuoted:
		return enclosed('\'')
	case n.Style == DoubleQuoted:
		return enclosed('"')
	case n.Style == Literal:
		return len(s) > 0 && s[0] == '|'
	case n.Style == Folded:
		return len(s) > 0 && s[0] == '>'
	}
	return (len(s) == 0) == (n.Value == "")
}
