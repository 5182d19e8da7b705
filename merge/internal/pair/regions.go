package pair

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// regions cuts the list at the items that all versions share.
func (a *ordered) regions() {
	var p span
	for i := range a.v[three.Original] {
		d, u := a.match[three.Dest][i], a.match[three.Updated][i]
		if d < 0 || u < 0 {
			continue
		}
		p.to = [3]int{i, d, u}
		a.region(p)
		a.steps = append(a.steps, Triple(i, d, u))
		p.from = [3]int{i + 1, d + 1, u + 1}
	}
	for s := range a.v {
		p.to[s] = len(a.v[s])
	}
	a.region(p)
}

// region merges what stands between two shared items.
func (a *ordered) region(p span) {
	switch {
	case p.len(three.Original) == 0 && p.len(three.Dest) == 0 && p.len(three.Updated) == 0:
	case a.hasWrapper(p):
		a.conflict(p, Wrapped)
	case a.scalars(p):
		a.byPlace(p)
	case a.untouched(three.Dest, p) && !a.deletesChanged(three.Updated, p):
		a.keepFrom(three.Updated, p)
	case a.untouched(three.Updated, p) && !a.deletesChanged(three.Dest, p):
		a.keepFrom(three.Dest, p)
	case a.untouched(three.Dest, p) || a.untouched(three.Updated, p):
		a.conflict(p, overlapping)
	case a.sameRegion(p):
		a.bothAlike(p)
	case p.len(three.Original) == p.len(three.Dest) && p.len(three.Original) == p.len(three.Updated) && a.inPlace(p):
		a.byPlace(p)
	case a.deletionsOnly(p):
		a.keepFrom(three.Dest, p)
	case a.split(p, a.equal(p)):
	case p.len(three.Original) > 0 && a.beside(p):
	case p.len(three.Original) == 0 && a.split(p, a.oneThings(p)):
	case p.len(three.Original) == 0 && a.insertedSorted(p):
	case p.len(three.Original) == 0 && a.insertedUnlike(p):
	case p.len(three.Original) == 0:
		a.conflict(p, Inserted)
	default:
		a.conflict(p, overlapping)
	}
}

// split cuts a region at items that both sides brought alike, runs of them in both counted from the start of p,
// and merges what stands between them. It reports false where there are none, and where a side moved an item
// of the original's from one piece to another. The original's items that neither side has any more are deleted.
func (a *ordered) split(p span, alike []diff3.Run) bool {
	var pieces []span
	var items []Step // behind each piece but the last
	at, next := p, p.from[three.Original]
	for _, r := range alike {
		for i := range r.Len {
			at.to[three.Dest], at.to[three.Updated] = p.from[three.Dest]+r.A+i, p.from[three.Updated]+r.B+i
			next = a.cut(&at, next, p.to[three.Original])
			o := a.origin(at, p)
			next = max(next, o+1)
			pieces, items = append(pieces, at), append(items, Triple(o, at.to[three.Dest], at.to[three.Updated]))
			at.from[three.Dest], at.from[three.Updated] = at.to[three.Dest]+1, at.to[three.Updated]+1
		}
	}
	at.to = p.to
	a.cut(&at, next, p.to[three.Original])
	pieces = append(pieces, at)
	if len(items) == 0 || !a.closed(pieces) {
		return false
	}
	for i, c := range pieces {
		if a.region(c); i < len(items) {
			a.steps = append(a.steps, items[i])
		}
	}
	return true
}

// equal are the items of p that both sides have.
func (a *ordered) equal(p span) []diff3.Run {
	return diff3.Match(itemSums(a.in(three.Dest, p)), itemSums(a.in(three.Updated, p)))
}

// oneThings are the items of p, which both sides inserted in one gap, that are surely one thing.
func (a *ordered) oneThings(p span) (runs []diff3.Run) {
	dest, updated := a.in(three.Dest, p), a.in(three.Updated, p)
	if len(dest)*len(updated) > maxAlike {
		return nil
	}
	next := 0
	for d, u := range mutual(len(dest), len(updated), func(d, u int) bool {
		return !a.list.AreDistinct(dest[d].node, updated[u].node) && a.sums.oneThing(dest[d].node, updated[u].node)
	}) {
		if u >= next { // else in another order
			runs, next = append(runs, diff3.Run{A: d, B: u, Len: 1}), u+1
		}
	}
	return runs
}

// closed reports whether each side's matches of the original's items of each piece are in that.
func (a *ordered) closed(pieces []span) bool {
	for _, p := range pieces {
		for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
			for _, s := range three.Sides {
				if j := a.match[s][i]; j >= 0 && (j < p.from[s] || j >= p.to[s]) {
					return false
				}
			}
		}
	}
	return true
}

// cut gives at the original's items, from next on, that belong before the ends
// of dest and updated in at, and returns where the rest begins. Items that
// neither side has any more do not count at the edges.
func (a *ordered) cut(at *span, next, end int) int {
	first, last := -1, -1
	for ; next < end; next++ {
		d, u := a.match[three.Dest][next], a.match[three.Updated][next]
		if d < 0 && u < 0 {
			continue
		}
		if !(d >= 0 && d < at.to[three.Dest]) && !(u >= 0 && u < at.to[three.Updated]) {
			break
		}
		if first < 0 {
			first = next
		}
		last = next
	}
	at.from[three.Original], at.to[three.Original] = next, next
	if first >= 0 {
		at.from[three.Original], at.to[three.Original] = first, last+1
	}
	return next
}

// origin is the original's item of the one that stands at the end of at, -1 if
// both sides brought it anew.
func (a *ordered) origin(at, p span) int {
	o := -1
	for _, s := range three.Sides {
		i := a.back[s][at.to[s]]
		if i >= at.to[three.Original] && i < p.to[three.Original] && (o < 0 || i < o) {
			o = i
		}
	}
	return o
}

// untouched reports whether s still has all of the original's items of the
// region and nothing else; the items themselves may be changed.
func (a *ordered) untouched(s three.Version, p span) bool {
	return p.len(three.Original) == p.len(s) && !slices.Contains(a.match[s][p.from[three.Original]:p.to[three.Original]], -1)
}

// scalars reports whether a region has equally many items in every version, all of
// them scalars, of which one side has the original's: the other gave them other
// values, and what is written beside them is that of the place.
func (a *ordered) scalars(p span) bool {
	if p.len(three.Original) != p.len(three.Dest) || p.len(three.Original) != p.len(three.Updated) ||
		!a.untouched(three.Dest, p) && !a.untouched(three.Updated, p) {
		return false
	}
	for s := range a.v {
		for _, e := range a.in(three.Version(s), p) {
			if e.node == nil || e.node.Kind != syntax.Scalar {
				return false
			}
		}
	}
	return true
}

// sameRegion reports whether dest and updated have the same items there.
func (a *ordered) sameRegion(p span) bool {
	return slices.Equal(itemSums(a.in(three.Dest, p)), itemSums(a.in(three.Updated, p)))
}

// bothAlike pairs the equal items of dest and updated, and with them the
// original's item where both matched the same.
func (a *ordered) bothAlike(p span) {
	back := map[int]int{}
	for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
		if j := a.match[three.Dest][i]; j >= 0 {
			back[j] = i
		} else if j := a.match[three.Updated][i]; j >= 0 {
			back[p.from[three.Dest]+j-p.from[three.Updated]] = i
		}
	}
	for i := 0; i < p.len(three.Dest); i++ {
		o, ok := back[p.from[three.Dest]+i]
		if !ok {
			o = -1
		}
		a.steps = append(a.steps, Triple(o, p.from[three.Dest]+i, p.from[three.Updated]+i))
	}
}

// inPlace reports whether each side has the original's items of the region, as far as it has them,
// at their places there.
func (a *ordered) inPlace(p span) bool {
	for i := range p.len(three.Original) {
		for _, s := range three.Sides {
			if j := a.match[s][p.from[three.Original]+i]; j >= 0 && j != p.from[s]+i {
				return false
			}
		}
	}
	return true
}

// byPlace pairs a region of equally many items in every version by position.
func (a *ordered) byPlace(p span) {
	for i := range p.len(three.Original) {
		a.steps = append(a.steps, Triple(p.from[three.Original]+i, p.from[three.Dest]+i, p.from[three.Updated]+i))
	}
}

// deletionsOnly reports whether both sides only removed items of the region,
// none of which the other side changed.
func (a *ordered) deletionsOnly(p span) bool {
	for _, s := range three.Sides {
		if len(a.kept(s, p)) != p.len(s) || a.deletesChanged(s, p) {
			return false
		}
	}
	return true
}

// deletesChanged reports whether s deleted an item of the region that the other side changed.
func (a *ordered) deletesChanged(s three.Version, p span) bool {
	for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
		if a.match[s][i] < 0 && a.changedItem(s.Other(), i) {
			return true
		}
	}
	return false
}

func (a *ordered) conflict(p span, c Cause) {
	st := Triple(-1, -1, -1)
	st.Cause = c
	for s := range p.from {
		for i := p.from[s]; i < p.to[s]; i++ {
			st.Runs[s] = append(st.Runs[s], i)
		}
	}
	a.steps = append(a.steps, st)
}

// beside merges edits of both sides that touch, and of which none is about an item
// that the other side changed. It reports false where there are others.
func (a *ordered) beside(p span) bool {
	within := func(s three.Version) diff3.Range { return diff3.Range{Start: p.from[s], End: p.to[s]} }
	region := diff3.Chunk{Original: within(three.Original), Dest: within(three.Dest), Updated: within(three.Updated)}
	chunks := region.SplitBySideRuns(a.kept(three.Dest, p), a.kept(three.Updated, p))
	if chunks == nil || a.deletesChanged(three.Dest, p) || a.deletesChanged(three.Updated, p) {
		return false
	}
	for _, c := range chunks {
		switch c.Kind {
		case diff3.DestChanged:
			a.added(three.Dest, c.Dest)
		case diff3.UpdatedChanged:
			a.added(three.Updated, c.Updated)
		}
		for i := c.Original.Start; i < c.Original.End; i++ {
			a.steps = append(a.steps, Triple(i, a.match[three.Dest][i], a.match[three.Updated][i]))
		}
	}
	return true
}

// kept are the items of the original's p that s has, counted from the starts of p.
func (a *ordered) kept(s three.Version, p span) (runs []diff3.Run) {
	for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
		if j := a.match[s][i]; j >= 0 {
			runs = append(runs, diff3.Run{A: i - p.from[three.Original], B: j - p.from[s], Len: 1})
		}
	}
	return runs
}

// added makes the steps of what s alone has.
func (a *ordered) added(s three.Version, r diff3.Range) {
	for j := r.Start; j < r.End; j++ {
		st := Triple(-1, -1, -1)
		st.At[s] = j
		a.steps = append(a.steps, st)
	}
}

// insertedUnlike keeps what both sides inserted in one gap, dest's first, where nothing of the one is
// like anything of the other, and both did nothing to the list but add to it, or its order means nothing.
func (a *ordered) insertedUnlike(p span) bool {
	if a.lines == nil || len(a.v[three.Original]) == 0 {
		return false
	}
	if unordered := len(a.list.DistinctBy) > 0; !unordered && !(a.onlyAdded(three.Dest) && a.onlyAdded(three.Updated)) {
		return false
	}
	for _, d := range a.in(three.Dest, p) {
		for _, u := range a.in(three.Updated, p) {
			if !a.list.AreDistinct(d.node, u.node) && !a.sums.unlike(d.node, u.node) {
				return false
			}
		}
	}
	a.keepFrom(three.Dest, p)
	a.keepFrom(three.Updated, p)
	return true
}

// onlyAdded reports whether s has all items of the original as they were, and all comments
// between and behind them.
func (a *ordered) onlyAdded(s three.Version) bool {
	for i, j := range a.match[s] {
		if j < 0 || a.changedItem(s, i) {
			return false
		}
	}
	has := a.comments(s)
	return !slices.ContainsFunc(a.comments(three.Original), func(c string) bool { return !slices.Contains(has, c) })
}

// comments are the lines of comments in the list.
func (a *ordered) comments(s three.Version) (all []string) {
	n := a.of[s]
	for line := range strings.Lines(string(a.lines.Files[s].Slice(text.Span{Start: n.Span.Start, End: max(n.Span.End, n.Tail.End)}))) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
			all = append(all, line)
		}
	}
	return all
}

// Both are steps with what both sides inserted in one gap side by side, dest's first, but
// where two of these have one name. It reports whether that changed any.
func Both(v three.Nodes, steps []Step) (out []Step, changed bool) {
	for _, st := range steps {
		if st.Cause != Inserted || oneName(v, st.Runs) {
			out = append(out, st)
			continue
		}
		changed = true
		for _, i := range st.Runs[three.Dest] {
			out = append(out, Triple(-1, i, -1))
		}
		for _, i := range st.Runs[three.Updated] {
			out = append(out, Triple(-1, -1, i))
		}
	}
	return out, changed
}

// oneName reports whether an item of dest and one of updated have the same name.
func oneName(v three.Nodes, runs [3][]int) bool {
	return slices.ContainsFunc(runs[three.Dest], func(i int) bool {
		name := syntax.NameOf(v[three.Dest].Entries[i].Value)
		return name != "" && slices.ContainsFunc(runs[three.Updated], func(j int) bool {
			return syntax.NameOf(v[three.Updated].Entries[j].Value) == name
		})
	})
}
