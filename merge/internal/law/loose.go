package law

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// What no address pairs is explained by what was done: loose things are held to
// the law together once all else holds. Where one side renamed or moved what the
// other changed, the thing is loose in all of its versions, and they meet.

// A stray is what v has of something that meet could not explain.
type stray struct {
	v    version
	q    quad
	at   *place
	used bool // it is explained
}

// loose is what has to be explained.
type loose struct {
	// pools are, of dest and updated, what the result lacks; of the result, what it has
	// instead; of the original, what both sides removed, or one removed and the other changed.
	pools [versions]pool
	both  []*stray // what both sides added differently
	apart bool     // some of it was taken apart
}

func (l *loose) add(v version, at *place, q quad) {
	if q[v] != nil {
		l.pools[v].all = append(l.pools[v].all, &stray{v: v, q: q, at: at})
	}
}

// settle explains what is loose, or refuses it. What cannot be explained as a
// whole is taken apart, as far as two versions of it stand at one place.
func (c *checker) settle() *Refusal {
	for {
		l := c.loose
		c.loose = loose{}
		for _, m := range l.both {
			if x := c.judge(c.addedByBoth(m, &l)); x != nil {
				return x
			}
		}
		left := c.unexplained(&l)
		if !slices.ContainsFunc(left, func(m *stray) bool { return m.q.divisible() }) {
			for _, m := range left {
				if x := c.judge(m.refusal()); x != nil {
					return x
				}
			}
			return nil
		}
		if x := c.takeApart(left, &l); x != nil {
			return x
		}
	}
}

// unexplained explains what it can, and returns the rest.
func (c *checker) unexplained(l *loose) (left []*stray) {
	for _, v := range [...]version{result, dest, updated} {
		for _, m := range l.pools[v].all {
			switch {
			case m.used:
			case v == result:
				m.used = c.explain(m, l)
			default:
				m.used = c.absorbed(m, l) || l.apart && m.removed(l)
			}
			if !m.used {
				left = append(left, m)
			}
		}
	}
	return left
}

// refusal says that m is wrong: nobody made it, or it is gone. What has no place in
// the inputs is where the collection is that holds it.
func (m *stray) refusal() *Refusal {
	n := m.q[m.v]
	switch {
	case m.v == result:
		r := m.q.refuse("invented", "no change of ours or theirs explains %s", n.named())
		if m.q == (quad{result: n}) {
			home := m.at.in.refuse("", "")
			copy(r.At[:result], home.At[:])
		}
		return r
	case m.q[original] != nil:
		return m.q.refuse("deleted and changed", "%s changed it to %s, %s deleted it", m.v, n.show(), m.v.other())
	}
	return m.q.refuse("lost", "%s has %s, which is not there", m.v, n.show())
}

// divisible reports whether just two versions have q, as collections of one kind.
func (q quad) divisible() bool {
	n, kind := 0, q.any().Kind
	for _, x := range q {
		if x != nil && (x.size() == 0 || x.Kind != kind) {
			return false
		}
		if x != nil {
			n++
		}
	}
	return n == 2
}

// takeApart makes loose what is in the things that could not be explained.
func (c *checker) takeApart(left []*stray, l *loose) *Refusal {
	c.loose.apart = true
	c.loose.pools[original].all = l.pools[original].all
	done := map[quad]bool{}
	for _, m := range left {
		switch {
		case !m.q.divisible():
			c.loose.add(m.v, m.at, m.q)
		case !done[m.q]:
			done[m.q] = true
			by := pairing{id: byValue, values: true}
			if m.q.any().Kind == syntax.Mapping {
				by = pairing{id: byKey}
			}
			if x := c.collection(m.at, m.q, by); x != nil {
				return x
			}
		}
	}
	return nil
}

// removed reports whether m, which a side has at another place than the original, was
// removed by the other side where it stood.
func (m *stray) removed(l *loose) bool {
	n := m.q[m.v]
	for _, o := range l.pools[original].all {
		if was := o.q[original]; !o.used && was.data == n.data && was.key == n.key {
			o.used = true
			return true
		}
	}
	return false
}

// explain finds what the result's r is: of the two sides' things that it lacks
// and of the original's, three of which it is the merge.
func (c *checker) explain(r *stray, l *loose) bool {
	n := r.q[result]
	for _, d := range c.near(&l.pools[dest], n) {
		for _, u := range c.near(&l.pools[updated], n) {
			for _, o := range c.origins(d, u, l) {
				was := o.q[original]
				if !misnamed(was, d) && !misnamed(was, u) && c.try(r.at, quad{was, d.q[dest], u.q[updated], n}) {
					d.used, u.used, o.used = true, true, true
					return true
				}
			}
		}
	}
	return false
}

// misnamed reports whether m is another thing than the original's item o, as its
// side has one of o's name beside it: it is a copy.
func misnamed(o *node, m *stray) bool {
	name := nameOf(o.Node)
	if o.Kind != syntax.Mapping || o.entry == nil || o.entry.Key != nil || nameOf(m.q[m.v].Node) == name {
		return false
	}
	for _, e := range m.at.in[m.v].Entries {
		if e.Value.Kind == syntax.Mapping && nameOf(e.Value) == name {
			return true
		}
	}
	return false
}

// origins are what d and u may have been: what one of them was by its address,
// else what was removed and has most in common with d.
func (c *checker) origins(d, u *stray, l *loose) []*stray {
	for _, m := range [...]*stray{d, u} {
		if m.q[original] != nil {
			return []*stray{{q: m.q}}
		}
	}
	return c.near(&l.pools[original], d.q[dest])
}

// try reports whether q holds by itself.
func (c *checker) try(at *place, q quad) bool {
	if q[dest] == nil || q[updated] == nil || q[result] == nil || !c.spend(int(q[result].weight)) {
		return false
	}
	saved, trial := c.loose, c.trial
	c.loose, c.trial = loose{}, true
	x := c.descend(at, q)
	if x == nil {
		x = c.settle()
	}
	c.loose, c.trial = saved, trial
	return x == nil
}

// addedByBoth holds what both sides added under one name: the result is the one
// that holds all of the other, unless both have it from something that they
// renamed; then it is their merge.
func (c *checker) addedByBoth(m *stray, l *loose) *Refusal {
	d, u, r := m.q[dest], m.q[updated], m.q[result]
	was := false
	for _, o := range c.near(&l.pools[original], d) {
		if n := o.q[original]; alike(n, d) && alike(n, u) {
			was = true
			if c.try(m.at, quad{n, d, u, r}) {
				return nil
			}
		}
	}
	if !was && (r.data == d.data && holds(d, u) || r.data == u.data && holds(u, d)) || m.q.part() && c.try(m.at, quad{nil, d, u, r}) {
		return nil
	}
	return m.q.refuse("added differently", "ours added %s, theirs %s", d.show(), u.show())
}

// absorbed reports whether m is in an item that the other side has beside it and
// the result too: it is all there, or the other side's change of the same thing
// holds that of m.
func (c *checker) absorbed(m *stray, l *loose) bool {
	s, t, n, in := m.v, m.v.other(), m.q[m.v], m.at.in
	if in[result] == nil || in[t] == nil || n.entry != nil && n.entry.Key != nil {
		return false
	}
	for _, k := range c.near(c.members(in[result]), n) {
		r := k.q[result]
		x := c.members(in[t]).said[r.data]
		if x == nil {
			continue
		}
		if o := in[original]; m.q[original] == nil && holds(r, n) && (o == nil || c.members(o).said[r.data] == nil) {
			return true // added by both
		}
		for _, o := range c.near(&l.pools[original], n) {
			q := quad{original: o.q[original], result: r}
			q[s], q[t] = n, x
			if c.try(m.at, q) {
				return true
			}
		}
	}
	return false
}

// holds reports whether a has all that b has and that counts.
func holds(a, b *node) bool {
	if a.data == b.data {
		return true
	}
	if a.Kind != b.Kind || a.Kind == syntax.Scalar || a.Anchor != b.Anchor || a.TagText != b.TagText {
		return false
	}
	of, kids := a.kids(), b.kids()
	i := 0
	for j := range kids {
		k := &kids[j]
		if k.gone {
			continue
		}
		if a.Kind == syntax.Mapping {
			i = 0
		}
		for i < len(of) && !(of[i].id == k.id && holds(&of[i], k)) {
			i++
		}
		if i == len(of) {
			return false
		}
		i++
	}
	return true
}
