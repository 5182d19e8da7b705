package access

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// isCovered reports whether one of the values in all grants everything that x grants (see covers). If x is the zero
// value, it represents every value of f: only "*" or another zero value grants all of it.
func (f Field) isCovered(x value, all []value) bool {
	return slices.ContainsFunc(all, func(v value) bool { return f.covers(v, x) })
}

// covers reports whether the value v grants everything that x grants. v must be "*", be equal to x, or be a pattern,
// network, range or selector in the same field that contains x. If v is under conditions of a template, x must be under
// them, too. The zero value represents every value of f.
func (f Field) covers(v, x value) bool {
	if v.guard != "" && !strings.HasPrefix(x.guard+"\n", v.guard+"\n") {
		return false // x lacks a condition of v
	}
	if v.isRange || x.isRange {
		return v.isRange && x.isRange && v.field == x.field && coversRange(v, x)
	}
	// a field with a dot is a mapping key in a field: {Principal: {AWS: "*"}} does not grant all of Principal
	if v.node == nil || isStar(v.node) && !strings.Contains(v.field, ".") {
		return true
	}
	if x.node == nil || v.field != x.field {
		return false
	}
	if f.absentGrantsAll {
		return coversSelector(v.node, x.node)
	}
	if v.isExact {
		return syntax.EqualData(v.node, x.node)
	}
	return coversValue(v.node, x.node)
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
		m, err := strconv.Atoi(a.Value)
		n, bad := strconv.Atoi(b.Value)
		return err == nil && bad == nil && m <= n || syntax.EqualData(a, b)
	}
	return atMost(v.node, x.node) && atMost(x.upper, v.upper)
}

// coversValue reports whether the node v equals x, or is a pattern or network that contains x. Both must have the same
// tag. Lists must be equal. Mappings must have the same fields, and each value of v must cover the value of x.
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
	}
	return len(v.Entries) == len(x.Entries) && !slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool {
		inX := x.Field(e.KeyText())
		return inX == nil || !coversValue(e.Value, inX.Value)
	})
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

// coversSelector reports whether the selector v, such as a peer in a rule of a NetworkPolicy, selects everything that x
// selects. A selector with fewer fields selects more: podSelector: {} covers podSelector: {matchLabels: {app: web}}. A
// list with more items selects more, because its items are alternatives, and an empty list selects everything; but more
// restrictions, such as except, select less (isRestriction).
func coversSelector(v, x *syntax.Node) bool {
	switch {
	case v.Kind != x.Kind || v.Kind == syntax.Scalar || v.Kind == syntax.Alias:
		return coversValue(v, x)
	// an empty list does not restrict the selection
	case v.Kind == syntax.Sequence:
		return len(v.Entries) == 0 || len(x.Entries) > 0 && coversItems(v, x, coversSelector)
	}
	if lacksWideningField(v, x) {
		return false
	}
	return !slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool {
		inX := x.Field(e.KeyText())
		switch {
		case e.Value.IsNull():
			return false
		case inX == nil:
			return e.Value.Kind != syntax.Sequence || len(e.Value.Entries) > 0
		// x must have all items of v
		case isRestriction(e.KeyText()):
			return e.Value.Kind != syntax.Sequence || inX.Value.Kind != syntax.Sequence || !coversItems(inX.Value, e.Value, syntax.EqualData)
		}
		return !coversSelector(e.Value, inX.Value)
	})
}

// lacksWideningField reports whether the selector v may select less than x although it has fewer fields, because it
// lacks a field that widens a selector, such as endPort or namespaceSelector. v and x are peers or ports in a rule of a
// NetworkPolicy.
func lacksWideningField(v, x *syntax.Node) bool {
	has := func(n *syntax.Node, name string) bool { return valueAt(n, name) != nil }
	switch {
	// endPort turns a port into a range of ports
	case !syntax.EqualData(valueAt(v, "endPort"), valueAt(x, "endPort")):
		return true
	// a port without protocol is a port of TCP
	case has(v, "port") && !has(v, "protocol") && has(x, "protocol") && valueAt(x, "protocol").Value != "TCP":
		return true
	}
	// a podSelector without namespaceSelector is for pods of its own namespace
	hasPods := has(v, "podSelector") || has(v, "selector")
	return hasPods && !has(v, "namespaceSelector") && has(x, "namespaceSelector")
}

// isRestriction reports whether the field of a selector with this name has a list of restrictions: each further item
// makes the selector select less, as in matchExpressions, except and notPaths.
func isRestriction(name string) bool {
	rest, ok := strings.CutPrefix(name, "not")
	isNegated := ok && rest != "" && rest[0] < 'a' // an upper-case letter
	return isNegated || name == "matchExpressions" || name == "except"
}

// coversItems reports whether each item of the list x is covered by an item of the list v, according to the function
// covers.
func coversItems(v, x *syntax.Node, covers func(v, x *syntax.Node) bool) bool {
	return !slices.ContainsFunc(x.Entries, func(item *syntax.Entry) bool {
		return !slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool { return covers(e.Value, item.Value) })
	})
}

// valueAt returns the value of a field of the mapping n, or nil if n does not have it.
func valueAt(n *syntax.Node, field string) *syntax.Node {
	if e := n.Field(field); e != nil {
		return e.Value
	}
	return nil
}
