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
// its other fields, it has the edits of both sides. ok is false if c is not about such a mapping, if TakeSide would do
// the same, or if an edit of the other side has no place in the text of s.
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

// otherEdits returns the edits that only the side other than s made in fields of the mappings n in flow style, as edits
// of the text of s, the last one first. ok is false if an edit has no place in that text.
func otherEdits(versions [3]*syntax.Stream, n three.Nodes, s three.Version) (edits []fieldEdit, ok bool) {
	other, entries := s.Other(), n[s].Entries
	endOf := func(i int) int { return entries[i].Value.Span.End }
	var added []byte // to the outermost mapping
	for _, f := range flowFields(versions, n) {
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

// TakeInConflict returns the verdict that takes what is in conflict from version s: that of TakeFields or, if the
// conflict is not about fields of a mapping on one line, that of TakeSide.
func (c *Conflict) TakeInConflict(versions [3]*syntax.Stream, s three.Version, by team.Decision) Verdict {
	if v, ok := c.TakeFields(versions, s, by); ok {
		return v
	}
	return c.TakeSide(s, by)
}

// ContestedFields returns the places of the fields that both sides changed differently in a mapping on one line, in
// each version; a place is empty if the version lacks the field. It returns nil if c is not about such a mapping.
// versions are the parsed versions.
func (c *Conflict) ContestedFields(versions [3]*syntax.Stream) (places [][3]text.Span) {
	values := c.flowMappings(versions)
	if values == nil {
		return nil
	}
	for _, f := range flowFields(versions, *values) {
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

// flowMappings returns the value of the entry in conflict in each version, if all three versions have the entry with a
// mapping in flow style on one line and without repeated keys. Otherwise it returns nil. versions are the parsed
// versions, for their bytes.
func (c *Conflict) flowMappings(versions [3]*syntax.Stream) *three.Nodes {
	if c.Entry == nil {
		return nil
	}
	var values three.Nodes
	for s, e := range c.Entry.Versions() {
		if e == nil || !isFlowMapping(e.Value) || bytes.ContainsRune(versions[s].File.Slice(e.Value.Content), '\n') {
			return nil
		}
		values[s] = e.Value
	}
	return &values
}

// isFlowMapping reports whether n is a mapping in flow style that has each key once.
func isFlowMapping(n *syntax.Node) bool {
	if n == nil || n.Kind != syntax.Mapping || n.Style != syntax.Flow {
		return false
	}
	isOdd := func(e *syntax.Entry) bool {
		return e.Irregular || e.Key.Kind != syntax.Scalar || n.Field(e.Key.Value) != e
	}
	return !slices.ContainsFunc(n.Entries, isOdd)
}

// A flowField is a field of mappings in flow style; a version may lack it.
type flowField struct {
	three.Entries
	isContested bool // all three versions differ in the bytes of its value
}

// flowFields returns the fields of the mappings n in flow style, first those of the original. If a contested field is
// itself such a mapping in all versions, it returns the fields in it instead. n must not contain nil.
func flowFields(versions [3]*syntax.Stream, n three.Nodes) (all []flowField) {
	seen := map[string]bool{}
	for _, m := range n {
		for _, e := range m.Entries {
			key := e.Key.Value
			if seen[key] {
				continue
			}
			seen[key] = true
			f := flowField{Entries: three.Entries{n[0].Field(key), n[1].Field(key), n[2].Field(key)}}
			_, isAgreed := three.PickBy(func(a, b three.Version) bool { return f.hasSameValue(versions, a, b) })
			f.isContested = !isAgreed
			isOther := func(v *syntax.Node) bool { return !isFlowMapping(v) }
			if values := f.Values(); f.isContested && !slices.ContainsFunc(values[:], isOther) {
				all = append(all, flowFields(versions, values)...)
				continue
			}
			all = append(all, f)
		}
	}
	return all
}

// hasSameValue reports whether f has the same bytes as its value in the versions a and b, or is in neither.
func (f flowField) hasSameValue(versions [3]*syntax.Stream, a, b three.Version) bool {
	x, y := f.Entries[a], f.Entries[b]
	if x == nil || y == nil {
		return x == y
	}
	return bytes.Equal(versions[a].File.Slice(x.Value.Span), versions[b].File.Slice(y.Value.Span))
}
