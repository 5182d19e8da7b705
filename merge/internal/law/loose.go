package law

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// What no address pairs is explained by what was done: loose things are held to
// the law together once all else holds. Where one side renamed or moved what the
// other changed, the thing is loose in all of its versions, and they meet.

// A stray is something that meet could not explain.
type stray struct {
	q    quad
	at   *place
	in   quad // what holds it
	used bool
}

// loose is what has to be explained.
type loose struct {
	found [versions][]stray // of dest and updated what the result lacks, and what it has instead
	bases []*node           // what both sides removed, or one removed and the other changed
	both  []stray           // what both sides added differently
	apart bool              // some of it was taken apart

	index [versions]index // of what is found and of bases
	next  [versions]int   // the first of it that is not explained
}

func (l *loose) add(at *place, q quad) {
	for _, v := range [...]version{dest, updated, result} {
		if q[v] != nil {
			l.found[v] = append(l.found[v], stray{q: q, at: at})
		}
	}
	if q[original] != nil {
		l.bases = append(l.bases, q[original])
	}
}

func (l *loose) len() [4]int {
	return [4]int{len(l.both), len(l.found[dest]), len(l.found[updated]), len(l.found[result])}
}

// home notes what holds all that was found since it had the lengths n.
func (l *loose) home(n [4]int, in quad) {
	for i, all := range [...][]stray{l.both, l.found[dest], l.found[updated], l.found[result]} {
		for j := n[i]; j < len(all); j++ {
			if all[j].in == (quad{}) {
				all[j].in = in
			}
		}
	}
}

// settle explains what is loose, or refuses it. What cannot be explained as a
// whole is taken apart, as far as two versions of it stand at one place.
func (c *checker) settle() *Refusal {
	for {
		l := c.loose
		c.loose = loose{}
		x := c.explainAll(&l)
		if x == nil || !l.divisible() {
			return c.tell(x, &l)
		}
		if x := c.takeApart(&l); x != nil {
			return x
		}
	}
}

func (c *checker) explainAll(l *loose) (bad *Refusal) {
	for i := range l.both {
		if x := c.judge(c.addedByBoth(&l.both[i], l.bases)); x != nil {
			return x
		}
	}
	for i := range l.found[result] {
		r := &l.found[result][i]
		if r.used = c.explain(r, l); !r.used && bad == nil {
			bad = r.invented()
		}
	}
	for _, s := range sides {
		for i := range l.found[s] {
			m := &l.found[s][i]
			m.used = m.used || c.absorbed(m, s, l) || l.apart && m.removed(s, l)
			if !m.used && bad == nil {
				bad = m.lost(s)
			}
		}
	}
	return bad
}

// invented says that the result has what nobody made.
func (m *stray) invented() *Refusal {
	return m.refuse(result, "invented", "no change of ours or theirs explains %s", m.q[result].named())
}

// lost says that the result lacks what s has.
func (m *stray) lost(s version) *Refusal {
	if m.q[original] != nil {
		return m.refuse(s, "deleted and changed", "%s changed it to %s, %s deleted it", s, m.q[s].show(), s.other())
	}
	return m.refuse(s, "lost", "%s has %s, which is not there", s, m.q[s].show())
}

// divisible reports whether something that is not explained can be taken apart.
func (l *loose) divisible() bool {
	for _, all := range l.found {
		if slices.ContainsFunc(all, func(m stray) bool { return !m.used && m.q.divisible() }) {
			return true
		}
	}
	return false
}

// divisible reports whether just two versions have q, as collections of one kind.
func (q quad) divisible() bool {
	n, kind := 0, syntax.Kind(0)
	for _, x := range q {
		if x == nil {
			continue
		}
		if n++; n > 2 || len(x.kids) == 0 || kind != 0 && x.Kind != kind {
			return false
		}
		kind = x.Kind
	}
	return n == 2
}

// takeApart makes loose what is in the things that could not be explained.
func (c *checker) takeApart(l *loose) *Refusal {
	c.loose = loose{apart: true, bases: l.bases}
	done := map[quad]bool{}
	for v := range l.found {
		for _, m := range l.found[v] {
			switch {
			case m.used || done[m.q]:
			case !m.q.divisible():
				c.loose.found[v] = append(c.loose.found[v], m)
			default:
				done[m.q] = true
				if x := c.collection(m.q, byKeyOrValue, func(*node) *place { return m.at }); x != nil {
					return x
				}
			}
		}
	}
	return nil
}

func byKeyOrValue(n *node) uint64 {
	if n.entry.Key != nil {
		return byKey(n)
	}
	return byValue(n)
}

// removed reports whether m, which s has at another place than the original, was
// removed by the other side where it stood.
func (m *stray) removed(s version, l *loose) bool {
	n := m.q[s]
	for i, o := range l.bases {
		if o != nil && o.data == n.data && o.key == n.key {
			l.bases[i] = nil
			return true
		}
	}
	return false
}

// refuse says that a stray is wrong in v; what has no place in the inputs is
// where the collection is that holds it.
func (m *stray) refuse(v version, rule, format string, a ...any) *Refusal {
	r := m.q.refuse(rule, format, a...)
	if m.q[original] == nil && m.q[dest] == nil && m.q[updated] == nil {
		home := m.in.refuse("", "")
		for i := range 3 {
			r.At[i] = home.At[i]
		}
	}
	return r
}

// explain finds what the result's r is: of the two sides' things that it lacks
// and of the original's, three of which it is the merge.
func (c *checker) explain(r *stray, l *loose) bool {
	n := r.q[result]
	for _, d := range c.near(l, dest, n) {
		for _, u := range c.near(l, updated, n) {
			for _, o := range c.origins(d, u, l) {
				if !misnamed(*o, d, dest) && !misnamed(*o, u, updated) && c.try(r.at, quad{*o, d.q[dest], u.q[updated], n}) {
					d.used, u.used, *o = true, true, nil
					return true
				}
			}
		}
	}
	return false
}

// misnamed reports whether what s has is another thing than the original's item
// o, as s has one of its name beside it: it is a copy.
func misnamed(o *node, m *stray, s version) bool {
	name := nameOf(o.Node)
	if o.Kind != syntax.Mapping || o.entry == nil || o.entry.Key != nil || nameOf(m.q[s].Node) == name || m.in[s] == nil {
		return false
	}
	return slices.ContainsFunc(m.in[s].kids, func(k node) bool { return k.Kind == syntax.Mapping && nameOf(k.Node) == name })
}

// near are the things of s, of those that are not explained, that may be n: those
// with most in common, and the next few.
func (c *checker) near(l *loose, s version, n *node) []*stray {
	if l.index[s] == nil {
		l.index[s] = indexOf(len(l.found[s]), func(i int) *node { return l.found[s][i].q[s] })
	}
	var out []*stray
	add := func(m *stray) {
		if !m.used && m.q[s].Kind == n.Kind && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	for _, i := range l.index[s].near(n) {
		add(&l.found[s][i])
	}
	for l.next[s] < len(l.found[s]) && l.found[s][l.next[s]].used {
		l.next[s]++
	}
	most := len(out) + few
	for i := l.next[s]; i < len(l.found[s]) && len(out) < most && c.spend(1); i++ {
		add(&l.found[s][i])
	}
	return out
}

// spend reports whether something may still be compared on trial.
func (c *checker) spend(n int) bool {
	c.work -= n
	return c.work > 0
}

// origins are what d and u may have been: what one of them was by its address,
// else what both removed and has most in common with d, and the next few.
func (c *checker) origins(d, u *stray, l *loose) []**node {
	for _, m := range [...]*stray{d, u} {
		if o := m.q[original]; o != nil {
			return []**node{&o}
		}
	}
	return c.originsOf(d.q[dest], l)
}

func (c *checker) originsOf(n *node, l *loose) []**node {
	if l.index[original] == nil {
		l.index[original] = indexOf(len(l.bases), func(i int) *node { return l.bases[i] })
	}
	var out []**node
	add := func(i int) {
		if o := l.bases[i]; o != nil && o.Kind == n.Kind && !slices.Contains(out, &l.bases[i]) {
			out = append(out, &l.bases[i])
		}
	}
	for _, i := range l.index[original].near(n) {
		add(i)
	}
	for l.next[original] < len(l.bases) && l.bases[l.next[original]] == nil {
		l.next[original]++
	}
	most := len(out) + few
	for i := l.next[original]; i < len(l.bases) && len(out) < most && c.spend(1); i++ {
		add(i)
	}
	return out
}

// try reports whether q holds by itself.
func (c *checker) try(at *place, q quad) bool {
	if q[dest] == nil || q[updated] == nil || q[result] == nil || !c.spend(q[result].weight) {
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
func (c *checker) addedByBoth(m *stray, bases []*node) *Refusal {
	d, u, r := m.q[dest], m.q[updated], m.q[result]
	was := false
	for _, o := range bases {
		if o != nil && o.Kind == d.Kind && alike(o, d) && alike(o, u) {
			was = true
			if c.try(m.at, quad{o, d, u, r}) {
				return nil
			}
		}
	}
	if !was && (r.data == d.data && holds(d, u) || r.data == u.data && holds(u, d)) || m.q.part() && c.try(m.at, quad{nil, d, u, r}) {
		return nil
	}
	return m.refuse(result, "added differently", "ours added %s, theirs %s", d.show(), u.show())
}

// absorbed reports whether what s has at some place is in something that the
// other side has beside it and the result too: it is all there, or the other
// side's change of the same thing holds that of s.
func (c *checker) absorbed(m *stray, s version, l *loose) bool {
	t, n := s.other(), m.q[s]
	if m.in[result] == nil || m.in[t] == nil || n.entry != nil && n.entry.Key != nil {
		return false
	}
	kids := m.in[result].kids
	if c.indexes[m.in[result]] == nil {
		c.indexes[m.in[result]] = indexOf(len(kids), func(i int) *node { return &kids[i] })
	}
	for _, i := range c.indexes[m.in[result]].near(n) {
		r := &kids[i]
		x := c.holding(m.in[t])[r.data]
		if x == nil || r.Kind != n.Kind {
			continue
		}
		if o := m.in[original]; m.q[original] == nil && holds(r, n) && (o == nil || c.holding(o)[r.data] == nil) {
			return true // added by both
		}
		for _, o := range c.originsOf(n, l) {
			q := quad{original: *o, result: r}
			q[s], q[t] = n, x
			if c.try(m.at, q) {
				return true
			}
		}
	}
	return false
}

// holding are the members of a collection by what they say.
func (c *checker) holding(n *node) map[uint64]*node {
	if c.values[n] == nil {
		c.values[n] = make(map[uint64]*node, len(n.kids))
		for i := range n.kids {
			c.values[n][n.kids[i].data] = &n.kids[i]
		}
	}
	return c.values[n]
}

// holds reports whether a has all that b has and that counts.
func holds(a, b *node) bool {
	if a.data == b.data {
		return true
	}
	if a.Kind != b.Kind || a.Kind == syntax.Scalar || a.Anchor != b.Anchor || a.TagText != b.TagText {
		return false
	}
	i := 0
	for j := range b.kids {
		k := &b.kids[j]
		if k.gone {
			continue
		}
		if a.Kind == syntax.Mapping {
			i = 0
		}
		for i < len(a.kids) && !(a.kids[i].id == k.id && holds(&a.kids[i], k)) {
			i++
		}
		if i == len(a.kids) {
			return false
		}
		i++
	}
	return true
}

// alike reports whether at least half of the leaves of the smaller one are in
// the other.
func alike(a, b *node) bool {
	x, y := leaves(nil, a, 7), leaves(nil, b, 7)
	slices.Sort(x)
	slices.Sort(y)
	n := 0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			n++
			i++
			j++
		case x[i] < y[j]:
			i++
		default:
			j++
		}
	}
	return n > 0 && 2*n >= min(len(x), len(y))
}

// leaves are the sums of what is in n with its path.
func leaves(to []uint64, n *node, path uint64) []uint64 {
	if len(n.kids) == 0 {
		return append(to, mix(path, n.data))
	}
	for i := range n.kids {
		to = leaves(to, &n.kids[i], mix(path, n.kids[i].id))
	}
	return to
}
