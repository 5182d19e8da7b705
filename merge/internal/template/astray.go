package template

import "strings"

// A slot is what stands around an entry in lines of actions: above it what opens,
// below it what closes and prints.
type slot struct{ lead, foot string }

// slots are those of the entries of f, in order. Lines between two entries are
// the upper one's up to the last that closes, and else up to the first that opens.
func (r *Reading) slots(f *facts) map[string]slot {
	all := map[string]slot{}
	path, next := "", 0
	f.each(func(e *entry, below string) bool {
		from := next
		for next < len(r.directives) && r.directives[next].Start < e.Start {
			next++
		}
		cut := r.divide(from, next)
		s := all[path]
		s.foot += r.text(from, cut)
		all[path] = s
		path = below
		s = all[path]
		s.lead += r.text(cut, next)
		all[path] = s
		return true
	})
	s := all[path]
	s.foot += r.text(next, len(r.directives))
	all[path] = s
	return all
}

// divide returns where the directive lines [from, to) stop to belong to the entry
// above.
func (r *Reading) divide(from, to int) int {
	for i := to - 1; i >= from; i-- {
		if k := r.lineKind(r.directives[i]); k == closes {
			return i + 1
		}
	}
	for i := from; i < to; i++ {
		if k := r.lineKind(r.directives[i]); k == opens || k == divides {
			return i
		}
	}
	return to
}

// lineKind is what a directive line does to the blocks, by its last action that
// does something.
func (r *Reading) lineKind(d line) kind {
	for a := d.last - 1; a >= d.first; a-- {
		if k := r.actions[a].kind; k != output {
			return k
		}
	}
	return output
}

func (r *Reading) text(from, to int) string {
	var b strings.Builder
	for _, d := range r.directives[from:to] {
		b.WriteString(r.said(d))
		b.WriteByte('\n')
	}
	return b.String()
}

// around is what stands around entries, by their paths, in any version: the blocks,
// and the lines above and below, together and on their own.
type around struct {
	chains      map[fact]bool
	slots       map[string]map[slot]bool
	leads, feet map[[2]string]bool
}

// learn remembers what stands around the entries of the versions.
func (l *Law) learn() *around {
	if l.around != nil {
		return l.around
	}
	a := &around{chains: map[fact]bool{}, slots: map[string]map[slot]bool{}, leads: map[[2]string]bool{}, feet: map[[2]string]bool{}}
	for v, f := range l.facts {
		f.each(func(e *entry, path string) bool {
			a.chains[fact{path: path, said: e.in.text()}] = true
			return true
		})
		for path, s := range l.versions[v].slots(f) {
			a.leads[[2]string{path, s.lead}], a.feet[[2]string{path, s.foot}] = true, true
			if a.slots[path] == nil {
				a.slots[path] = map[slot]bool{}
			}
			a.slots[path][s] = true
		}
	}
	l.around = a
	return a
}

// astray is the path of the entry of a result at which its blocks leave those of
// the versions: the first with lines above or below that it has nowhere; else the
// first that has them nowhere together; else the first that stands in other
// blocks than anywhere.
func (l *Law) astray(r *Reading, f *facts) string {
	slots, known := r.slots(f), l.learn()
	for _, differs := range []func(e *entry, path string) bool{
		func(_ *entry, path string) bool {
			s := slots[path]
			return known.slots[path] != nil && (!known.leads[[2]string{path, s.lead}] || !known.feet[[2]string{path, s.foot}])
		},
		func(_ *entry, path string) bool { return known.slots[path] != nil && !known.slots[path][slots[path]] },
		func(e *entry, path string) bool { return !known.chains[fact{path: path, said: e.in.text()}] },
	} {
		if path := f.first(differs); path != "" {
			return path
		}
	}
	return ""
}

// first is the path of the first entry of which something is so, "" if there is none.
func (f *facts) first(so func(e *entry, path string) bool) (found string) {
	f.each(func(e *entry, path string) bool {
		if so(e, path) {
			found = path
		}
		return found == ""
	})
	return found
}
