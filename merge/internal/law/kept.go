package law

// kept refuses a page that, with one side taken, lacks an item or a comment that
// all versions have once: where a side moved it and its new place is in conflict, so
// is its old one. An item counts in its list alone: one elsewhere that says the
// same is another.
func (c *checker) kept() *Refusal {
	if len(c.Open) == 0 {
		return nil
	}
	things := map[uint64]*thing{}
	for v := range c.docs {
		c.docs[v].each(func(n *node) {
			if n.entry == nil || n.entry.Key != nil {
				return
			}
			k := mix(n.data, n.addr)
			if things[k] == nil {
				things[k] = &thing{}
			}
			things[k].counts[v]++
			things[k].at[v] = n
		})
	}
	var bad *Refusal
	c.docs[original].each(func(n *node) {
		if bad != nil || n.entry == nil || n.entry.Key != nil {
			return
		}
		if t := things[mix(n.data, n.addr)]; t.gone() {
			bad = quad{n, t.at[dest], t.at[updated]}.refuse("kept", "all versions have %s, it is gone", n.show())
		}
	})
	if bad != nil {
		return bad
	}
	return c.keptComments()
}

func (c *checker) keptComments() *Refusal {
	said := map[uint64]counts{}
	for v := range c.streams {
		for _, x := range c.commentsOf(version(v)) {
			k := linesSum(c.files[v].Slice(x.Span))
			n := said[k]
			n[v]++
			said[k] = n
		}
	}
	for _, x := range c.commentsOf(original) {
		text := c.files[original].Slice(x.Span)
		if n := said[linesSum(text)]; n.gone() {
			bad := quad{}.refuse("comment", "all versions have %q, it is gone", text)
			bad.Subject, bad.At[original] = string(text), x.Span
			return bad
		}
	}
	return nil
}

// A thing is what stands somewhere in each version, wherever that is.
type thing struct {
	counts
	at quad
}

// gone reports whether all versions have a thing once, and the result has it not.
func (n counts) gone() bool {
	return n[original] == 1 && n[dest] == 1 && n[updated] == 1 && n[result] == 0
}
