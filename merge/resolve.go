package merge

import "slices"

// decided returns p with its conflicts decided as the options ask, and the
// conflicts that were. A union takes ours, then theirs; where both cannot stand
// (two values of one field, say) the conflict stays.
func (m *merger) decided(r *renderer, p *page) (*page, []Conflict) {
	switch m.opts.Resolve {
	case ResolveOurs:
		return p.decide(r, func(c *marked) ([]byte, bool) { return c.alt[dest], true })
	case ResolveTheirs:
		return p.decide(r, func(c *marked) ([]byte, bool) { return c.alt[updated], true })
	case ResolveUnion:
		return m.union(r, p)
	}
	return p, nil
}

// decide puts text in the place of the conflicts for which it says so.
func (p *page) decide(r *renderer, text func(*marked) ([]byte, bool)) (*page, []Conflict) {
	out := &page{}
	var done []Conflict
	for _, x := range p.parts {
		if x.clash == nil {
			out.parts = append(out.parts, x)
			continue
		}
		b, ok := text(x.clash)
		if !ok || x.clash.kind == ConflictEncrypted {
			out.parts = append(out.parts, x)
			continue
		}
		out.text(b)
		done = append(done, r.conflict(x.clash, hunk{alt: x.clash.alt}, 0))
	}
	return out, done
}

// union decides every conflict whose both sides can stand.
func (m *merger) union(r *renderer, p *page) (*page, []Conflict) {
	var stand []*marked
	for _, c := range p.clashes() {
		if c.kind != ConflictAddAdd && c.kind != ConflictComment && c.kind != ConflictText && c.kind != ConflictList {
			continue
		}
		try, _ := p.decide(r, both(append(slices.Clone(stand), c)))
		if m.prove(try) == nil {
			stand = append(stand, c)
		}
	}
	return p.decide(r, both(stand))
}

// both is the text of the conflicts that take both sides.
func both(stand []*marked) func(*marked) ([]byte, bool) {
	return func(c *marked) ([]byte, bool) {
		return slices.Concat(c.alt[dest], c.alt[updated]), slices.Contains(stand, c)
	}
}
