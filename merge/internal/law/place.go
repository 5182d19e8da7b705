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
	name string // a field's key; "*" for an item
	root *node  // the root of the resource, where one starts here
}

func (p *place) field(name string) *place { return &place{up: p, name: name} }

// item is an item of a `kind: List`, a resource of its own.
func (p *place) item(n *node) *place { return &place{up: p, name: "*", root: n} }

// schema returns the place as the rules of lists know it.
func (p *place) schema(file string) schema.Place {
	s := schema.Place{File: file}
	for ; p.root == nil && p.up != nil; p = p.up {
		s.Path = append(s.Path, p.name)
	}
	slices.Reverse(s.Path)
	if p.root != nil {
		s.APIVersion, s.Kind = p.root.scalar("apiVersion"), p.root.scalar("kind")
	}
	return s
}

// isItems reports whether p is the list of a `kind: List`.
func (p *place) isItems() bool {
	return p.name == "items" && p.root == nil && p.up != nil && p.up.root != nil &&
		strings.HasSuffix(p.up.root.scalar("kind"), "List")
}

// single reports whether no input has more than one document.
func (c *checker) single() bool {
	return max(len(c.docs[original].kids), len(c.docs[dest].kids), len(c.docs[updated].kids)) <= 1
}

// documents holds the documents of the files: a single one each pairs whatever
// it is, resources pair by identity, others are items of a list.
func (c *checker) documents() *Refusal {
	q := quad(c.docs)
	if !c.single() {
		return c.collection(q, c.byIdentity(q), func(n *node) *place { return &place{root: n} })
	}
	if c.person && len(q.decided(func(*node) uint64 { return 1 })) > 0 {
		return nil
	}
	var t quad
	for v, n := range q {
		for _, d := range q.members(version(v)) {
			if !d.isBlank() {
				t[v] = d
			}
		}
		if v == int(result) && len(n.kids) > 1 {
			return quad{result: &n.kids[1]}.refuse("invented", "the inputs have one document, the result has %d", len(n.kids))
		}
	}
	if t.any() == nil {
		return nil
	}
	return c.meet(&place{root: t.any()}, t)
}

// isBlank reports whether nothing is written in a document.
func (n *node) isBlank() bool {
	return n.Kind == syntax.Scalar && n.Style == syntax.Plain && n.Value == "" && n.Anchor == "" && n.TagText == ""
}

// identity is the kind, namespace and name of a resource; empty for what is
// none.
func identity(n *node) string {
	kind, name := n.scalar("kind"), n.scalar("metadata", "name")
	if n.Kind != syntax.Mapping || kind == "" || name == "" {
		return ""
	}
	return strings.Join([]string{kind, n.scalar("metadata", "namespace"), name}, "\x00")
}

// byIdentity knows resources by kind, namespace and name, and by the API group
// where an input has two of these; what is none, by its value, or as the only one of
// its version.
func (c *checker) byIdentity(q quad) func(*node) uint64 {
	doubled, alone := map[string]bool{}, true
	for v := range q {
		seen := map[string]bool{}
		for _, n := range q.members(version(v)) {
			id := identity(n)
			alone = alone && !(id == "" && seen[id])
			doubled[id] = doubled[id] || seen[id] && v != int(result)
			seen[id] = true
		}
	}
	return func(n *node) uint64 {
		id := identity(n)
		if id == "" && alone {
			return nameless
		}
		if id == "" {
			return byValue(n)
		}
		if doubled[id] {
			group, _, ok := strings.Cut(n.scalar("apiVersion"), "/")
			if ok {
				id += "\x00" + group
			}
		}
		return hash(id)
	}
}
