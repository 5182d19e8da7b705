package law

// kept refuses a page that, with one side taken, lacks an item that all versions
// have once: where a side moved it and its new place is in conflict, so is its old one.
// An item counts in its list alone: one elsewhere that says the same is another.
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
			what := mix(n.data, n.addr)
			k, q := count[what], last[what]
			k[v]++
			q[v] = n
			count[what], last[what] = k, q
		})
	}
	var bad *Refusal
	items(original, func(n *node) {
		if what := mix(n.data, n.addr); bad == nil && count[what].gone() {
			bad = last[what].refuse("kept", "all versions have %s, it is gone", n.show())
		}
	})
	return bad
}
