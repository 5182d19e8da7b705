package verify

import (
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Node is a node of one version, with precomputed hashes for comparisons.
type Node struct {
	*syntax.Node
	Entry       *syntax.Entry // the entry with this value; nil for a root
	reader      *reader       // the reader that created it; nil for artificial nodes
	Children    []Node        // the values of its entries
	KeyHash     uint64        // of a field: hash of the mapping key's value
	FullKeyHash uint64        // of a field: hash of the mapping key with anchor and tags
	BareHash    uint64        // hash of the data without the node's own anchor and tag
	Data        uint64        // hash of values, tags and anchors, independent of the order of fields
	Addr        uint64        // hash of the address: mapping keys and item names
	Version     version
	conflict    conflictState
	HasAlias    bool   // it or a descendant is an alias
	index       int32  // its number in its version, in the order of the file, from 1; 0 for artificial nodes
	nameHash    uint64 // see NameHash; 0 as long as it is unknown
}

// isMasked reports whether n is in a conflict and ignored.
func (n *Node) isMasked() bool { return n.conflict == masked }

// isField reports whether n is the value of a mapping key.
func (n *Node) isField() bool { return n.KeyHash != 0 }

// EntrySpan returns the span of n's entry, or of n if it is the root of a document.
func (n *Node) EntrySpan() text.Span {
	if n.Entry != nil {
		return n.Entry.Span
	}
	return n.Span
}

// PathUnder returns the path of n, from which the rules of the schema for n are found. n is a child of the collection
// at p or, if p is nil, a document of this file. The last element is the mapping key if n is a field, and otherwise
// "*". If n is a document, or an item of a kind: List, the path gets a Root with the file, apiVersion and kind.
//
//	spec:
//	  ports:
//	  - port: 80    # the elements are *, spec, ports, * and port
func (n *Node) PathUnder(p *three.Path, file string) *three.Path {
	at := &three.Path{Up: p, Field: "*"}
	switch {
	case n.Entry == nil, n.Entry.Key == nil && p.IsItems():
		at.Root = &schema.Place{File: file, APIVersion: n.ScalarAt("apiVersion"), Kind: n.ScalarAt("kind")}
	case n.Entry.Key != nil:
		at.Field = n.Entry.KeyText()
	}
	return at
}

// A reader creates nodes from the tree of a file.
type reader struct {
	file *text.File
	v    version
	// the template facts of the file; nil if it is not a template
	facts *template.Facts
	count int32 // of the nodes read so far
}

// Trees keeps the nodes that were last read from each version, and which nodes of a side are versions of which nodes of
// the base. A merge is verified several times, but its versions need to be read and paired only once. The zero value
// has no nodes. Trees is not safe for concurrent use.
type Trees [versions]struct {
	stream *syntax.Stream
	facts  *template.Facts
	docs   *Node
	// pairs are the indexes of nodes of base, and of the nodes of this version that are versions of them. They depend
	// on nothing but the two streams; base is nil as long as they are unknown.
	base  *syntax.Stream
	pairs []nodePair
	dots  []template.DotUse // those in stream; nil as long as they are unknown
	lines *ident.Lines      // of base: git's alignment of its lines with those of the sides; nil if not known yet
	// of base: results of checker.hasMovedLeaves by the mappings of the inputs
	hasMovedLeaves map[three.Nodes]bool
}

// read returns the documents of s, the stream of version v, as the children of one list, like the function Read with
// these facts. Nodes in masks, the parts of v that are in conflicts, get their conflict states (setConflicts). If s and
// facts are those of the last call for v, no node is read again. Results share nodes outside of conflicts, so they must
// not be changed.
func (t *Trees) read(s *syntax.Stream, v version, masks []mask, facts *template.Facts) *Node {
	last := &t[v]
	if last.stream != s || last.facts != facts {
		last.stream, last.facts, last.docs, last.base, last.dots = s, facts, Read(s, v, facts), nil, nil
		if v != result { // these depend on all inputs
			t[base].lines, t[base].hasMovedLeaves = nil, nil
		}
	}
	docs := *last.docs
	if len(masks) > 0 {
		docs.setConflicts(masks)
	}
	return &docs
}

// dotUses returns the places in version v, of which t has the nodes, where an action reads the dot (see
// template.DotUses). They are found only once.
func (t *Trees) dotUses(v version) []template.DotUse {
	if t[v].dots == nil {
		t[v].dots = append([]template.DotUse{}, template.DotUses(t[v].stream.File.Bytes())...)
	}
	return t[v].dots
}

// Read returns the documents of s, which is version v, as the children of one list. facts are what the syntax tree of a
// template lacks, and nil for other files.
func Read(s *syntax.Stream, v version, facts *template.Facts) *Node {
	r := &reader{file: s.File, v: v, facts: facts, count: 1}
	docs := &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: v, index: r.count, Children: make([]Node, len(s.Docs))}
	for i, d := range s.Docs {
		docs.Children[i].Node = d.Root
		r.readNode(&docs.Children[i], d.Root, Hash(schema.Identity(d.Root)))
	}
	return docs
}

// setConflicts sets the conflict state of n, which is partly in a conflict, and of the nodes below it. masks are the
// parts of the file in conflicts, in order. n gets a copy of its children, because other results may share them.
func (n *Node) setConflicts(masks []mask) {
	n.conflict, n.Children = partly, slices.Clone(n.Children)
	for i := range n.Children {
		k := &n.Children[i]
		at := k.Span
		if e := k.Entry; e != nil { // from the key to the end of the value, without comments around them
			at = text.Span{Start: e.Start, End: max(e.Colon, at.End)}
		}
		m := maskAt(masks, at)
		if m.state == outside {
			continue
		}
		k.setConflicts(masks)
		isNameOpen := m.isManual && k.Entry != nil && m.Start <= at.Start // the person may have renamed k
		if m.Contains(at) || isNameOpen {
			k.conflict = m.state
		}
	}
}

// readNode fills n, of which the caller has set Entry, from the syntax node s: its hashes and all nodes below it. addr
// is the address of n.
func (r *reader) readNode(n *Node, s *syntax.Node, addr uint64) {
	r.count++
	n.Node, n.reader, n.Version, n.Addr, n.index = s, r, r.v, addr, r.count
	n.Children, n.HasAlias = make([]Node, len(s.Entries)), s.Kind == syntax.Alias
	for i, e := range s.Entries {
		n.Children[i].Entry = e
		r.readEntry(&n.Children[i], addr)
		n.HasAlias = n.HasAlias || n.Children[i].HasAlias
	}
	n.computeHashes()
}

// readEntry fills n, a field or item of which the caller has set Entry: the hashes of its mapping key (KeyHash and
// FullKeyHash), which remain 0 for an item, and all that readNode fills, for n and the nodes below it. addr is the
// address of the mapping or list with the entry. In a template, a field that several branches repeat gets the hashes of
// its real key, from r.facts.DuplicateKeys.
func (r *reader) readEntry(n *Node, addr uint64) {
	e := n.Entry
	if e.Key == nil {
		r.readNode(n, e.Value, syntax.CombineHashes(addr, nodeNameHash(e.Value)))
	} else {
		key := e.FieldKey() // z and "z" are the same key
		if r.facts != nil {
			if prints, ok := r.facts.DuplicateKeys[e]; ok {
				key = "=" + prints // as FieldKey returns it
			}
		}
		n.KeyHash = Hash(key)
		n.FullKeyHash = syntax.CombineHashes(n.KeyHash, Hash(e.Key.Tag))
		if e.Key.HasProperties() {
			n.FullKeyHash = syntax.CombineHashes(n.FullKeyHash, syntax.CombineHashes(Hash(e.Key.Anchor), Hash(e.Key.TagText)))
		}
		r.readNode(n, e.Value, syntax.CombineHashes(addr, n.KeyHash))
	}
}

// WithChildren returns a copy of collection n with these children and new data hashes. The copy belongs to no file, but
// keeps the position of n.
func (n *Node) WithChildren(children []Node) Node {
	m := *n
	m.Children = children
	m.computeHashes()
	m.reader = nil
	return m
}

// computeHashes sets n.Data and n.BareHash, hashes by which the data of nodes are compared. They are equal for nodes
// with equal data, regardless of format, comments and the order of fields. In a template, the blocks around the
// children, such as {{ if .a }}, are a part of the data. n.BareHash ignores the anchor and tag of n, but not the type
// of a scalar. The children must have hashes.
func (n *Node) computeHashes() {
	hash := uint64(n.Kind)
	switch n.Kind {
	case syntax.Mapping:
		for i := range n.Children { // the sum does not depend on the order
			k := &n.Children[i]
			hash += syntax.CombineHashes(k.Data, syntax.CombineHashes(k.FullKeyHash, n.reader.guardHash(k.Entry)))
		}
	case syntax.Sequence:
		for i := range n.Children {
			k := &n.Children[i]
			hash = syntax.CombineHashes(hash, syntax.CombineHashes(k.Data, n.reader.guardHash(k.Entry)))
		}
	case syntax.Alias:
		hash = syntax.CombineHashes(hash, Hash(n.Value))
	default:
		tag, value := n.Node.ScalarData()
		hash = syntax.CombineHashes(syntax.CombineHashes(hash, Hash(tag)), Hash(value))
	}
	n.BareHash, n.Data = hash, hash
	if n.HasProperties() {
		n.Data = syntax.CombineHashes(n.Data, syntax.CombineHashes(Hash(n.Anchor), Hash(n.TagText)))
	}
}

// guardHash returns the hash of the template blocks around e that are not around its parent, such as {{ if .a }}. It
// returns 0 if there are none, if the file is not a template, or if r is nil.
func (r *reader) guardHash(e *syntax.Entry) uint64 {
	if r == nil || r.facts == nil || len(e.OwnLevels()) == 0 {
		return 0
	}
	return Hash(guardText(e.OwnLevels()))
}

// guardText returns guard, the branches of template blocks around an entry with the outermost first, as one text, or ""
// if there are none. For b, the text is "if .a > if .b / else":
//
//	{{ if .a }}
//	{{ if .b }}
//	a: 1
//	{{ else }}
//	b: 1
//	{{ end }}
//	{{ end }}
func guardText(guard []template.Level) string {
	var conditions []string
	for _, l := range guard {
		conditions = append(conditions, l.Said)
	}
	return strings.Join(conditions, " > ")
}

// NodesAt iterates over n and its descendants that contain the byte at offset at, from n to the smallest. n is included
// even if it does not contain the byte.
func (n *Node) NodesAt(at int) func(yield func(*Node) bool) {
	return func(yield func(*Node) bool) {
		for yield(n) {
			i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].EntrySpan().End > at })
			if i == len(n.Children) || n.Children[i].EntrySpan().Start > at {
				return
			}
			n = &n.Children[i]
		}
	}
}

// Walk calls f for n and all its descendants, in the order of the file, each node before its children. n must not be
// nil.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for i := range n.Children {
		n.Children[i].Walk(f)
	}
}

// groupNodes returns n and the nodes below it by their key, those with one key in the order of the file. Nodes with the
// key 0 are left out.
func (n *Node) groupNodes(key func(*Node) uint64) map[uint64][]*Node {
	groups := map[uint64][]*Node{}
	n.Walk(func(k *Node) {
		if x := key(k); x != 0 {
			groups[x] = append(groups[x], k)
		}
	})
	return groups
}

// GetChildren returns the children of n, or nil if n is nil.
func (n *Node) GetChildren() []Node {
	if n == nil {
		return nil
	}
	return n.Children
}

// childrenBy returns the children of n by their ids, which the function id gives. Children with one id are in the order
// of the file. n may be nil.
func (n *Node) childrenBy(id func(*Node) uint64) map[uint64][]*Node {
	children := n.GetChildren()
	byID := make(map[uint64][]*Node, len(children))
	for i := range children {
		x := id(&children[i])
		byID[x] = append(byID[x], &children[i])
	}
	return byID
}
