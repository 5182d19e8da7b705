package law

// oneOf refuses two fields that exclude each other where no version has two.
func (c *checker) oneOf(at *place, q quad) *Refusal {
	r := q[result]
	if r == nil || len(r.Entries) < 2 {
		return nil
	}
	for _, u := range c.Rules.OneOf(at.schema(c.File)) {
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
