package schema

import (
	"cmp"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Multiplied are fields of one mapping that are multiplied: the mapping grants each combination of one value
// of each field. Two sides that widen different fields therefore grant, once they are merged, combinations
// that neither side granted.
//
//	verbs: [get]       # ours adds delete
//	resources: [pods]  # theirs adds secrets: merged, secrets may be deleted
type Multiplied []Factor

// A Factor is one of the fields that are multiplied, or several of them that say the same thing in different
// ways (Action and NotAction).
type Factor struct {
	fields []factorField
	// absentGrantsAll says that a mapping without the factor grants every value of it, as a NetworkPolicy rule without
	// ports does. The values of such a factor are selectors, of which a shorter one selects more.
	absentGrantsAll bool
}

// A factorField is one field of a Factor.
type factorField struct {
	name string
	// upper is the field with the upper end of a range that begins with the field called name; "" if there is no range.
	upper string
	// excluded says that the values are excluded: NotAction grants everything else.
	excluded bool
}

// decodeFactor reads a factor as rules write it: the names of its fields, separated by "|". A name after "-" is
// a field of excluded values, FROM..TO are the fields of a range, and "=*" at the end says that a mapping
// without the factor grants everything.
//
//	verbs
//	resourceNames=*
//	Action|-NotAction
//	FromPort..ToPort=*
//
// The error says what is wrong with the text.
func decodeFactor(text string) (f Factor, err error) {
	names, all := strings.CutSuffix(text, "=*")
	f.absentGrantsAll = all
	for name := range strings.SplitSeq(names, "|") {
		var x factorField
		name, x.excluded = strings.CutPrefix(name, "-")
		x.name, x.upper, _ = strings.Cut(name, "..")
		if x.name == "" || strings.ContainsAny(name, "=*[]\"' ,") || strings.HasSuffix(name, "..") {
			return f, errors.New(" is not a field that is multiplied")
		}
		f.fields = append(f.fields, x)
	}
	return f, nil
}

// String returns the names of the fields of f, as messages show them.
func (f Factor) String() string {
	var names []string
	for _, x := range f.fields {
		names = append(names, x.name)
		if x.upper != "" {
			names = append(names, x.upper)
		}
	}
	return strings.Join(names, "/")
}

// Multiplied returns the sets of fields that are multiplied in the mapping at p. The first of the team's rules
// that knows p decides alone, and may say that nothing is multiplied there; otherwise the result is what all
// presets say, also of Kubernetes' built-in types.
func (r *Rules) Multiplied(p Place) []Multiplied {
	sel := r.selectionFor(p)
	if m, ok := firstMatch(sel.team, p.Path, multipliedRules); ok {
		if len(m) == 0 {
			return nil
		}
		return []Multiplied{m}
	}
	return slices.Collect(matchingRules(sel.allPresets(), p.Path, multipliedRules))
}

func multipliedRules(e *rulesEntry) []rule[Multiplied] { return e.multiplied }

// HasMultipliedFields reports whether the mapping n, which is at p, or a mapping in it has fields that are multiplied.
func (r *Rules) HasMultipliedFields(p Place, n *syntax.Node) bool {
	if n.Kind == syntax.Mapping && slices.ContainsFunc(r.Multiplied(p), func(m Multiplied) bool { return m.isPresentIn(n) }) {
		return true
	}
	return slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
		field := "*"
		if e.Key != nil {
			field = e.KeyText()
		}
		below := p
		below.Path = append(slices.Clone(p.Path), field)
		return len(e.Value.Entries) > 0 && r.HasMultipliedFields(below, e.Value)
	})
}

// isPresentIn reports whether the mapping n has a field of m that is not empty.
func (m Multiplied) isPresentIn(n *syntax.Node) bool {
	return slices.ContainsFunc(m, func(f Factor) bool { return f.isPresentIn(n) })
}

// isPresentIn reports whether the mapping n has a field of f that is not empty.
func (f Factor) isPresentIn(n *syntax.Node) bool {
	return slices.ContainsFunc(f.fields, func(x factorField) bool { return len(f.valuesIn(n, x)) > 0 })
}

// FindWidened returns two different fields of m, the first of which ours widens and the second theirs, so that
// merged, the mapping of which these are the versions grants combinations that neither ours nor theirs grants.
// ok is false if there are no such fields: only one side widens m, both widen the same field, or one side has
// all values that the other side added. base is nil if both sides added the mapping.
func (m Multiplied) FindWidened(base, ours, theirs *syntax.Node) (byOurs, byTheirs string, ok bool) {
	return m.firstDifferent(m.factorsBeyond(ours, theirs, base), m.factorsBeyond(theirs, ours, base))
}

// FindWidenedIn is Widened for a merged mapping: it returns two different fields of merged, the first with values that
// only ours added, the second with values that only theirs added.
func (m Multiplied) FindWidenedIn(merged, ours, theirs *syntax.Node) (byOurs, byTheirs string, ok bool) {
	return m.firstDifferent(m.factorsBeyond(merged, theirs, nil), m.factorsBeyond(merged, ours, nil))
}

// FindEmptied returns a field that ours and theirs have and merged lacks, which grants everything then, as each side removed
// a part of its values. ok is false if there is none.
//
//	resourceNames: [a, b]  # ours removes a, theirs b
func (m Multiplied) FindEmptied(merged, ours, theirs *syntax.Node) (field string, ok bool) {
	for _, f := range m {
		if f.absentGrantsAll && !f.isPresentIn(merged) && f.isPresentIn(ours) && f.isPresentIn(theirs) {
			return f.String(), true
		}
	}
	return "", false
}

// firstDifferent returns the names of a factor of ours and another one of theirs; ok is false if there are no two.
func (m Multiplied) firstDifferent(ours, theirs []int) (byOurs, byTheirs string, ok bool) {
	for _, f := range ours {
		for _, g := range theirs {
			if f != g {
				return m[f].String(), m[g].String(), true
			}
		}
	}
	return "", "", false
}

// factorsBeyond returns the indexes of the factors of which n has values that other does not grant, apart from those that base
// has and that n therefore did not add. base may be nil.
func (m Multiplied) factorsBeyond(n, other, base *syntax.Node) (all []int) {
	for i, f := range m {
		known, has := f.valuesOf(other), f.valuesOf(n)
		switch {
		case base == nil:
		case has.exceptListed:
			known = f.union(known, f.valuesOf(base))
		default:
			had := f.valuesOf(base).listed
			has.listed = slices.DeleteFunc(has.listed, func(x value) bool { return slices.ContainsFunc(had, x.equals) })
		}
		if !f.contains(known, has) {
			all = append(all, i)
		}
	}
	return all
}

// valueSet are the values that a mapping grants of a factor: those in of or, if not is set, all but those.
type valueSet struct {
	exceptListed bool
	listed       []value
}

// A value is one value of a factor: a node and where it is.
type value struct {
	field   string // the field that has it, and the key in this field if that is a mapping
	guard   string // the conditions of a template around it
	node    *syntax.Node
	upper   *syntax.Node // the upper end of a range, else nil
	isRange bool
}

// valuesOf returns the values of f that the mapping n grants. A mapping without the fields of f grants nothing,
// or everything if f.all is set.
func (f Factor) valuesOf(n *syntax.Node) (v valueSet) {
	there := false
	for _, x := range f.fields {
		of := f.valuesIn(n, x)
		if len(of) == 0 {
			continue
		}
		there = true
		if u := (valueSet{x.excluded, of}); x.excluded || v.exceptListed {
			v = f.union(v, u)
		} else {
			v.listed = append(v.listed, of...)
		}
	}
	excludes := !slices.ContainsFunc(f.fields, func(x factorField) bool { return !x.excluded })
	if !there && (f.absentGrantsAll || excludes) {
		return valueSet{exceptListed: true}
	}
	return v
}

// valuesIn returns the values in the field x of the mapping n; none if it is missing or empty.
func (f Factor) valuesIn(n *syntax.Node, x factorField) (all []value) {
	e := n.Field(x.name)
	if x.upper != "" {
		upper := n.Field(x.upper)
		if e == nil && upper == nil {
			return nil
		}
		r := value{field: x.name, isRange: true}
		if e != nil {
			r.node, r.guard = e.Value, e.Guard
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
			all = append(all, value{field: field, guard: cmp.Or(item.Guard, guard), node: item.Value})
		}
	}
	switch {
	case e.Value.Kind != syntax.Mapping || f.absentGrantsAll:
		add(x.name, e.Guard, e.Value)
	case x.excluded: // of more fields, each excludes more
		for _, k := range e.Value.Entries {
			all = append(all, value{field: x.name + "." + k.KeyText(), guard: cmp.Or(k.Guard, e.Guard), node: k.Value})
		}
	default:
		for _, k := range e.Value.Entries {
			add(x.name+"."+k.KeyText(), cmp.Or(k.Guard, e.Guard), k.Value)
		}
	}
	return all
}

// union returns the values that are in a or in b.
func (f Factor) union(a, b valueSet) valueSet {
	switch {
	case !a.exceptListed && !b.exceptListed:
		return valueSet{listed: slices.Concat(a.listed, b.listed)}
	case a.exceptListed && b.exceptListed: // what both exclude
		return valueSet{exceptListed: true, listed: f.onlyCovered(a.listed, b.listed)}
	case b.exceptListed:
		a, b = b, a
	}
	return valueSet{exceptListed: true, listed: slices.DeleteFunc(slices.Clone(a.listed), func(x value) bool { return f.isCovered(x, b.listed) })}
}

// onlyCovered returns those of a that b covers.
func (f Factor) onlyCovered(a, b []value) []value {
	return slices.DeleteFunc(slices.Clone(a), func(x value) bool { return !f.isCovered(x, b) })
}

// contains reports whether all values of b are in a.
func (f Factor) contains(a, b valueSet) bool {
	switch {
	case a.exceptListed && b.exceptListed:
		return len(f.onlyCovered(a.listed, b.listed)) == len(a.listed)
	case a.exceptListed:
		return !slices.ContainsFunc(a.listed, func(x value) bool {
			return f.isCovered(x, b.listed) || slices.ContainsFunc(b.listed, func(y value) bool { return f.covers(x, y) })
		})
	case b.exceptListed:
		return f.isCovered(value{}, a.listed)
	}
	return len(f.onlyCovered(b.listed, a.listed)) == len(b.listed)
}

func (f Factor) isCovered(x value, all []value) bool {
	return slices.ContainsFunc(all, func(v value) bool { return f.covers(v, x) })
}

// covers reports whether v grants all that x grants, where x without a node is everything.
func (f Factor) covers(v, x value) bool {
	if v.guard != "" && !strings.HasPrefix(x.guard+"\n", v.guard+"\n") {
		return false // x has not all of its conditions
	}
	if v.isRange || x.isRange {
		return v.isRange && x.isRange && v.field == x.field && coversRange(v, x)
	}
	if isStar(v.node) && !strings.Contains(v.field, ".") {
		return true
	}
	if x.node == nil || v.field != x.field {
		return false
	}
	if f.absentGrantsAll {
		return coversSelector(v.node, x.node)
	}
	return coversValue(v.node, x.node)
}

// equals reports whether v and x are the same value under the same conditions.
func (v value) equals(x value) bool {
	return v.field == x.field && v.guard == x.guard && equalData(v.node, x.node) && equalData(v.upper, x.upper)
}

func isStar(n *syntax.Node) bool {
	return n.Kind == syntax.Scalar && n.Value == "*" && n.TagText == ""
}

// coversRange reports whether the range x is in v. Ends that are no numbers have to be equal.
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

// coversValue reports whether v is x, or a pattern or network of addresses that x is in; of mappings, whether they have
// the same fields and each of x is in that of v.
//
//	s3:*        s3:GetObject
//	10.0.0.0/8  10.1.0.0/16
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
		in := x.Field(e.KeyText())
		return in == nil || !coversValue(e.Value, in.Value)
	})
}

// matchesPattern reports whether text matches pattern, in which a star is any text.
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

// coversAddress reports whether the address or network x is in the network v.
func coversAddress(v, x string) bool {
	of, err := netip.ParsePrefix(v)
	if err != nil {
		return false
	}
	if in, err := netip.ParsePrefix(x); err == nil {
		return of.Bits() <= in.Bits() && of.Contains(in.Addr())
	}
	in, err := netip.ParseAddr(x)
	return err == nil && of.Contains(in)
}

// coversSelector reports whether the selector v selects all that x selects. Of two mappings it does if x has each field
// of v, which selects more than that of x: a field that is missing restricts nothing. Of two lists it does if it has
// an item for each of x.
//
//	podSelector: {}         podSelector: {matchLabels: {app: web}}
//	methods: [GET, POST]    methods: [GET]
//
// Some lists restrict more the more they have (matchExpressions, except, notPaths): x has all their items.
func coversSelector(v, x *syntax.Node) bool {
	switch {
	case v.Kind != x.Kind || v.Kind == syntax.Scalar || v.Kind == syntax.Alias:
		return coversValue(v, x)
	case v.Kind == syntax.Sequence:
		return len(v.Entries) == 0 || len(x.Entries) > 0 && coversItems(v, x, coversSelector)
	}
	if !equalData(valueAt(v, "endPort"), valueAt(x, "endPort")) {
		return false // without it a port is one port
	}
	return !slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool {
		in := x.Field(e.KeyText())
		switch {
		case e.Value.IsNull():
			return false
		case in == nil:
			return e.Value.Kind != syntax.Sequence || len(e.Value.Entries) > 0
		case isRestriction(e.KeyText()):
			return e.Value.Kind != syntax.Sequence || in.Value.Kind != syntax.Sequence || !coversItems(in.Value, e.Value, equalData)
		}
		return !coversSelector(e.Value, in.Value)
	})
}

// isRestriction reports whether the items of the list in the field name of a selector all have to hold.
func isRestriction(name string) bool {
	not, ok := strings.CutPrefix(name, "not")
	return ok && not != "" && not[0] < 'a' || name == "matchExpressions" || name == "except"
}

// coversItems reports whether v has an item for each item of x, as covers says.
func coversItems(v, x *syntax.Node, covers func(v, x *syntax.Node) bool) bool {
	return !slices.ContainsFunc(x.Entries, func(item *syntax.Entry) bool {
		return !slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool { return covers(e.Value, item.Value) })
	})
}

// valueAt returns the value of a field of the mapping n, nil if there is none.
func valueAt(n *syntax.Node, field string) *syntax.Node {
	if e := n.Field(field); e != nil {
		return e.Value
	}
	return nil
}

// equalData reports whether a and b, which may be nil, say the same; the order of fields does not count.
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
		in := b.Entries[i]
		if e.Key != nil {
			in = b.Field(e.KeyText())
		}
		if in == nil || !equalData(e.Value, in.Value) {
			return false
		}
	}
	return true
}
