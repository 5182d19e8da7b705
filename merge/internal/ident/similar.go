package ident

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// similarity returns how similar two items of an ordered list are, from 0, which means that they are not one thing, to
// 1, which means equal. Items of different kinds, such as a scalar and a mapping, have 0. Otherwise it is the greatest
// of:
//
//   - the share of equal leaves (scalars, aliases and empty collections) among the leaves of the larger item, if it is
//     at least a quarter
//   - 0.9 for mappings with the same value in one of the fields name, id, path, key, host, url, title, href and slug
//   - 0.6 for mappings whose fields named "uses" only differ after "@", as in actions/checkout@v4
//   - 0.5 for scalars with the same text before a version, such as app:1.2 and app:1.3
func (h *Hasher) similarity(a, b *syntax.Node) float64 {
	if a.Kind != b.Kind {
		return 0
	}
	if h.Hash(a) == h.Hash(b) {
		return 1
	}
	share := 0.0
	if same, _, larger := h.leavesOf(a).compare(h.leavesOf(b)); larger > 0 && hasSome(same, larger) {
		share = float64(same) / float64(larger)
	}
	if a.Kind == syntax.Scalar {
		return max(share, stringSimilarity(a.Value, b.Value))
	}
	for _, field := range syntax.NameFields {
		if x := a.ScalarAt(field); x != "" && x == b.ScalarAt(field) {
			return max(share, 0.9)
		}
	}
	// the same action with another version
	if x := a.Action(); x != "" && x == b.Action() {
		return max(share, 0.6)
	}
	return share
}

// stringSimilarity returns 0.5 if two strings have the same text before a version or a separator, such as app:1.2 and
// app:1.3, or A=1 and A=2. Otherwise it returns 0, also for two equal strings that have neither.
func stringSimilarity(a, b string) float64 {
	x, y := textBeforeVersion(a), textBeforeVersion(b)
	if x != "" && x == y {
		return 0.5
	}
	return 0
}

// textBeforeVersion returns the text of s before the first of "=", ":", "@", "<", ">" and "~", or before a version: a
// digit, or "v" and a digit, after "-", "_" or a space. The separator is not part of the result. It returns "" if s has
// none of these.
//
//	nginx:1.27     nginx
//	golang-v1.24   golang
//	alpine         ""
//
// The first byte of s is never a separator.
func textBeforeVersion(s string) string {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '=', ':', '@', '<', '>', '~':
			return strings.TrimSpace(s[:i])
		case '-', '_', ' ':
			if version := strings.TrimPrefix(s[i+1:], "v"); version != "" && isDigit(version[0]) {
				return s[:i]
			}
		}
	}
	return ""
}

// isDigit reports whether c is an ASCII digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isSameThing reports whether two items that both sides added are surely one thing, so that they can be merged. It
// depends on their names: the first of the fields name, id, path, key, host, url, title, href and slug that an item
// has, with its value.
//
//	lists, or items of different kinds          false
//	different names, or only one has a name     false
//	the same name, in the field name or id      true
//	the same name in another field, or none     true if they have at least three leaves (scalars, aliases or empty
//	                                            collections), and at least three quarters are equal
//
// An equal path, key or host is not enough, because several items of a list may have it, such as two tolerations. A
// scalar has no name and only one leaf for each line, so the result is false for a scalar with one line.
func (h *Hasher) IsSameThing(a, b *syntax.Node) bool {
	if a.Kind != b.Kind || a.Kind == syntax.Sequence {
		return false
	}
	switch n := syntax.NameOf(a); {
	case n != syntax.NameOf(b):
		return false
	case strings.HasPrefix(n, "name=") || strings.HasPrefix(n, "id="):
		return true
	}
	la, lb := h.leavesOf(a), h.leavesOf(b)
	n := max(len(la.all), len(lb.all))
	return n >= minEvidence && hasMost(la.countShared(lb), n)
}

// areVariants reports whether two texts may be variants of one value. They may be in these cases:
//
//	one contains the other, or they are equal
//	they have the same text before a version or separator: app:1.2 and app:next, or A=1 and A=2
//	they differ only in digits, dots and asterisks: 1.2.* and 1.3
//
// An empty text is a variant of every text.
func areVariants(a, b string) bool {
	withoutDigits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789.*", r) {
				return -1
			}
			return r
		}, s)
	}
	return strings.Contains(a, b) || strings.Contains(b, a) || stringSimilarity(a, b) > 0 || withoutDigits(a) == withoutDigits(b)
}

// areUnrelated reports whether two items of one kind are surely two things. Scalars are, unless they may be variants of
// one value, such as app:1 and app:2. Mappings are if both have a name, the names differ, and less than half of the
// leaves (scalars, aliases and empty collections) of the larger one are equal. The name is the first of the fields
// name, id, path, key, host, url, title, href and slug, with its value. areUnrelated returns false for lists and
// aliases, and if the kinds differ.
func (h *Hasher) AreUnrelated(a, b *syntax.Node) bool {
	if a.Kind != b.Kind || a.Kind == syntax.Scalar {
		return a.Kind == b.Kind && !areVariants(a.Value, b.Value)
	}
	x, y := syntax.NameOf(a), syntax.NameOf(b)
	la, lb := h.leavesOf(a), h.leavesOf(b)
	return x != "" && y != "" && x != y && !hasHalf(la.countShared(lb), max(len(la.all), len(lb.all)))
}
