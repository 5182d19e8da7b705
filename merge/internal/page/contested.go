package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TakeFields returns the verdict for a mapping on one line that takes only the fields in conflict from version s. In
// its other fields, it has the edits of both sides. ok is false if c is not about such a mapping, if its fields must
// not be combined from two sides (c.Detail), if the other side made no edits there, or if the texts cannot be put
// together.
//
//	base             ours             theirs           from theirs
//	{a: 1, b: 1}     {a: 2, b: 2}     {a: 3, b: 1}     {a: 3, b: 2}
func (c *Conflict) TakeFields(versions [3]*syntax.Stream, s three.Version, by team.Decision) (v Verdict, ok bool) {
	values := c.flowMappings(versions)
	if values == nil || c.Detail != "" { // its fields must not be combined from two sides
		return v, false
	}
	edits, ok := otherEdits(versions, *values, s)
	if !ok || len(edits) == 0 {
		return v, false
	}
	edited, at := versions[s].File.Slice(values[s].Content), values[s].Content
	for _, e := range edits {
		if e.at.End > at.End { // two fields that follow each other are deleted
			return v, false
		}
		edited = slices.Concat(edited[:e.at.Start-at.Start], e.text, edited[e.at.End-at.Start:])
		at.End = e.at.Start
	}
	v = c.TakeSide(s, by)
	v.Fields = c.ContestedFields(versions)
	v.Text, ok = c.ReplaceValue(versions, edited, three.Optional{})
	return v, ok
}

// A fieldEdit is a text in place of a span of a version.
type fieldEdit struct {
	at   text.Span
	text []byte
}

// otherEdits returns the edits that only the side other than s made in the fields of n, mappings in flow style. They
// are edits of the text of s, the last one first. Contested fields have none. ok is false if an edit has no place in
// that text, such as a field that is added to a nested or an empty mapping.
func otherEdits(versions [3]*syntax.Stream, n three.Nodes, s three.Version) (edits []fieldEdit, ok bool) {
	other, entries := s.Other(), n[s].Entries
	endOf := func(i int) int { return entries[i].Value.Span.End }
	var added []byte // to the outermost mapping
	fields, _ := fieldsOf(versions, n, nil, nil)
	for _, f := range fields {
		ownEntry, otherEntry := f.Entries[s], f.Entries[other]
		isEdit := f.hasSameValue(versions, s, three.Original) && !f.hasSameValue(versions, s, other)
		switch {
		case f.isContested || !isEdit:
		case ownEntry != nil && otherEntry != nil:
			edits = append(edits, fieldEdit{ownEntry.Value.Span, versions[other].File.Slice(otherEntry.Value.Span)})
		case ownEntry == nil && slices.Contains(n[other].Entries, otherEntry):
			span := text.Span{Start: otherEntry.Start, End: otherEntry.Value.Span.End}
			added = slices.Concat(added, []byte(", "), versions[other].File.Slice(span))
		case ownEntry != nil && ownEntry.Comma: // deleted
			edits = append(edits, fieldEdit{ownEntry.Span, nil})
		case ownEntry != nil && len(entries) > 1 && ownEntry == entries[len(entries)-1]: // deleted, with the comma before it
			edits = append(edits, fieldEdit{text.Span{Start: endOf(len(entries) - 2), End: ownEntry.Value.Span.End}, nil})
		default: // added to a mapping in the mapping, or deleted as the last field there or the only one
			return nil, false
		}
	}
	if len(added) > 0 {
		if len(entries) == 0 {
			return nil, false
		}
		end := endOf(len(entries) - 1)
		edits = append(edits, fieldEdit{text.Span{Start: end, End: end}, added})
	}
	slices.SortStableFunc(edits, func(a, b fieldEdit) int { return b.at.Start - a.at.Start })
	return edits, true
}

// TakeInConflict returns the verdict that takes what is in conflict from version s: that of TakeFields or, if there is
// none, that of TakeSide.
func (c *Conflict) TakeInConflict(versions [3]*syntax.Stream, s three.Version, by team.Decision) Verdict {
	if v, ok := c.TakeFields(versions, s, by); ok {
		return v
	}
	return c.TakeSide(s, by)
}

// ContestedFields returns the places of the fields that both sides changed differently in a mapping on one line, in
// each version; a place is empty if the version lacks the field. It returns nil if c is not about such a mapping (see
// flowMappings). versions are the parsed versions.
func (c *Conflict) ContestedFields(versions [3]*syntax.Stream) (places [][3]text.Span) {
	values := c.flowMappings(versions)
	if values == nil {
		return nil
	}
	fields, _ := fieldsOf(versions, *values, nil, nil)
	return contestedPlaces(fields)
}

// contestedPlaces returns the places of those fields in all that are contested, in each version. If there are none, the
// result is empty but not nil.
func contestedPlaces(all []flowField) (places [][3]text.Span) {
	places = [][3]text.Span{}
	for _, f := range all {
		var at [3]text.Span
		for s, e := range f.Entries {
			if e != nil {
				at[s] = e.Span
			}
		}
		if f.isContested {
			places = append(places, at)
		}
	}
	return places
}

// flowMappings returns the value of the entry in conflict in each version, if this is a mapping in flow style on one
// line in all three versions, with fields that can be merged one by one (see isMapping). Otherwise it returns nil.
// versions are the parsed versions, for their bytes.
func (c *Conflict) flowMappings(versions [3]*syntax.Stream) *three.Nodes {
	if c.Entry == nil {
		return nil
	}
	var values three.Nodes
	for s, e := range c.Entry.Versions() {
		if e == nil || !isMapping(e.Value) || e.Value.Style != syntax.Flow || bytes.ContainsRune(versions[s].File.Slice(e.Value.Content), '\n') {
			return nil
		}
		values[s] = e.Value
	}
	return &values
}

// isMapping reports whether n is a mapping whose fields can be merged one by one: it has each key once, all keys are
// scalars, and no field is Irregular, for example with a comment between key and value. It returns false for nil.
func isMapping(n *syntax.Node) bool {
	if n == nil || n.Kind != syntax.Mapping {
		return false
	}
	isOdd := func(e *syntax.Entry) bool {
		return e.Irregular || e.Key.Kind != syntax.Scalar || n.Field(e.Key.Value) != e
	}
	return !slices.ContainsFunc(n.Entries, isOdd)
}

// A flowField is a field of mappings, or an item of lists; a version may lack it.
type flowField struct {
	three.Entries
	isContested bool // all three versions differ in the bytes of its value, or the sides do in a field that is one value with others
}

// A OneValueFunc reports whether the field called name of the mapping at p is one value with other fields, or, if name
// is "", whether the list at p is one value.
type OneValueFunc func(p *three.Path, name string) bool

// fieldsOf returns the fields of the mappings n in flow style, first those of the original. In place of a contested
// field that has such mappings as its values, it returns the fields in them, unless the field is one value with others.
// If isOneValue is not nil, block style counts as well, and lists, whose items are matched by their index; lists of
// different lengths give none. ok is false for other values, and for lists that are one value. p is the path of n.
func fieldsOf(versions [3]*syntax.Stream, n three.Nodes, p *three.Path, isOneValue OneValueFunc) (all []flowField, ok bool) {
	isOther := func(v *syntax.Node) bool { return !isMapping(v) || isOneValue == nil && v.Style != syntax.Flow }
	isOtherList := func(v *syntax.Node) bool { return v == nil || v.Kind != syntax.Sequence }
	switch {
	case !slices.ContainsFunc(n[:], isOther):
	case isOneValue == nil || slices.ContainsFunc(n[:], isOtherList) || isOneValue(p, ""):
		return nil, false
	// items of such lists cannot be matched by their index
	case len(n[0].Entries) != len(n[1].Entries) || len(n[0].Entries) != len(n[2].Entries):
		return nil, true
	}
	add := func(f flowField, at *three.Path, isJoined bool) {
		_, isAgreed := three.PickBy(func(a, b three.Version) bool { return f.hasSameValue(versions, a, b) })
		f.isContested = !isAgreed || isJoined && !f.hasSameValue(versions, three.Dest, three.Updated)
		if inner, ok := fieldsOf(versions, f.Values(), at, isOneValue); ok && f.isContested && !isJoined {
			all = append(all, inner...)
			return
		}
		all = append(all, f)
	}
	seen := map[string]bool{}
	for _, m := range n {
		for i, e := range m.Entries {
			if e.Key == nil {
				if m == n[0] { // once is enough, since all lists have the same length
					add(flowField{Entries: three.Entries{e, n[1].Entries[i], n[2].Entries[i]}}, p.Index(i), false)
				}
				continue
			}
			key := e.Key.Value
			if !seen[key] { // an earlier version may have the field
				seen[key] = true
				add(flowField{Entries: three.Entries{n[0].Field(key), n[1].Field(key), n[2].Field(key)}}, p.Child(key), isOneValue != nil && isOneValue(p, key))
			}
		}
	}
	return all, true
}

// hasSameValue reports whether the value of f has the same bytes in the versions a and b, or both versions lack f.
func (f flowField) hasSameValue(versions [3]*syntax.Stream, a, b three.Version) bool {
	x, y := f.Entries[a], f.Entries[b]
	if x == nil || y == nil {
		return x == y
	}
	return bytes.Equal(versions[a].File.Slice(x.Value.Span), versions[b].File.Slice(y.Value.Span))
}
