package template

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
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
	d := differ{o: addressed(o), u: addressed(u)}
	d.guards()
	d.actions()
	said := func(l Line) string { return l.Said }
	if len(d.changes) == 0 && !slices.Equal(mapped(d.o.f.Lines, said), mapped(d.u.f.Lines, said)) {
		d.changes = append(d.changes, Change{})
	}
	return d.changes
}

func mapped[T, U any](all []T, f func(T) U) (out []U) {
	for _, x := range all {
		out = append(out, f(x))
	}
	return out
}

// A differ compares two templates.
type differ struct {
	o, u    *addresses
	changes []Change
}

// addresses are the facts of a template by the paths of its entries.
type addresses struct {
	f      *Facts
	paths  []string // of the entries, in the order of the file
	of     map[*syntax.Entry]string
	guards map[string]said   // by path
	below  map[string][]said // the lines that are no part of a block, by the path of the entry above
}

// A said is what stands at a place.
type said struct {
	said string
	off  int
}

func addressed(r *Reading) *addresses {
	a := &addresses{f: r.Facts(), of: map[*syntax.Entry]string{}, guards: map[string]said{}, below: map[string][]said{}}
	for i, d := range r.Stream.Docs {
		a.node(d.Root, r.document(i, d))
	}
	for _, l := range a.f.Lines {
		if l.Of == "" && !HasBlocks([]byte(l.Said)) {
			path := a.of[l.Above]
			a.below[path] = append(a.below[path], said{l.Said, l.Start})
		}
	}
	return a
}

func (a *addresses) node(n *syntax.Node, path string) {
	for _, e := range n.Entries {
		at := below(path, e)
		a.of[e] = at
		s, known := a.guards[at]
		if !known {
			a.paths, s.off = append(a.paths, at), e.Start
		}
		for _, level := range a.f.Guards[e] {
			s.said = strings.TrimPrefix(s.said+" {{ "+strings.ReplaceAll(level.Said, branches, " }} {{ ")+" }}", " ")
		}
		a.guards[at] = s
		a.node(e.Value, at)
	}
}

// guards compares those of entries that both have. What was added or deleted with its
// guard is no change of that.
func (d *differ) guards() {
	for _, path := range d.u.paths {
		was, ok := d.o.guards[path]
		if is := d.u.guards[path]; ok && was.said != is.said {
			d.changes = append(d.changes, Change{Path: path, Guard: true, From: was.said, To: is.said, FromOff: was.off, ToOff: is.off})
		}
	}
}

// actions compares the lines that are no part of a block, by the entry above.
func (d *differ) actions() {
	was, is := d.o.below, d.u.below
	for _, path := range slices.Compact(slices.Sorted(slices.Values(slices.Concat([]string{""}, d.o.paths, d.u.paths)))) {
		from, to := without(was[path], is[path]), without(is[path], was[path])
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
