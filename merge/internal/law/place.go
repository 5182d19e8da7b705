package law

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A place is where a quad stands, as the rules of lists know it: a list linked
// from the leaf to the root of its resource.
type place struct {
	up   *place
	in   quad   // what holds it
	name string // a field's key, or item
	root *node  // the root of the resource, where one starts here
	// apiVersion and kind are those of the root, once known.
	apiVersion, kind string
	known            bool
	// unions are what excludes each other in the items of a list, once asked.
	unions []schema.OneOf
	asked  bool
}

// item is the name of a place in a list.
const item = "*"

// below is where n stands in the collection in. Documents and the items of a
// `kind: List` are resources of their own.
func (p *place) below(n *node, in quad) *place {
	at := &place{up: p, in: in, name: item}
	switch {
	case n.entry == nil, n.entry.Key == nil && p.isItems():
		at.root = n
	case n.entry.Key != nil:
		at.name = n.entry.KeyText()
	}
	return at
}

// schema returns the place as the rules of lists know it.
func (p *place) schema(file string) schema.Place {
	s := schema.Place{File: file}
	for ; p.root == nil && p.up != nil; p = p.up {
		s.Path = append(s.Path, p.name)
	}
	slices.Reverse(s.Path)
	if p.root != nil && !p.known {
		p.apiVersion, p.kind, p.known = p.root.scalar("apiVersion"), p.root.scalar("kind"), true
	}
	s.APIVersion, s.Kind = p.apiVersion, p.kind
	return s
}

// isItems reports whether p is the list of a `kind: List`.
func (p *place) isItems() bool {
	return p.name == "items" && p.root == nil && p.up != nil && p.up.root != nil &&
		strings.HasSuffix(p.up.root.scalar("kind"), "List")
}

// single reports whether no input has more than one document.
func (c *checker) single() bool {
	return max(len(c.docs[original].kept), len(c.docs[dest].kept), len(c.docs[updated].kept)) <= 1
}

// documents holds the documents of the files: a single one each pairs whatever
// it is, resources pair by identity, others are items of a list.
func (c *checker) documents() *Refusal {
	by := pairing{id: c.byIdentity(c.docs), sure: true}
	if c.single() {
		by.id = func(*node) uint64 { return 1 }
		for _, docs := range c.docs {
			if len(docs.kept) == 1 && docs.kept[0].isBlank() {
				docs.kept = nil
			}
		}
	}
	return c.collection(nil, c.docs, by)
}

// isBlank reports whether nothing is written in a document.
func (n *node) isBlank() bool {
	return n.Kind == syntax.Scalar && n.Style == syntax.Plain && n.Span.Empty()
}

// kindName is the kind and name of a resource; empty for what is none.
func kindName(n *node) string {
	kind, name := n.scalar("kind"), n.scalar("metadata", "name")
	if kind == "" || name == "" {
		return ""
	}
	return kind + "\x00" + name
}

// identity is the kind, name and namespace of a resource; empty for what is none.
func identity(n *node) string {
	id := kindName(n)
	if id != "" {
		id += "\x00" + n.scalar("metadata", "namespace") + "\x00"
	}
	return id
}

func isResource(n *node) bool { return kindName(n) != "" }

// byIdentity knows resources by kind and name, and by namespace and API group where
// an input has two of these; what is none, by its value, or as the only one of its
// version.
func (c *checker) byIdentity(q quad) func(*node) uint64 {
	doubled, alone := map[string]bool{}, true
	for v := range versions {
		seen := map[string]bool{}
		for _, n := range q.members(v, false) {
			name, id := kindName(n), identity(n)
			doubled[name] = doubled[name] || seen[name] && v != result
			doubled[id] = doubled[id] || seen[id] && v != result
			alone = alone && (name != "" || !seen[""])
			seen[name], seen[id] = true, true
		}
	}
	return func(n *node) uint64 {
		id := kindName(n)
		switch {
		case id == "" && alone:
			return nameless
		case id == "":
			return byValue(n)
		case doubled[id]:
			id = identity(n)
		}
		if group, _, ok := strings.Cut(n.scalar("apiVersion"), "/"); ok && doubled[id] {
			id += "\x00" + group
		}
		return hash(id)
	}
}

// Where a thing stands is told by keys and names, from the root of its document on; what a
// version calls otherwise than the original stands where that has it.

// called is what tells n from what stands beside it.
func (n *node) called() uint64 {
	switch {
	case n.id != 0:
		return n.id
	case n.entry == nil:
		return hash(identity(n))
	}
	return nameOf(n.Node)
}

// call notes where the versions of k stand, if they are called differently.
func (c *checker) call(k *row) {
	first := k.q[original]
	if first == nil {
		first = k.q.any()
	}
	if !k.q.has(func(n *node) bool { return n.called() != first.called() }) {
		return
	}
	for _, n := range k.q {
		if n != nil {
			c.canon[n.Node] = first.addr
		}
	}
}

// below is where n stands in what stands at home.
func (c *checker) below(n *node, home uint64) uint64 {
	if at, ok := c.canon[n.Node]; ok {
		return at
	}
	if n.entry == nil {
		return n.addr
	}
	return mix(home, n.called())
}

// home is where the smallest entry of v stands that holds the offset at.
func (c *checker) home(v version, at int) (home uint64) {
	for n := range c.docs[v].down(at) {
		if n != c.docs[v] {
			home = c.below(n, home)
		}
	}
	return home
}

// eachHome calls f for all of v with where it stands.
func (c *checker) eachHome(v version, f func(n *node, home uint64)) {
	var in func(n *node, home uint64)
	in = func(n *node, home uint64) {
		kids := n.kids()
		for i := range kids {
			at := c.below(&kids[i], home)
			f(&kids[i], at)
			in(&kids[i], at)
		}
	}
	in(c.docs[v], 0)
}

// standing is what stands at home, the first of each version.
func (c *checker) standing(home uint64) (q quad) {
	for v := range versions {
		c.eachHome(v, func(n *node, at uint64) {
			if q[v] == nil && at == home {
				q[v] = n
			}
		})
	}
	return q
}
