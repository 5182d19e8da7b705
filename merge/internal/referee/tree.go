package referee

import (
	"bytes"
	"hash/maphash"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A node is a node of one version with what it takes to compare it. Entries
// inside open ranges are left out.
type node struct {
	*syntax.Node
	v     version
	doc   int           // index of its document
	entry *syntax.Entry // whose value it is; nil for a root
	key   *node         // its key, where that has an anchor or is no scalar
	kids  []node

	id     uint64 // its key by value, tag aside
	full   uint64 // data: tags, values, anchors, written tags
	sum    uint64 // full and the key
	raw    uint64 // sum, and the text of all entries below as written
	head   uint64 // the text of its own entry as written, but for block collections below
	text   uint64 // of an item or a root that is no block collection, head without the dash
	indent int    // of the entries of a block collection, below its parent's
	field  bool   // it is a field of a block mapping
	weight int    // number of nodes
	refs   bool   // it holds an anchor or an alias
	free   bool   // it stands in an open range, where the markers decide its place
	part   bool   // something in it stands in conflict and does not count
	cut    bool   // it is a block scalar that lacks the newline that its file lacks
	target *node  // what an alias means; nil if nothing
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

// A reader makes nodes from the tree of one document.
type reader struct {
	file    *text.File
	v       version
	doc     int
	taken   []text.Span      // what stands in conflict, and was taken
	left    []text.Span      // what stands in conflict, and does not count
	hidden  hidden           // what that is
	anchors map[string]*node // the last of each name so far
}

// readDocs returns the roots of the documents of s but for those that stand as
// a whole in ranges that do not count; what does not count is added to h.
func readDocs(s *syntax.Stream, v version, taken, left []text.Span, h hidden) []*node {
	var docs []*node
	for i, d := range s.Docs {
		r := reader{file: s.File, v: v, doc: i, taken: taken, left: left, hidden: h, anchors: map[string]*node{}}
		if within(left, d.Root.Span) {
			h.addDocument(&r, d.Root)
			continue
		}
		n := &node{free: within(taken, d.Root.Span)}
		r.root(n, d.Root)
		docs = append(docs, n)
	}
	return docs
}

func (r *reader) root(n *node, root *syntax.Node) {
	r.read(n, root, 0)
	n.sum = n.full
}

// within reports whether one of spans, sorted and disjoint, contains s.
func within(spans []text.Span, s text.Span) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End > s.Start })
	return i < len(spans) && spans[i].Contains(s)
}

// read fills n from s, whose parent's entries stand at column indent.
func (r *reader) read(n *node, s *syntax.Node, indent int) {
	n.Node, n.v, n.doc, n.weight = s, r.v, r.doc, 1
	n.refs = s.Anchor != "" || s.Kind == syntax.Alias
	if s.Anchor != "" {
		r.anchors[s.Anchor] = n
	}
	if s.Kind == syntax.Alias {
		n.target = r.anchors[s.Value]
	}
	r.kids(n)
	n.cut = r.cuts(s)
	n.full = n.data()
	if s.Anchor != "" || s.TagText != "" {
		n.full = mix(n.full, mix(hash(s.Anchor), hash(s.TagText)))
	}
	n.head = r.head(n)
	switch {
	case s.Style == syntax.Block:
	case n.entry == nil:
		n.text = n.head
	case n.entry.Key == nil:
		n.text = r.sumOf(text.Span{Start: s.Span.Start, End: n.entry.HeadEnd})
	}
	if s.Style == syntax.Block {
		n.indent = s.Indent - indent
	}
	n.raw = mix(mix(n.full, n.head), uint64(n.indent)+7)
	for i := range n.kids {
		n.raw = mix(n.raw, n.kids[i].raw)
	}
	if e := n.entry; e != nil && e.Comment.Start > e.HeadEnd { // behind a comma
		n.raw = mix(n.raw, r.sumOf(e.Comment))
	}
}

func (r *reader) kids(n *node) {
	n.kids = make([]node, 0, len(n.Entries))
	for _, e := range n.Entries {
		at := text.Span{Start: e.Start, End: max(e.Colon, e.Value.Span.End)}
		if within(r.left, at) {
			r.hidden.add(r, n, e)
			n.part = true
			continue
		}
		n.kids = append(n.kids, node{entry: e, free: within(r.taken, at), field: n.Kind == syntax.Mapping && n.Style == syntax.Block})
		kid := &n.kids[len(n.kids)-1]
		r.entry(kid, e, n.Indent)
		n.weight += kid.weight
		n.part = n.part || kid.part
		n.refs = n.refs || kid.refs || kid.key != nil && kid.key.refs
	}
}

// entry fills n from e, one of a collection whose entries stand at column
// indent.
func (r *reader) entry(n *node, e *syntax.Entry, indent int) {
	if e.Key != nil {
		r.key(n, e.Key, indent)
	}
	r.read(n, e.Value, max(indent, 0))
	n.sum = n.full
	if e.Key != nil {
		n.sum = mix(n.full, n.sumOfKey())
		n.raw = mix(n.raw, n.sum)
	}
}

// nullID is the identity of the key null.
const nullID = 1

// key reads the key of n. Null has many spellings, but is one key.
func (r *reader) key(n *node, k *syntax.Node, indent int) {
	switch {
	case k.Kind != syntax.Scalar || k.Anchor != "":
		n.key = &node{}
		r.read(n.key, k, indent)
		n.id = n.key.data()
	case k.Tag == "!!null":
		n.id = nullID
	default:
		n.id = hash(k.Value)
	}
}

// sumOfKey is the data of the key of n.
func (n *node) sumOfKey() uint64 {
	if n.key != nil {
		return n.key.full
	}
	k := node{Node: n.entry.Key}
	return mix(k.data(), hash(k.TagText))
}

// data is the sum of n's own data, anchor and written tag aside.
func (n *node) data() uint64 {
	switch n.Kind {
	case syntax.Mapping:
		var s uint64
		for i := range n.kids {
			s += n.kids[i].sum
		}
		return mix(1, s)
	case syntax.Sequence:
		s := uint64(2)
		for i := range n.kids {
			s = mix(s, n.kids[i].sum)
		}
		return s
	case syntax.Alias:
		return mix(3, hash(n.Value))
	}
	if n.Style == syntax.Plain && isDisputed(n.Value) {
		return mix(4, hash(n.Value))
	}
	if n.cut {
		return mix(hash(n.Tag), hash(n.Value+"\n"))
	}
	return mix(hash(n.Tag), hash(n.Value))
}

// cuts reports whether s is a block scalar whose value would end in a newline if
// the file did. Whether it does is form, and judged as such.
func (r *reader) cuts(s *syntax.Node) bool {
	if s.Style != syntax.Literal && s.Style != syntax.Folded || s.Lines.Empty() || s.Lines.End < len(r.file.Bytes()) {
		return false
	}
	b := r.file.Slice(s.Content)
	return b[len(b)-1] != '\n' && !bytes.ContainsRune(b[1:min(3, len(b))], '-')
}

// isDisputed reports whether a plain s means one thing to YAML 1.1 and another
// to YAML 1.2, so that it is not the string that it looks like.
func isDisputed(s string) bool {
	if s == "" || s[0] > '9' && len(s) > 3 {
		return false
	}
	if s[0] > '9' {
		switch strings.ToLower(s) {
		case "y", "n", "yes", "no", "on", "off":
			return true
		}
		return false
	}
	n := strings.TrimLeft(s, "+-")
	if n == "" || n[0] < '0' || n[0] > '9' || strings.Trim(n, "0123456789.:_") != "" {
		return false
	}
	return strings.ContainsAny(n, ":_") || len(n) > 1 && n[0] == '0' && !strings.Contains(n, ".")
}

// head is the text of n's entry up to where the entries of a block collection
// or the lines of a literal start, without the blanks around each line; of a
// root, its own text with its properties.
func (r *reader) head(n *node) uint64 {
	at := n.Span
	switch {
	case n.entry != nil:
		at = text.Span{Start: n.entry.Start, End: n.entry.HeadEnd}
	case n.Style == syntax.Block:
		return 0
	}
	if n.Style == syntax.Literal {
		at.End = n.Lines.Start
	}
	return r.sumOf(at)
}

// sumOf is the sum of what stands at s, without the blanks around each line.
func (r *reader) sumOf(s text.Span) uint64 {
	b := bytes.TrimSpace(r.file.Slice(s))
	if bytes.IndexByte(b, '\n') < 0 {
		return maphash.Bytes(seed, b)
	}
	var sum uint64
	for line := range bytes.Lines(b) {
		sum = mix(sum, maphash.Bytes(seed, bytes.TrimSpace(line)))
	}
	return sum
}

// childAt returns the field of n with the key id, nil if there is none.
func (n *node) childAt(id uint64) *node {
	for i := range n.kids {
		if n.kids[i].id == id {
			return &n.kids[i]
		}
	}
	return nil
}

// scalar returns the value of the scalar at a path of fields, "" if there is
// none.
func (n *node) scalar(path ...string) string {
	for _, name := range path {
		if n = n.childAt(hash(name)); n == nil {
			return ""
		}
	}
	if n.Kind != syntax.Scalar {
		return ""
	}
	return n.Value
}

// members returns the kids of n by reference; none of nil.
func (n *node) members() []*node {
	if n == nil {
		return nil
	}
	m := make([]*node, len(n.kids))
	for i := range n.kids {
		m[i] = &n.kids[i]
	}
	return m
}
