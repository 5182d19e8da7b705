package ident

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// similarity returns how similar two items of an ordered list are, from 0 (not one thing) to 1 (equal). This is the
// number of equal leaves, divided by the leaves of the larger item, or 0 if the result is below a quarter. Items that
// have the same name or action, or only differ in a version, such as app:1.2 and app:1.3, have at least textScore.
func (h *Hasher) similarity(a, b *syntax.Node) float64 {
	share := 0.0
	if same, _, larger := h.leavesOf(a).compare(h.leavesOf(b)); larger > 0 && hasSome(same, larger) {
		share = float64(same) / float64(larger)
	}
	if text := textBeforeVersion(a.Value); text != "" && text == textBeforeVersion(b.Value) {
		return max(share, textScore)
	}
	for _, field := range syntax.NameFields {
		if x := a.ScalarAt(field); x != "" && x == b.ScalarAt(field) {
			return max(share, nameScore)
		}
	}
	if x := a.Action(); x != "" && x == b.Action() {
		return max(share, actionScore)
	}
	return share
}

// textBeforeVersion returns the text of s before a separator such as "=", ":" or "@", or before a version: a digit, or
// "v" and a digit, after "-", "_" or a space. It returns "" if s has none of these, or only as its first byte.
//
//	nginx:1.27     nginx
//	golang-v1.24   golang
//	alpine         ""
func textBeforeVersion(s string) string {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '=', ':', '@', '<', '>', '~':
			return strings.TrimSpace(s[:i])
		case '-', '_', ' ':
			if version := strings.TrimPrefix(s[i+1:], "v"); version != "" && '0' <= version[0] && version[0] <= '9' {
				return s[:i]
			}
		}
	}
	return ""
}

// IsSameThing reports whether two items of different versions are certainly one thing. Either they have an equal name
// or id, or their names (syntax.NameOf) do not differ and most of their leaves are equal. The larger item must then
// have at least MinEvidence leaves.
func (h *Hasher) IsSameThing(a, b *syntax.Node) bool {
	switch n := syntax.NameOf(a); {
	case n != syntax.NameOf(b):
		return false
	case strings.HasPrefix(n, "name=") || strings.HasPrefix(n, "id="):
		return true
	}
	// an equal path, key or host is not enough: several items of a list may have it, such as two tolerations
	la, lb := h.leavesOf(a), h.leavesOf(b)
	n := max(len(la.all), len(lb.all))
	return n >= MinEvidence && hasMost(la.countShared(lb), n)
}

// areVariants reports whether two texts may be variants of one value. They may if one contains the other, if they have
// the same text before a version or separator, or if they differ only in digits, dots and asterisks.
//
//	app:1.2   app:next   true
//	1.2.*     1.3        true
//	app       web        false
func areVariants(a, b string) bool {
	withoutDigits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789.*", r) {
				return -1
			}
			return r
		}, s)
	}
	if strings.Contains(a, b) || strings.Contains(b, a) || withoutDigits(a) == withoutDigits(b) {
		return true
	}
	name := textBeforeVersion(a)
	return name != "" && name == textBeforeVersion(b)
}

// AreUnrelated reports whether two items are certainly two things. Two scalars are if they cannot be variants of one
// value, as app:1 and app:2 can (areVariants). Two mappings are if their names (syntax.NameOf) differ and they have
// less than half of their leaves in common. It returns false for lists, aliases, and items of different kinds.
func (h *Hasher) AreUnrelated(a, b *syntax.Node) bool {
	if a.Kind == syntax.Scalar && b.Kind == syntax.Scalar {
		return !areVariants(a.Value, b.Value)
	}
	x, y := syntax.NameOf(a), syntax.NameOf(b)
	if x == "" || y == "" || x == y {
		return false
	}
	la, lb := h.leavesOf(a), h.leavesOf(b)
	return !hasHalf(la.countShared(lb), max(len(la.all), len(lb.all)))
}
