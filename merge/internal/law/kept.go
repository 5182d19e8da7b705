package law

// kept refuses a page that, with one side taken, lacks or doubles what all
// versions have once: where a side moved it and its new place is in conflict, so
// is its old one.
func (c *checker) kept() *Refusal {
	if len(c.Open) == 0 {
		return nil
	}
	things := map[uint64]counts{}
	for v := range c.docs {
		c.docs[v].each(func(n *node) {
			if n.entry != nil && n.weight+len(n.Value) > 1 {
				k := n.thing()
				x := things[k]
				x[v]++
				things[k] = x
			}
		})
	}
	var bad *Refusal
	c.docs[original].each(func(n *node) {
		if bad == nil && n.entry != nil && things[n.thing()].strays() {
			bad = quad{original: n}.refuse("kept", "all versions have %s once, and it stands %d times", n.show(), things[n.thing()][result])
		}
	})
	if bad != nil {
		return bad
	}
	return c.keptComments()
}

func (c *checker) keptComments() *Refusal {
	said := map[uint64]counts{}
	for v, s := range c.streams {
		for _, x := range s.Comments() {
			k := linesSum(c.files[v].Slice(x.Span))
			n := said[k]
			n[v]++
			said[k] = n
		}
	}
	for _, x := range c.Original.Comments() {
		text := c.files[original].Slice(x.Span)
		if n := said[linesSum(text)]; n.strays() {
			bad := quad{}.refuse("comment", "all versions have %q once, and it stands %d times", text, n[result])
			bad.Subject, bad.At[original] = string(text), x.Span
			return bad
		}
	}
	return nil
}

// thing is what n is wherever it stands.
func (n *node) thing() uint64 { return mix(n.key, n.data) }

// strays reports whether all versions have a thing once, and the result does not.
func (n counts) strays() bool {
	return n[original] == 1 && n[dest] == 1 && n[updated] == 1 && n[result] != 1
}
