package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A Unit is a group of fields of one mapping with a condition for their values. A merge by field can break the
// condition although both sides satisfy it: each side changed another field.
type Unit struct {
	Source    string // the preset, or the place in the team's file; "" for fields that exclude each other
	isPreset  bool
	fields    []member
	condition condition
}

// A member is a field of a Unit.
type member struct {
	name string
	// not and only are for fields that exclude each other (Exclusive): a field is not present if its value is the scalar
	// not, or is another one than only. They are "" if each value other than null counts.
	not, only string
	// defaultValue and isImage are for fields that are one value together (ParseUnit): the value of a mapping without the
	// field, and whether only the text after the last slash counts, as in the name of an image.
	defaultValue string
	isImage      bool
}

// A condition is what the values of the fields of a Unit must satisfy.
type condition uint8

const (
	oneValue  condition = iota // the fields are one value, as kind and name of a reference: all are from the same side
	exclusive                  // at most one of the fields is present
	ascending                  // the first of two fields is not greater than the second: durations, numbers, or quantities such as 64Mi
)

// ParseUnit parses a rule for fields that are one value together; there must be at least one field. A field has one of
// these forms; the error quotes the first one that does not, and invalid is its index in fields:
//
//	name           the field
//	protocol=TCP   the field; a mapping without it has the value TCP
//	repository/    the field, but only the text after its last slash
//	min..max       two fields, without others: the merge must not make min greater than max (see isAtMost)
func ParseUnit(fields []string) (u Unit, invalid int, err error) {
	last := len(fields) - 1
	if first, second, ok := strings.Cut(fields[0], ".."); ok && last == 0 {
		fields, u.condition = []string{first, second}, ascending
	}
	u.fields = make([]member, 0, len(fields))
	for i, text := range fields {
		name, defaultValue, _ := strings.Cut(text, "=")
		name, isImage := strings.CutSuffix(name, "/")
		if name == "" || strings.ContainsAny(name, `/.*[]"' ,|`) {
			return u, min(i, last), fmt.Errorf("invalid field %q", text) // last, for both ends of a range
		}
		u.fields = append(u.fields, member{name: name, defaultValue: defaultValue, isImage: isImage})
	}
	return u, 0, nil
}

// Exclusive returns the Unit for fields that exclude each other: at most one of them may count in a mapping. A field
// has one of these forms:
//
//	name          counts if it is present and not null
//	name!value    counts if it has a scalar other than value
//	name=value    counts if it has this value
//
// For example, rollingUpdate and type!RollingUpdate allow no rollingUpdate with another type.
func Exclusive(fields ...string) Unit {
	u := Unit{condition: exclusive}
	for _, f := range fields {
		name, not, _ := strings.Cut(f, "!")
		name, only, _ := strings.Cut(name, "=")
		u.fields = append(u.fields, member{name: name, not: not, only: only})
	}
	return u
}

// parseUnion parses fields that exclude each other, written as field,field!value,field=value (see Exclusive).
func parseUnion(text string) Unit { return Exclusive(strings.Split(text, ",")...) }

// Len returns the number of fields of u. It is 0 for a rule of a team that turns off the units of the presets.
func (u Unit) Len() int { return len(u.fields) }

// NamesIn returns the names of the fields of u that the mapping n has, in the order of the rule and not of n.
func (u Unit) NamesIn(n *syntax.Node) (names []string) {
	for _, m := range u.fields {
		if n.Field(m.name) != nil {
			names = append(names, m.name)
		}
	}
	return names
}

// IsExclusive reports whether at most one of the fields of u may be present.
func (u Unit) IsExclusive() bool { return u.condition == exclusive }

// HasName reports whether field is the name of one of the fields of u.
func (u Unit) HasName(field string) bool {
	return slices.ContainsFunc(u.fields, func(m member) bool { return m.name == field })
}

// HasField reports whether e is a field of u, with any value.
func (u Unit) HasField(e *syntax.Entry) bool { return e.Key != nil && u.HasName(e.Key.Value) }

// Problem returns why a merge violates u, as a clause for messages, or "" if it does not: `kind modified by us, name by
// them; they are one value`. merged are the entries of the merged mapping. base, ours and theirs are its versions,
// which may be nil.
func (u Unit) Problem(base, ours, theirs *syntax.Node, merged []*syntax.Entry) string {
	b, o, t := entriesOf(base), entriesOf(ours), entriesOf(theirs)
	breaks := func(holds func([]*syntax.Entry) bool) bool { return !holds(merged) && holds(b) && holds(o) && holds(t) }
	clause, isCombined := u.describeEdits(b, o, t)
	var isViolated bool
	var problem string
	switch u.condition {
	case exclusive:
		isViolated = breaks(func(e []*syntax.Entry) bool { return u.countPresent(e) < 2 })
		problem = "they exclude each other"
	case ascending:
		isViolated = breaks(u.isAscending)
		problem = u.fields[0].name + " would be greater than " + u.fields[1].name
	default:
		// the properties of a JSON schema, which are mappings, can have the names of fields in a preset
		isSchema := u.isPreset && u.areMappings(merged)
		isOneSide := u.haveEqualFields(merged, o) || u.haveEqualFields(merged, t)
		isViolated = isCombined && !isSchema && !isOneSide
		problem = "they are one value"
	}
	if !isViolated {
		return ""
	}
	return clause + "; " + problem
}

// describeEdits returns which fields of u each side changed: "kind modified by us, name by them". Fields that are equal
// in both sides are left out. isCombined reports whether the fields in the clause come from more than one of us, them
// and both.
func (u Unit) describeEdits(base, ours, theirs []*syntax.Entry) (clause string, isCombined bool) {
	var byUs, byThem, byBoth []string
	verb := " added"
	if slices.ContainsFunc(u.fields, func(m member) bool { return m.valueIn(base) != nil }) {
		verb = " modified"
	}
	for _, m := range u.fields {
		b, o, t := m.valueIn(base), m.valueIn(ours), m.valueIn(theirs)
		switch {
		case m.mayBeEqual(o, t):
		case m.mayBeEqual(b, t) && !m.mayBeEqual(b, o): // an unknown b may be equal to both
			byUs = append(byUs, m.name)
		case m.mayBeEqual(b, o) && !m.mayBeEqual(b, t):
			byThem = append(byThem, m.name)
		default:
			byBoth = append(byBoth, m.name)
		}
	}
	var clauses []string
	for i, fields := range [][]string{byUs, byThem, byBoth} {
		if len(fields) > 0 {
			clauses = append(clauses, strings.Join(fields, " and ")+verb+[]string{" by us", " by them", " by both"}[i])
			verb = "" // only the first clause has it
		}
	}
	return strings.Join(clauses, ", "), len(clauses) > 1
}

// haveEqualFields reports whether a and b, the entries of two mappings, have equal values in all fields of u.
func (u Unit) haveEqualFields(a, b []*syntax.Entry) bool {
	return !slices.ContainsFunc(u.fields, func(m member) bool { return !m.mayBeEqual(m.valueIn(a), m.valueIn(b)) })
}

// areMappings reports whether those fields of u that entries have are all mappings. It returns true if entries have
// none.
func (u Unit) areMappings(entries []*syntax.Entry) bool {
	return !slices.ContainsFunc(u.fields, func(m member) bool {
		n := m.valueIn(entries)
		return n != nil && n.Kind != syntax.Mapping
	})
}

// countPresent returns how many fields of u are in entries with a value that counts. Null does not count; a field can
// also be limited to some values (see Exclusive).
func (u Unit) countPresent(entries []*syntax.Entry) (count int) {
	for _, m := range u.fields {
		n := m.valueIn(entries)
		if n == nil || n.IsNull() {
			continue
		}
		everyValueCounts := m.not == "" && m.only == ""
		if everyValueCounts || n.Kind == syntax.Scalar && n.Value != m.not && (m.only == "" || n.Value == m.only) {
			count++
		}
	}
	return count
}

// isAscending reports whether the first field of u is not greater than the second.
func (u Unit) isAscending(entries []*syntax.Entry) bool {
	return isAtMost(u.fields[0].valueIn(entries), u.fields[1].valueIn(entries), false)
}

// isAtMost reports whether a is not greater than b: two durations, numbers, or quantities such as 64Mi. In two mappings,
// such as requests and limits, no field of a may be greater than that of b. It returns true if a or b is missing, or
// another value. isField is set for fields of such mappings: 5m of one is always a quantity. Elsewhere it may be five
// minutes, which are not compared with a quantity.
func isAtMost(a, b *syntax.Node, isField bool) bool {
	if a == nil || b == nil {
		return true
	}
	limits := map[string]*syntax.Node{} // the first value of each key of b
	for _, e := range b.Entries {
		if e.Key != nil && limits[e.Key.Value] == nil {
			limits[e.Key.Value] = e.Value
		}
	}
	for _, e := range a.Entries {
		if e.Key != nil && !isAtMost(e.Value, limits[e.Key.Value], true) {
			return false
		}
	}
	x, errX := time.ParseDuration(a.Value)
	y, errY := time.ParseDuration(b.Value)
	if errX == nil && errY == nil {
		return x <= y
	}
	if !isField && strings.HasSuffix(a.Value, "m") != strings.HasSuffix(b.Value, "m") {
		return true
	}
	m, errM := parseQuantity(a.Value)
	n, errN := parseQuantity(b.Value)
	return errM != nil || errN != nil || m <= n
}

// quantitySuffixes are the factors of the suffixes of quantities in Kubernetes.
var quantitySuffixes = map[string]float64{
	"": 1, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50, "Ei": 1 << 60,
}

// parseQuantity parses a number, or a quantity of Kubernetes: 250m is 0.25.
func parseQuantity(text string) (float64, error) {
	number := strings.TrimRight(text, "numkKMGTPEi")
	n, err := strconv.ParseFloat(number, 64)
	factor, ok := quantitySuffixes[text[len(number):]]
	if !ok {
		return 0, strconv.ErrSyntax
	}
	return n * factor, err
}

// valueIn returns the value of the field m in entries, or nil if they do not have the field. If the field is repeated,
// it returns the first value.
func (m member) valueIn(entries []*syntax.Entry) *syntax.Node {
	for _, e := range entries {
		if e.Key != nil && e.Key.Value == m.name {
			return e.Value
		}
	}
	return nil
}

// mayBeEqual reports whether the values a and b of the field m are equal. nil is a missing field, which has the default
// value of m. For an image reference (m.isImage), only the program counts: web in quay.io/web:1.0. A program that is
// not known, as in {{ .image }}, may equal any other.
func (m member) mayBeEqual(a, b *syntax.Node) bool {
	isPlainField := m.defaultValue == "" && !m.isImage
	if isPlainField || !isNilOrScalar(a) || !isNilOrScalar(b) {
		return syntax.EqualData(a, b)
	}
	text := func(n *syntax.Node) string {
		if n == nil {
			return m.defaultValue
		}
		return n.Value
	}
	v, w := text(a), text(b)
	if !m.isImage {
		return v == w
	}
	isUnknown := func(s string) bool { return s == "" || strings.HasSuffix(s, "}") } // a default, or {{ .repo }}
	return isUnknown(v) || isUnknown(w) || syntax.Program(v) == syntax.Program(w)
}

// isNilOrScalar reports whether n is nil or a scalar.
func isNilOrScalar(n *syntax.Node) bool { return n == nil || n.Kind == syntax.Scalar }

// entriesOf returns the entries of n, or nil if n is nil.
func entriesOf(n *syntax.Node) []*syntax.Entry {
	if n == nil {
		return nil
	}
	return n.Entries
}
