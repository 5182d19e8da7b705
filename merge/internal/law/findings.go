package law

// Refusals returns all that Check would refuse, one behind the other, most at
// most; nil where c holds.
func Refusals(c Claim, most int) []*Refusal {
	k := newChecker(c)
	k.found = &[]*Refusal{}
	for _, holds := range k.parts() {
		k.judge(holds())
	}
	return (*k.found)[:min(len(*k.found), most)]
}

// Findings returns what Check would refuse in the result of a person, who may
// reformat and reorder, and who decided at will what c.Open says was in
// conflict. It returns most refusals at most; what stands in a list without keys
// in which something was in conflict is not judged.
func Findings(c Claim, most int) []*Refusal {
	k := newChecker(c)
	k.found, k.person = &[]*Refusal{}, true
	for _, holds := range []func() *Refusal{k.data, k.aliases, k.comments} {
		k.judge(holds())
	}
	return (*k.found)[:min(len(*k.found), most)]
}

// judge reports a refusal, which ends a check; where all are listed, it is noted
// and the check goes on. Form is a person's own.
func (c *checker) judge(r *Refusal) *Refusal {
	if r == nil || c.found == nil || c.trial {
		return r
	}
	if !c.person || r.Rule != "form" && r.Rule != "order" {
		*c.found = append(*c.found, r)
	}
	return nil
}

// decided are what stood in conflict in q, by identity: there a person may have
// left anything.
func (q quad) decided(id func(*node) uint64) map[uint64]*quad {
	var all map[uint64]*quad
	for v, n := range q {
		if n == nil || !n.part {
			continue
		}
		for i := range n.kids {
			k := &n.kids[i]
			if !k.gone {
				continue
			}
			if all == nil {
				all = map[uint64]*quad{}
			}
			if all[id(k)] == nil {
				all[id(k)] = &quad{}
			}
			all[id(k)][v] = k
		}
	}
	return all
}

// undone refuses what base has in the place of two edits.
func (q quad) undone(r *node) *Refusal {
	o, d, u := q[original], q[dest], q[updated]
	if o == nil || r == nil || d == nil || u == nil || o.data != r.data || o.data == d.data || o.data == u.data {
		return nil
	}
	q[result] = r
	return q.refuse("undone", "ours and theirs both changed it, found what base has: %s", r.show())
}

// tell notes all of l that was not explained, where all refusals are noted; x is
// the first of it.
func (c *checker) tell(x *Refusal, l *loose) *Refusal {
	if x == nil || c.found == nil || c.trial {
		return x
	}
	for i := range l.found[result] {
		if m := &l.found[result][i]; !m.used {
			c.judge(m.invented())
		}
	}
	for _, s := range sides {
		for i := range l.found[s] {
			if m := &l.found[s][i]; !m.used {
				c.judge(m.lost(s))
			}
		}
	}
	return nil
}
