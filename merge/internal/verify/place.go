package verify

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// single reports whether no input has more than one document.
func (c *checker) single() bool {
	return !slices.ContainsFunc(c.docs[:result], func(n *Node) bool { return len(n.Kids) > 1 })
}

// unlikeNames reports whether what both sides added differs only within maps of strings.
func (c *checker) unlikeNames(at *three.Path, q quad) bool {
	o, t := q[ours], q[theirs]
	switch {
	case o.Data == t.Data:
		return true
	case o.Kind != syntax.Mapping || t.Kind != o.Kind:
		return false
	case c.Rules.HasNamesAsKeys(at.Place(), o.Node, t.Node):
		return true
	case len(o.Entries) != len(t.Entries):
		return false
	}
	named := t.ByName()
	for i := range o.Kids {
		k := &o.Kids[i]
		if n := named[k.ID]; len(n) == 0 || !c.unlikeNames(k.Under(at, c.File), quad{ours: k, theirs: n[0]}) {
			return false
		}
	}
	return true
}

// byIdentity knows resources by kind and name, and by namespace, API group and the blocks of a
// template around them where an input has two of these; what is none, by its value, or as the only one of its
// version. What stands by a rule set it tells apart as that does.
func (c *checker) byIdentity(q quad) func(*Node) uint64 {
	switch {
	case c.stands != nil && c.stands.ByPlace:
		place := map[*syntax.Node]uint64{}
		for _, v := range [...]version{ours, result} {
			for i, n := range q.members(v, true) {
				place[n.Node] = uint64(i) + 1
			}
		}
		return func(n *Node) uint64 { return place[n.Node] }
	case c.stands != nil:
		return q.apart(true, func(n *Node) uint64 { return Hash(schema.KindAndName(n.Node)) }, valueOf)
	}
	doubled, alone := map[string]bool{}, true
	for v := range versions {
		seen := map[string]bool{}
		for _, n := range q.members(v, false) {
			name, id := schema.KindAndName(n.Node), schema.Identity(n.Node)
			doubled[name] = doubled[name] || seen[name] && v != result
			doubled[id] = doubled[id] || seen[id] && v != result
			alone = alone && (name != "" || !seen[""])
			seen[name], seen[id] = true, true
		}
	}
	return func(n *Node) uint64 {
		id := schema.KindAndName(n.Node)
		switch {
		case id == "" && alone:
			return nameless
		case id == "":
			return ByValue(n)
		case doubled[id]:
			id = schema.Identity(n.Node)
		}
		if group, _, ok := strings.Cut(n.ScalarAt("apiVersion"), "/"); ok && doubled[id] {
			id += "\x00" + group
		}
		if c.isTemplate() && doubled[schema.KindAndName(n.Node)] && len(n.Entries) > 0 {
			id += "\x00" + guardText(renamed(n.Entries[0].OwnLevels(), c.renamed[n.V]))
		}
		return Hash(id)
	}
}

func valueOf(n *Node) uint64 { return n.Data }

// apart is id, and what is said of a member of q too where a version has several of one id: with those that
// a person decided if so is asked.
func (q quad) apart(decided bool, id, said func(*Node) uint64) func(*Node) uint64 {
	several := map[uint64]bool{}
	for v := range versions {
		seen := map[uint64]bool{}
		for _, n := range q.members(v, decided) {
			x := id(n)
			several[x] = several[x] || seen[x]
			seen[x] = true
		}
	}
	return func(n *Node) uint64 {
		x := id(n)
		if x != 0 && several[x] {
			return syntax.CombineHashes(x, said(n))
		}
		return x
	}
}

// call notes where the versions of k stand, if they are called differently.
func (c *checker) call(k *match) {
	first := cmp.Or(k.q[base], k.q.any())
	if !k.q.has(func(n *Node) bool { return n.Called() != first.Called() }) {
		return
	}
	for _, n := range k.q {
		if n != nil {
			c.canon[n.Node] = first.Addr
		}
	}
}

// below is where n stands in what stands at home.
func (c *checker) below(n *Node, home uint64) uint64 {
	if at, ok := c.canon[n.Node]; ok {
		return at
	}
	if n.Entry == nil {
		return n.Addr
	}
	return syntax.CombineHashes(home, n.Called())
}

// home is where the smallest entry of v stands that holds the offset at, and what holds that entry; 0 is the file.
func (c *checker) home(v version, at int) (home, around uint64) {
	for n := range c.docs[v].Down(at) {
		if n != c.docs[v] {
			home, around = c.below(n, home), home
		}
	}
	return home, around
}

// eachHome calls f for all of v with where it stands.
func (c *checker) eachHome(v version, f func(n *Node, home uint64)) {
	var in func(n *Node, home uint64)
	in = func(n *Node, home uint64) {
		for i := range n.Kids {
			at := c.below(&n.Kids[i], home)
			f(&n.Kids[i], at)
			in(&n.Kids[i], at)
		}
	}
	in(c.docs[v], 0)
}

// at is what stands where the smallest entry of v holds the offset at, the first of each version.
func (c *checker) at(v version, at int) (q quad) {
	home, _ := c.home(v, at)
	for v := range versions {
		c.eachHome(v, func(n *Node, at uint64) {
			if q[v] == nil && at == home {
				q[v] = n
			}
		})
	}
	return q
}

// A use is an alias and what it means: the last node of its name before it.
type use struct {
	alias, target *Node
	at, where     uint64 // where they stand
}

// aliases refuses an alias of the result that means another node than in the
// sides that have it: at its place, else anywhere.
func (c *checker) aliases() *Violation {
	known := map[[2]uint64][]use{} // by name and address; those of a name at 0
	for _, s := range sides {
		for _, x := range c.uses(s) {
			for _, addr := range [...]uint64{0, x.at} {
				k := [...]uint64{Hash(x.alias.Value), addr}
				known[k] = append(known[k], x)
			}
		}
	}
	for _, x := range c.uses(result) {
		was := known[[...]uint64{Hash(x.alias.Value), x.at}]
		if len(was) == 0 {
			was = known[[...]uint64{Hash(x.alias.Value), 0}]
		}
		means := func(w use) bool { // a node of the same value, or what became of it
			a, b := x.target, w.target
			return a == b || a != nil && b != nil && (a.Data == b.Data || x.where == w.where)
		}
		if len(was) > 0 && !slices.ContainsFunc(was, means) {
			bad := quad{result: x.alias}
			bad[was[0].alias.V] = was[0].alias
			r := bad.violation(ruleAlias, "*%s does not mean what it means in %s", x.alias.Value, was[0].alias.V)
			r.Subject = "*" + x.alias.Value
			return r
		}
	}
	return nil
}

// uses returns the aliases of v.
func (c *checker) uses(v version) (all []use) {
	if bytes.IndexByte(c.files[v].Bytes(), '*') < 0 && c.streams[v].Masked == nil {
		return nil
	}
	var anchors map[string]use
	c.eachHome(v, func(n *Node, at uint64) {
		switch {
		case n.Entry == nil:
			anchors = map[string]use{}
		case n.Kind == syntax.Alias:
			of := anchors[n.Value]
			all = append(all, use{n, of.target, at, of.where})
		}
		if n.Anchor != "" {
			anchors[n.Anchor] = use{target: n, where: at}
		}
	})
	return all
}
