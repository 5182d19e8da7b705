// Package syntax is the lossless tree: yaml.v3 says what a file means, this
// package adds where every byte of it stands, and what a node says of itself:
// which key is doubled, what a scalar means, how a block is written, what it is
// to JSON. It knows of no other version; merger and verifier understand these
// things alike.
//
// Law: the spans of a stream tile its file. Documents tile the file; a
// document is its Head, its Root and its Foot; the entries of a block
// collection and its Tail tile the collection; nothing overlaps, nothing is
// left out. What cannot be placed is an error, never a guess.
//
// Lines end where YAML ends them: at LF, CRLF and CR, and also at NEL, LS and
// PS, which no editor counts (package text does not).
//
// Trivia between two block entries is owned line by line, by these rules. The
// next token is what follows; at the end of a document it counts as standing
// in the root's column.
//
//  1. A comment right of the next token's column belongs to what precedes: to
//     the deepest open collection that does not start right of it. In just
//     that collection's column it is in its Tail, right of it in the Foot of
//     the last entry.
//  2. Comments never ascend: below one that belongs further out, nothing
//     belongs further in.
//  3. A block of comments directly under an entry, or under what rule 1 gave
//     it, is in its Foot if a blank line and a sibling follow.
//  4. All else is in the Lead of the next entry; at the end of a document it
//     is in the document's Foot. Blank lines go with the comment below them.
//  5. Above the first entry of a root, only the block of comments that touches
//     it is its Lead; of any other collection, everything is.
package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// A Stream is a parsed file.
type Stream struct {
	File *text.File
	// Masked are the bytes that were read in place of those of File, if it is no
	// YAML as it stands: see ParseAs. Nil for all others.
	Masked []byte
	// Docs tile the file. A file of trivia alone has one, with an empty Root
	// behind its Head; an empty file has none.
	Docs     []*Document
	comments []Comment
}

// A Comment is one comment of a file, on a line of its own or behind something.
type Comment struct {
	Span text.Span // from # to before the line break
	Doc  int       // index of its document in Stream.Docs
}

// Comments returns every comment of the file in its order. A # inside a
// scalar, a tag or a directive's words is no comment.
func (s *Stream) Comments() []Comment { return s.comments }

// A Document is one YAML document of a stream.
//
// The comments below a document and above the next document's --- belong to
// the former's Foot (as does its "..." line); directives after "..." belong
// to the latter's Head. Whatever stands above the first document's --- is
// part of its Head.
type Document struct {
	Span text.Span
	// Head is everything before the root's own bytes: detached comments,
	// directives, the "---" line with its comment and, for a block
	// collection, the properties written above its first entry. Where the
	// root starts on the line of the "---" (`--- a`), Head ends in mid line.
	Head text.Span
	// Root is the root node; an empty plain null where nothing is written,
	// right behind the line of the "---".
	Root *Node
	// Foot is everything behind the root: the break and the comment of a
	// root scalar's line, trivia, a "..." line.
	Foot     text.Span
	Explicit bool // a --- starts it
}

// Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota + 1
	Mapping
	Sequence
	Alias
)

// Style is how a node is written.
type Style uint8

// The styles. Block and Flow are those of collections, the others those of
// scalars (an alias is Plain). Sealed is that of a flow collection that counts
// as a scalar (see Node).
const (
	Plain Style = iota + 1
	SingleQuoted
	DoubleQuoted
	Sealed
	Literal
	Folded
	Block
	Flow
)

// A Node is a value: scalar, mapping, sequence or alias. A flow collection
// that is a key, or has a collection as a key, is a Sealed scalar: its Value
// is its text (Content), its Tag !!map or !!seq.
type Node struct {
	Kind  Kind
	Style Style
	// Implicit says that this is a flow mapping of one field without braces,
	// an item of a flow sequence: [a: b]. Its Content is that of the field.
	Implicit bool
	// Tag is the resolved tag in short form (!!str, !!int, !custom), as the
	// YAML parser resolves it: "! 1" is an !!int to it. Empty for an alias.
	Tag string
	// Value is a scalar's content after unescaping and folding, or the name
	// that an alias refers to.
	Value string
	// Span is the node with its properties: from the first of anchor, tag
	// and content up to the end of the content. An empty node is an empty
	// span. A block collection's span starts at its first property if that
	// has one, else at its first entry's Span.Start, and ends at Tail.End. A
	// block scalar's ends behind the break of its last line (of the trailing
	// blank lines it holds only what the "+" chomping keeps); all other
	// nodes end behind their last character.
	Span text.Span
	// Content is Span without the properties and what separates them from
	// the rest: from the quote, bracket, first character, first entry, or the
	// | or > of a block scalar.
	Content text.Span
	*More
}

// More is what most nodes do not have: it is half of the memory that a tree takes. Scalars that have none of it
// share one, which is not written to.
type More struct {
	Anchor string // without the &
	// TagText is the tag as written ("" if none is), e.g. "!!str", "!".
	TagText string
	// Lines are the content lines of a block scalar, whole lines (behind
	// the break of the header's line). Empty for all other nodes.
	Lines text.Span
	// Indent is the column, from 0, of a block collection's entries (where
	// key, "?" or "-" stand), or of a block scalar's content. -1 elsewhere.
	Indent int
	// Entries are the fields of a mapping or the items of a sequence.
	Entries []*Entry
	// Tail is, in a block collection, the trivia behind the last entry
	// that belongs to the collection (whole lines); in a flow collection
	// what stands between the last entry's Span and the closing bracket.
	Tail text.Span
}

var nothingMore = &More{Indent: -1}

// own makes sure that n shares nothing.
func (n *Node) own() {
	if n.More == nothingMore {
		n.More = &More{Indent: -1}
	}
}

// An Entry is a field of a mapping (Key is set) or an item of a sequence
// (Key is nil).
//
// In a block collection, an entry's Span is, in this order and without gaps:
//
//	Lead           whole lines of trivia that belong to the entry
//	[Lead.End, Start)   indentation (empty where Inline)
//	[Start, Colon)  the key with its colon, "? key\n:" or "-": what introduces the value
//	[Colon, HeadEnd)  scalars, aliases and flow collections: blanks, the
//	               value, the comment, the break of its last line.
//	               Block collections: blanks, properties, comment and break
//	               of the line, up to the first entry of the value
//	[HeadEnd, Foot.Start)  the entries and tail of a block collection; else empty
//	Foot           whole lines of trivia below that belong to the entry
//
// Where a block collection starts on the entry's own line (`- a: 1`,
// `- - x`), HeadEnd is the first byte of its first entry, which is Inline.
//
// In a flow collection, an entry's Span runs from behind the bracket or the
// previous entry's Span to behind its own comma, and on to the end of the line,
// before the break, if only a comment follows the comma; without a comma it
// ends with the value, or with a comment behind that on its line. Lead is the
// trivia before Start; HeadEnd is the end of the value; Foot is the rest
// (blanks, comment, comma, comment). An item has Start equal to Colon; so has
// Colon the end of the key where a field has no colon ("{a, b: 1}").
type Entry struct {
	Key, Value *Node
	Span       text.Span
	Lead, Foot text.Span // the trivia above and below that belong to it
	// Comment is the first comment behind Colon in the head (of a flow entry: in the
	// head or Foot): from # to before the line break. For a block scalar it is the one
	// on the line of its header. Empty if there is none.
	Comment               text.Span
	Start, Colon, HeadEnd int
	// Guard is what the blocks of a template around the entry say, a line each; set by who reads one.
	Guard string
	// Comma says that a comma follows this entry of a flow collection.
	Comma bool
	// Inline says that the entry starts on a line on which something else
	// stands before it: the first entry of a compact collection, a root
	// behind "--- ".
	Inline bool
	// Odd says that [Start, HeadEnd) holds more than a key with its colon,
	// blanks, properties, a value, one comment and one break: a value,
	// properties or comments on lines of their own, comments at an explicit
	// key, "? key" without a colon, a pair without braces, a flow entry's
	// comma on another line. It then merges only as a whole.
	Odd bool
}

// Field returns the field of the root mapping with the given key, nil if
// there is none.
func (d *Document) Field(name string) *Entry { return d.Root.Field(name) }

// Field returns the first field of the mapping n whose key is a scalar with
// the given value; nil if there is none or n is no mapping.
func (n *Node) Field(name string) *Entry {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key.Kind == Scalar && e.Key.Value == name {
			return e
		}
	}
	return nil
}

// KeyText returns the key's value, "*name" for an alias, and "" for items.
func (e *Entry) KeyText() string {
	switch {
	case e.Key == nil:
		return ""
	case e.Key.Kind == Alias:
		return "*" + e.Key.Value
	}
	return e.Key.Value
}

// end ends e at end, with a Foot from start on.
func (e *Entry) end(start, end int) { e.Span.End, e.Foot = end, text.Span{Start: start, End: end} }

// note makes s the comment of e if it is the first.
func (e *Entry) note(s text.Span) {
	if e.Comment.Empty() {
		e.Comment = s
	}
}

// NewNode is a node of that kind and style without anything in it.
func NewNode(kind Kind, style Style) *Node {
	return &Node{Kind: kind, Style: style, More: &More{Indent: -1}}
}

// With is n with other entries.
func (n *Node) With(entries []*Entry) *Node {
	out, more := *n, *n.More
	more.Entries = entries
	out.More = &more
	return &out
}
