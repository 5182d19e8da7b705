package referee

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// note remembers what the result's node of t is in the inputs, if it is an
// alias or has an anchor.
func (c *checker) note(t quad) {
	r := t[result]
	if r == nil || !r.refs {
		return
	}
	c.noteIn(c.aliases, r.Kind == syntax.Alias, t)
	c.noteIn(c.anchored, r.Anchor != "", t)
	if r.key == nil {
		return
	}
	var keys quad
	for v, n := range t {
		if n != nil {
			keys[v] = n.key
		}
	}
	c.note(keys)
}

func (c *checker) noteIn(m map[*node]*quad, yes bool, t quad) {
	if !yes {
		return
	}
	have := m[t[result]]
	if have == nil {
		have = &quad{}
		m[t[result]] = have
	}
	for _, n := range t {
		if n != nil {
			have[n.v] = n
		}
	}
}

// noteSame does the same for everything below t, whose result is equal to the
// inputs that have it.
func (c *checker) noteSame(t quad) {
	if t[result] == nil || !t[result].refs {
		return
	}
	r := t[result]
	for v, n := range t {
		if n != nil && n.sum != r.sum {
			t[v] = nil
		}
	}
	c.note(t)
	for i := range r.kids {
		var k quad
		for v, n := range t {
			switch {
			case n == nil:
			case r.Kind == syntax.Mapping:
				k[v] = c.found.field(n, i, r.kids[i].id)
			default:
				k[v] = &n.kids[i]
			}
		}
		k[result] = &r.kids[i]
		c.noteSame(k)
	}
}

// linkAnchors remembers that where one side changed an item, the anchors in it
// are those of the item that the other side still has.
func (o *orderedList) linkAnchors() {
	for _, s := range sides {
		was := map[string]*node{}
		for i := range o.rows.of {
			if t := o.rows.of[i].at; t[original] != nil && t[s] != nil && t[s.other()] == nil && t[result] == nil {
				t[s].eachAnchor(func(n *node) { was[n.Anchor] = n })
			}
		}
		for i := range o.standing[s.other()].each {
			o.standing[s.other()].rows[i].at[result].eachAnchor(func(n *node) {
				if x := was[n.Anchor]; x != nil {
					t := quad{result: n}
					t[s] = x
					o.note(t)
				}
			})
		}
	}
}

// eachAnchor calls f for every node in n that has an anchor.
func (n *node) eachAnchor(f func(*node)) {
	if !n.refs {
		return
	}
	if n.Anchor != "" {
		f(n)
	}
	for i := range n.kids {
		n.kids[i].eachAnchor(f)
	}
}

// meanings refuses the first alias that means another thing than where it came
// from: neither the node that became of that, nor one of the same value.
func (c *checker) meanings() *Refusal {
	var bad *node
	var from version
	for r, t := range c.aliases {
		if c.waivers.hasAlias(r.Value) {
			continue
		}
		if s, ok := c.misread(t); !ok && (bad == nil || r.Span.Start < bad.Span.Start) {
			bad, from = r, s
		}
	}
	if bad == nil {
		return nil
	}
	refusal := c.placeOf(result, bad.Span.Start).refuse("alias", "*%s does not mean what it means in %s", bad.Value, from)
	refusal.Subject = "*" + bad.Value
	return refusal
}

// misread returns the side whose meaning an alias lost. It may lose that of a
// side that left it alone.
func (c *checker) misread(t *quad) (version, bool) {
	for _, s := range sides {
		x := s.other()
		if t[s] == nil || c.means(t, s) || t[x] != nil && c.means(t, x) && sameTarget(t[original], t[s]) {
			continue
		}
		return s, false
	}
	return original, true
}

func (c *checker) means(t *quad, s version) bool {
	if t[s].Kind != syntax.Alias {
		return true
	}
	was, is := t[s].target, t[result].target
	if was == nil || is == nil {
		return was == is
	}
	from := c.anchored[is]
	return was.full == is.full || from != nil && from[s] == was
}

func sameTarget(o, s *node) bool {
	return o != nil && o.Kind == syntax.Alias && o.Value == s.Value &&
		o.target != nil && s.target != nil && o.target.full == s.target.full
}
