package merge

import "slices"

// decided returns p with its conflicts decided as the team's rules and the
// options say, and the conflicts that were.
func (m *merger) decided(r *renderer, p *page) (*page, []decision) {
	p, done := m.sound(p, r, m.policy)
	var more []decision
	switch m.opts.Resolve {
	case ResolveOurs:
		p, more = m.takeSide(p, r, dest, len(done) > 0)
	case ResolveTheirs:
		p, more = m.takeSide(p, r, updated, len(done) > 0)
	case ResolveUnion:
		p, more = m.union(r, p)
	}
	return p, append(done, more...)
}

// takeSide takes side s at every conflict that is left. All of s was proven
// with the page; beside what policies took from the other side it was not.
func (m *merger) takeSide(p *page, r *renderer, s side, mixed bool) (*page, []decision) {
	j := func(c *marked) (verdict, bool) { return c.taken(s, userNames[s]), true }
	if mixed {
		return m.sound(p, r, j)
	}
	return p.decide(r, j)
}

// sound decides p, but keeps all of its conflicts where taking sides at will
// leaves a file that does not parse or doubles a key.
func (m *merger) sound(p *page, r *renderer, j judge) (*page, []decision) {
	out, done := p.decide(r, j)
	if len(done) == 0 {
		return p, nil
	}
	for _, s := range sides {
		st, refusal := parseResult(out.choose(s))
		if refusal != nil || doubledKey(st) != nil {
			return p, nil
		}
	}
	return out, done
}

// union decides every conflict whose both sides can stand: ours, then theirs.
// Where they cannot (two values of one field, say) the conflict stays.
func (m *merger) union(r *renderer, p *page) (*page, []decision) {
	var stand []*marked
	for _, c := range p.clashes() {
		if !c.bothMayStand() {
			continue
		}
		try, _ := p.decide(r, both(append(slices.Clone(stand), c)))
		if !m.proof.exhausted() && m.proof.prove(try) == nil {
			stand = append(stand, c)
		}
	}
	return p.decide(r, both(stand))
}

// both takes both sides at the conflicts of stand.
func both(stand []*marked) judge {
	return func(c *marked) (verdict, bool) {
		return verdict{text: slices.Concat(c.alt[dest], c.alt[updated]), by: "union"}, slices.Contains(stand, c)
	}
}
