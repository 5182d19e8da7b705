package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TakeFields returns the verdict for a mapping on one line that takes only the fields in conflict from version s, and
// the edits of both sides in its other fields. ok is false, and v must not be used, if c is not about such a mapping,
// or if TakeSide would do the same, or if an edit of the other side has no place in the text of s.
//
//	base             ours             theirs           from theirs
//	{a: 1, b: 1}     {a: 2, b: 2}     {a: 3, b: 1}     {a: 3, b: 2}
func (c *Conflict) TakeFields(versions [3]*syntax.Stream, s three.Version, by team.Decision) (v Verdict, ok bool) {
	values := c.flowMappings(versions)
	if values == nil || c.Detail != "" { // its fields must not be combined from two sides
		return v, false
	}
	edited, entries := versions[s].File.Slice(values[s].Content), values[s].Entries
	var edits []fieldEdit
	var added []byte // to the outermost mapping
	forEachFlowField(versions, *values, func(f three.Entries, isContested bool) {
		own, other := f[s], f[s.Other()]
		switch {
		// the text of s has it already
		case isContested, !hasSameValue(versions, f, s, three.Original), hasSameValue(versions, f, s, s.Other()):
		case own != nil && other != nil:
			edits = append(edits, fieldEdit{own.Value.Span, versions[s.Other()].File.Slice(other.Value.Span)})
		case own == nil && slices.Contains(values[s.Other()].Entries, other):
			entry := versions[s.Other()].File.Slice(text.Span{Start: other.Start, End: other.Value.Span.End})
			added = slices.Concat(added, []byte(", "), entry)
		// the other side deleted it
		case own != nil && own.Comma:
			edits = append(edits, fieldEdit{own.Span, nil})
		case own != nil && len(entries) > 1 && own == entries[len(entries)-1]:
			edits = append(edits, fieldEdit{text.Span{Start: entries[len(entries)-2].Value.Span.End, End: own.Value.Span.End}, nil})
		default: // in a mapping in the mapping, or the only field
			ok = true
		}
	})
	if len(added) > 0 && len(entries) > 0 {
		end := entries[len(entries)-1].Value.Span.End
		edits = append(edits, fieldEdit{text.Span{Start: end, End: end}, added})
	}
	// here ok means that an edit has no place
	if ok || len(edits) == 0 || len(added) > 0 && len(entries) == 0 {
		return v, false
	}
	slices.SortStableFunc(edits, func(a, b fieldEdit) int { return b.at.Start - a.at.Start })
	start, unedited := values[s].Content.Start, values[s].Content.End
	for _, e := range edits {
		if e.at.End > unedited { // two fields that follow each other are deleted
			return v, false
		}
		edited = slices.Concat(edited[:e.at.Start-start], e.text, edited[e.at.End-start:])
		unedited = e.at.Start
	}
	v = c.TakeSide(s, by)
	v.Fields = c.ContestedFields(versions)
	v.Text, ok = c.ReplaceValue(versions, edited, three.Optional{})
	return v, ok
}

// TakeInConflict returns the verdict that takes what is in conflict from version s: that of TakeFields or, if the
// conflict is not about fields of a mapping on one line, that of TakeSide.
func (c *Conflict) TakeInConflict(versions [3]*syntax.Stream, s three.Version, by team.Decision) Verdict {
	if v, ok := c.TakeFields(versions, s, by); ok {
		return v
	}
	return c.TakeSide(s, by)
}

// A fieldEdit is a text in place of a span of a version.
type fieldEdit struct {
	at   text.Span
	text []byte
}

// ContestedFields returns the places of the fields that both sides changed differently in a mapping on one line, in
// each version; a place is empty if the version lacks the field. It returns nil if c is not about such a mapping.
// versions are the parsed versions.
func (c *Conflict) ContestedFields(versions [3]*syntax.Stream) (places [][3]text.Span) {
	values := c.flowMappings(versions)
	if values == nil {
		return nil
	}
	forEachFlowField(versions, *values, func(f three.Entries, isContested bool) {
		var at [3]text.Span
		for s, e := range f {
			if e != nil {
				at[s] = e.Span
			}
		}
		if isContested {
			places = append(places, at)
		}
	})
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
	isOdd := func(e *syntax.Entry) bool {
		return e.Irregular || e.Key.Kind != syntax.Scalar || n.Field(e.Key.Value) != e
	}
	return n != nil && n.Kind == syntax.Mapping && n.Style == syntax.Flow && !slices.ContainsFunc(n.Entries, isOdd)
}

// forEachFlowField calls f for each field of the mappings n in flow style, first for those of the original. field has
// the entry of each version, nil if it lacks the field. isContested reports whether all three versions differ in the
// bytes of its value. If a contested field is itself such a mapping in all versions, f is called for the fields in it
// instead. n must not contain nil.
func forEachFlowField(versions [3]*syntax.Stream, n three.Nodes, f func(field three.Entries, isContested bool)) {
	seen := map[string]bool{}
	for _, m := range n {
		for _, e := range m.Entries {
			if seen[e.Key.Value] {
				continue
			}
			seen[e.Key.Value] = true
			var field three.Entries
			var values three.Nodes
			for s := range n {
				if field[s] = n[s].Field(e.Key.Value); field[s] != nil {
					values[s] = field[s].Value
				}
			}
			isContested := !hasSameValue(versions, field, three.Original, three.Dest) && !hasSameValue(versions, field, three.Original, three.Updated) &&
				!hasSameValue(versions, field, three.Dest, three.Updated)
			if isContested && !slices.ContainsFunc(values[:], func(v *syntax.Node) bool { return !isFlowMapping(v) }) {
				forEachFlowField(versions, values, f)
				continue
			}
			f(field, isContested)
		}
	}
}

// hasSameValue reports whether the field has the same bytes as its value in the versions a and b, or is in neither.
func hasSameValue(versions [3]*syntax.Stream, field three.Entries, a, b three.Version) bool {
	if field[a] == nil || field[b] == nil {
		return field[a] == field[b]
	}
	return bytes.Equal(versions[a].File.Slice(field[a].Value.Span), versions[b].File.Slice(field[b].Value.Span))
}
