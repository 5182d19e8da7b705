package merge

import "slices"

// A judge decides a conflict, or reports false where it stays.
type judge func(*marked) (verdict, bool)

// A verdict is the text that stands in the place of a conflict, what decided
// that, and which side it took, or the value that it wrote instead.
type verdict struct {
	text            []byte
	by, took, wrote string
}

// taken is the verdict for one side.
func (c *marked) taken(s side, by string) verdict {
	return verdict{text: c.alt[s], by: by, took: userNames[s]}
}

// decided returns p with its conflicts decided as the team's rules and the
// options say, and the conflicts that were.
func (m *merger) decided(r *renderer, p *page) (*page, []Conflict) {
	p, done := m.sound(p, r, m.policy)
	var more []Conflict
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
func (m *merger) takeSide(p *page, r *renderer, s side, mixed bool) (*page, []Conflict) {
	j := func(c *marked) (verdict, bool) { return c.taken(s, userNames[s]), true }
	if mixed {
		return m.sound(p, r, j)
	}
	return p.decide(r, j)
}

// sound decides p, but keeps all of its conflicts where taking sides at will
// leaves a file that does not parse or doubles a key.
func (m *merger) sound(p *page, r *renderer, j judge) (*page, []Conflict) {
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

// decide puts text in the place of the conflicts that j decides.
func (p *page) decide(r *renderer, j judge) (*page, []Conflict) {
	out := &page{}
	var done []Conflict
	for _, x := range p.parts {
		if x.clash == nil {
			out.parts = append(out.parts, x)
			continue
		}
		v, ok := j(x.clash)
		if !ok || x.clash.kind == ConflictEncrypted {
			out.parts = append(out.parts, x)
			continue
		}
		out.text(v.text)
		c := r.conflict(x.clash, hunk{alt: x.clash.alt}, 0)
		c.By, c.Took, c.Wrote = v.by, v.took, v.wrote
		done = append(done, c)
	}
	return out, done
}

// union decides every conflict whose both sides can stand: ours, then theirs.
// Where they cannot (two values of one field, say) the conflict stays.
func (m *merger) union(r *renderer, p *page) (*page, []Conflict) {
	var stand []*marked
	for _, c := range p.clashes() {
		if !c.bothMayStand() {
			continue
		}
		try, _ := p.decide(r, both(append(slices.Clone(stand), c)))
		if !m.exhausted() && m.prove(try) == nil {
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
