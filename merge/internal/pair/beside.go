package pair

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"

// An edit is what one side has in the place of items of the original: none of
// these is an insertion, none of its own a deletion.
type edit struct {
	side     three.Side
	from, to int // of the original
	at, end  int // of the side
}

// edits are those of s in p.
func (a *ordered) edits(s three.Side, p span) []edit {
	var out []edit
	o, x := p.from[three.Original], p.from[s]
	cut := func(i, j int) {
		if o < i || x < j {
			out = append(out, edit{s, o, i, x, j})
		}
	}
	for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
		if j := a.match[s][i]; j >= 0 {
			cut(i, j)
			o, x = i+1, j+1
		}
	}
	cut(p.to[three.Original], p.to[s])
	return out
}

// meets reports whether two edits are about one item, or insert at one place.
func (e edit) meets(f edit) bool {
	if e.from == e.to && f.from == f.to {
		return e.from == f.from
	}
	return e.from < f.to && f.from < e.to
}

// replaces reports whether e puts something in the place of items.
func (e edit) replaces() bool { return e.from < e.to && e.at < e.end }

// inserts reports whether e takes nothing away.
func (e edit) inserts() bool { return e.from == e.to }

// beside merges edits of both sides that touch, and of which none is about an item
// that the other side changed. It reports false where there are others.
func (a *ordered) beside(p span) bool {
	var at [3][]edit
	for _, s := range three.Sides {
		at[s] = a.edits(s, p)
	}
	for _, e := range at[three.Dest] {
		for _, f := range at[three.Updated] {
			if e.meets(f) || e.replaces() && f.inserts() || f.replaces() && e.inserts() {
				return false
			}
		}
	}
	for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
		for _, s := range three.Sides {
			if a.match[s][i] < 0 && a.changedItem(s.Other(), i) {
				return false
			}
		}
	}
	for i := p.from[three.Original]; i <= p.to[three.Original]; i++ {
		a.inserted(at, i, true)
		a.inserted(at, i, false)
		if i < p.to[three.Original] {
			a.steps = append(a.steps, Triple(i, a.match[three.Dest][i], a.match[three.Updated][i]))
		}
	}
	return true
}

// inserted makes the steps of what edits at the original's item i bring:
// insertions before it, or what stands in its place.
func (a *ordered) inserted(at [3][]edit, i int, only bool) {
	for _, s := range three.Sides {
		for _, e := range at[s] {
			if e.from != i || (e.from == e.to) != only {
				continue
			}
			for j := e.at; j < e.end; j++ {
				st := Triple(-1, -1, -1)
				st.At[s] = j
				a.steps = append(a.steps, st)
			}
		}
	}
}
