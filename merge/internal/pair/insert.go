package pair

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// oneThing reports whether two items that both sides inserted are surely one:
// they have one name or id, or at least three leaves of which more than two thirds
// are equal. Several items of a list may well have one path, key or host: two
// tolerations of one key, say.
func (c *sums) oneThing(a, b *syntax.Node) bool {
	if a.Kind != syntax.Mapping || b.Kind != syntax.Mapping {
		return false
	}
	switch n := nameOf(a); {
	case n != nameOf(b):
		return false
	case strings.HasPrefix(n, "name=") || strings.HasPrefix(n, "id="):
		return true
	}
	la, lb := c.leavesOf(a), c.leavesOf(b)
	n := max(len(la), len(lb))
	return n >= 3 && 3*common(la, lb) > 2*n
}

// insertedUnlike keeps what both sides inserted in one gap, dest's first, where nothing of the one is
// like anything of the other, and both did nothing to the list but add to it, or its order means nothing.
func (a *ordered) insertedUnlike(p span) bool {
	if a.lines == nil || len(a.v[three.Original]) == 0 || len(a.list.Apart) == 0 && !(a.onlyAdded(three.Dest) && a.onlyAdded(three.Updated)) {
		return false
	}
	for _, d := range a.v[three.Dest][p.from[three.Dest]:p.to[three.Dest]] {
		for _, u := range a.v[three.Updated][p.from[three.Updated]:p.to[three.Updated]] {
			if !a.list.TwoThings(d.node, u.node) && !a.sums.unlike(d.node, u.node) {
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
func (a *ordered) onlyAdded(s three.Side) bool {
	for i, j := range a.match[s] {
		if j < 0 || a.changedItem(s, i) {
			return false
		}
	}
	has := a.comments(s)
	return !slices.ContainsFunc(a.comments(three.Original), func(c string) bool { return !slices.Contains(has, c) })
}

// comments are the lines of comments in the list.
func (a *ordered) comments(s three.Side) (all []string) {
	n := a.of[s]
	for line := range strings.Lines(string(a.lines.Files[s].Slice(text.Span{Start: n.Span.Start, End: max(n.Span.End, n.Tail.End)}))) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
			all = append(all, line)
		}
	}
	return all
}

// likeTexts reports whether two texts may be two ways to say one thing: one holds the other, they
// have the same text before a version, or differ in digits and wildcards alone.
func likeTexts(a, b string) bool {
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789.*", r) {
				return -1
			}
			return r
		}, s)
	}
	return strings.Contains(a, b) || strings.Contains(b, a) || alikeStrings(a, b) > 0 || bare(a) == bare(b)
}

// unlike reports whether two items are surely two things: scalars that are no two ways to say
// one, or mappings of distinct names of which under half the leaves are equal.
func (c *sums) unlike(a, b *syntax.Node) bool {
	if a.Kind != b.Kind || a.Kind == syntax.Scalar {
		return a.Kind == b.Kind && !likeTexts(a.Value, b.Value)
	}
	x, y := nameOf(a), nameOf(b)
	la, lb := c.leavesOf(a), c.leavesOf(b)
	return x != "" && y != "" && x != y && 2*common(la, lb) < max(len(la), len(lb))
}

// Holds reports whether a has all that b has.
func (c *sums) Holds(a, b *syntax.Node) bool {
	if c.Equal(a, b) {
		return true
	}
	if a.Kind != b.Kind || len(b.Entries) == 0 || c.Props(a) != c.Props(b) {
		return false
	}
	i := 0
	for _, e := range b.Entries {
		if e.Key != nil {
			i = 0
		}
		for i < len(a.Entries) && !(c.SameKey(a.Entries[i], e) && c.Holds(a.Entries[i].Value, e.Value)) {
			i++
		}
		if i == len(a.Entries) {
			return false
		}
		i++
	}
	return true
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
		name := nameOf(v[three.Dest].Entries[i].Value)
		return name != "" && slices.ContainsFunc(runs[three.Updated], func(j int) bool {
			return nameOf(v[three.Updated].Entries[j].Value) == name
		})
	})
}
