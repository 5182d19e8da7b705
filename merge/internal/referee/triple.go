package referee

import (
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// choose returns what the result has to be equal to where at most one side
// changed a thing, or both alike. It reports false where both changed it
// differently.
func choose[T comparable](o, d, u T) (want T, ok bool) {
	switch {
	case o == d:
		return u, true
	case o == u || d == u:
		return d, true
	}
	return want, false
}

// chosen is choose for nodes, compared by their data and key.
func (t quad) chosen() (want *node, ok bool) {
	switch o, d, u := t[original], t[dest], t[updated]; {
	case equal(o, d):
		return u, true
	case equal(o, u) || equal(d, u):
		return d, true
	}
	return nil, false
}

func equal(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.sum == b.sum
}

// untouched reports whether the result has the very text that one side left
// alone or both agree on. What holds anchors, aliases or something that stands
// in conflict is looked into.
func (t quad) untouched() bool {
	o, d, u, r := t[original], t[dest], t[updated], t[result]
	if o == nil || d == nil || u == nil || r == nil || r.refs || o.part || d.part || u.part || r.part {
		return false
	}
	return o.raw == d.raw && u.raw == r.raw || o.raw == u.raw && d.raw == r.raw || d.raw == u.raw && d.raw == r.raw
}

// triple refuses a result that is not the merge of t's inputs.
func (c *checker) triple(at *place, t quad) *Refusal {
	if t.untouched() {
		return nil
	}
	if r, ok := c.waivers.triple(at, t); ok {
		return r
	}
	c.note(t)
	r := t[result]
	want, ok := t.chosen()
	switch {
	case !ok && (t[dest] == nil || t[updated] == nil):
		return c.lost(at, t)
	case !ok && r == nil:
		return at.refuse("lost", "ours and theirs both changed it, it is gone")
	case !ok && equal(t[original], r):
		return at.refuse("undone", "ours and theirs both changed it, found what base has: %s", r.show())
	case !ok:
		return c.descend(at, t)
	case want == nil && r == nil:
		return nil
	case r == nil:
		return at.refuse("lost", "expected %s, which %s has, found nothing", want.show(), want.v)
	case want == nil:
		return at.refuse("undone", "a side deleted it, found %s", r.show())
	case want.sum != r.sum:
		return c.differs(at, t, want)
	case t[original] == nil || t[dest] == nil || t[updated] == nil:
		c.noteSame(t)
		return c.formBelow(at, want, r)
	}
	return c.descend(at, t)
}

// differs names the smallest part of the result in which it is not want,
// unless it is only an edit that moved with its node.
func (c *checker) differs(at *place, t quad, want *node) *Refusal {
	if t[original] != nil || t[dest] != nil && t[updated] != nil {
		return c.narrow(at, want, t[result])
	}
	c.moves.suspected = true
	if c.moves.collecting {
		return nil
	}
	return c.moves.within(want.v, func() *Refusal { return c.narrow(at, want, t[result]) })
}

func (c *checker) narrow(at *place, want, got *node) *Refusal {
	before := c.moves.carried
	if c.moved(at, want, got) {
		return nil
	}
	if want.Kind == got.Kind {
		if r := c.descend(at, quad{want, want, want, got}); r != nil || c.moves.carried > before || c.waivers != nil && len(got.kids) > 0 { // all below it is told
			return r
		}
	}
	return at.refuse("value", "expected %s, which %s has, found %s", want.show(), want.v, got.show())
}

// descend refuses what is not merged below t, whose result is there.
func (c *checker) descend(at *place, t quad) *Refusal {
	d, u, r := t[dest], t[updated], t[result]
	if d.Kind != u.Kind || d.Kind != r.Kind {
		if want, ok := t.chosen(); ok && want.sum == r.sum {
			c.noteSame(t)
			return c.formBelow(at, want, r)
		}
		return at.refuse("value", "expected %s or %s, found %s", d.show(), u.show(), r.show())
	}
	if o := t[original]; o != nil && o.Kind != d.Kind {
		t[original] = nil // both replaced it
	}
	if ref := t.properties(at); ref != nil {
		return ref
	}
	if ref := c.content(at, t); ref != nil {
		return ref
	}
	return c.form(at, t)
}

func (c *checker) content(at *place, t quad) *Refusal {
	switch t[result].Kind {
	case syntax.Mapping:
		return c.fields(at, t)
	case syntax.Sequence:
		return c.list(at, t)
	}
	return c.scalar(at, t)
}

// properties checks anchors and written tags, which belong to the node.
func (t quad) properties(at *place) *Refusal {
	var p [versions]string
	for v, n := range t {
		if n != nil {
			p[v] = n.Anchor + " " + n.TagText
		}
	}
	want, ok := choose(p[original], p[dest], p[updated])
	if ok && want != p[result] || !ok {
		return at.refuse("anchor or tag", "found anchor and tag %q, ours has %q, theirs %q", p[result], p[dest], p[updated])
	}
	return nil
}

// scalar checks a scalar or an alias.
func (c *checker) scalar(at *place, t quad) *Refusal {
	var s [versions]uint64
	for v, n := range t {
		if n != nil {
			s[v] = n.data()
		}
	}
	want, ok := choose(s[original], s[dest], s[updated])
	switch {
	case ok && want == s[result]:
		return nil
	case ok && want == s[dest]:
		return at.refuse("value", "expected %s, which %s has, found %s", t[dest].show(), t[dest].v, t[result].show())
	case ok:
		return at.refuse("value", "expected %s, which %s has, found %s", t[updated].show(), t[updated].v, t[result].show())
	}
	return c.text(at, t)
}

// show is n for people, in one short line.
func (n *node) show() string {
	const most = 60
	switch n.Kind {
	case syntax.Mapping:
		return "a mapping of " + strconv.Itoa(len(n.kids))
	case syntax.Sequence:
		return "a list of " + strconv.Itoa(len(n.kids))
	case syntax.Alias:
		return "*" + n.Value
	}
	s := strconv.Quote(n.Value)
	if len(s) > most {
		s = s[:most] + "..."
	}
	if n.Tag != "!!str" {
		return n.Tag + " " + s
	}
	return s
}
