package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A valueSet is the set of values that a mapping grants in one field, or in several fields that express the same thing,
// such as Action and NotAction: the listed values or, if exceptListed is true, all other values. If isUnknown is true,
// there were too many values to compare, and the set contains nothing for certain.
type valueSet struct {
	exceptListed, isUnknown bool
	listed                  []value
}

// allValues is the set of all values that a field can have.
var allValues = valueSet{exceptListed: true}

// A value is one value that a mapping lists in a field, with the name of the field and the conditions of a template
// under which the value exists. The zero value, everything, stands for all values that the field can have.
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

var everything value

// valuesOf returns the set of values that the mapping n grants: those of all fields of f together or, if f.onlyFirst is
// set, those of the first field of f that has values in n.
//
//	f                   n                        values
//	Action|-NotAction   Action: [a]              a
//	Action|-NotAction   NotAction: [a]           all except a
//	ports=*             no ports                 all, as absence grants everything
//	-NotAction          no NotAction             all, as nothing is excluded
//	ports=*             ports: [80] in {{ if }}  80 and everything, as the condition may not be met
func (f Field) valuesOf(n *syntax.Node) (v valueSet) {
	isAbsent, onlyExcludes := true, true
	for _, x := range f.fields {
		if listed := f.valuesIn(n, x); len(listed) > 0 {
			isAbsent = false
			v = f.union(v, valueSet{exceptListed: x.excluded, listed: listed})
			if f.onlyFirst {
				break
			}
		}
		onlyExcludes = onlyExcludes && x.excluded
	}
	switch {
	case isAbsent && (f.absentGrantsAll || onlyExcludes):
		return allValues
	case f.absentGrantsAll && !f.isPresentIn(n): // absent if the conditions are not met
		return f.union(v, valueSet{listed: []value{everything}})
	}
	return v
}

// grantingField returns the name under which the values of the field x are compared with those of the other fields of
// f. For an excluding field such as NotAction, that is the only granting field of f, such as Action. It is the name of
// x itself if x grants values, or if f has no granting field or several.
func (f Field) grantingField(x alternative) string {
	granting := slices.DeleteFunc(slices.Clone(f.fields), func(other alternative) bool { return other.excluded })
	if x.excluded && len(granting) == 1 {
		return granting[0].name
	}
	return x.name
}

// valuesIn returns the values that the mapping n lists in x, one of the fields of f. Each value has the name under
// which covers compares it (see grantingField). A missing or empty field has no values.
//
//	Action: s3:Get                  s3:Get, with the field Action
//	NotAction: [a, b]               a, b, with the field Action
//	FromPort: 1, ToPort: 9          the range 1 to 9, with the field FromPort
//	Principal: {AWS: [a, b]}        a, b, with the field Principal.AWS
//	Condition: {Bool: {k: v}}       {k: v}, with the field Condition.Bool, as Condition excludes values
//	podSelector: {app: {k: v}}      {app: {k: v}}, a selector, as absence grants everything
func (f Field) valuesIn(n *syntax.Node, x alternative) (all []value) {
	field, e := f.grantingField(x), n.Field(x.name)
	switch {
	case x.upper != "":
		all = rangeIn(n, x)
	case e == nil || e.Value.IsNull():
		return nil
	case e.Value.Kind != syntax.Mapping || f.absentGrantsAll: // such a mapping is one selector
		all = listedIn(e, field)
	default:
		for _, inner := range e.Value.Entries {
			innerField := field + "." + inner.KeyText()
			if x.excluded { // each field excludes further values, which depend on all of its content
				all = append(all, value{field: innerField, guard: inner.Guard.String(), node: inner.Value, isExact: true})
			} else {
				all = append(all, listedIn(inner, innerField)...)
			}
		}
	}
	outer := commonGuard(n) // conditions around all fields of n do not distinguish its values
	for i, v := range all {
		all[i].guard = strings.TrimPrefix(strings.TrimPrefix(v.guard, outer), "\n")
	}
	return all
}

// listedIn returns the values that e, a field of a mapping, grants or excludes: one for each item of a list, or a
// single one for a scalar or a mapping. field becomes the name of the field in each value. The guards have all template
// conditions around the value.
func listedIn(e *syntax.Entry, field string) (all []value) {
	if e.Value.Kind != syntax.Sequence {
		return []value{{field: field, guard: e.Guard.String(), node: e.Value}}
	}
	for _, item := range e.Value.Entries {
		all = append(all, value{field: field, guard: item.Guard.String(), node: item.Value})
	}
	return all
}

// rangeIn returns the range between the two fields of x in the mapping n, as the only value, or nil if both fields are
// missing. Its guard, the conditions of a template, is that of the lower end.
func rangeIn(n *syntax.Node, x alternative) []value {
	lower, upper := n.Field(x.name), n.Field(x.upper)
	if lower == nil && upper == nil {
		return nil
	}
	r := value{field: x.name, isRange: true}
	if lower != nil {
		r.node, r.guard = lower.Value, lower.Guard.String()
	}
	if upper != nil {
		r.upper = upper.Value
	}
	return []value{r}
}

// commonGuard returns the conditions of a template that are around all entries of n together, one in each line. Here it
// is "if .a": b and d are both under .a, only d is under .c.
//
//	{{ if .a }}
//	b: 1
//	{{ if .c }}
//	d: 1
//	{{ end }}{{ end }}
func commonGuard(n *syntax.Node) string {
	var common []string
	for i, e := range n.Entries {
		levels := strings.Split(e.Guard.String(), "\n")
		if i == 0 {
			common = levels
		}
		same := 0
		for same < min(len(common), len(levels)) && levels[same] == common[same] {
			same++
		}
		common = common[:same]
	}
	return strings.Join(common, "\n")
}

// union returns the values that a or b grants; a value may be repeated. Patterns and networks count as all values that
// they contain. isUnknown is set if the union cannot be computed, for example with the excluded patterns s3:P* and
// s3:*t.
//
//	a                   b                   union
//	[x, y]              [y, z]              [x, y, y, z]
//	all except [x, y]   all except [x, z]   all except [x, x]
//	all except [x, y]   [y]                 all except [x]
func (f Field) union(a, b valueSet) valueSet {
	isUnknown := a.isUnknown || b.isUnknown
	switch {
	case !a.exceptListed && !b.exceptListed:
		return valueSet{listed: slices.Concat(a.listed, b.listed)}
	case a.exceptListed && b.exceptListed: // the result excludes the values that both exclude
		inB, _, ok := f.split(a.listed, b.listed)
		inA, _, alsoOK := f.split(b.listed, a.listed)
		isUnknown = isUnknown || !ok || !alsoOK || f.overlapInPart(a.listed, b.listed)
		return valueSet{exceptListed: true, isUnknown: isUnknown, listed: slices.Concat(inB, inA)}
	case b.exceptListed:
		a, b = b, a
	}
	_, rest, ok := f.split(a.listed, b.listed)
	return valueSet{exceptListed: true, isUnknown: isUnknown || !ok || f.overlapInPart(a.listed, b.listed), listed: rest}
}

// overlapInPart reports whether values of a and b overlap, although none of the two covers the other.
func (f Field) overlapInPart(a, b []value) bool {
	return slices.ContainsFunc(a, func(x value) bool {
		return slices.ContainsFunc(b, func(v value) bool { return f.mayOverlap(v, x) && !f.covers(v, x) && !f.covers(x, v) })
	})
}

// maxComparedValues is the maximum number of pairs of values that split compares.
const maxComparedValues = 1 << 16

// split divides the values of a into those that a value of b covers (grants, too), and the rest. ok is false if there
// are too many values to compare, as for thousands of networks that both sides changed; covered then only has the
// values that equal a value of b.
func (f Field) split(a, b []value) (covered, rest []value, ok bool) {
	known := keysOf(b)
	var different []value
	for _, x := range a {
		if known[x.key()] { // a value grants what an equal value grants
			covered = append(covered, x)
		} else {
			different = append(different, x)
		}
	}
	if len(different)*len(b) > maxComparedValues {
		return covered, different, false
	}
	for _, x := range different {
		if f.isCovered(x, b) {
			covered = append(covered, x)
		} else {
			rest = append(rest, x)
		}
	}
	return covered, rest, true
}

// contains reports whether a has all values that b has, so that it grants as much. If there are too many values to
// compare (see split), it returns false, which leads to a conflict.
//
//	a                        b
//	[s3:*]                   [s3:Get]                 true
//	all except [s3:Put]      all except [s3:*]        true
//	[s3:Get]                 all except [s3:Put]      false
//	["*"]                    all except [s3:Put]      true
//	all except [s3:Put]      [s3:*]                   false
//	all except [s3:P*]       [s3:*t]                  false
func (f Field) contains(a, b valueSet) bool {
	switch {
	case a.isUnknown || b.isUnknown:
		return false
	case a.exceptListed && b.exceptListed:
		_, rest, ok := f.split(a.listed, b.listed)
		return ok && len(rest) == 0
	case a.exceptListed:
		isExcluded := func(v value) bool {
			return slices.ContainsFunc(a.listed, func(x value) bool { return f.mayOverlap(v, x) })
		}
		return len(a.listed)*len(b.listed) <= maxComparedValues && !slices.ContainsFunc(b.listed, isExcluded)
	case b.exceptListed:
		return f.isCovered(everything, a.listed)
	}
	_, rest, ok := f.split(b.listed, a.listed)
	return ok && len(rest) == 0
}

// keysOf returns the keys of values (see value.key), by which a value with the same field, guard and content is found
// fast.
func keysOf(values []value) map[string]bool {
	keys := make(map[string]bool, len(values))
	for _, x := range values {
		keys[x.key()] = true
	}
	return keys
}

// key returns a text that is the same for equal values in the same field, under the same conditions of a template.
func (v value) key() string {
	return fmt.Sprintf("%q %q %s %s", v.field, v.guard, dataText(v.node), dataText(v.upper))
}

// dataText returns a text that is the same for equal nodes, by which they are looked up. The order of fields, style,
// anchors and comments do not matter. Aliases are not resolved, and n may be nil.
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
