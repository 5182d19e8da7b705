package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// hasIrregularHead reports whether the bytes between the key (or dash) and the value of the entry e can only be copied
// as a whole. Usually, they can be written anew, from blanks, anchor, tag and comment.
//
//	a: &x # c      regular
//	  b: 1
//	a: # c         irregular: a comment is before a scalar
//	  1
//	a:             irregular: the anchor of a block collection is on a line of its own
//	  &x
//	  b: 1
//
// e is an entry of version s. The parser sets e.Irregular for all entries that may be irregular.
func (f *Versions) hasIrregularHead(s three.Version, e *syntax.Entry) bool {
	switch v := e.Value; {
	case !e.Irregular:
		return false
	case v.Implicit, v.Style == syntax.Block, v.IsBlockScalar(), v.Content.Empty():
		return true
	}
	gap := f.Bytes(s, text.Span{Start: e.Colon, End: max(e.Colon, e.Value.Content.Start)})
	return CommentStart(gap) >= 0
}

// HeadTexts returns the bytes of each version that MergedEntry.Head can copy: from the colon or dash to the entries of
// a block collection, or through the last line of any other value. irregular reports whether they can only be copied as
// a whole in a version (see hasIrregularHead).
func (f *Versions) HeadTexts(at three.Entries) (heads [3][]byte, irregular bool) {
	for s, e := range at {
		if e != nil {
			irregular = irregular || f.hasIrregularHead(three.Version(s), e)
			heads[s] = f.Bytes(three.Version(s), text.Span{Start: e.Colon, End: e.HeadEnd})
		}
	}
	return heads, irregular
}

// scalarFormat returns the side from which a scalar is copied that has the same value in all versions, but perhaps
// another format. It is dest if dest changed its bytes, or its indentation relative to the entry, and otherwise
// updated:
//
//	original   dest   updated
//	'a'        'a'    "a"         updated
//	'a'        "a"    a           dest
//
// v has its versions, which must all exist. cols has the column of the entry in each version.
func (f *Versions) scalarFormat(v three.Nodes, cols [3]int) three.Version {
	textOf := func(s three.Version) []byte {
		n := v[s]
		if !n.IsBlockScalar() {
			return f.Bytes(s, n.Span)
		}
		head := text.Span{Start: n.Span.Start, End: n.BlockHeader(f.Files[s]).End} // without the comment after it
		return slices.Concat(f.Bytes(s, head), f.Bytes(s, n.Lines))
	}
	if bytes.Equal(textOf(three.Original), textOf(three.Dest)) && !isReindented(v, three.Dest, cols) {
		return three.Updated
	}
	return three.Dest
}

// isReindented reports whether v is a block scalar whose indentation relative to its entry differs between s and the
// original. cols has the column of the entry in each version.
func isReindented(v three.Nodes, s three.Version, cols [3]int) bool {
	indent := func(s three.Version) int { return v[s].Indent - cols[s] }
	return v[three.Original].IsBlockScalar() && v[s].IsBlockScalar() && indent(s) != indent(three.Original)
}

// collectionFormat returns the side whose format the merged collection m gets: updated if only updated changed the
// format, and otherwise dest. It is also dest without an original, or if both sides have no entries. If exactly one
// side has no entries, its format only fits an empty result:
//
//	dest           updated     result
//	a: {}          a:          the format of updated if the result has entries, else that of dest
//	                 b: 1
//
// cols has the column of m's entry in each version.
func (f *Versions) collectionFormat(m *Value, cols [3]int) three.Version {
	o, d, u := m.Nodes[three.Original], m.Nodes[three.Dest], m.Nodes[three.Updated]
	destIsEmpty, updatedIsEmpty, resultIsEmpty := len(d.Entries) == 0, len(u.Entries) == 0, len(m.Children) == 0
	switch {
	case destIsEmpty != updatedIsEmpty && updatedIsEmpty == resultIsEmpty: // the format of entries does not fit {}
		return three.Updated
	case destIsEmpty || updatedIsEmpty || o == nil:
		return three.Dest
	case o.Style == d.Style && d.Style != u.Style:
		return three.Updated
	}
	n := min(len(o.Entries), len(d.Entries), len(u.Entries))
	original := f.layoutOf(three.Original, o, n, cols)
	if f.layoutOf(three.Dest, d, n, cols) == original && f.layoutOf(three.Updated, u, n, cols) != original {
		return three.Updated
	}
	return three.Dest
}

// A layout describes the format of a collection: its style, its indentation below its parent, and whether it starts
// on its parent's line. In flow style, it also contains the bytes between the first entries.
type layout struct {
	style  syntax.Style
	indent int
	inline bool
	blanks string
}

// layoutOf returns the format of the collection n of version s, so that it can be compared with that of another version
// by ==. cols has the column of n's entry in each version. In flow style, the format includes the blanks and comments
// around the first count entries; the versions may have different numbers of entries.
func (f *Versions) layoutOf(s three.Version, n *syntax.Node, count int, cols [3]int) layout {
	if n.Style != syntax.Flow {
		return layout{style: n.Style, indent: n.Indent - cols[s], inline: n.IsCompact()}
	}
	var between bytes.Buffer
	for _, e := range n.Entries[:count] {
		between.Write(f.Bytes(s, text.Span{Start: e.Span.Start, End: e.Start}))
		between.WriteByte('|')
		between.Write(f.Bytes(s, e.Foot))
		between.WriteByte('|')
	}
	between.Write(f.Bytes(s, n.Tail))
	return layout{style: syntax.Flow, blanks: between.String()}
}

// areAllExpanded reports whether the collection with the plan m is a flow collection with lines of its own for each
// entry in all versions, so that it can be written so. An original that is missing or has no entries is ignored.
func (f *Versions) areAllExpanded(m *Value) bool {
	for s, n := range m.Nodes {
		isEmptyOriginal := s == int(three.Original) && (n == nil || len(n.Entries) == 0)
		if !isEmptyOriginal && !f.IsExpanded(three.Version(s), n) {
			return false
		}
	}
	return true
}

// ChooseFlow returns how the merged collection m can be written as one text in flow style ({a: 1}), with the commas and
// blanks of the side m.FormatFrom:
//
//	FlowSpliced    that side has exactly the merged entries
//	FlowRebuilt    the nodes commentsFrom have no comments, which would get lost
//	NoFlow         neither, or an entry is in conflict or cannot be in flow style
func (f *Versions) ChooseFlow(m *Value, commentsFrom three.Nodes) FlowStyle {
	for _, e := range m.Children {
		if !f.canEntryBeFlow(e, m) {
			return NoFlow
		}
	}
	switch {
	case f.HasSameEntries(m, m.FormatFrom):
		return FlowSpliced
	case !f.hasComment(commentsFrom):
		return FlowRebuilt
	}
	return NoFlow
}

// canEntryBeFlow reports whether the entry with the plan e can be written in the flow collection m ({a: 1}) without a
// change of its value or the loss of a comment. It returns false for conflicts and deleted entries.
func (f *Versions) canEntryBeFlow(e Entry, m *Value) bool {
	switch c := e.(type) {
	case *TakenEntry:
		if m.Nodes[c.Side].Style == syntax.Flow {
			return true
		}
		copied := c.Entries[c.Side]
		return len(f.CommentsIn(c.Side, copied.Span)) == 0 && f.canNodeBeFlow(c.Side, copied.Value)
	case *MergedEntry:
		v := c.Value
		if v.Flow != NoFlow {
			return true
		}
		// a merged collection is in block style here
		isOnOneLine := v.Lines == nil || v.Joined // a scalar that is copied, or merged within one line
		return !v.Merged && isOnOneLine && f.canNodeBeFlow(v.FormatFrom, v.Nodes[v.FormatFrom])
	}
	return false
}

// canNodeBeFlow reports whether the bytes of a node can be copied from a block collection into a flow collection such
// as {a: 1}, without a change. Block collections and block scalars cannot, and neither can plain scalars with commas,
// brackets or line ends. n is a node of version s.
func (f *Versions) canNodeBeFlow(s three.Version, n *syntax.Node) bool {
	if n.Style == syntax.Plain {
		return !bytes.ContainsAny(f.Bytes(s, n.Span), ",[]{}\n")
	}
	return n.Style != syntax.Block && !n.IsBlockScalar()
}

// HasSameEntries reports whether the entries of the merged collection m are versions of exactly the entries that s has,
// in the same order. A conflict counts as its first entry. It returns false if entries of the collection were removed
// in s after parsing. s must have the collection.
func (f *Versions) HasSameEntries(m *Value, s three.Version) bool {
	n := m.Nodes[s]
	isVersion := func(c Entry, e *syntax.Entry) bool { return c.Versions()[s] == e }
	return !f.Modified[n] && slices.EqualFunc(m.Children, n.Entries, isVersion)
}

// hasComment reports whether one of v, the versions of a node, contains a comment, at any depth. Versions that are nil
// have none. Only comments between the start and the end of the node count:
//
//	# no
//	a: [   # yes
//	  b,   # yes
//	]      # no
func (f *Versions) hasComment(v three.Nodes) bool {
	for s, n := range v {
		if n != nil && len(f.CommentsIn(three.Version(s), n.Span)) > 0 {
			return true
		}
	}
	return false
}
