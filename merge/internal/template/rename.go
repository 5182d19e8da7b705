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
		if _, twice := all[p.path]; twice {
			all[p.path] = nil
			continue
		}
		for level := range strings.SplitSeq(p.said, levels) {
			first, _, _ := strings.Cut(level, branches)
			all[p.path] = append(all[p.path], first)
		}
	}
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

// of is a guard with the blocks called by their new names.
func (r renaming) of(guard string) string {
	parts := strings.Split(guard, levels)
	for i, p := range parts {
		first, rest, divided := strings.Cut(p, branches)
		if now, ok := r[first]; ok {
			if parts[i] = now; divided {
				parts[i] += branches + rest
			}
		}
	}
	return strings.Join(parts, levels)
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
