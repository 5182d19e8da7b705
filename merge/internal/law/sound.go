package law

import (
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// Whoever made a result, and however its parts came together: no mapping has a key twice,
// no keyed list an item, and no file a resource, unless a version has it twice there. This
// knows of no claims; a thing is at its address.

// Sound returns why c.Result can be no merge of the versions, or nil.
func Sound(c Claim) *Refusal { return newChecker(c).sound() }

// sound looks for what stands twice.
func (c *checker) sound() *Refusal {
	if !c.isTemplate() { // of which blocks choose documents
		if r := c.twice(c.docs, resourceID); r != nil {
			return r
		}
	}
	return c.soundIn(nil, c.docs)
}

// soundIn looks at what is in q[result], beside what the versions have there.
func (c *checker) soundIn(at *place, q quad) *Refusal {
	known := map[uint64]bool{} // what a version has there, it may have
	for _, n := range q[:result] {
		for _, k := range n.entries() {
			known[mix(k.id, k.data)] = true
		}
	}
	kids, nth := q[result].kids(), map[uint64]int{}
	index := sync.OnceValue(func() (all [result]map[uint64][]*node) {
		for v := range all {
			all[v] = q[v].byName()
		}
		return all
	})
	for i := range kids {
		k := &kids[i]
		name := k.called()
		nth[name]++
		if k.size() == 0 || known[mix(k.id, k.data)] {
			continue
		}
		in := quad{result: k}
		for v, names := range index() {
			if same := names[name]; len(same) > 0 {
				in[v] = same[min(nth[name], len(same))-1]
			}
		}
		below := at.below(k, q)
		r := c.twice(in, c.idIn(below, in))
		if r == nil {
			r = c.soundIn(below, in)
		}
		if r != nil {
			return r
		}
	}
	return nil
}

// entries are what is in n, which may be nil.
func (n *node) entries() []node {
	if n == nil {
		return nil
	}
	return n.kids()
}

// byName is what stands in n, which may be nil: under a key, or with a name in a list.
func (n *node) byName() map[uint64][]*node {
	kids := n.entries()
	all := make(map[uint64][]*node, len(kids))
	for i := range kids {
		name := kids[i].called()
		all[name] = append(all[name], &kids[i])
	}
	return all
}

// idIn is what no two entries of q may have in common; nil where there is no such thing.
func (c *checker) idIn(at *place, q quad) func(*node) uint64 {
	r := q[result]
	switch {
	case r.Kind == syntax.Mapping:
		return func(n *node) uint64 {
			if n.entry.Key.Tag() == "!!merge" {
				return 0
			}
			return n.id
		}
	case r.Kind != syntax.Sequence || r.size() < 2:
		return nil
	case at.isItems():
		return resourceID
	}
	l, ok := c.Rules.Known(at.schema(c.File))
	if !ok || l.Kind != schema.Map {
		return nil
	}
	return func(n *node) uint64 {
		if x, ok := l.ID(n.Node); ok {
			return hash(x)
		}
		return 0
	}
}

// resourceID knows resources, as far as one is told from another in any way.
func resourceID(n *node) uint64 {
	if !isResource(n) {
		return 0
	}
	return hash(identity(n) + n.scalar("apiVersion"))
}

// twice refuses what q[result] has more often than each version, by id.
func (c *checker) twice(q quad, id func(*node) uint64) *Refusal {
	if id == nil {
		return nil
	}
	alike := func(n *node) map[uint64][]*node {
		all := map[uint64][]*node{}
		if n != nil && n.Kind == q[result].Kind {
			for i, kids := 0, n.kids(); i < len(kids); i++ {
				all[id(&kids[i])] = append(all[id(&kids[i])], &kids[i])
			}
		}
		return all
	}
	in := [versions]map[uint64][]*node{result: alike(q[result])}
	if len(in[result]) == q[result].size() {
		return nil
	}
	for i, kids := 0, q[result].kids(); i < len(kids); i++ {
		key := id(&kids[i])
		all := in[result][key]
		if len(all) < 2 || key == 0 || all[0].whole() != kids[i].whole() {
			continue
		}
		for v := range result {
			if in[v] == nil {
				in[v] = alike(q[v])
			}
		}
		if c.together(all) > max(c.together(in[original][key]), c.together(in[dest][key]), c.together(in[updated][key])) {
			twice := quad{result: all[1]}
			for v, n := range q[:result] {
				if same := n.byName()[all[1].called()]; len(same) > 0 {
					twice[v] = same[0]
				}
			}
			return twice.refuse("doubled", "it stands more often than in every input")
		}
	}
	return nil
}

// mostTogether bounds how many things of one name are compared: people write a few.
const mostTogether = 64

// together is how many of all can stand at a time: those that no guards keep apart. In a page
// with conflicts, whose answers give each other their guards, only one guard is one.
func (c *checker) together(all []*node) (most int) {
	if !c.isTemplate() || len(all) > mostTogether {
		return len(all)
	}
	guard := func(n *node) []template.Level { return c.facts[n.v].Guards[n.entry] }
	for _, n := range all {
		with := 0
		for _, m := range all {
			if guardText(guard(n)) == guardText(guard(m)) || len(c.Open) == 0 && !template.Exclude(guard(n), guard(m)) {
				with++
			}
		}
		most = max(most, with)
	}
	return most
}

// kept refuses a page that, with one side taken, lacks an item that all versions
// have once: where a side moved it and its new place is in conflict, so is its old one.
// An item counts in its list alone: one elsewhere that says the same is another.
func (c *checker) kept() *Refusal {
	if len(c.Open) == 0 {
		return nil
	}
	count, last := map[uint64]counts{}, map[uint64]quad{}
	items := func(v version, f func(*node)) {
		c.docs[v].each(func(n *node) {
			if n.entry != nil && n.entry.Key == nil {
				f(n)
			}
		})
	}
	for v := range versions {
		items(v, func(n *node) {
			what := mix(n.data, n.addr)
			k, q := count[what], last[what]
			k[v]++
			q[v] = n
			count[what], last[what] = k, q
		})
	}
	var bad *Refusal
	items(original, func(n *node) {
		if what := mix(n.data, n.addr); bad == nil && count[what].gone() {
			bad = last[what].refuse("kept", "all versions have %s, it is gone", n.show())
		}
	})
	return bad
}
