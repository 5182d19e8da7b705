package law

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A use is an alias and what it means: the last node of its name before it.
type use struct {
	alias, target *node
}

// aliases refuses an alias of the result that means another node than in the
// sides that have it: at its place, else anywhere.
func (c *checker) aliases() *Refusal {
	known := map[[2]uint64][]use{} // by name and address; those of a name at 0
	for _, s := range sides {
		for _, x := range c.uses(s) {
			for _, addr := range [...]uint64{0, x.alias.addr} {
				k := [...]uint64{hash(x.alias.Value), addr}
				known[k] = append(known[k], x)
			}
		}
	}
	for _, x := range c.uses(result) {
		was := known[[...]uint64{hash(x.alias.Value), x.alias.addr}]
		if len(was) == 0 {
			was = known[[...]uint64{hash(x.alias.Value), 0}]
		}
		if len(was) > 0 && !slices.ContainsFunc(was, x.means) {
			bad := quad{result: x.alias}
			bad[was[0].alias.v] = was[0].alias
			r := bad.refuse("alias", "*%s does not mean what it means in %s", x.alias.Value, was[0].alias.v)
			r.Subject = "*" + x.alias.Value
			return r
		}
	}
	return nil
}

// means reports whether x means what w means: a node of the same value, or what
// became of it.
func (x use) means(w use) bool {
	a, b := x.target, w.target
	return a == b || a != nil && b != nil && (a.data == b.data || a.addr == b.addr)
}

// uses returns the aliases of v.
func (c *checker) uses(v version) (all []use) {
	if bytes.IndexByte(c.files[v].Bytes(), '*') < 0 && c.streams[v].Masked == nil {
		return nil // what is folded is not to be read for nothing
	}
	for i := range c.docs[v].kept {
		anchors := map[string]*node{}
		c.docs[v].kept[i].each(func(n *node) {
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
