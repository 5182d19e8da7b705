package referee

import (
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// A directory keeps what was found out of collections while places were looked
// for: every comment may ask, and it takes a look at all entries.
type directory struct {
	lists map[resident]schema.List
	kids  map[resident]map[label]*node
	keys  map[*node]map[uint64]*node
	docs  [versions]map[string]*node
}

func newDirectory() directory {
	return directory{lists: map[resident]schema.List{}, kids: map[resident]map[label]*node{}, keys: map[*node]map[uint64]*node{}}
}

// A resident is a collection within a resource.
type resident struct{ of, root *node }

// A label is what tells an entry from the others beside it.
type label struct{ name, id string }

func (p *place) label() label { return label{p.name, p.id} }

func (p *place) resident(of *node) resident {
	for !p.isRoot() {
		p = p.up
	}
	r := resident{of: of}
	if p != nil {
		r.root = p.root
	}
	return r
}

// placeOf returns where the smallest entry stands that holds offset off of v.
func (c *checker) placeOf(v version, off int) *place {
	docs := c.docs[v]
	i := sort.Search(len(docs), func(i int) bool { return c.streams[v].Docs[docs[i].doc].Span.End > off })
	if i == len(docs) || c.streams[v].Docs[docs[i].doc].Span.Start > off {
		return nil
	}
	return c.placeIn(c.placeOfDocument(docs[i]), docs[i], off)
}

func (c *checker) placeOfDocument(d *node) *place {
	name := ""
	if !c.single() && identity(d) != "" {
		name = resourceName(d)
	}
	return (*place)(nil).document(name, d)
}

func (c *checker) placeIn(at *place, n *node, off int) *place {
	i := sort.Search(len(n.kids), func(i int) bool { return n.kids[i].entry.Span.End > off })
	if i == len(n.kids) || n.kids[i].entry.Span.Start > off {
		return at
	}
	return c.placeIn(c.placeOfKid(at, n, i), &n.kids[i], off)
}

// placeOfKid returns where entry i of n stands, which is at at.
func (c *checker) placeOfKid(at *place, n *node, i int) *place {
	kid := &n.kids[i]
	if kid.entry.Key != nil {
		return at.field(kid.entry.Key.Value)
	}
	if l := c.listAt(at, n); l.Kind == schema.Map {
		return at.item(l.Label(kid.Node))
	}
	return at.index(i)
}

// listAt returns what the list n at at is, as its version alone has it.
func (c *checker) listAt(at *place, n *node) schema.List {
	r := at.resident(n)
	l, ok := c.found.lists[r]
	if !ok {
		l = c.Rules.Of(at.schema(c.File), n.Node)
		c.found.lists[r] = l
	}
	return l
}

// nodeAt returns what stands at p in v, nil if nothing does.
func (c *checker) nodeAt(v version, p *place) *node {
	switch {
	case p == nil:
		return nil
	case p.up == nil:
		return c.documentAt(v, p.name)
	}
	n := c.nodeAt(v, p.up)
	if n == nil {
		return nil
	}
	r := p.up.resident(n)
	kids, ok := c.found.kids[r]
	if !ok {
		kids = make(map[label]*node, len(n.kids))
		for i := range n.kids {
			first(kids, c.placeOfKid(p.up, n, i).label(), &n.kids[i])
		}
		c.found.kids[r] = kids
	}
	return kids[p.label()]
}

// documentAt returns the document of v that has the name, nil if none has.
func (c *checker) documentAt(v version, name string) *node {
	docs := c.found.docs[v]
	if docs == nil {
		docs = make(map[string]*node, len(c.docs[v]))
		for _, d := range c.docs[v] {
			first(docs, c.placeOfDocument(d).name, d)
		}
		c.found.docs[v] = docs
	}
	return docs[name]
}

// field returns the field of n with the key id, which is probably entry i; nil
// if there is none.
func (d *directory) field(n *node, i int, id uint64) *node {
	if i < len(n.kids) && n.kids[i].id == id {
		return &n.kids[i]
	}
	keys, ok := d.keys[n]
	if !ok {
		keys = make(map[uint64]*node, len(n.kids))
		for i := range n.kids {
			first(keys, n.kids[i].id, &n.kids[i])
		}
		d.keys[n] = keys
	}
	return keys[id]
}

// first remembers n by k, unless another is known by it.
func first[K comparable](known map[K]*node, k K, n *node) {
	if known[k] == nil {
		known[k] = n
	}
}
