package access

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// isCovered reports whether one of the values in all grants everything that x grants (see covers).
func (f Field) isCovered(x value, all []value) bool {
	return slices.ContainsFunc(all, func(v value) bool { return f.covers(v, x) })
}

// covers reports whether the value v grants everything that the value x grants. Both must be in the same field, unless
// v is everything or "*". A range is covered only by a range.
//
//	v             x
//	s3:*          s3:Get        true, a pattern
//	10.0.0.0/8    10.1.0.0/16   true, a network
//	1 to 10       2 to 10       true, a range
//	s3:Get        s3:Get        true, if x has all template conditions of v
//	s3:Get        everything    false
func (f Field) covers(v, x value) bool {
	switch {
	case v.guard != "" && !strings.HasPrefix(x.guard+"\n", v.guard+"\n"): // x lacks a condition of v
		return false
	case v.isRange || x.isRange:
		return v.isRange && x.isRange && v.field == x.field && coversRange(v, x)
	case v.node == nil: // everything
		return true
	case isStar(v.node) && !strings.Contains(v.field, "."): // Principal: {AWS: "*"} is not all of Principal
		return true
	case x.node == nil || v.field != x.field:
		return false
	case f.absentGrantsAll:
		return coversSelector(v.node, x.node)
	case v.isExact:
		return syntax.EqualData(v.node, x.node)
	}
	return coversValue(v.node, x.node)
}

// mayOverlap reports whether something may be granted by both v and x, such as s3:Put by the patterns s3:P* and s3:*t.
// It assumes that all template conditions around the two values are met.
func (f Field) mayOverlap(v, x value) bool {
	v.guard, x.guard = "", ""
	switch {
	case f.covers(v, x) || f.covers(x, v):
		return true
	case v.field != x.field || v.isExact || x.isExact:
		return false
	case v.isRange || x.isRange: // their ends are not compared
		return v.isRange && x.isRange
	}
	return v.node.Kind == syntax.Scalar && x.node.Kind == syntax.Scalar && patternsMayOverlap(v.node.Value, x.node.Value)
}

// patternsMayOverlap reports whether two patterns with stars have beginnings and ends that one text can have: s3:P* and
// s3:*t, but not s3:P* and s3:G*.
func patternsMayOverlap(a, b string) bool {
	beginA, _, hasStarA := strings.Cut(a, "*")
	beginB, _, hasStarB := strings.Cut(b, "*")
	endA, endB := a[strings.LastIndex(a, "*")+1:], b[strings.LastIndex(b, "*")+1:]
	return hasStarA && hasStarB && (strings.HasPrefix(beginA, beginB) || strings.HasPrefix(beginB, beginA)) &&
		(strings.HasSuffix(endA, endB) || strings.HasSuffix(endB, endA))
}

// isStar reports whether n is the scalar *, in quotes or not, without a tag.
func isStar(n *syntax.Node) bool {
	return n.Kind == syntax.Scalar && n.Value == "*" && n.TagText == ""
}

// coversRange reports whether the range v contains the range x: 1..10 contains 2..10 and 1..10. Ends that are not
// numbers must be equal. A missing end only contains a missing end, so that 1.. does not contain 1..10.
func coversRange(v, x value) bool {
	atMost := func(a, b *syntax.Node) bool {
		if a == nil || b == nil {
			return a == b
		}
		m, errA := strconv.Atoi(a.Value)
		n, errB := strconv.Atoi(b.Value)
		return errA == nil && errB == nil && m <= n || syntax.EqualData(a, b)
	}
	return atMost(v.node, x.node) && atMost(x.upper, v.upper)
}

// coversValue reports whether the node v equals x, or is a pattern or network that contains x. Both must have the same
// tag. Lists and aliases must be equal. Mappings must have the same fields, and each value of v must cover that of x.
//
//	s3:*              s3:GetObject       true, a pattern
//	10.0.0.0/8        10.1.0.0/16        true, a network
//	{k: a*}           {k: ab, l: b}      false, other fields
func coversValue(v, x *syntax.Node) bool {
	switch {
	case v.Kind != x.Kind || v.TagText != x.TagText:
		return false
	case v.Kind == syntax.Scalar:
		return syntax.EqualData(v, x) || matchesPattern(v.Value, x.Value) || coversAddress(v.Value, x.Value)
	case v.Kind != syntax.Mapping:
		return syntax.EqualData(v, x)
	case len(v.Entries) != len(x.Entries):
		return false
	}
	for _, e := range v.Entries {
		if inX := x.Field(e.KeyText()); inX == nil || !coversValue(e.Value, inX.Value) {
			return false
		}
	}
	return true
}

// matchesPattern reports whether the whole text matches pattern. A star in pattern matches any text, even an empty one;
// no other character is special.
func matchesPattern(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return pattern == text
	}
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	for _, p := range parts[1:last] {
		i := strings.Index(text, p)
		if i < 0 {
			return false
		}
		text = text[i+len(p):]
	}
	return strings.HasSuffix(text, parts[last])
}

// coversAddress reports whether the network v, such as 10.0.0.0/8, contains the address or network x. It returns false
// if v is not a network, or if x is neither a network nor an address.
func coversAddress(v, x string) bool {
	network, err := netip.ParsePrefix(v)
	if err != nil {
		return false
	}
	if inner, err := netip.ParsePrefix(x); err == nil {
		return network.Bits() <= inner.Bits() && network.Contains(inner.Addr())
	}
	inner, err := netip.ParseAddr(x)
	return err == nil && network.Contains(inner)
}

// coversSelector reports whether the selector v selects everything that the selector x selects. v and x can also be
// lists of selectors or a part of a selector.
//
//	v                 x
//	podSelector: {}   podSelector: {app: web}   true, fewer fields select more
//	{app: web}        {}                        false
//	[80, 81]          [80]                      true, more items select more
//	[]                [80]                      true, an empty list selects everything
//
// Fields such as except are different: their items restrict the selector (see isRestriction).
func coversSelector(v, x *syntax.Node) bool {
	switch {
	case v.Kind != x.Kind || v.Kind == syntax.Scalar || v.Kind == syntax.Alias:
		return coversValue(v, x)
	case v.Kind == syntax.Sequence: // an empty list selects everything, as if it were missing
		return len(v.Entries) == 0 || len(x.Entries) > 0 && coversItems(v, x, coversSelector)
	case maySelectLess(v, x):
		return false
	}
	return !slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool { return !coversSelectorField(e, valueAt(x, e.KeyText())) })
}

// coversSelectorField reports whether the field e of a selector selects everything that the value inX of the same field
// selects in another selector, which is nil if it lacks the field.
//
//	e                inX
//	ports: null      anything   true, as if e were missing
//	ports: []        nil        true, an empty list selects everything
//	ports: [80]      nil        false
//	except: [a]      [a, b]     true, x has all restrictions of e
//	except: [a, b]   [a]        false
func coversSelectorField(e *syntax.Entry, inX *syntax.Node) bool {
	isList := e.Value.Kind == syntax.Sequence
	switch {
	case e.Value.IsNull():
		return true
	case inX == nil:
		return isList && len(e.Value.Entries) == 0
	case isRestriction(e.KeyText()):
		return isList && inX.Kind == syntax.Sequence && coversItems(inX, e.Value, syntax.EqualData)
	}
	return coversSelector(e.Value, inX)
}

// maySelectLess reports whether the selector v may select less than the selector x for a reason that counting fields
// does not show. v and x are peers or ports in a rule of a NetworkPolicy. The reasons are:
//
//   - their endPorts differ
//   - v has a port without protocol, which means TCP, and x has another protocol
//   - v selects pods in its own namespace only, and x has a namespaceSelector
func maySelectLess(v, x *syntax.Node) bool {
	has := func(n *syntax.Node, name string) bool { return valueAt(n, name) != nil }
	// endPort turns a port into a range of ports
	if !syntax.EqualData(valueAt(v, "endPort"), valueAt(x, "endPort")) {
		return true
	}
	// a port without protocol is a port of TCP
	if has(v, "port") && !has(v, "protocol") && has(x, "protocol") && valueAt(x, "protocol").Value != "TCP" {
		return true
	}
	// a podSelector without namespaceSelector is for pods of its own namespace
	hasPods := has(v, "podSelector") || has(v, "selector")
	return hasPods && !has(v, "namespaceSelector") && has(x, "namespaceSelector")
}

// isRestriction reports whether the field of a selector with this name has a list of restrictions: each further item
// makes the selector select less, as in matchExpressions, except and notPaths.
func isRestriction(name string) bool {
	rest, hasNot := strings.CutPrefix(name, "not")
	isNegated := hasNot && rest != "" && rest[0] < 'a' // an upper-case letter follows
	return isNegated || name == "matchExpressions" || name == "except"
}

// coversItems reports whether every item of the list x is covered by some item of the list v. The function covers
// compares two items: whether its first argument covers its second one.
func coversItems(v, x *syntax.Node, covers func(v, x *syntax.Node) bool) bool {
	for _, inX := range x.Entries {
		if !slices.ContainsFunc(v.Entries, func(inV *syntax.Entry) bool { return covers(inV.Value, inX.Value) }) {
			return false
		}
	}
	return true
}

// valueAt returns the value of a field of the mapping n, or nil if n does not have it.
func valueAt(n *syntax.Node, field string) *syntax.Node {
	if e := n.Field(field); e != nil {
		return e.Value
	}
	return nil
}
