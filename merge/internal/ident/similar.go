package ident

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// similarity returns how similar two items of an ordered list are, from 0 (not one thing) to 1 (equal). This is the
// number of equal leaves, divided by the leaves of the larger item. It is 0 if this is less than a quarter. But it is
// at least
//   - textScore if both have the same text before a version or separator, such as app:1.2 and app:1.3
//   - nameScore if they have the same name
//   - actionScore if they are workflow steps with the same action (uses), in any version
func (h *Hasher) similarity(a, b *syntax.Node) float64 {
	share := 0.0
	if same, _, larger := h.leavesOf(a).compare(h.leavesOf(b)); larger > 0 && hasSome(same, larger) {
		share = float64(same) / float64(larger)
	}
	if text := textBeforeVersion(a.Value); text != "" && text == textBeforeVersion(b.Value) {
		return max(share, textScore)
	}
	for _, field := range syntax.NameFields {
		if name := a.ScalarAt(field); name != "" && name == b.ScalarAt(field) {
			return max(share, nameScore)
		}
	}
	if action := a.Action(); action != "" && action == b.Action() {
		return max(share, actionScore)
	}
	return share
}

// textBeforeVersion returns the text of s before its first separator (one of = : @ < > ~) or version: a digit, or "v"
// and a digit, after "-", "_" or a space. It returns "" if s has none of these, or only as its first byte.
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

// IsSameThing reports whether two items of different versions are certainly one thing. They must have the same name, or
// both none. A name in the field name or id is enough. With another name, such as path=/a, or without one, three
// quarters of the leaves must be equal, and the larger item must have at least MinEvidence leaves.
func (h *Hasher) IsSameThing(a, b *syntax.Node) bool {
	name := syntax.NameOf(a)
	if name != syntax.NameOf(b) {
		return false
	}
	if strings.HasPrefix(name, "name=") || strings.HasPrefix(name, "id=") {
		return true
	}
	// an equal path, key or host is not enough: several items of a list may have it, such as two tolerations
	leavesOfA, leavesOfB := h.leavesOf(a), h.leavesOf(b)
	larger := max(len(leavesOfA.all), len(leavesOfB.all))
	return larger >= MinEvidence && hasMost(leavesOfA.countShared(leavesOfB), larger)
}

// areVariants reports whether two texts may be variants of one value: one contains the other, they differ only in
// digits, dots and asterisks, or they have the same text before a version or separator (textBeforeVersion).
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

// AreUnrelated reports whether two items are certainly two things: scalars that cannot be variants of one value
// (areVariants), or mappings with different names (name=web) and less than half of the larger one's leaves equal. It
// returns false for all other items.
func (h *Hasher) AreUnrelated(a, b *syntax.Node) bool {
	if a.Kind == syntax.Scalar && b.Kind == syntax.Scalar {
		return !areVariants(a.Value, b.Value)
	}
	nameOfA, nameOfB := syntax.NameOf(a), syntax.NameOf(b)
	if nameOfA == "" || nameOfB == "" || nameOfA == nameOfB {
		return false
	}
	leavesOfA, leavesOfB := h.leavesOf(a), h.leavesOf(b)
	return !hasHalf(leavesOfA.countShared(leavesOfB), max(len(leavesOfA.all), len(leavesOfB.all)))
}
