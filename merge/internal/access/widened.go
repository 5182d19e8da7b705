// Package access compares what mappings grant, such as the rules of an RBAC role. [Fields] are the fields of a mapping
// that grant access together. A merge must not combine what both sides added to different fields of them: the mapping
// would grant combinations that neither side granted. Package schema and the team's file say which fields these are.
//
//	fields := access.Fields{verbs, resources}                 // each from [ParseField]
//	a, b, ok := fields.FindWidened(base, ours, theirs)        // ours adds a verb, theirs a resource
//	// a is "verbs", b is "resources", ok is true
//
// Terms of the comments:
//
//   - Value: one thing that a field grants, such as get in verbs: [get]. It can be a pattern (s3:*), a network
//     (10.0.0.0/8), a range between two fields (FromPort and ToPort), or a selector.
//   - Excluded value: a value that a field such as NotAction lists because it is not granted. "All except [a]" is
//     everything but a.
//   - Everything: the value that stands for all values of a field, as if it had no restriction.
//   - Selector: a mapping that restricts, such as a peer or a port in a rule of a NetworkPolicy. The fewer fields it
//     has, the more it selects.
//   - Guard: the template conditions around a value, one a line. A value with a guard may be missing.
//   - To cover: a value covers another one if it grants everything that the other one grants.
//   - To widen: a side widens a field if it adds a value that is not covered so far.
package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Fields are the fields of one mapping that grant access together, such as verbs and resources of an RBAC rule.
// The mapping grants each combination of a value of each field. If two sides add values to different fields, the merged
// mapping grants combinations that neither side granted:
//
//	verbs: [get]       # ours adds delete
//	resources: [pods]  # theirs adds secrets; the result allows deleting secrets
type Fields []Field

// A Field is a field that grants access together with other fields of the same mapping, such as verbs in an RBAC
// rule. It can also be several fields that express the same thing in different ways, such as Action and NotAction.
type Field struct {
	fields []alternative
	// absentGrantsAll is whether a mapping without the field grants every value of it, as a NetworkPolicy rule without
	// ports does. The values of such a field are selectors: the fewer fields a selector has, the more it selects.
	absentGrantsAll bool
	// onlyFirst is whether only the first of the fields that a mapping has counts: the others do not change who an
	// account is.
	onlyFirst bool
}

// An alternative is one field of a Field that can be expressed by several.
type alternative struct {
	name string
	// upper is the field with the upper end of a range whose lower end is in the field called name. It is "" if the
	// field is not a range.
	upper string
	// excluded is whether the field lists values that are not granted, as NotAction does: all other values are granted.
	excluded bool
}

// ParseField parses the notation of a field that grants access, as it is written in rules. It returns an error that
// quotes text if text is not in this notation:
//
//	verbs               a field with values that are granted
//	Action|-NotAction   fields that express the same thing; those after "-" have values that are not granted
//	FromPort..ToPort    the two fields of a range
//	resourceNames=*     a mapping without the field grants everything
//	user?email          the first of these fields that the mapping has
func ParseField(text string) (f Field, err error) {
	names, absentGrantsAll := strings.CutSuffix(text, "=*")
	f.absentGrantsAll = absentGrantsAll
	f.onlyFirst = strings.Contains(names, "?")
	for name := range strings.SplitSeq(strings.ReplaceAll(names, "?", "|"), "|") {
		var x alternative
		name, x.excluded = strings.CutPrefix(name, "-")
		x.name, x.upper, _ = strings.Cut(name, "..")
		isName := x.name != "" && x.name[0] != '-' && !strings.ContainsAny(name, "=*[]\"' ,")
		isRange := strings.Contains(name, "..")
		if !isName || isRange && (x.upper == "" || strings.Contains(x.upper, "..")) {
			return f, fmt.Errorf("invalid access field %q", text)
		}
		f.fields = append(f.fields, x)
	}
	return f, nil
}

// Names returns the names of all fields of f except for the upper ends of ranges: Action and NotAction for the field
// Action|-NotAction.
func (f Field) Names() (names []string) {
	for _, x := range f.fields {
		names = append(names, x.name)
	}
	return names
}

// String returns the names of the fields of f for messages, joined by "/": verbs, Action/NotAction, or FromPort/ToPort
// for a range.
func (f Field) String() string {
	var names []string
	for _, x := range f.fields {
		names = append(names, x.name)
		if x.upper != "" {
			names = append(names, x.upper)
		}
	}
	return strings.Join(names, "/")
}

// isPresentIn reports whether the mapping n certainly has a value in one of the fields of f: a value that is under no
// condition of a template, such as {{ if .x }}. Null and an empty list are no values.
func (f Field) isPresentIn(n *syntax.Node) bool {
	return slices.ContainsFunc(f.fields, func(x alternative) bool {
		return slices.ContainsFunc(f.valuesIn(n, x), func(v value) bool { return v.guard == "" })
	})
}

// FindWidened looks for two fields to which the sides added values, ours to one and theirs to the other. The merged
// mapping would then grant combinations that neither side grants. It returns the names of the fields; ok is false if
// there are no such fields. base is nil if both sides added the mapping.
//
//	                    ours adds   theirs adds   result
//	verbs: [get]        delete                    "verbs", "resources", true: the merge would allow deleting secrets
//	resources: [pods]               secrets
func (m Fields) FindWidened(base, ours, theirs *syntax.Node) (byOurs, byTheirs string, ok bool) {
	return m.firstDifferent(m.fieldsBeyond(ours, theirs, base), m.fieldsBeyond(theirs, ours, base))
}

// FindWidenedIn checks the merged mapping for combinations of values that neither side grants, for example because ours
// added a verb and theirs a resource. byOurs and byTheirs are the names of the fields to which the sides added values.
// They are the same name if only the merged mapping grants every value of that field. ok is false if there is no such
// combination.
func (m Fields) FindWidenedIn(merged, ours, theirs *syntax.Node) (byOurs, byTheirs string, ok bool) {
	for _, f := range m {
		grantsAll := func(n *syntax.Node) bool { return f.contains(f.valuesOf(n), allValues) }
		if grantsAll(merged) && !grantsAll(ours) && !grantsAll(theirs) {
			return f.String(), f.String(), true
		}
	}
	return m.firstDifferent(m.fieldsBeyond(merged, theirs, nil), m.fieldsBeyond(merged, ours, nil))
}

// FindAdded returns the first field with a value that the mapping n grants and the mapping other does not. ok is false
// if there is none.
func (m Fields) FindAdded(n, other *syntax.Node) (field string, ok bool) {
	if added := m.fieldsBeyond(n, other, nil); len(added) > 0 {
		return m[added[0]].String(), true
	}
	return "", false
}

// firstDifferent returns the names of two different fields of m, the first one from byOurs and the second one from
// byTheirs. Both lists have the indexes in m of the fields to which a side added values. ok is false if no such pair
// exists, as for [0] and [0].
func (m Fields) firstDifferent(byOurs, byTheirs []int) (fieldOfOurs, fieldOfTheirs string, ok bool) {
	for _, i := range byOurs {
		for _, j := range byTheirs {
			if i != j {
				return m[i].String(), m[j].String(), true
			}
		}
	}
	return "", "", false
}

// fieldsBeyond returns which fields of m grant more in the mapping n than in the mappings other and base. The result
// has their indexes in m. base may be nil.
//
//	n                      other and base    result
//	verbs: [get, delete]   verbs: [get]      [0], the index of verbs
func (m Fields) fieldsBeyond(n, other, base *syntax.Node) (all []int) {
	for i, f := range m {
		var inBase valueSet
		if base != nil {
			inBase = f.valuesOf(base)
		}
		if f.hasAdded(f.valuesOf(n), f.valuesOf(other), inBase) {
			all = append(all, i)
		}
	}
	return all
}

// hasAdded reports whether a mapping grants a value of f that is new: granted has it, and neither other nor base has
// it. The three are the values of f in the mapping, in the other side and in the base.
//
//	granted            other    base
//	[get, delete]      [get]    [get]              true, delete is new
//	[s3:Get]           [s3:*]   []                 false, other has it by a pattern
//	[s3:Get]           []       [s3:*]             true, listed values of base must be equal
//	all except [get]   []       all except [get]   false
//
// A merge keeps s3:Get in place of s3:* of base even if other deletes s3:*, so the pattern does not count. hasAdded may
// overwrite the elements of granted.listed.
func (f Field) hasAdded(granted, other, base valueSet) bool {
	if granted.exceptListed || base.exceptListed {
		return !f.contains(f.union(other, base), granted)
	}
	inBase := keysOf(base.listed)
	granted.listed = slices.DeleteFunc(granted.listed, func(v value) bool { return inBase[v.key()] })
	return !f.contains(other, granted)
}
