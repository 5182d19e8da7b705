package referee

// moves remembers nodes that one side deleted and the other changed. That is
// no clean merge unless the former only moved the node as a whole (the same
// key and value stand somewhere else, where it alone has them) and the result
// has the change there.
type moves struct {
	collecting bool             // a pass that only gathers what was lost
	suspected  bool             // a refusal may be due to a move
	lost       []*move          // gathered
	known      map[uint64]*move // what was gathered, by key and value
	added      version          // the side that added what is being compared; original if none
	carried    int              // changes found to have moved, in this pass
}

// A move is a node of the original that the side by lacks and the other side
// has changed.
type move struct {
	at     quad
	by     version
	places int // where the result carries the change
}

// data runs the passes: a strict one, and where it refused something that may
// have moved, one that gathers and a strict one that knows what was gathered.
func (c *checker) data() *Refusal {
	first := c.stream()
	if first == nil || !c.moves.suspected {
		return first
	}
	c.moves.collecting = true
	c.stream()
	c.moves.collecting = false
	if !c.moves.learn() || c.stream() != nil {
		return first
	}
	for _, m := range c.moves.known {
		if m.places != 1 {
			return first
		}
	}
	return nil
}

// learn makes known what was gathered. It reports false if there is nothing,
// or a node of which there are several.
func (m *moves) learn() bool {
	m.known = make(map[uint64]*move, len(m.lost))
	for _, l := range m.lost {
		m.known[l.at[original].sum] = l
	}
	return len(m.lost) > 0 && len(m.known) == len(m.lost)
}

// lost refuses the deletion of a changed node, unless it moved.
func (c *checker) lost(at *place, t quad) *Refusal {
	by := dest
	if t[dest] != nil {
		by = updated
	}
	r := at.refuse("deleted and changed", "%s deleted what %s changed: nothing clean can stand here", by, by.other())
	if t[result] != nil {
		return r
	}
	c.moves.suspected = true
	if c.moves.collecting {
		c.moves.lost = append(c.moves.lost, &move{at: t, by: by})
		return nil
	}
	if m := c.moves.known[t[original].sum]; m != nil && m.by == by {
		return nil
	}
	return r
}

// added calls f, in which everything compared stands where by alone has it.
func (m *moves) within(by version, f func() *Refusal) *Refusal {
	before := m.added
	m.added = by
	defer func() { m.added = before }()
	return f()
}

// moved reports whether want is a node that its side moved, and got holds what
// the other side did to it.
func (c *checker) moved(at *place, want, got *node) bool {
	m := c.moves.known[want.sum]
	if m == nil || c.moves.added != m.by || want.v != m.by {
		return false
	}
	t := m.at
	t[m.by], t[result] = want, got
	if c.moves.within(original, func() *Refusal { return c.triple(at, t) }) != nil {
		return false
	}
	m.places++
	c.moves.carried++
	return true
}
