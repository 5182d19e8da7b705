package merge

import "slices"

// verdict decides a conflict: the text that stands, and what decided. It
// reports false where the conflict stays.
type verdict func(*marked) (text []byte, by string, ok bool)

// decided returns p with its conflicts decided as the team's rules and the
// options say, and the conflicts that were.
func (m *merger) decided(r *renderer, p *page) (*page, []Conflict) {
	p, done := m.sound(p, r, m.policy)
	var more []Conflict
	switch m.opts.Resolve {
	case ResolveOurs:
		p, more = p.decide(r, func(c *marked) ([]byte, string, bool) { return c.alt[dest], "ours", true })
	case ResolveTheirs:
		p, more = p.decide(r, func(c *marked) ([]byte, string, bool) { return c.alt[updated], "theirs", true })
	case ResolveUnion:
		p, more = m.union(r, p)
	}
	return p, append(done, more...)
}

// sound decides p, but keeps all of its conflicts where taking sides at will
// leaves a file that does not parse or doubles a key.
func (m *merger) sound(p *page, r *renderer, v verdict) (*page, []Conflict) {
	out, done := p.decide(r, v)
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

// decide puts text in the place of the conflicts for which v says so.
func (p *page) decide(r *renderer, v verdict) (*page, []Conflict) {
	out := &page{}
	var done []Conflict
	for _, x := range p.parts {
		if x.clash == nil {
			out.parts = append(out.parts, x)
			continue
		}
		b, by, ok := v(x.clash)
		if !ok || x.clash.kind == ConflictEncrypted {
			out.parts = append(out.parts, x)
			continue
		}
		out.text(b)
		c := r.conflict(x.clash, hunk{alt: x.clash.alt}, 0)
		c.By = by
		done = append(done, c)
	}
	return out, done
}

// union decides every conflict whose both sides can stand: ours, then theirs.
// Where they cannot (two values of one field, say) the conflict stays.
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

// both takes both sides at the conflicts of stand.
func both(stand []*marked) verdict {
	return func(c *marked) ([]byte, string, bool) {
		return slices.Concat(c.alt[dest], c.alt[updated]), "union", slices.Contains(stand, c)
	}
}
