package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A Unit is a group of fields of one mapping with a condition for their values. A merge by field can break the
// condition although both sides satisfy it: each side changed another field.
type Unit struct {
	Source    string // the preset, or the place in the team's file; "" for fields that exclude each other
	fields    OneOf
	condition condition
}

// A condition is what the values of the fields of a Unit must satisfy.
type condition uint8

const (
	oneValue  condition = iota // the fields are one value, as kind and name of a reference: all are from the same side
	exclusive                  // at most one of the fields is present
	ascending                  // the number in the first of two fields is not greater than that in the second
)

// Units returns the groups of fields in the mapping at p whose values must not be combined from two sides. These are
// the fields that exclude each other (OneOf), and fields that are one value together. Of the latter, the first rule of
// the team for p decides, or if it has none, all presets.
func (r *Rules) Units(p Place) (all []Unit) {
	for _, o := range r.OneOf(p) {
		all = append(all, Unit{"", o, exclusive})
	}
	sel := r.selectionFor(p)
	if u, ok := firstMatch(sel.team, p.Path, unitRules); ok {
		if len(u.fields) > 0 {
			all = append(all, u)
		}
		return all
	}
	return slices.AppendSeq(all, matchingRules(sel.allPresets(), p.Path, unitRules))
}

// UniqueFields returns the fields in which no two items of the list at p may have the same value, beside its
// associative keys: name for the ports of a container. An element FIELD=VALUE only limits this value to one item. The
// result is nil if no preset has any.
func (r *Rules) UniqueFields(p Place) []string {
	return slices.Collect(matchingRules(r.selectionFor(p).allPresets(), p.Path, func(e *rulesEntry) []rule[string] { return e.unique }))
}

// ReferenceFields returns the fields of the items of the list at p in which $(NAME) refers to an item before it: value
// for the environment of a container. The result is nil if no preset has any.
func (r *Rules) ReferenceFields(p Place) []string {
	return slices.Collect(matchingRules(r.selectionFor(p).allPresets(), p.Path, func(e *rulesEntry) []rule[string] { return e.references }))
}

// unitRules returns the rules in e for fields that are one value together.
func unitRules(e *rulesEntry) []rule[Unit] { return e.units }

// decodeUnit parses fields that are one value together. The error quotes a field that has none of these forms:
//
//	name           the value of the field
//	protocol=TCP   a mapping without the field has the value TCP
//	repository/    the text after the last slash of the value: the name of a program without its registry
//	min..max       the only element: two numbers, of which the first must not become the greater one
func decodeUnit(fields []string) (u Unit, err error) {
	if first, second, ok := strings.Cut(fields[0], ".."); ok && len(fields) == 1 {
		fields, u.condition = []string{first, second}, ascending
	}
	for _, text := range fields {
		name, missing, _ := strings.Cut(text, "=")
		name, lastPart := strings.CutSuffix(name, "/")
		if name == "" || strings.ContainsAny(name, `/.*[]"' ,|`) {
			return u, fmt.Errorf("invalid field %q", text)
		}
		u.fields = append(u.fields, Member{Field: name, Default: missing, LastPart: lastPart})
	}
	return u, nil
}

// readUnits reads the value of the field units in the team's rules: a mapping from paths to fields that are one value,
// in the forms that decodeUnit parses. An empty list means that there are none, whatever presets state. It records an
// error in rd for each mistake, and leaves out the rule with it.
//
//	units:
//	  spec.backend: [host, port]
func (rd *reader) readUnits(n *yaml.Node) []rule[Unit] {
	return readRulesByPath(rd, n, "units", func(key, value *yaml.Node) (u Unit) {
		if value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			return u
		}
		var fields []string
		nodes := rd.uniqueStringNodes(value, "units")
		for _, c := range nodes {
			fields = append(fields, c.Value)
			if _, err := decodeUnit([]string{c.Value, c.Value}[:min(2, len(nodes))]); err != nil { // a range must be alone
				rd.fail(c, err.Error(), "expected field, field=default, field/ or from..to")
				return u
			}
		}
		if len(fields) > 0 {
			if u, _ = decodeUnit(fields); len(u.fields) < 2 {
				rd.fail(value, "units needs at least two fields", "use [] for no fields at this path")
			}
			u.Source = rd.sourceOf(key, rd.entryName)
		}
		return u
	})
}

// NamesIn returns the names of the fields of u that the mapping n has, in their order in the rule.
func (u Unit) NamesIn(n *syntax.Node) (names []string) {
	for _, m := range u.fields {
		if n.Field(m.Field) != nil {
			names = append(names, m.Field)
		}
	}
	return names
}

// IsExclusive reports whether at most one of the fields of u may be present.
func (u Unit) IsExclusive() bool { return u.condition == exclusive }

// HasField reports whether e is a field of u, with any value.
func (u Unit) HasField(e *syntax.Entry) bool { return u.fields.HasField(e) }

// Problem returns a clause for messages if merged, the entries of a merged mapping, breaks the condition of u because
// each side changed another field, as in `kind modified by us, name by them; they are one value`. Otherwise it returns
// "". base, ours and theirs are the versions of the mapping, nil for a version without it.
func (u Unit) Problem(base, ours, theirs *syntax.Node, merged []*syntax.Entry) string {
	b, o, t := entriesOf(base), entriesOf(ours), entriesOf(theirs)
	breaks := func(holds func([]*syntax.Entry) bool) bool { return !holds(merged) && holds(b) && holds(o) && holds(t) }
	var problem string
	switch u.condition {
	case exclusive:
		if !breaks(func(e []*syntax.Entry) bool { return u.fields.countPresent(e) < 2 }) {
			return ""
		}
		problem = "they exclude each other"
	case ascending:
		if !breaks(u.isAscending) {
			return ""
		}
		problem = u.fields[0].Field + " would be greater than " + u.fields[1].Field
	default:
		if u.haveEqualFields(merged, o) || u.haveEqualFields(merged, t) {
			return ""
		}
		problem = "they are one value"
	}
	clause, isCombined := u.describeEdits(b, o, t)
	if u.condition == oneValue && !isCombined {
		return ""
	}
	return clause + "; " + problem
}

// describeEdits returns which of the fields of u each side changed, as in "kind modified by us, name by them". Fields
// that both sides changed equally are left out. isCombined reports whether the fields of a merge are from both sides,
// or whether both sides changed a field differently and at least one of them changed another one.
func (u Unit) describeEdits(base, ours, theirs []*syntax.Entry) (clause string, isCombined bool) {
	var by [3][]string // the fields that ours, theirs and both changed
	verb := " added"
	for _, m := range u.fields {
		b, o, t := m.in(base), m.in(ours), m.in(theirs)
		if b != nil {
			verb = " modified"
		}
		switch {
		case m.areEqual(o, t):
		case m.areEqual(b, t) && !m.areEqual(b, o):
			by[0] = append(by[0], m.Field)
		case m.areEqual(b, o) && !m.areEqual(b, t):
			by[1] = append(by[1], m.Field)
		default:
			by[2] = append(by[2], m.Field)
		}
	}
	var clauses []string
	for i, author := range []string{" by us", " by them", " by both"} {
		if len(by[i]) > 0 {
			clauses = append(clauses, strings.Join(by[i], " and ")+verb+author)
			verb = ""
		}
	}
	return strings.Join(clauses, ", "), len(clauses) > 1
}

// haveEqualFields reports whether a and b, the entries of two mappings, have equal values in all fields of u.
func (u Unit) haveEqualFields(a, b []*syntax.Entry) bool {
	return !slices.ContainsFunc(u.fields, func(m Member) bool { return !m.areEqual(m.in(a), m.in(b)) })
}

// isAscending reports whether the number in the first field of u is at most that in the second. It returns true if one
// of them is missing or not a number.
func (u Unit) isAscending(entries []*syntax.Entry) bool {
	var numbers [2]float64
	for i, m := range u.fields {
		n := m.in(entries)
		if n == nil {
			return true
		}
		var err error
		if numbers[i], err = strconv.ParseFloat(n.Value, 64); err != nil {
			return true
		}
	}
	return numbers[0] <= numbers[1]
}

// in returns the value that entries have in the field m, or nil if they do not have it. Of a repeated field, it is the
// first value.
func (m Member) in(entries []*syntax.Entry) *syntax.Node {
	for _, e := range entries {
		if e.Key != nil && e.Key.Value == m.Field {
			return e.Value
		}
	}
	return nil
}

// areEqual reports whether a and b, two values of the field m, are equal. A nil value is the default of m. If only the
// text after the last slash counts, the text before it is ignored, and a missing value or a variable equals any value.
func (m Member) areEqual(a, b *syntax.Node) bool {
	if m.Default == "" && !m.LastPart || !isScalar(a) || !isScalar(b) {
		return equalData(a, b)
	}
	text := func(n *syntax.Node) string {
		if n == nil {
			return m.Default
		}
		return n.Value
	}
	v, w := text(a), text(b)
	if !m.LastPart {
		return v == w
	}
	isUnknown := func(s string) bool { return s == "" || strings.HasSuffix(s, "}") } // a default, or {{ .repo }}
	return isUnknown(v) || isUnknown(w) || syntax.Program(v) == syntax.Program(w)
}

// isScalar reports whether n is nil or a scalar.
func isScalar(n *syntax.Node) bool { return n == nil || n.Kind == syntax.Scalar }

// entriesOf returns the entries of n, or nil if n is nil.
func entriesOf(n *syntax.Node) []*syntax.Entry {
	if n == nil {
		return nil
	}
	return n.Entries
}
