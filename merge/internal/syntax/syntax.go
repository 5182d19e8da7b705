// Package syntax parses a YAML file into a lossless tree. The parser yaml.v3 determines the tree and the values. This
// package adds the byte span of every part of the file, so that a part can be copied without formatting it again. It
// also answers questions about a single tree, such as duplicate keys or the JSON value of a node.
//
// The package does not compare, merge or write. It does not follow aliases, and << is a key like any other.
//
// Parse and ParseAs return a Stream, which has one Document per YAML document. A Document has a root Node. A Node that
// is a mapping or a sequence has one Entry per field or item. For example:
//
//	# Licensed under MIT         Head of the document
//	                             Head of the document
//	# about the service          Lead of the field web
//	web: # http                  field web; its Comment is "# http"
//	  # keep in sync             Lead of the field port
//	  port: 80                   field port
//	  # retries: 3               Tail of the mapping below web
//	                             Lead of the field log
//	log: {level: info}           field log
//
// The spans tile the file, without gaps and without overlaps: a file consists of its documents, a document of its Head,
// its Root and its Foot, and a block collection of its entries and its Tail. If a part of the file cannot be located
// with certainty, Parse returns an error. The terms are:
//
//   - Block and flow: a collection by indentation, or in brackets such as [a, b] and {a: 1}.
//   - Head of an entry: its key or dash and the value with its comment. Of a block collection, only what is above its
//     first entry is in the head.
//   - Irregular: an entry whose head has more than usual, such as two comments. It can only be merged as a whole.
//   - Properties: the anchor and the tag of a node. Trivia: comments and blank lines.
//   - Cursor: the position up to which the parts of the file have been located. Methods move it over what they locate.
//   - Line break: LF, CRLF, CR, NEL, LS and PS, as for the YAML parser. Package text does not count the last three.
//
// Each line of trivia between two block entries is assigned to a part by these rules. The next token is the first key,
// dash or document marker after the trivia. At the end of a document, the column of the root counts as its column.
//
//  1. A comment that is indented more than the next token belongs to the text above it: to the innermost collection
//     around that text that is not indented more than the comment. In the same column, it is in the Tail of the
//     collection. Indented more, it is in the Foot of the last entry above it in the collection.
//  2. If a comment belongs to an outer collection, so do all comments below it, however far they are indented.
//  3. Comments directly below an entry, or directly below comments that rule 1 assigned to that entry or to its value,
//     are in the Foot of the entry if a blank line and a sibling follow.
//  4. All other trivia is in the Lead of the next entry, or in the Foot of the document if no entry follows. Blank
//     lines belong to the part that the comment below them belongs to.
//  5. Above the first entry of a root collection, only the comments that touch the entry are its Lead. The rest is in
//     the Head of the document. Above the first entry of any other collection, everything is its Lead.
//
// An example of rules 1 to 4:
//
//	a:
//	  b: 1
//	  # Tail of the mapping below a (rule 1)
//	c: 1
//	  # Foot of the field c (rule 1)
//	d: 1
//	# Foot of the field d (rule 3)
//
//	e:
//	  f: 1
//	# Lead of the field g (rule 4)
//	  # Lead of the field g (rule 2)
//	g: 1
package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// A Stream is a parsed file.
type Stream struct {
	File *text.File
	// Masked holds the bytes that were parsed instead of those of File (see ParseAs). It is nil if File itself
	// was parsed.
	Masked []byte
	// Docs are the documents, which follow each other without gaps from the start to the end of the file. A file that
	// consists of comments and blank lines has one document with an empty Root after its Head. An empty file has no
	// document.
	Docs     []*Document
	comments []Comment
}

// A Comment is one comment of a file, on a line of its own or at the end of a line.
type Comment struct {
	Span text.Span // from the # to before the line break
	Doc  int       // index of its document in Stream.Docs
}

// Comments returns all comments of the file, in their order in the file. A # inside a scalar, a tag or the words
// of a directive does not start a comment. The caller must not modify the slice.
func (s *Stream) Comments() []Comment { return s.comments }

// A Document is one YAML document of a stream.
//
// Comments between two documents belong to the Foot of the first one, as does its "..." line. Directives, and
// comments between them and the "---", belong to the Head of the second one. Everything above the first
// document's "---" belongs to its Head.
type Document struct {
	Span text.Span
	// Head is everything before the root: comments that do not touch the first entry, directives, the "---" line
	// with its comment and, if the root is a block collection, the properties above its first entry. If the root
	// starts on the line of the "---" (`--- a`), Head ends within that line.
	Head text.Span
	// Root is the root node. If the document is empty, it is a plain null with an empty span, after the line of
	// the "---".
	Root *Node
	// Foot is everything after the root: the rest of the last line of a scalar or flow collection with its
	// comment, trivia, a "..." line.
	Foot     text.Span
	Explicit bool // the document starts with a "---"
}

// Kind tells scalars, mappings, sequences and aliases apart.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota + 1
	Mapping
	Sequence
	Alias
)

// Style is the notation of a node.
type Style uint8

// The styles. Block and Flow are styles of collections. The others are styles of scalars; an alias is Plain.
// FlowText is a flow collection that counts as a scalar (see Node).
const (
	Plain Style = iota + 1
	SingleQuoted
	DoubleQuoted
	FlowText
	Literal
	Folded
	Block
	Flow
)

// A Node is a value: a scalar, a mapping, a sequence or an alias.
//
// A flow collection that is a key, or that has a collection as a key, is not a mapping or sequence but a Scalar of
// style FlowText. Its Value is its text (Content) and its Tag is that of the collection, such as !!map. In this
// example, both {{ .Values.image }} and [e, f] are scalars:
//
//	image: {{ .Values.image }}
//	[e, f]: 1
type Node struct {
	Kind  Kind
	Style Style
	// Implicit is set for a flow mapping of one field without braces, which is an item of a flow sequence:
	// [a: b]. Its Content is that of the field.
	Implicit bool
	// Tag is the tag in short form (!!str, !!int, !custom) as the YAML parser resolves it. The parser ignores a
	// lone "!": the tag of "! 1" is !!int. Empty for an alias.
	Tag string
	// Value is the text of a scalar after unescaping and folding, or the name of the anchor that an alias refers
	// to. Empty for collections.
	Value string
	// Span is the node with its properties: from the anchor, the tag or the content, whichever is first, to
	// the end of the content. The span of an empty node is empty. The span of a block collection starts at its
	// first property, or at the Span.Start of its first entry if it has no properties, and ends at Tail.End. The
	// span of a block scalar ends after the line break of its last line; trailing blank lines are included only
	// if its header has a "+". All other nodes end after their last character.
	Span text.Span
	// Content is Span without the properties and the white space and comments after them. It starts at the quote,
	// the bracket, the first character, the first entry, or the | or > of a block scalar.
	Content text.Span
	*Extra
}

// Extra holds the parts of a Node that most scalars do not have. They are half of the memory of a tree. Therefore
// all scalars without any of these parts point to one shared value, which must not be modified.
type Extra struct {
	Anchor string // without the &
	// TagText is the tag as it is in the file, such as "!!str" or "!". Empty if there is none.
	TagText string
	// Lines are the content lines of a block scalar, as whole lines. They start after the line of the header.
	// Empty for all other nodes.
	Lines text.Span
	// Indent is the column, from 0, of the entries of a block collection (of their key, "?" or "-"), or of the
	// content of a block scalar. It is -1 for all other nodes.
	Indent int
	// Entries are the fields of a mapping or the items of a sequence.
	Entries []*Entry
	// Tail is the part after the last entry. In a block collection it is the trivia that belongs to the
	// collection, as whole lines. In a flow collection it is everything between the Span of the last entry and
	// the closing bracket.
	Tail text.Span
}

// sharedExtra is the Extra of all nodes that have none of its parts. It must not be modified.
var sharedExtra = &Extra{Indent: -1}

// unshareExtra gives n an Extra of its own if it uses the shared one, so that n can be modified.
func (n *Node) unshareExtra() {
	if n.Extra == sharedExtra {
		n.Extra = &Extra{Indent: -1}
	}
}

// An Entry is a field of a mapping (Key is set) or an item of a sequence (Key is nil).
//
// In a block collection, the Span of an entry consists of these parts, in this order and without gaps:
//
//	Lead                   the trivia above that belongs to the entry, as whole lines
//	[Lead.End, Start)      the indentation (empty if Inline)
//	[Start, Colon)         the part that introduces the value: the key with its colon, "? key\n:" or "-"
//	[Colon, HeadEnd)       if the value is a scalar, an alias or a flow collection: blanks, the value, its
//	                       comment and the line break;
//	                       if the value is a block collection: blanks, its properties, the comment and the line
//	                       break, up to its first entry
//	[HeadEnd, Foot.Start)  the entries and the Tail of a block collection; empty for other values
//	Foot                   the trivia below that belongs to the entry, as whole lines
//
// The head of the entry is [Start, HeadEnd). If a block collection starts on the line of its entry (`- a: 1`,
// `- - x`), HeadEnd is the first byte of the collection's first entry, which is Inline.
//
// In a flow collection, the Span of an entry starts after the opening bracket or the previous entry's Span. It ends
// after the comma of the entry. If only a comment follows the comma on its line, the Span ends after that comment,
// before the line break. Without a comma, the Span ends after the value, or after a comment on the line of the
// value. Lead is the trivia before Start. HeadEnd is the end of the value. Foot is the rest: blanks, a comment, the
// comma, a comment. Start equals Colon for an item. Colon is the end of the key for a field without a colon
// ("{a, b: 1}").
type Entry struct {
	Key, Value *Node
	Span       text.Span
	Lead, Foot text.Span // the trivia above and below that belongs to the entry
	// Comment is the first comment after Colon in the head, or in the Foot of a flow entry, from the # to before
	// the line break. The comment of a block scalar is on the line of its header. A comment on a line of its own
	// between a flow entry and its comma does not count. Empty if there is none.
	Comment               text.Span
	Start, Colon, HeadEnd int
	// Guard is the template blocks around the entry, nil if there are none. This package does not set it; the package
	// that parses templates does.
	Guard *Guard
	// Comma reports whether a comma follows this entry of a flow collection.
	Comma bool
	// Inline reports whether the entry starts on a line after other text: as the first entry of a collection that
	// starts on the line of the entry that contains it. Block collections cannot start on the line of a "---".
	Inline bool
	// Irregular reports whether the head contains more than a key with its colon, blanks, properties, a value,
	// one comment and one line break: a value, properties or comments on lines of their own, comments inside
	// an explicit key, "? key" without a colon, a pair without braces, or the comma of a flow entry on another
	// line. Such an entry can only be merged as a whole.
	Irregular bool
}

// Field returns the first field of the root mapping whose key is a scalar with the given value. It returns nil if
// there is no such field or the root is not a mapping.
func (d *Document) Field(name string) *Entry { return d.Root.Field(name) }

// Field returns the first field of the mapping n whose key is a scalar with the given value. It returns nil if
// there is no such field, n is not a mapping, or n is nil.
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

// KeyText returns the value of the entry's key, without quotes. For a flow collection as the key, that is its source
// text, as in `[e, f]: 1`. It returns "*name" if the key is an alias, and "" if the entry is an item of a list.
func (e *Entry) KeyText() string {
	switch {
	case e.Key == nil:
		return ""
	case e.Key.Kind == Alias:
		return "*" + e.Key.Value
	}
	return e.Key.Value
}

// setEnd sets the end of the entry's Span to end, and its Foot to [footStart, end).
func (e *Entry) setEnd(footStart, end int) {
	e.Span.End, e.Foot = end, text.Span{Start: footStart, End: end}
}

// addComment sets the Comment of the entry to s if it has no Comment yet.
func (e *Entry) addComment(s text.Span) {
	if e.Comment.Empty() {
		e.Comment = s
	}
}

// NewNode returns a node with the given kind and style and an Extra of its own. All its other fields are empty; its
// Indent is -1.
func NewNode(kind Kind, style Style) *Node {
	return &Node{Kind: kind, Style: style, Extra: &Extra{Indent: -1}}
}

// NewPlainScalar returns a new node for a string without quotes (kind Scalar, style Plain, tag !!str). value is its
// value, which need not be the text of the file at the span at. The node has no entry, anchor or comments. Its Extra is
// shared with other nodes and must not be modified.
func NewPlainScalar(at text.Span, value string) *Node {
	return &Node{Kind: Scalar, Style: Plain, Tag: "!!str", Value: value, Span: at, Content: at, Extra: sharedExtra}
}

// WithEntries returns a shallow copy of n that has the given entries. It does not modify n. The copy uses the slice
// entries itself, which may be nil. All other parts, such as the spans, are those of n.
func (n *Node) WithEntries(entries []*Entry) *Node {
	node, extra := *n, *n.Extra
	extra.Entries = entries
	node.Extra = &extra
	return &node
}
