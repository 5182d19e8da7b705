package schema

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// AccessFields are the fields of one mapping that grant access together, such as verbs and resources of an RBAC rule.
// The mapping grants each combination of a value of each field. If two sides add values to different fields, the merged
// mapping grants combinations that neither side granted:
//
//	verbs: [get]       # ours adds delete
//	resources: [pods]  # theirs adds secrets; the result allows deleting secrets
type AccessFields []AccessField

// An AccessField is a field that grants access together with other fields of the same mapping, such as verbs in an RBAC
// rule. It can also be several fields that express the same thing in different ways, such as Action and NotAction.
type AccessField struct {
	fields []alternative
	// absentGrantsAll is whether a mapping without the field grants every value of it, as a NetworkPolicy rule without
	// ports does. The values of such a field are selectors: the fewer fields a selector has, the more it selects.
	absentGrantsAll bool
}

// An alternative is one field of an AccessField that can be expressed by several.
type alternative struct {
	name string
	// upper is the field with the upper end of a range whose lower end is in the field called name. It is "" if the
	// field is not a range.
	upper string
	// excluded is whether the field lists values that are not granted, as NotAction does: all other values are granted.
	excluded bool
}

// decodeAccessField parses an access field as rules write it. "|" separates fields that express the same thing, "-"
// precedes a field whose values are not granted, FROM..TO are the two fields of a range, and "=*" means that a mapping
// without the field grants everything. The error quotes a text that has another form.
//
//	verbs
//	resourceNames=*
//	Action|-NotAction
//	FromPort..ToPort=*
func decodeAccessField(text string) (f AccessField, err error) {
	names, all := strings.CutSuffix(text, "=*")
	f.absentGrantsAll = all
	for name := range strings.SplitSeq(names, "|") {
		var x alternative
		name, x.excluded = strings.CutPrefix(name, "-")
		x.name, x.upper, _ = strings.Cut(name, "..")
		if x.name == "" || strings.ContainsAny(name, "=*[]\"' ,") || strings.HasSuffix(name, "..") {
			return f, fmt.Errorf("invalid access field %q", text)
		}
		f.fields = append(f.fields, x)
	}
	return f, nil
}

// String returns the names of the fields of f for messages. For most access fields this is one name (verbs); several
// are joined by "/", as in Action/NotAction. The two fields of a range are both named: FromPort/ToPort.
func (f AccessField) String() string {
	var names []string
	for _, x := range f.fields {
		names = append(names, x.name)
		if x.upper != "" {
			names = append(names, x.upper)
		}
	}
	return strings.Join(names, "/")
}

// AccessFields returns the sets of fields of the mapping at p that grant access together, such as verbs and resources
// in an RBAC rule. The first rule of the team for p decides; an empty list means that there are none. Without such a
// rule, the result has the sets of all presets, even for built-in Kubernetes types.
func (r *Rules) AccessFields(p Place) []AccessFields {
	sel := r.selectionFor(p)
	if m, ok := firstMatch(sel.team, p.Path, accessRules); ok {
		if len(m) == 0 {
			return nil
		}
		return []AccessFields{m}
	}
	return slices.Collect(matchingRules(sel.allPresets(), p.Path, accessRules))
}

// accessRules returns the rules in e for access fields, such as verbs and resources in an RBAC rule.
func accessRules(e *rulesEntry) []rule[AccessFields] { return e.access }

// isPresentIn reports whether the mapping n has one of the fields of f, with a value other than null or an empty list.
func (f AccessField) isPresentIn(n *syntax.Node) bool {
	return slices.ContainsFunc(f.fields, func(x alternative) bool { return len(f.valuesIn(n, x)) > 0 })
}

// FindWidened returns two fields to which ours and theirs added values, if the merged mapping would grant combinations
// of values that neither side grants. ok is false if there are none. base is nil if both sides added the mapping.
//
//	                    ours adds   theirs adds   result
//	verbs: [get]        delete                    "verbs", "resources", true: the merge would allow deleting secrets
//	resources: [pods]               secrets
func (m AccessFields) FindWidened(base, ours, theirs *syntax.Node) (byOurs, byTheirs string, ok bool) {
	return m.firstDifferent(m.fieldsBeyond(ours, theirs, base), m.fieldsBeyond(theirs, ours, base))
}

// FindWidenedIn reports whether the merged mapping grants combinations of values that neither side grants, because ours
// added a verb and theirs a resource, for example. byOurs is a field with a value that theirs does not grant, and
// byTheirs a different one with a value that ours does not grant.
func (m AccessFields) FindWidenedIn(merged, ours, theirs *syntax.Node) (byOurs, byTheirs string, ok bool) {
	return m.firstDifferent(m.fieldsBeyond(merged, theirs, nil), m.fieldsBeyond(merged, ours, nil))
}

// FindEmptied returns a field that restricts the mapping in ours and in theirs, but is missing or empty in merged,
// which then grants every value of the field. ok is false if there is none.
//
//	resourceNames: [a, b]  # ours deletes a, theirs deletes b; the result is empty and allows all names
func (m AccessFields) FindEmptied(merged, ours, theirs *syntax.Node) (field string, ok bool) {
	for _, f := range m {
		if f.absentGrantsAll && !f.isPresentIn(merged) && f.isPresentIn(ours) && f.isPresentIn(theirs) {
			return f.String(), true
		}
	}
	return "", false
}

// firstDifferent returns the names of two different fields of m, one with an index in ours and one with an index in
// theirs. These are the fields to which each side added values. ok is false, and the names are "", if there is no such
// pair, as for [0] and [0].
func (m AccessFields) firstDifferent(ours, theirs []int) (byOurs, byTheirs string, ok bool) {
	for _, i := range ours {
		for _, j := range theirs {
			if i != j {
				return m[i].String(), m[j].String(), true
			}
		}
	}
	return "", "", false
}

// fieldsBeyond returns the indices in m of the fields with a value that the mapping n grants and other does not. Values
// that base grants are ignored, because n did not add them; base may be nil. If n has the verbs [get, delete], and
// other and base have [get], the result is [0], the index of verbs.
func (m AccessFields) fieldsBeyond(n, other, base *syntax.Node) (all []int) {
	for i, f := range m {
		otherValues, granted := f.valuesOf(other), f.valuesOf(n)
		switch {
		case base == nil:
		case granted.exceptListed:
			otherValues = f.union(otherValues, f.valuesOf(base))
		default:
			granted.listed = withoutEqual(granted.listed, f.valuesOf(base).listed)
		}
		if !f.contains(otherValues, granted) {
			all = append(all, i)
		}
	}
	return all
}

// A valueSet is the set of values that a mapping grants in one field, or in several fields that express the same thing,
// such as Action and NotAction: the listed values or, if exceptListed is true, all other values. If isUnknown is true,
// there were too many values to compare, and the set contains nothing for certain.
type valueSet struct {
	exceptListed, isUnknown bool
	listed                  []value
}

// A value is one value that a mapping lists in a field, with the name of the field and the conditions of a template
// under which the value exists.
type value struct {
	// field is the name of the field with the value. If the field is a mapping, a dot and the mapping key follow. For
	// a value that is excluded, as by NotAction, it is the field that would grant it: Action (see grantingField).
	field string
	// guard has the conditions of a template around the value, one in each line. It does not contain those around all
	// fields of the mapping.
	guard string
	node  *syntax.Node
	// upper is the upper end of a range, otherwise nil.
	upper   *syntax.Node
	isRange bool
	// isExact is whether the value covers only equal values: it is a part of a condition, whose pattern or network can
	// be what the condition allows or what it excludes.
	isExact bool
}

// valuesOf returns the values of the access field f that the mapping n grants. If n has several fields of f, these are
// the values that one of them grants.
//
//	n                       values
//	verbs: [get, list]      get, list
//	NotAction: [s3:Get]     all except s3:Get
//	{} (no field of f)      all, if f.absentGrantsAll is true or all fields of f list excluded values; otherwise none
func (f AccessField) valuesOf(n *syntax.Node) (v valueSet) {
	present := false
	for _, x := range f.fields {
		listed := f.valuesIn(n, x)
		if len(listed) == 0 {
			continue
		}
		present = true
		if u := (valueSet{exceptListed: x.excluded, listed: listed}); x.excluded || v.exceptListed {
			v = f.union(v, u)
		} else {
			v.listed = append(v.listed, listed...)
		}
	}
	excludes := !slices.ContainsFunc(f.fields, func(x alternative) bool { return !x.excluded })
	if !present && (f.absentGrantsAll || excludes) {
		return valueSet{exceptListed: true}
	}
	return v
}

// grantingField returns the name of the field that grants the values that x lists: Action for the fields Action and
// NotAction, so that the values of the two can be compared. It is the name of x if x itself grants its values, or if
// not exactly one field of f grants values.
func (f AccessField) grantingField(x alternative) string {
	var granting []alternative
	for _, other := range f.fields {
		if !other.excluded {
			granting = append(granting, other)
		}
	}
	if x.excluded && len(granting) == 1 {
		return granting[0].name
	}
	return x.name
}

// valuesIn returns the values that the mapping n lists in the field x: the items of a list, a scalar, or a range with
// both ends. It returns nil if the field is missing, null or an empty list.
//
//	Action: [s3:Get, s3:Put]        s3:Get, s3:Put
//	Principal: {AWS: [a, b]}        a, b, with the field Principal.AWS
func (f AccessField) valuesIn(n *syntax.Node, x alternative) (all []value) {
	outer := commonLevels(n)
	// conditions around all fields of n do not distinguish its values
	inside := func(g *syntax.Guard) string {
		if g == nil {
			return ""
		}
		return (&syntax.Guard{Levels: g.Levels[min(outer, len(g.Levels)):]}).String()
	}
	field := f.grantingField(x)
	e := n.Field(x.name)
	if x.upper != "" {
		upper := n.Field(x.upper)
		if e == nil && upper == nil {
			return nil
		}
		r := value{field: x.name, isRange: true}
		if e != nil {
			r.node, r.guard = e.Value, inside(e.Guard)
		}
		if upper != nil {
			r.upper = upper.Value
		}
		return []value{r}
	}
	if e == nil || e.Value.IsNull() {
		return nil
	}
	add := func(field, guard string, n *syntax.Node) {
		if n.Kind != syntax.Sequence {
			all = append(all, value{field: field, guard: guard, node: n})
			return
		}
		for _, item := range n.Entries {
			all = append(all, value{field: field, guard: cmp.Or(inside(item.Guard), guard), node: item.Value})
		}
	}
	switch {
	// with absentGrantsAll, a mapping is one selector
	case e.Value.Kind != syntax.Mapping || f.absentGrantsAll:
		add(field, inside(e.Guard), e.Value)
	case x.excluded: // each field excludes further values
		for _, k := range e.Value.Entries {
			all = append(all, value{field: field + "." + k.KeyText(), guard: cmp.Or(inside(k.Guard), inside(e.Guard)), node: k.Value, isExact: true})
		}
	default:
		for _, k := range e.Value.Entries {
			add(field+"."+k.KeyText(), cmp.Or(inside(k.Guard), inside(e.Guard)), k.Value)
		}
	}
	return all
}

// commonLevels returns how many conditions of a template enclose all entries of n. It is 1 for the fields b and d:
//
//	{{ if .a }}
//	b: 1            # enclosed by .a
//	{{ if .c }}
//	d: 1            # enclosed by .a and .c
//	{{ end }}{{ end }}
func commonLevels(n *syntax.Node) (common int) {
	for i, e := range n.Entries {
		var levels []syntax.Level
		if e.Guard != nil {
			levels = e.Guard.Levels
		}
		if i == 0 {
			common = len(levels)
		}
		first := n.Entries[0].Guard
		same := 0
		for same < min(common, len(levels)) && levels[same].Said == first.Levels[same].Said {
			same++
		}
		common = same
	}
	return common
}

// union returns the values that are in a, in b or in both. A value also counts as listed if a pattern or network in the
// list contains it.
//
//	a                   b                   union
//	[x, y]              [y, z]              [x, y, y, z]
//	all except [x, y]   all except [x, z]   all except [x]
//	all except [x, y]   [y]                 all except [x]
//	all except [s3:*]   all except [s3:a]   all except [s3:a]
func (f AccessField) union(a, b valueSet) valueSet {
	switch {
	case !a.exceptListed && !b.exceptListed:
		return valueSet{listed: slices.Concat(a.listed, b.listed)}
	case a.exceptListed && b.exceptListed: // the result excludes the values that both exclude
		inB, _, ok := f.split(a.listed, b.listed)
		inA, _, alsoOK := f.split(b.listed, a.listed)
		return valueSet{exceptListed: true, isUnknown: a.isUnknown || b.isUnknown || !ok || !alsoOK, listed: slices.Concat(inB, inA)}
	case b.exceptListed:
		a, b = b, a
	}
	_, rest, ok := f.split(a.listed, b.listed)
	return valueSet{exceptListed: true, isUnknown: a.isUnknown || b.isUnknown || !ok, listed: rest}
}

// maxComparedValues is the maximum number of pairs of values that split compares.
const maxComparedValues = 1 << 16

// split returns the values of a in two parts: covered has those that a value of b covers, and rest the others. ok is
// false if more than 65,536 pairs would have to be compared, as for thousands of networks that both sides changed. Then
// covered has only the values that equal one of b.
func (f AccessField) split(a, b []value) (covered, rest []value, ok bool) {
	// A value grants what an equal value grants. Equal values are looked up: only the others are compared.
	different := withoutEqual(a, b)
	ok = len(different)*len(b) <= maxComparedValues
	next := 0
	for _, x := range a {
		isDifferent := next < len(different) && x == different[next]
		if isDifferent {
			next++
		}
		if !isDifferent || ok && f.isCovered(x, b) {
			covered = append(covered, x)
		} else {
			rest = append(rest, x)
		}
	}
	return covered, rest, ok
}

// contains reports whether a grants all values that b grants. It returns false if there are too many values to compare
// (see split), which leads to a conflict.
//
//	a                        b
//	[s3:*]                   [s3:Get]                 true
//	all except [s3:Put]      all except [s3:*]        true
//	[s3:Get]                 all except [s3:Put]      false
//	["*"]                    all except [s3:Put]      true
//	all except [s3:Put]      [s3:Put]                 false
func (f AccessField) contains(a, b valueSet) bool {
	switch {
	case a.isUnknown || b.isUnknown:
		return false
	case a.exceptListed && b.exceptListed:
		_, rest, ok := f.split(a.listed, b.listed)
		return ok && len(rest) == 0
	case a.exceptListed:
		inB, _, ok := f.split(a.listed, b.listed)
		inA, _, alsoOK := f.split(b.listed, a.listed)
		return ok && alsoOK && len(inB)+len(inA) == 0
	case b.exceptListed:
		return f.isCovered(value{}, a.listed)
	}
	_, rest, ok := f.split(b.listed, a.listed)
	return ok && len(rest) == 0
}

// withoutEqual returns the values of all that equal none of others. It looks them up, and compares no pairs.
func withoutEqual(all, others []value) []value {
	known := make(map[string]bool, len(others))
	for _, x := range others {
		known[x.key()] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(x value) bool { return known[x.key()] })
}

// key returns a text that is the same for equal values in the same field, under the same conditions of a template.
func (v value) key() string {
	return fmt.Sprintf("%q %q %s %s", v.field, v.guard, dataText(v.node), dataText(v.upper))
}

// dataText returns a text that is the same for equal nodes: regardless of the order of fields, style, anchors and
// comments.
func dataText(n *syntax.Node) string {
	switch {
	case n == nil:
		return "none"
	case n.Kind == syntax.Scalar:
		tag, text := n.ScalarData()
		return fmt.Sprintf("%q %q %q", n.TagText, tag, text)
	case n.Kind == syntax.Alias:
		return fmt.Sprintf("*%q", n.Value)
	}
	var parts []string
	for _, e := range n.Entries {
		text := dataText(e.Value)
		if e.Key != nil {
			text = fmt.Sprintf("%q: %s", e.KeyText(), text)
		}
		parts = append(parts, text)
	}
	if n.Kind == syntax.Mapping {
		slices.Sort(parts)
	}
	return fmt.Sprintf("%d %q [%s]", n.Kind, n.TagText, strings.Join(parts, ", "))
}

// isCovered reports whether one of the values in all grants everything that x grants: because it is the same value in
// the same field, a pattern, network or range that contains it, or "*". It returns false if all is empty. The zero
// value as x is every value of f, which only "*" grants.
func (f AccessField) isCovered(x value, all []value) bool {
	return slices.ContainsFunc(all, func(v value) bool { return f.covers(v, x) })
}

// covers reports whether the value v grants everything that x grants: it equals x, is a pattern, network, range or
// selector that contains x, or is "*". A value whose node is nil and that is not a range stands for all values. A value
// under conditions of a template never covers one that is not under them.
func (f AccessField) covers(v, x value) bool {
	if v.guard != "" && !strings.HasPrefix(x.guard+"\n", v.guard+"\n") {
		return false // x lacks a condition of v
	}
	if v.isRange || x.isRange {
		return v.isRange && x.isRange && v.field == x.field && coversRange(v, x)
	}
	// a field with a dot is a mapping key in a field: {Principal: {AWS: "*"}} does not grant all of Principal
	if isStar(v.node) && !strings.Contains(v.field, ".") {
		return true
	}
	if x.node == nil || v.field != x.field {
		return false
	}
	if f.absentGrantsAll {
		return coversSelector(v.node, x.node)
	}
	if v.isExact {
		return equalData(v.node, x.node)
	}
	return coversValue(v.node, x.node)
}

// isStar reports whether n is the scalar *.
func isStar(n *syntax.Node) bool {
	return n.Kind == syntax.Scalar && n.Value == "*" && n.TagText == ""
}

// coversRange reports whether the range v contains the range x, with both ends included: 1..10 contains 2..10. A
// missing end only contains a missing end. Ends that are not numbers must be equal. The range 1.. does not contain
// 1..10.
func coversRange(v, x value) bool {
	atMost := func(a, b *syntax.Node) bool {
		if a == nil || b == nil {
			return a == b
		}
		m, err := strconv.Atoi(a.Value)
		n, bad := strconv.Atoi(b.Value)
		return err == nil && bad == nil && m <= n || equalData(a, b)
	}
	return atMost(v.node, x.node) && atMost(x.upper, v.upper)
}

// coversValue reports whether the node v equals x, or is a pattern or network that contains x. Both must have the same
// tag in the file.
//
//	v                 x                  result
//	s3:*              s3:GetObject       true, a pattern
//	10.0.0.0/8        10.1.0.0/16        true, a network
//	[a*]              [ab]               false, two lists must be equal
//	{k: a*, l: b}     {l: b, k: ab}      true, the same fields, and each value covers the other one
//	{k: a*}           {k: ab, l: b}      false, other fields
func coversValue(v, x *syntax.Node) bool {
	switch {
	case v.Kind != x.Kind || v.TagText != x.TagText:
		return false
	case v.Kind == syntax.Scalar:
		return equalData(v, x) || matchesPattern(v.Value, x.Value) || coversAddress(v.Value, x.Value)
	case v.Kind != syntax.Mapping:
		return equalData(v, x)
	}
	return len(v.Entries) == len(x.Entries) && !slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool {
		inX := x.Field(e.KeyText())
		return inX == nil || !coversValue(e.Value, inX.Value)
	})
}

// matchesPattern reports whether the whole text matches pattern. A star in pattern matches any text, also an empty one;
// no other character is special. A pattern without a star must equal text.
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

// coversAddress reports whether the network v contains the address or network x. Both are written as in 10.0.0.0/8 and
// 10.1.2.3. It returns false if v is not a network, or if x is neither a network nor an address.
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
// selects. The fewer fields a selector has, the more it selects: podSelector: {} covers podSelector: {matchLabels:
// {app: web}}. A list has alternatives, so more items select more. See isRestriction and lacksWideningField for the
// exceptions.
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
			return e.Value.Kind != syntax.Sequence || inX.Value.Kind != syntax.Sequence || !coversItems(inX.Value, e.Value, equalData)
		}
		return !coversSelector(e.Value, inX.Value)
	})
}

// lacksWideningField reports whether the mapping v, a selector such as a peer or a port in a rule of a NetworkPolicy,
// may select less than x because of the fields endPort, protocol and namespaceSelector. These are exceptions: a
// selector that lacks another field selects more.
func lacksWideningField(v, x *syntax.Node) bool {
	// endPort turns a port into a range of ports. A port without protocol is a port of TCP. A podSelector without
	// namespaceSelector is for pods of its own namespace.
	protocol, namespaces := valueAt(x, "protocol"), valueAt(x, "namespaceSelector")
	return !equalData(valueAt(v, "endPort"), valueAt(x, "endPort")) ||
		protocol != nil && protocol.Value != "TCP" && valueAt(v, "protocol") == nil && valueAt(v, "port") != nil ||
		namespaces != nil && valueAt(v, "namespaceSelector") == nil && (valueAt(v, "podSelector") != nil || valueAt(v, "selector") != nil)
}

// isRestriction reports whether the list in the field called name of a selector restricts the selection more with each
// item, as matchExpressions, except and notPaths do.
func isRestriction(name string) bool {
	rest, ok := strings.CutPrefix(name, "not")
	return ok && rest != "" && rest[0] < 'a' || name == "matchExpressions" || name == "except"
}

// coversItems reports whether for each item of x, v has an item that covers it, by the function covers. It returns true
// if x has no items.
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

// equalData reports whether a and b have equal values at any depth. The order of fields and the style (quotes, block or
// flow) are ignored, and so are anchors and comments. The order of items counts, and 1 differs from "1". A nil node
// equals only nil.
func equalData(a, b *syntax.Node) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Kind != b.Kind || a.TagText != b.TagText || len(a.Entries) != len(b.Entries):
		return false
	case a.Kind == syntax.Scalar:
		tag, text := a.ScalarData()
		tagB, textB := b.ScalarData()
		return tag == tagB && text == textB
	case a.Kind == syntax.Alias:
		return a.Value == b.Value
	}
	for i, e := range a.Entries {
		inB := b.Entries[i]
		if e.Key != nil {
			inB = b.Field(e.KeyText())
		}
		if inB == nil || !equalData(e.Value, inB.Value) {
			return false
		}
	}
	return true
}
