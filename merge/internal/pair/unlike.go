package pair

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// insertedUnlike keeps what both sides inserted in one gap, dest's first, where both did
// nothing to the list but add scalars, and none of the one is like any of the other.
func (a *ordered) insertedUnlike(p span) bool {
	if a.lines == nil || len(a.v[three.Original]) == 0 || !a.onlyAdded(three.Dest) || !a.onlyAdded(three.Updated) {
		return false
	}
	for _, d := range a.v[three.Dest][p.from[three.Dest]:p.to[three.Dest]] {
		for _, u := range a.v[three.Updated][p.from[three.Updated]:p.to[three.Updated]] {
			if d.node.Kind != syntax.Scalar || u.node.Kind != syntax.Scalar || likeTexts(d.node.Value, u.node.Value) {
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
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
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
