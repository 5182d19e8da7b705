package law

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A node is a node of one version with what it takes to compare it at once.
type node struct {
	*syntax.Node
	entry  *syntax.Entry // whose value it is; nil for a root
	in     *reader       // who reads what is in it again; nil for what is made up
	kept   []node        // what is in it, unless it is folded
	id     uint64        // of a field: its key by value
	key    uint64        // of a field: its key, with anchor and tags
	bare   uint64        // what it says, without its own anchor and tag
	data   uint64        // what it says: tags, values, anchors; no order of fields
	head   uint64        // how its entry is written, up to the entries of a block collection
	form   uint64        // the heads of all that is in it, in their order
	notes  uint64        // the comments behind all that is in it
	addr   uint64        // where it stands: keys, and names of items
	indent int32         // of a block collection's entries, below its parent's
	weight int32         // number of nodes
	v      version
	inFlow bool // it is an entry of a flow collection
	gone   bool // it stands in conflict, and does not count
	lent   version
	part   bool // something in it is gone or lent
	folded bool // what is in it is read whenever it is asked for
}

// whole is where n's entry stands, or a document's root.
func (n *node) whole() text.Span {
	if n.entry != nil {
		return n.entry.Span
	}
	return n.Span
}

// seed is a constant of the process: sums of different checks may be compared.
var seed = maphash.MakeSeed()

func hash(s string) uint64 { return maphash.String(seed, s) }

// mix joins two sums into one; the order counts.
func mix(a, b uint64) uint64 {
	a ^= b*0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d + a<<7
	a = (a ^ a>>30) * 0xbf58476d1ce4e5b9
	a = (a ^ a>>27) * 0x94d049bb133111eb
	return a ^ a>>31
}

// src are the bytes of n, with those of its entry.
func (n *node) src() []byte {
	if n.in == nil {
		return nil
	}
	return n.in.file.Slice(n.whole())
}

// A reader makes nodes from the tree of a file.
type reader struct {
	file *text.File
	v    version
	cuts []cut
	// facts are those of a template, else nil.
	facts *template.Facts
	fold
}

// readStream returns the documents of s as one list.
func readStream(s *syntax.Stream, v version, cuts []cut, facts *template.Facts) *node {
	r := &reader{file: s.File, v: v, cuts: cuts, facts: facts}
	all := &node{Node: syntax.NewNode(syntax.Sequence, 0), v: v, kept: make([]node, len(s.Docs)), part: len(cuts) > 0}
	for i, d := range s.Docs {
		n := &all.kept[i]
		n.Node = d.Root
		r.read(n, d.Root, 0, hash(identity(n)))
		r.mark(n, d.Root.Span)
		all.weight += n.weight
	}
	return all
}

// mark notes whether n, whose own bytes stand at s, stands in conflict.
func (r *reader) mark(n *node, s text.Span) {
	k, all, touched := cutAt(r.cuts, s)
	switch {
	case all || touched && k.person && n.entry != nil && k.Start <= s.Start: // its name is what was decided
		n.part, n.lent, n.gone = false, k.lent, k.lent == original
	case touched:
		n.part = true
	}
}

// read fills n from s, whose parent's entries stand at column indent.
func (r *reader) read(n *node, s *syntax.Node, indent int, addr uint64) {
	n.Node, n.in, n.v, n.weight, n.addr = s, r, r.v, 1, addr
	kids := r.kids(n)
	for i := range kids {
		n.weight += kids[i].weight
	}
	if s.Style == syntax.Block {
		n.indent = int32(s.Indent - indent)
	}
	n.bare = n.says(kids, r.cutShort(n))
	n.data = n.bare
	if n.Anchor != "" || n.TagText != "" {
		n.data = mix(n.data, mix(hash(n.Anchor), hash(n.TagText)))
	}
	n.head = r.head(n)
	n.form = n.head
	if n.entry != nil {
		n.notes = linesSum(r.file.Slice(n.entry.Comment()))
	}
	for i := range kids {
		n.form = mix(n.form, mix(kids[i].form, kids[i].id))
		n.notes = mix(n.notes, kids[i].notes)
	}
	n.keep(kids)
}

// entry fills n, an entry of a collection whose entries stand at column indent.
func (r *reader) entry(n *node, indent int, addr uint64) {
	e := n.entry
	if e.Key == nil {
		r.read(n, e.Value, indent, mix(addr, nameOf(e.Value)))
	} else {
		n.id = keyID(e.Key)
		if r.facts != nil {
			n.id = r.keyID(e)
		}
		n.key = mix(n.id, hash(e.Key.Tag()))
		if e.Key.Anchor != "" || e.Key.TagText != "" {
			n.key = mix(n.key, mix(hash(e.Key.Anchor), hash(e.Key.TagText)))
		}
		r.read(n, e.Value, indent, mix(addr, n.id))
	}
	r.mark(n, text.Span{Start: e.Start, End: max(e.Colon(), e.Value.Span.End)})
}

// keyID is the identity of a key: its value, so that z and "z" are one.
func keyID(k *syntax.Node) uint64 {
	switch {
	case k.Kind == syntax.Scalar && k.Tag() == "!!null":
		return 1
	case k.Kind == syntax.Scalar:
		return hash(k.Value)
	}
	return mix(uint64(k.Kind), hash(k.Value))
}

// keyID is that of a field of a template.
func (r *reader) keyID(e *syntax.Entry) uint64 {
	if key, ok := r.facts.Keys[e]; ok {
		return hash(key)
	}
	return keyID(e.Key)
}

// names are the fields by which people know an item of a list.
var names = [...]string{"name", "id", "path", "key", "host"}

const nameless = 2

// nameOf tells an item of a list from others, as far as that goes without
// knowing the list.
func nameOf(n *syntax.Node) uint64 {
	if n.Kind == syntax.Scalar {
		return hash(n.Value)
	}
	for _, name := range names {
		if e := n.Field(name); e != nil && e.Value.Kind == syntax.Scalar {
			return hash(name + "=" + e.Value.Value)
		}
	}
	return nameless
}

// isText reports whether n is a block scalar, whose lines are no part of its head.
func (n *node) isText() bool { return n.Style == syntax.Literal || n.Style == syntax.Folded }

// cutShort reports whether n is a block scalar that lacks the newline that its
// file lacks.
func (r *reader) cutShort(n *node) bool {
	header := text.Span{Start: n.Content.Start, End: n.Lines.Start}
	return n.isText() && n.Span.End == len(r.file.Bytes()) && !r.file.FinalNewline() && !bytes.ContainsRune(r.file.Slice(header), '-')
}

// says is the sum of what n, in which kids are, says; with the newline that it lacks if
// it is cut.
func (n *node) says(kids []node, cut bool) uint64 {
	s := uint64(n.Kind)
	switch n.Kind {
	case syntax.Mapping:
		for i := range kids {
			s += mix(kids[i].data, mix(kids[i].key, n.in.guardSum(kids[i].entry)))
		}
	case syntax.Sequence:
		for i := range kids {
			s = mix(s, mix(kids[i].data, n.in.guardSum(kids[i].entry)))
		}
	case syntax.Alias:
		s = mix(s, hash(n.Value))
	default:
		tag, value := n.Tag(), n.Value
		if cut {
			value += "\n"
		}
		if tag == "!!null" {
			value = ""
		}
		if n.Style == syntax.Plain && ambiguous(value) {
			tag = "!!plain"
		}
		s = mix(mix(s, hash(tag)), hash(value))
	}
	return s
}

// guardSum is the sum of the blocks around e, 0 without any.
func (r *reader) guardSum(e *syntax.Entry) uint64 {
	if r == nil || r.facts == nil {
		return 0
	}
	if g := r.facts.Guards[e]; len(g) > 0 {
		return hash(guardText(g))
	}
	return 0
}

// ambiguous reports whether YAML 1.1 and 1.2 read the plain scalar s
// differently, so that it says another thing than its quoted form.
func ambiguous(s string) bool {
	if len(s) <= len("yes") {
		switch strings.ToLower(s) {
		case "yes", "no", "on", "off", "y", "n":
			return true
		}
	}
	digits := strings.TrimLeft(s, "+-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || strings.Trim(digits, "0123456789_:.") != "" {
		return false
	}
	return len(digits) > 1 && digits[0] == '0' && !strings.Contains(digits, ".") || strings.ContainsAny(digits, "_:")
}

// head is how n is written: its key and properties, and its own text where it
// is no block collection and no block scalar. Comments and blanks around lines
// do not count.
func (r *reader) head(n *node) uint64 {
	at := n.Span
	if n.entry != nil {
		at.Start = n.entry.Start
	}
	switch {
	case n.Style == syntax.Block && n.entry == nil:
		at.End = n.Content.Start
	case n.Style == syntax.Block:
		at.End = n.entry.HeadEnd()
	case n.isText():
		at.End = n.Lines.Start
	}
	b := r.file.Slice(at)
	if e := n.entry; e != nil && !e.Comment().Empty() && at.Start <= e.Comment().Start && e.Comment().End <= at.End {
		b = slices.Concat(b[:e.Comment().Start-at.Start], b[e.Comment().End-at.Start:])
	}
	return linesSum(b)
}

// linesSum is the sum of the lines of b, without blanks around them.
func linesSum(b []byte) uint64 {
	b = bytes.TrimSpace(b)
	s := uint64(5)
	for line := range bytes.Lines(b) {
		s = mix(s, maphash.Bytes(seed, bytes.TrimSpace(line)))
	}
	return s
}

// scalar returns the scalar at a path of fields, "" if there is none.
func (n *node) scalar(fields ...string) string {
	at := n.Node
	for _, f := range fields {
		e := at.Field(f)
		if e == nil {
			return ""
		}
		at = e.Value
	}
	if at.Kind != syntax.Scalar {
		return ""
	}
	return at.Value
}

// each calls f for n and all that is in it, in the order of the file.
func (n *node) each(f func(*node)) {
	f(n)
	kids := n.kids()
	for i := range kids {
		kids[i].each(f)
	}
}
