package referee

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// stream checks all documents and the aliases in them.
func (c *checker) stream() *Refusal {
	c.aliases, c.anchored = map[*node]*quad{}, map[*node]*quad{}
	c.moves.carried = 0
	check := c.several
	if c.single() {
		check = c.one
	}
	if r := check(); r != nil {
		return r
	}
	return c.meanings()
}

// single reports whether no input has more than one document.
func (c *checker) single() bool {
	for _, v := range inputs {
		if len(c.streams[v].Docs) > 1 {
			return false
		}
	}
	return true
}

// one checks files of one document each, which pair whatever they are. A
// document in which nothing is written is none.
func (c *checker) one() *Refusal {
	if len(c.streams[result].Docs) > 1 {
		return (*place)(nil).refuse("invented", "the inputs have one document, the result has %d", len(c.streams[result].Docs))
	}
	var t quad
	var remarks [versions][]remark
	for v, docs := range c.docs {
		if len(docs) > 0 && !docs[0].isBlank() {
			t[v] = docs[0]
		}
		if len(c.remarks[v]) > 0 {
			remarks[v] = c.remarks[v][0]
		}
	}
	at := (*place)(nil)
	if n := t.any(); n != nil {
		at = at.document("", n)
	}
	if r := c.triple(at, t); r != nil {
		return r
	}
	return c.checkRemarks(remarks)
}

func (n *node) isBlank() bool {
	return n.Kind == syntax.Scalar && n.Style == syntax.Plain && n.Value == "" && n.Anchor == "" && n.TagText == ""
}

// several checks streams: resources by identity, other documents as an
// ordered list.
func (c *checker) several() *Refusal {
	var named, nameless [versions][]*node
	var remarks [versions][]remark
	for v, docs := range c.docs {
		for _, d := range docs {
			if identity(d) != "" {
				named[v] = append(named[v], d)
				continue
			}
			nameless[v] = append(nameless[v], d)
			remarks[v] = append(remarks[v], c.remarks[v][d.doc]...)
		}
	}
	hiddenNamed, hiddenNameless := c.hiddenDocs()
	if r := c.resources(nil, named, hiddenNamed); r != nil {
		return r
	}
	at := (&place{name: "document"}).of(&node{Node: &syntax.Node{Kind: syntax.Sequence}})
	if r := c.ordered(at, nameless, hiddenNameless, ofDocuments); r != nil {
		return r
	}
	return c.checkRemarks(remarks)
}

// resources checks documents, or items of a `kind: List`, by identity.
func (c *checker) resources(at *place, m [versions][]*node, a aside) *Refusal {
	identity := identities(m)
	return c.keyed(keyed{
		members: m,
		hidden:  a,
		id:      func(n *node) uint64 { return hash(identity(n)) },
		unit:    "resource",
		noted:   at == nil,
		place: func(n *node) *place {
			if at != nil {
				return at.item(resourceName(n)).of(n)
			}
			return at.document(resourceName(n), n)
		},
		check: c.resource,
	})
}

func (c *checker) resource(at *place, t quad) *Refusal {
	if r := c.triple(at, t); r != nil || at.up != nil {
		return r
	}
	var remarks [versions][]remark
	for v, n := range t {
		if n != nil {
			remarks[v] = c.remarks[v][n.doc]
		}
	}
	return c.checkRemarks(remarks)
}

func resourceName(n *node) string { return n.scalar("kind") + "/" + n.scalar("metadata", "name") }

// identities returns what tells resources apart: kind, namespace and name, and
// the API group where an input has two of these.
func identities(m [versions][]*node) func(*node) string {
	return identitiesIn(m, func(n *node) string { return n.scalar("metadata", "namespace") })
}

func identitiesIn(m [versions][]*node, namespace func(*node) string) func(*node) string {
	doubled := map[string]bool{}
	for _, v := range inputs {
		seen := map[string]bool{}
		for _, n := range m[v] {
			id := identityIn(n, namespace(n))
			doubled[id] = doubled[id] || seen[id]
			seen[id] = true
		}
	}
	return func(n *node) string {
		id := identityIn(n, namespace(n))
		if !doubled[id] {
			return id
		}
		group, _, ok := strings.Cut(n.scalar("apiVersion"), "/")
		if !ok {
			group = ""
		}
		return id + "\x00" + group
	}
}

// identity is the kind, namespace and name of a resource; empty for what is
// none.
func identity(n *node) string { return identityIn(n, n.scalar("metadata", "namespace")) }

func identityIn(n *node, namespace string) string {
	if n.Kind != syntax.Mapping {
		return ""
	}
	kind, name := n.scalar("kind"), n.scalar("metadata", "name")
	if kind == "" || name == "" {
		return ""
	}
	return strings.Join([]string{kind, namespace, name}, "\x00")
}

// isItems reports whether p is the list of a `kind: List`.
func (p *place) isItems() bool {
	if p == nil || p.name != "items" || p.root != nil || p.up == nil || p.up.root == nil {
		return false
	}
	_, kind := p.up.resource()
	return strings.HasSuffix(kind, "List")
}
