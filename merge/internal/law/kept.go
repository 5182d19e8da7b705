package law

// kept refuses a page that, with one side taken, lacks an item that all versions
// have once: where a side moved it and its new place is in conflict, so is its old one.
func (c *checker) kept() *Refusal {
	if len(c.Open) == 0 {
		return nil
	}
	count, last := map[uint64]counts{}, map[uint64]quad{}
	items := func(v version, f func(*node)) {
		c.docs[v].each(func(n *node) {
			if n.entry != nil && n.entry.Key == nil {
				f(n)
			}
		})
	}
	for v := range versions {
		items(v, func(n *node) {
			k, q := count[n.data], last[n.data]
			k[v]++
			q[v] = n
			count[n.data], last[n.data] = k, q
		})
	}
	var bad *Refusal
	items(original, func(n *node) {
		if bad == nil && count[n.data].gone() {
			bad = last[n.data].refuse("kept", "all versions have %s, it is gone", n.show())
		}
	})
	return bad
}
