package law

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"

// unions are what excludes each other at a place; that is the same for all items of a list.
func (c *checker) unions(at *place) []schema.OneOf {
	if at.name != item || at.root != nil || at.up == nil {
		return c.Rules.OneOf(at.schema(c.File))
	}
	list := at.up
	if !list.asked {
		list.asked, list.unions = true, c.Rules.OneOf(at.schema(c.File))
	}
	return list.unions
}

// oneOf refuses two fields that exclude each other where no version has two.
func (c *checker) oneOf(at *place, q quad) *Refusal {
	r := q[result]
	if r == nil || len(r.Entries) < 2 {
		return nil
	}
	for _, u := range c.unions(at) {
		had := 0
		for _, n := range q[:result] {
			if n != nil {
				had = max(had, u.Held(n.Entries))
			}
		}
		if u.Held(r.Entries) > 1 && had < 2 {
			return q.refuse("one of", "it has two of %s, which exclude each other", u)
		}
	}
	return nil
}
