package template

import "strings"

// A renaming says what blocks are called that a side calls otherwise than the
// base: their condition changed, what is in them did not.
type renaming map[string]string

// renamed finds the blocks that s calls otherwise than o: their entries stand in
// both, and no other block is called so.
func renamed(o, s *facts) renaming {
	was, is := o.blocks(), s.blocks()
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

// blocks are those around each entry that stands once, as far as its parent does
// not stand in them.
func (f *facts) blocks() map[string][]string {
	all := map[string][]string{}
	for _, p := range f.at[guards] {
		first, _, _ := strings.Cut(p.said, branches)
		all[p.path] = append(all[p.path], first)
	}
	stood := map[string]bool{}
	f.each(func(_ *entry, path string) bool {
		if stood[path] {
			delete(all, path)
		}
		stood[path] = true
		return true
	})
	return all
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
func (r renaming) apply(b bag) bag {
	if len(r) == 0 {
		return b
	}
	var out bag
	for _, f := range b.order {
		out.add(fact{path: f.path, said: r.of(f.said)}, b.count[f])
	}
	return out
}

const (
	levels   = " > " // between the blocks of a guard, outer ones first
	branches = " / " // between the branches of a block
)
