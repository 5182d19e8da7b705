package law

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// A use is an alias and what it means: the last node of its name before it.
type use struct {
	alias, target *node
}

// aliases refuses an alias of the result that means another node than in the
// sides that have it.
func (c *checker) aliases() *Refusal {
	used := c.uses(result)
	if len(used) == 0 {
		return nil
	}
	known := map[[2]uint64][]use{} // by name and address
	named := map[uint64][]use{}
	for _, s := range sides {
		for _, x := range c.uses(s) {
			name := hash(x.alias.Value)
			k := [2]uint64{name, x.alias.addr}
			known[k] = append(known[k], x)
			named[name] = append(named[name], x)
		}
	}
	for _, x := range used {
		name := hash(x.alias.Value)
		was := known[[2]uint64{name, x.alias.addr}]
		if len(was) == 0 {
			was = named[name]
		}
		if len(was) > 0 && !x.meansOne(was) {
			bad := quad{result: x.alias}
			bad[was[0].alias.v] = was[0].alias
			r := bad.refuse("alias", "*%s does not mean what it means in %s", x.alias.Value, was[0].alias.v)
			r.Subject = "*" + x.alias.Value
			return r
		}
	}
	return nil
}

// meansOne reports whether x means what one of was means: a node of the same
// value, or what became of it.
func (x use) meansOne(was []use) bool {
	for _, w := range was {
		a, b := x.target, w.target
		if a == nil && b == nil || a != nil && b != nil && (a.data == b.data || a.addr == b.addr) {
			return true
		}
	}
	return false
}

// uses returns the aliases of v.
func (c *checker) uses(v version) []use {
	var all []use
	docs := c.docs[v].kids
	for i := range docs {
		anchors := map[string]*node{}
		docs[i].each(func(n *node) {
			switch {
			case n.Kind == syntax.Alias:
				all = append(all, use{n, anchors[n.Value]})
			case n.Anchor != "":
				anchors[n.Anchor] = n
			}
		})
	}
	return all
}
