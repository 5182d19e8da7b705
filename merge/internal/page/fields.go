package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TakeInConflict returns the verdict that takes from version s only what is in conflict: the fields of TakeFields or,
// if that fails, all of c as in TakeSide.
func (c *Conflict) TakeInConflict(versions [3]*syntax.Stream, s three.Version, by team.Decision) Verdict {
	if v, ok := c.TakeFields(versions, s, by); ok {
		return v
	}
	return c.TakeSide(s, by)
}

// TakeFields returns the verdict that takes only the fields in conflict from version s, and merges the other fields, if
// c is over a mapping on one line:
//
//	base             ours             theirs           from theirs
//	{a: 1, b: 1}     {a: 2, b: 2}     {a: 3, b: 1}     {a: 3, b: 2}
//
// by states what decided it. ok is false if the fields cannot be decided separately, or if the other side has no edit
// to add.
func (c *Conflict) TakeFields(versions [3]*syntax.Stream, s three.Version, by team.Decision) (v Verdict, ok bool) {
	values, ok := c.flowMappings(versions)
	if !ok || c.Detail != "" {
		return v, false
	}
	edits, ok := fieldMatcher{versions: versions}.editsOfOther(values, s)
	if !ok || len(edits) == 0 {
		return v, false
	}
	at := values[s].Content
	merged, ok := text.ReplaceSpans(versions[s].File.Slice(at), at.Start, edits)
	if !ok {
		return v, false
	}
	v = c.TakeSide(s, by)
	v.Fields = c.FieldsInConflict(versions)
	v.Text, ok = c.ReplaceValue(versions, merged, three.Optional{})
	return v, ok
}

// FieldsInConflict returns the fields that both sides changed differently, if c is over a mapping on one line. The user
// then has to decide only these. Each field is a span by version, empty for a version that lacks it. For other
// conflicts, it returns nil.
func (c *Conflict) FieldsInConflict(versions [3]*syntax.Stream) [][3]text.Span {
	values, ok := c.flowMappings(versions)
	if !ok {
		return nil
	}
	places, _ := fieldMatcher{versions: versions}.conflictPlaces(values, nil)
	return places
}

// flowMappings returns the value of the entry in conflict in each version, if it is a mapping on one line in flow
// style. All three versions must have it, and its fields must allow a merge one by one (see isMapping). Otherwise ok is
// false.
func (c *Conflict) flowMappings(versions [3]*syntax.Stream) (values three.Nodes, ok bool) {
	if c.Entry == nil {
		return values, false
	}
	for s, e := range c.Entry.Versions() {
		if e == nil || !isMapping(e.Value) || e.Value.Style != syntax.Flow || bytes.ContainsRune(versions[s].File.Slice(e.Value.Content), '\n') {
			return values, false
		}
		values[s] = e.Value
	}
	return values, true
}

// isMapping reports whether n is a mapping whose fields can be merged one by one. It must have each key once, and all
// keys must be scalars. No field may be Irregular, for example with a comment between key and value. It returns false
// for nil.
func isMapping(n *syntax.Node) bool {
	if n == nil || n.Kind != syntax.Mapping {
		return false
	}
	isOdd := func(e *syntax.Entry) bool {
		return e.Irregular || e.Key.Kind != syntax.Scalar || n.Field(e.Key.Value) != e
	}
	return !slices.ContainsFunc(n.Entries, isOdd)
}

// A fieldMatcher finds the fields of mappings, and the items of lists, that correspond in the three versions.
type fieldMatcher struct {
	versions [3]*syntax.Stream
	// rules say which fields and lists are decided as a whole. If they are nil, these are all lists, and no fields.
	rules *team.Rules
}

// A matchedField is a field or an item in all versions; nil in a version that lacks it.
type matchedField struct {
	three.Entries
	isInConflict bool
}

// editsOfOther returns edits for the text of a flow mapping in version s, which add the changes that only the other
// side made. Fields in conflict are left as they are:
//
//	base             s                other side      edits
//	{a: 1, b: 1}     {a: 2, b: 1}     {a: 3, b: 2}    one that replaces the value of b with 2
//
// n has the mapping in each version. If s is the original, the other side is dest. ok is false if a change cannot be
// written as such an edit (see editOf).
func (m fieldMatcher) editsOfOther(n three.Nodes, s three.Version) (edits []text.Replacement, ok bool) {
	fields, _ := m.match(n, nil)
	for _, f := range fields {
		isChanged := m.haveSameValue(f, s, three.Original) && !m.haveSameValue(f, s, s.Other()) // only by the other side
		if !isChanged || f.isInConflict {
			continue
		}
		edit, ok := m.editOf(f, n, s)
		if !ok {
			return nil, false
		}
		edits = append(edits, edit)
	}
	return edits, true
}

// editOf returns the edit for the text of a flow mapping in version s that makes the other side's change of the field
// f. n has the mapping in each version.
//
//	the other side      edit
//	changed f           replaces the value
//	added f             adds the field at the end, with a comma before it
//	deleted f           deletes the field with a comma
//
// ok is false if there is no simple edit: the field is added to an empty mapping or to a mapping inside of n, or
// deletionSpan refuses.
func (m fieldMatcher) editOf(f matchedField, n three.Nodes, s three.Version) (edit text.Replacement, ok bool) {
	other, own := s.Other(), n[s].Entries
	before, after, otherFile := f.Entries[s], f.Entries[other], m.versions[other].File
	switch {
	case after == nil:
		edit.Span, ok = deletionSpan(before, own)
		return edit, ok
	case before != nil:
		return text.Replacement{Span: before.Value.Span, Text: string(otherFile.Slice(after.Value.Span))}, true
	case len(own) == 0 || !slices.Contains(n[other].Entries, after):
		return edit, false
	}
	end := own[len(own)-1].Value.Span.End
	field := otherFile.Slice(text.Span{Start: after.Start, End: after.Value.Span.End})
	return text.Replacement{Span: text.Span{Start: end, End: end}, Text: ", " + string(field)}, true
}

// deletionSpan returns the span to remove from a flow mapping in order to delete the field e with one comma: the comma
// after it or, for the last field, the one before. entries are the fields of the mapping. ok is false if there is
// neither. The comma before is not found for a field of a mapping inside of this one, which is not in entries.
func deletionSpan(e *syntax.Entry, entries []*syntax.Entry) (span text.Span, ok bool) {
	if e.Comma {
		return e.Span, true
	}
	last := len(entries) - 1
	if last < 1 || e != entries[last] {
		return span, false
	}
	return text.Span{Start: entries[last-1].Value.Span.End, End: e.Value.Span.End}, true
}

// conflictPlaces returns the places of the fields or items in conflict inside of a mapping or list. n has its versions,
// and p is its path. A place is a span by version, empty for a version that lacks the field. ok is false if the fields
// cannot be matched (see match), so that the whole value is in conflict.
func (m fieldMatcher) conflictPlaces(n three.Nodes, p *three.Path) (places [][3]text.Span, ok bool) {
	fields, ok := m.match(n, p)
	if !ok {
		return nil, false
	}
	places = [][3]text.Span{}
	for _, f := range fields {
		if !f.isInConflict {
			continue
		}
		var at [3]text.Span
		for s, e := range f.Entries {
			if e != nil {
				at[s] = e.Span
			}
		}
		places = append(places, at)
	}
	return places, true
}

// match matches the fields of the mappings n by key, or the items of the lists n by index. In conflict, a mapping or
// list is replaced by its own:
//
//	base                  ours                  theirs                fields
//	{a: 1, m: {b: 1}}     {a: 2, m: {b: 2}}     {a: 1, m: {b: 3}}     a, m.b
//
// p is the path of n. ok is false for lists that are one value, and for any other n.
func (m fieldMatcher) match(n three.Nodes, p *three.Path) (all []matchedField, ok bool) {
	o, d, u := n[three.Original], n[three.Dest], n[three.Updated]
	isList := func(v *syntax.Node) bool { return v != nil && v.Kind == syntax.Sequence }
	switch {
	case isMapping(o) && isMapping(d) && isMapping(u):
		return m.matchByKey(n, p), true
	case m.rules == nil || !isList(o) || !isList(d) || !isList(u):
		return nil, false
	}
	if l, isDeclared := m.rules.DeclaredList(p.Place()); isDeclared && l.Kind == schema.Atomic {
		return nil, false
	}
	return m.matchByIndex(n, p), true
}

// matchByKey matches the fields of a mapping by their keys. n has the mapping in each version, and p is its path. The
// fields of the original come first, in its order, then those that dest added, and then those that only updated added.
// A field in conflict may be replaced by the fields or items in it (see appendMatch).
func (m fieldMatcher) matchByKey(n three.Nodes, p *three.Path) (all []matchedField) {
	seen := map[string]bool{}
	for _, mapping := range n {
		for _, e := range mapping.Entries {
			key := e.Key.Value
			if seen[key] {
				continue // an earlier version has the field
			}
			seen[key] = true
			at := three.Entries{n[three.Original].Field(key), n[three.Dest].Field(key), n[three.Updated].Field(key)}
			all = m.appendMatch(all, at, p.Child(key), m.rules != nil && m.rules.IsJoinedField(p.Place(), key))
		}
	}
	return all
}

// matchByIndex matches the items of a list by their index. n has the list in each version, and p is its path. An item
// in conflict may be replaced by the fields or items in it (see appendMatch). It returns nil if the lists have
// different lengths, because an index may then mean different items.
func (m fieldMatcher) matchByIndex(n three.Nodes, p *three.Path) (all []matchedField) {
	o, d, u := n[three.Original].Entries, n[three.Dest].Entries, n[three.Updated].Entries
	if len(o) != len(d) || len(o) != len(u) {
		return nil
	}
	for i := range o {
		all = m.appendMatch(all, three.Entries{o[i], d[i], u[i]}, p.Index(i), false)
	}
	return all
}

// appendMatch adds a field or item to all, and finds out whether it is in conflict. entries has its versions, and p is
// its path. If it is a mapping or list in conflict, the fields or items in it are added in its place, as far as match
// can find them. isInUnit says that it is one value together with other fields, such as kind and name; it is then in
// conflict if the sides differ, and added itself.
func (m fieldMatcher) appendMatch(all []matchedField, entries three.Entries, p *three.Path, isInUnit bool) []matchedField {
	f := matchedField{Entries: entries}
	_, canMerge := three.PickBy(func(a, b three.Version) bool { return m.haveSameValue(f, a, b) })
	f.isInConflict = !canMerge || isInUnit && !m.haveSameValue(f, three.Dest, three.Updated)
	if f.isInConflict && !isInUnit {
		if inner, ok := m.match(entries.Values(), p); ok {
			return append(all, inner...)
		}
	}
	return append(all, f)
}

// haveSameValue reports whether f has the same bytes as its value in the versions a and b, or both versions lack f.
func (m fieldMatcher) haveSameValue(f matchedField, a, b three.Version) bool {
	x, y := f.Entries[a], f.Entries[b]
	if x == nil || y == nil {
		return x == y
	}
	return bytes.Equal(m.versions[a].File.Slice(x.Value.Span), m.versions[b].File.Slice(y.Value.Span))
}
