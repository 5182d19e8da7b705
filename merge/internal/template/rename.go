package template

import (
	"slices"
	"strings"
)

// A renaming says what blocks are called that a side calls otherwise than the
// base: their condition changed, what is in them did not.
type renaming map[string]string

// renamed finds the blocks that s calls otherwise than o: their entries stand in
// both, and no other block is called so.
func renamed(o, s *facts) renaming {
	was, is := o.named(), s.named()
	if !mayDiffer(was, is) {
		return nil // as mostly: what follows asks for the path of every entry
	}
	o.forgetDoubled(was)
	s.forgetDoubled(is)
	calledO, calledS := called(was), called(is)
	r := renaming{}
	for path, a := range was {
		b, ok := is[path]
		for i := 0; ok && i < len(a) && len(a) == len(b); i++ {
			if a[i] != b[i] && !calledS[a[i]] && !calledO[b[i]] {
				r[a[i]] = b[i]
			}
		}
	}
	return r
}

// mayDiffer reports whether an entry of both has other blocks around it in one than in
// the other, but as many.
func mayDiffer(was, is map[string][]string) bool {
	for path, a := range was {
		if b := is[path]; len(a) == len(b) && !slices.Equal(a, b) {
			return true
		}
	}
	return false
}

// named are the blocks around each entry, as far as its parent does not stand in them.
func (f *facts) named() map[string][]string {
	all := make(map[string][]string, len(f.at[guards]))
	for _, p := range f.at[guards] {
		x := f.facts[p.number]
		first, _, _ := strings.Cut(x.said, branches)
		all[x.path] = append(all[x.path], first)
	}
	return all
}

// forgetDoubled deletes the blocks around entries that stand several times.
func (f *facts) forgetDoubled(blocks map[string][]string) {
	stood := make(map[string]bool, len(f.entries))
	f.each(func(_ *entry, path string) bool {
		if stood[path] {
			delete(blocks, path)
		}
		stood[path] = true
		return true
	})
}

// called are the names of blocks.
func called(blocks map[string][]string) map[string]bool {
	names := map[string]bool{}
	for _, bs := range blocks {
		for _, b := range bs {
			names[b] = true
		}
	}
	return names
}

// of is a level of a guard with its block called by its new name.
func (r renaming) of(level string) string {
	first, rest, divided := strings.Cut(level, branches)
	now, ok := r[first]
	switch {
	case !ok:
		return level
	case divided:
		return now + branches + rest
	}
	return now
}

// apply renames the guards of b.
func (r renaming) apply(b bag, l *ledger) bag {
	if len(r) == 0 {
		return b
	}
	var out bag
	for _, n := range b.order {
		x := l.facts[n]
		out.add(l.number(fact{path: x.path, said: r.of(x.said)}), b.count(n))
	}
	return out
}

const (
	levels   = " > " // between the blocks of a guard, outer ones first
	branches = " / " // between the branches of a block
)
