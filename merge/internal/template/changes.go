package template

import (
	"slices"
	"strings"
)

// A Change is a difference of two templates that their data do not show.
type Change struct {
	// Path is that of the entry whose guard it is, or of the entry above a line of
	// actions; "" where there is none.
	Path string
	// Guard says that it is a guard, as {{ if .Values.x }}; else it is a line of actions.
	Guard bool
	// From and To are the guard, or the line, in either; "" where there is none, and
	// where the lines stand in another order alone.
	From, To string
	// FromOff and ToOff are where the entry, or the line, starts in either.
	FromOff, ToOff int
}

// Changes lists what differs in the guards of the entries that both have, and in the
// lines of actions that do not belong to a block. There is none only if the lines of
// actions of both are the same.
func Changes(o, u *Reading) []Change {
	l := &ledger{}
	d := differ{o: o.facts(l), u: u.facts(l)}
	d.guards()
	d.actions(o, u)
	if len(d.changes) == 0 && !slices.Equal(d.o.lines, d.u.lines) {
		d.changes = append(d.changes, Change{})
	}
	return d.changes
}

// A differ compares two templates.
type differ struct {
	o, u    *facts
	changes []Change
}

// guards compares those of entries that both have. What was added or deleted with its
// guard is no change of that.
func (d *differ) guards() {
	was, is := d.o.guarded(), d.u.guarded()
	seen := map[string]bool{}
	d.u.each(func(e *entry, path string) bool {
		if x, ok := was[path]; ok && !seen[path] && x.said != is[path].said {
			d.changes = append(d.changes, Change{Path: path, Guard: true, From: x.said, To: is[path].said, FromOff: x.off, ToOff: e.Start})
		}
		seen[path] = true
		return true
	})
}

// A said is what stands at a place.
type said struct {
	said string
	off  int
}

// guarded are the blocks around each entry, as far as they are not around what it is in.
func (f *facts) guarded() map[string]said {
	all := make(map[string]said, len(f.entries))
	f.each(func(e *entry, path string) bool {
		s := all[path]
		if s.said == "" {
			s.off = e.Start
		}
		for _, level := range e.in.levels(f.entries[e.up].in) {
			s.said = strings.TrimPrefix(s.said+" {{ "+strings.ReplaceAll(level, branches, " }} {{ ")+" }}", " ")
		}
		all[path] = s
		return true
	})
	return all
}

// actions compares the lines that are no part of a block, by the entry above.
func (d *differ) actions(o, u *Reading) {
	was, is := o.loose(d.o), u.loose(d.u)
	for _, path := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(was.paths, is.paths)))) {
		from, to := without(was.below[path], is.below[path]), without(is.below[path], was.below[path])
		for i := range max(len(from), len(to)) {
			c := Change{Path: path}
			if i < len(from) {
				c.From, c.FromOff = from[i].said, from[i].off
			}
			if i < len(to) {
				c.To, c.ToOff = to[i].said, to[i].off
			}
			d.changes = append(d.changes, c)
		}
	}
}

// looseLines are the lines of actions that are no part of a block, by the path of the
// entry above.
type looseLines struct {
	below map[string][]said
	paths []string
}

func (r *Reading) loose(f *facts) looseLines {
	l := looseLines{below: map[string][]said{}}
	r.eachBelow(f, func(d line, above string) {
		if r.lineKind(d) == output {
			l.below[above] = append(l.below[above], said{r.said(d), d.Start})
			l.paths = append(l.paths, above)
		}
	})
	return l
}

// eachBelow goes over the directive lines of r with the path of the entry above each.
func (r *Reading) eachBelow(f *facts, visit func(d line, above string)) {
	above, next := "", 0
	upTo := func(off int) {
		for ; next < len(r.directives) && r.directives[next].Start < off; next++ {
			visit(r.directives[next], above)
		}
	}
	f.each(func(e *entry, path string) bool {
		upTo(e.Start)
		above = path
		return true
	})
	upTo(len(r.data))
}

// without are those of a that are not in b, as often as they are not.
func without(a, b []said) (rest []said) {
	left := map[string]int{}
	for _, x := range b {
		left[x.said]++
	}
	for _, x := range a {
		if left[x.said]--; left[x.said] < 0 {
			rest = append(rest, x)
		}
	}
	return rest
}
