package verify

import (
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Node is a node of one version with what it takes to compare it at once.
type Node struct {
	*syntax.Node
	Entry          *syntax.Entry // whose value it is; nil for a root
	reader         *reader       // who read it; nil for what is made up
	Children       []Node        // what is in it
	KeyHash        uint64        // of a field: its key by value
	FullKeyHash    uint64        // of a field: its key, with anchor and tags
	BareHash       uint64        // what it says, without its own anchor and tag
	Data           uint64        // what it says: tags, values, anchors; no order of fields
	HeadFormat     uint64        // how its entry is written, up to the entries of a block collection
	Format         uint64        // the heads of all that is in it, in their order
	commentHash    uint64        // the comments behind all that is in it
	Addr           uint64        // where it stands: keys, and names of items
	RelativeIndent int32         // of a block collection's entries, below its parent's
	Version        version
	InFlow         bool // it is an entry of a flow collection
	Masked         bool // it stands in conflict, and does not count
	CountsFor      version
	Partial        bool // something in it is masked
}

// EntrySpan is where n's entry stands, or a document's root.
func (n *Node) EntrySpan() text.Span {
	if n.Entry != nil {
		return n.Entry.Span
	}
	return n.Span
}

// PathUnder is where n stands in what stands at p. Documents and the items of a `kind: List` are resources of their own.
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

// A reader makes nodes from the tree of a file.
type reader struct {
	file  *text.File
	v     version
	masks []mask
	// facts are those of a template, else nil.
	facts *template.Facts
}

// Read returns the documents of s as one list.
func Read(s *syntax.Stream, v version, masks []mask, facts *template.Facts) *Node {
	r := &reader{file: s.File, v: v, masks: masks, facts: facts}
	docs := &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: v, Children: make([]Node, len(s.Docs)), Partial: len(masks) > 0}
	for i, d := range s.Docs {
		n := &docs.Children[i]
		n.Node = d.Root
		r.readNode(n, d.Root, 0, Hash(schema.Identity(d.Root)))
		r.markMasked(n, d.Root.Span)
	}
	return docs
}

// markMasked notes whether n, whose own bytes stand at s, stands in conflict.
func (r *reader) markMasked(n *Node, s text.Span) {
	k, all, touched := maskAt(r.masks, s)
	isNamed := touched && k.isManual && n.Entry != nil && k.Start <= s.Start // its name is what was decided
	switch {
	case all || isNamed:
		n.Partial, n.CountsFor, n.Masked = false, k.CountsFor, k.CountsFor == base
	case touched:
		n.Partial = true
	}
}

// readNode fills n from s, whose parent's entries stand at column indent.
func (r *reader) readNode(n *Node, s *syntax.Node, indent int, addr uint64) {
	n.Node, n.reader, n.Version, n.Addr = s, r, r.v, addr
	if s.Style == syntax.Block {
		n.RelativeIndent = int32(s.Indent - indent)
	}
	n.Children = make([]Node, len(s.Entries))
	for i, e := range s.Entries {
		n.Children[i].Entry, n.Children[i].InFlow = e, s.Style == syntax.Flow
		r.readEntry(&n.Children[i], max(s.Indent, 0), addr)
	}
	n.computeHashes()
	n.HeadFormat = r.headHash(n)
	n.Format = n.HeadFormat
	if n.Entry != nil {
		n.commentHash = hashLines(r.file.Slice(n.Entry.Comment))
	}
	for i := range n.Children {
		k := &n.Children[i]
		n.Format = syntax.CombineHashes(n.Format, syntax.CombineHashes(k.Format, k.KeyHash))
		n.commentHash = syntax.CombineHashes(n.commentHash, k.commentHash)
	}
}

// readEntry fills n, an entry of a collection whose entries stand at column indent.
func (r *reader) readEntry(n *Node, indent int, addr uint64) {
	e := n.Entry
	if e.Key == nil {
		r.readNode(n, e.Value, indent, syntax.CombineHashes(addr, nodeNameHash(e.Value)))
	} else {
		key := e.FieldKey() // by value, so that z and "z" are one
		if r.facts != nil {
			if prints, ok := r.facts.Keys[e]; ok {
				key = "=" + prints // as FieldKey has it
			}
		}
		n.KeyHash = Hash(key)
		n.FullKeyHash = syntax.CombineHashes(n.KeyHash, Hash(e.Key.Tag))
		if e.Key.Anchor != "" || e.Key.TagText != "" {
			n.FullKeyHash = syntax.CombineHashes(n.FullKeyHash, syntax.CombineHashes(Hash(e.Key.Anchor), Hash(e.Key.TagText)))
		}
		r.readNode(n, e.Value, indent, syntax.CombineHashes(addr, n.KeyHash))
	}
	r.markMasked(n, text.Span{Start: e.Start, End: max(e.Colon, e.Value.Span.End)})
}

// WithChildren is n, a collection, with these entries, as it stands in no file.
func (n *Node) WithChildren(kids []Node) Node {
	m := *n
	m.Children = kids
	m.computeHashes()
	m.reader = nil
	return m
}

// computeHashes makes the sums of n.
func (n *Node) computeHashes() {
	s := uint64(n.Kind)
	switch n.Kind {
	case syntax.Mapping:
		for i := range n.Children {
			s += syntax.CombineHashes(n.Children[i].Data, syntax.CombineHashes(n.Children[i].FullKeyHash, n.reader.guardHash(n.Children[i].Entry)))
		}
	case syntax.Sequence:
		for i := range n.Children {
			s = syntax.CombineHashes(s, syntax.CombineHashes(n.Children[i].Data, n.reader.guardHash(n.Children[i].Entry)))
		}
	case syntax.Alias:
		s = syntax.CombineHashes(s, Hash(n.Value))
	default:
		tag, value := n.Node.ScalarData()
		s = syntax.CombineHashes(syntax.CombineHashes(s, Hash(tag)), Hash(value))
	}
	n.BareHash, n.Data = s, s
	if n.HasProperties() {
		n.Data = syntax.CombineHashes(n.Data, syntax.CombineHashes(Hash(n.Anchor), Hash(n.TagText)))
	}
}

// guardHash is the sum of the blocks around e, 0 without any.
func (r *reader) guardHash(e *syntax.Entry) uint64 {
	if r == nil || r.facts == nil || len(e.OwnLevels()) == 0 {
		return 0
	}
	return Hash(guardText(e.OwnLevels()))
}

// guardText spells a guard.
func guardText(levels []template.Level) string {
	var conditions []string
	for _, l := range levels {
		conditions = append(conditions, l.Said)
	}
	return strings.Join(conditions, " > ")
}

// headHash is how n is written: its key and properties, and its own text where it
// is no block collection and no block scalar. Comments and blanks around lines
// do not count.
func (r *reader) headHash(n *Node) uint64 {
	at := n.Span
	if n.Entry != nil {
		at.Start = n.Entry.Start
	}
	switch {
	case n.Style == syntax.Block && n.Entry == nil:
		at.End = n.Content.Start
	case n.Style == syntax.Block:
		at.End = n.Entry.HeadEnd
	case n.IsBlockScalar():
		at.End = n.Lines.Start
	}
	b := r.file.Slice(at)
	if e := n.Entry; e != nil && !e.Comment.Empty() && at.Start <= e.Comment.Start && e.Comment.End <= at.End {
		b = slices.Concat(b[:e.Comment.Start-at.Start], b[e.Comment.End-at.Start:])
	}
	return hashLines(b)
}

// NodesAt are n and what is in it, down to the smallest that holds the offset at.
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

// Walk calls f for n and all that is in it, in the order of the file.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for i := range n.Children {
		n.Children[i].Walk(f)
	}
}

// GetChildren are what is in n, which may be nil.
func (n *Node) GetChildren() []Node {
	if n == nil {
		return nil
	}
	return n.Children
}

// ChildrenByName is what stands in n, which may be nil: under a key, or with a name in a list.
func (n *Node) ChildrenByName() map[uint64][]*Node {
	kids := n.GetChildren()
	byName := make(map[uint64][]*Node, len(kids))
	for i := range kids {
		name := kids[i].NameHash()
		byName[name] = append(byName[name], &kids[i])
	}
	return byName
}
