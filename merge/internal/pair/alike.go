package pair

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/meaning"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// alike tells how much two items of an ordered list resemble each other, from
// 0 (they are not one thing) to 1: the share of equal leaves, at least a
// quarter; or a name that both bear; or strings with the same text before a
// version.
func (c *sums) alike(a, b *syntax.Node) float64 {
	if a.Kind != b.Kind {
		return 0
	}
	if c.of(a) == c.of(b) {
		return 1
	}
	if a.Kind == syntax.Scalar {
		return max(alikeStrings(a.Value, b.Value), alikeLines(a.Value, b.Value))
	}
	la, lb := c.leavesOf(a), c.leavesOf(b)
	share := 0.0
	if 4*min(len(la), len(lb)) >= max(len(la), len(lb)) {
		share = float64(common(la, lb)) / float64(max(len(la), len(lb), 1))
	}
	if hint := sameName(a, b); hint > share {
		return hint
	}
	if 4*share < 1 {
		return 0
	}
	return share
}

// parts are sums by which n may be known among many: of its leaves, or of a
// string's lines and of its text before a version.
func (c *sums) parts(n *syntax.Node) []uint64 {
	if n.Kind != syntax.Scalar {
		return c.leavesOf(n)
	}
	var parts []uint64
	for line := range strings.Lines(n.Value) {
		parts = append(parts, maphash.String(c.seed, line))
	}
	if s := stem(n.Value); s != "" {
		parts = append(parts, maphash.String(c.seed, s))
	}
	return parts
}

// sameName returns how sure a common name makes two items one thing: 0.9 for
// a name, 0.6 for the same action or image under another version.
func sameName(a, b *syntax.Node) float64 {
	for _, n := range meaning.Names {
		x, y := scalarField(a, n), scalarField(b, n)
		if x != "" && x == y {
			return 0.9
		}
	}
	x, y := scalarField(a, "uses"), scalarField(b, "uses")
	if x != "" && unversioned(x) == unversioned(y) {
		return 0.6
	}
	return 0
}

// nameOf is the first of the names that n has, with the field; "" if it has
// none.
func nameOf(n *syntax.Node) string {
	for _, field := range meaning.Names {
		if x := scalarField(n, field); x != "" {
			return field + "=" + x
		}
	}
	return ""
}

func scalarField(n *syntax.Node, name string) string {
	for _, e := range n.Entries {
		if e.Key != nil && e.Key.Kind == syntax.Scalar && e.Key.Value == name && e.Value.Kind == syntax.Scalar {
			return e.Value.Value
		}
	}
	return ""
}

// unversioned is the text before an @.
func unversioned(s string) string {
	s, _, _ = strings.Cut(s, "@")
	return s
}

// alikeStrings compares two strings by the text before a version, "=", ":" or
// "@".
func alikeStrings(a, b string) float64 {
	x, y := stem(a), stem(b)
	if x != "" && x == y {
		return 0.5
	}
	return 0
}

// alikeLines compares two texts of several lines by the lines that they share,
// at least a quarter.
func alikeLines(a, b string) float64 {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	n := max(len(x), len(y))
	if n < 3 {
		return 0
	}
	slices.Sort(x)
	slices.Sort(y)
	share := float64(common(x, y)) / float64(n)
	if 4*share < 1 {
		return 0
	}
	return share
}

// stem is the text of s before its first "=", ":" or "@", or before a version
// (a digit behind "-", "_", "v" or a blank); "" if there is none of these.
func stem(s string) string {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '=', ':', '@', '<', '>', '~':
			return strings.TrimSpace(s[:i])
		case '-', '_', ' ':
			if i+1 < len(s) && (isDigit(s[i+1]) || s[i+1] == 'v' && i+2 < len(s) && isDigit(s[i+2])) {
				return s[:i]
			}
		}
	}
	return ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
