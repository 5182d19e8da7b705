package law

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A use is an alias and what it means: the last node of its name before it.
type use struct {
	alias, target *node
	at, where     uint64 // where they stand
}

// aliases refuses an alias of the result that means another node than in the
// sides that have it: at its place, else anywhere.
func (c *checker) aliases() *Refusal {
	known := map[[2]uint64][]use{} // by name and address; those of a name at 0
	for _, s := range sides {
		for _, x := range c.uses(s) {
			for _, addr := range [...]uint64{0, x.at} {
				k := [...]uint64{hash(x.alias.Value), addr}
				known[k] = append(known[k], x)
			}
		}
	}
	for _, x := range c.uses(result) {
		was := known[[...]uint64{hash(x.alias.Value), x.at}]
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
	return a == b || a != nil && b != nil && (a.data == b.data || x.where == w.where)
}

// uses returns the aliases of v.
func (c *checker) uses(v version) (all []use) {
	if bytes.IndexByte(c.files[v].Bytes(), '*') < 0 && c.streams[v].Masked == nil {
		return nil // what is folded is not to be read for nothing
	}
	var anchors map[string]use
	c.eachHome(v, func(n *node, at uint64) {
		switch {
		case n.entry == nil:
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
