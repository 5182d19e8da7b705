// Package bump decides versions that both sides of a merge bumped. It takes a
// conflict over one, and gives the text that stands in its place; and it takes
// three files, and gives them with what both bumped to one version bumped once
// more.
package bump

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Version is one that both sides bumped alike, and what is written instead.
type Version struct {
	Path  *three.Path
	By    schema.Decision
	Base  string
	Was   string // that of both sides
	Wrote string
	doc   int
	at    [3]text.Span // of the values
}

// Twice finds what both sides bumped to one version, where the policy next is for
// it: they are two releases, and one of them is bumped once more. Only fields of
// mappings in streams of equally many documents count.
func Twice(raw [3][]byte, file string, rules *schema.Rules) []Version {
	if !changed(rules.Named(schema.Next, file), raw[three.Original], raw[three.Dest]) || bytes.Equal(raw[three.Original], raw[three.Updated]) {
		return nil // to read the whole of a large file takes far longer
	}
	var st [3]*syntax.Stream
	for s, b := range raw {
		var err error
		st[s], err = syntax.Parse(text.New(b))
		if err != nil || st[s].DoubledKey() != nil || len(st[s].Docs) != len(st[three.Original].Docs) {
			return nil // what is no YAML, or has a key twice, is told when it is merged
		}
	}
	var found []Version
	match := pair.Matcher{File: file}
	for i := range st[three.Original].Docs {
		v := three.Nodes{st[three.Original].Docs[i].Root, st[three.Dest].Docs[i].Root, st[three.Updated].Docs[i].Root}
		eachField(v, &three.Path{Root: match.Resource(v[three.Dest])}, func(v three.Nodes, p *three.Path) {
			if b, ok := twice(v, p, raw, rules); ok {
				b.doc = i
				found = append(found, b)
			}
		})
	}
	return found
}

// changed reports whether a field with one of the names may have another value in side than in
// base: the name stands in a line of side's own, or above one, comments aside.
func changed(names []string, base, side []byte) bool {
	if !slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(side, []byte(name)) }) {
		return false
	}
	known := map[string]bool{}
	for l := range bytes.Lines(base) {
		known[string(l)] = true
	}
	var above []byte // the last line that is no comment
	for l := range bytes.Lines(side) {
		if !known[string(l)] && slices.ContainsFunc(names, func(name string) bool {
			return bytes.Contains(l, []byte(name)) || bytes.Contains(above, []byte(name))
		}) {
			return true
		}
		if t := bytes.TrimSpace(l); len(t) > 0 && t[0] != '#' {
			above = l
		}
	}
	return false
}

// Rewrite gives the sides as files that have written what is bumped once more, so that
// all else goes on as ever.
func Rewrite(raw [3][]byte, all []Version) [3][]byte {
	for _, s := range three.Sides {
		var edits []edit
		for _, v := range all {
			edits = append(edits, edit{v.at[s], v.Wrote})
		}
		raw[s] = edited(raw[s], edits)
	}
	return raw
}

// An edit is a text in the place of what stands at a span.
type edit struct {
	at  text.Span
	new string
}

// edited is b with edits, none of which meet.
func edited(b []byte, edits []edit) (out []byte) {
	slices.SortFunc(edits, func(x, y edit) int { return x.at.Start - y.at.Start })
	at := 0
	for _, e := range edits {
		out = append(append(out, b[at:e.at.Start]...), e.new...)
		at = e.at.End
	}
	return append(out, b[at:]...)
}

// In returns the value that another version of the file has in the place of v; false
// where there is none.
func (v Version) In(st *syntax.Stream) (string, bool) {
	if v.doc >= len(st.Docs) {
		return "", false
	}
	n := st.Docs[v.doc].Root
	for _, key := range v.Path.Place().Path {
		e := n.Field(key)
		if e == nil {
			return "", false
		}
		n = e.Value
	}
	return n.Value, n.Kind == syntax.Scalar
}

// eachField calls f for the fields that all of v have, at p and below.
func eachField(v three.Nodes, p *three.Path, f func(three.Nodes, *three.Path)) {
	var fields [3]map[string]*syntax.Node
	for s, n := range v {
		if n == nil || n.Kind != syntax.Mapping {
			return
		}
		fields[s] = make(map[string]*syntax.Node, len(n.Entries))
		for _, e := range n.Entries {
			if e.Key.Kind == syntax.Scalar {
				fields[s][e.Key.Value] = e.Value
			}
		}
	}
	for _, e := range v[three.Dest].Entries {
		name := e.Key.Value
		values := three.Nodes{fields[three.Original][name], fields[three.Dest][name], fields[three.Updated][name]}
		if !slices.Contains(values[:], nil) && values[three.Dest] == e.Value {
			f(values, p.Child(name))
			eachField(values, p.Child(name), f)
		}
	}
}

// twice is the version to which both sides bumped the field v at p, if the policy next is for it.
func twice(v three.Nodes, p *three.Path, raw [3][]byte, rules *schema.Rules) (b Version, ok bool) {
	s, plain := scalars(v)
	if !plain || s[three.Dest] != s[three.Updated] || s[three.Original] == s[three.Dest] {
		return b, false
	}
	version, ok := schema.NextVersion(s[three.Original], s[three.Dest], s[three.Updated])
	by := rules.Field(p.Place())
	if !ok || by.Policy != schema.Next {
		return b, false
	}
	b = Version{Path: p, By: by, Base: s[three.Original], Was: s[three.Dest], Wrote: version}
	for s, n := range v {
		at := bytes.Index(raw[s][n.Content.Start:n.Content.End], []byte(n.Value))
		if at < 0 {
			return b, false
		}
		b.at[s] = text.Span{Start: n.Content.Start + at, End: n.Content.Start + at + len(n.Value)}
	}
	return b, true
}

// Next decides a conflict over a version: own's, or upstream's bumped in its
// place, as schema.NextVersion has it. It reports false where there is none.
func Next(c *page.Conflict, own three.Side, versions [3]*syntax.Stream, by schema.Decision) (v page.Verdict, ok bool) {
	upstream := own.Other()
	s, plain := scalars(c.Child.At.Values())
	if !plain {
		return v, false
	}
	version, ok := schema.NextVersion(s[three.Original], s[own], s[upstream])
	if !ok {
		return v, false
	}
	v = page.Verdict{By: by, Wrote: version}
	value := bytes.Replace(c.Written(versions, upstream), []byte(s[upstream]), []byte(version), 1)
	if version == s[own] {
		v, value = c.Taken(own, by), c.Written(versions, own)
	}
	v.Value = true
	v.Text, ok = c.Slot(versions, value)
	return v, ok
}

// scalars are the values of v; it reports false where they are no plain
// scalars.
func scalars(v three.Nodes) (s [3]string, plain bool) {
	for i, n := range v {
		if n == nil || n.Kind != syntax.Scalar || n.Anchor != "" || n.TagText != "" {
			return s, false
		}
		s[i] = n.Value
	}
	return s, true
}
