package pair

import (
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// DocElems prepares documents for pairing by identity. Documents without one
// are known by content and place.
func (m *Matcher) DocElems(docs [3][]*syntax.Document) [3][]elem {
	var out [3][]elem
	var nameless [3][]int
	var roots [3][]*syntax.Node
	for s, ds := range docs {
		roots[s], out[s] = make([]*syntax.Node, len(ds)), make([]elem, 0, len(ds))
		for i, d := range ds {
			roots[s][i] = d.Root
		}
	}
	identity := m.guarded(docs, m.Identities(roots))
	for s, ds := range docs {
		seen := map[string]int{}
		for i, d := range ds {
			key := identity(d)
			if key == "" {
				nameless[s] = append(nameless[s], i)
			} else if seen[key]++; seen[key] > 1 {
				key += "\x00" + strconv.Itoa(seen[key])
			}
			out[s] = append(out[s], elem{key: key, node: d.Root, sum: m.Sums.of(d.Root), at: d.Root.Span, kin: schema.Kin(d.Root), bare: key == "" && !tree.IsNull(d.Root)})
		}
	}
	m.nameless(out, nameless)
	return out
}

// guarded is what tells documents apart: the identity of the resource, and, where a version has
// several of one, the blocks of a template around it:
//
//	{{- if .a }}
//	kind: Job
//	metadata: {name: a}
//	{{- end }}
//	---
//	{{- if .b }}
//	kind: Job
//	metadata: {name: a}
//	{{- end }}
func (m *Matcher) guarded(docs [3][]*syntax.Document, identity func(*syntax.Node) string) func(*syntax.Document) string {
	several := map[string]bool{}
	for _, ds := range docs {
		seen := map[string]bool{}
		for _, d := range ds {
			key := identity(d.Root)
			several[key] = several[key] || seen[key] && key != ""
			seen[key] = true
		}
	}
	return func(d *syntax.Document) string {
		key := identity(d.Root)
		if several[key] && len(d.Root.Entries) > 0 {
			key += "\x00" + d.Root.Entries[0].Guard
		}
		return key
	}
}

// nameless gives keys to documents without identity: aligned ones share one.
func (m *Matcher) nameless(out [3][]elem, at [3][]int) {
	var v [3][]elem
	for s := range at {
		v[s] = make([]elem, len(at[s]))
		for k, i := range at[s] {
			v[s][k] = out[s][i]
		}
	}
	a := &ordered{v: v, sums: m.Sums}
	for _, i := range at[three.Original] {
		out[three.Original][i].key = "#" + strconv.Itoa(i)
	}
	a.align()
	for _, s := range three.Sides {
		added := map[uint64]int{}
		for i, j := range m.only(s, a) {
			if j >= 0 {
				out[s][at[s][j]].key = out[three.Original][at[three.Original][i]].key
			}
		}
		for _, i := range at[s] {
			e := &out[s][i]
			if e.key != "" {
				continue
			}
			added[e.sum]++
			e.key = "+" + strconv.FormatUint(e.sum, 36) + "/" + strconv.Itoa(added[e.sum])
		}
	}
}

// only completes what was aligned by content: where both versions have one
// document without identity, that is one, as it is in files of one document; else
// lines may tell which are.
func (m *Matcher) only(s three.Side, a *ordered) []int {
	v, to := a.v, a.match[s]
	if len(v[three.Original]) == 1 && len(v[s]) == 1 {
		return []int{0}
	}
	var from, free []int
	var at, in []text.Span
	for i, j := range to {
		if j < 0 {
			from, at = append(from, i), append(at, v[three.Original][i].at)
		}
	}
	for j, i := range a.back[s] {
		if i < 0 {
			free, in = append(free, j), append(in, v[s][j].at)
		}
	}
	if m.Lines == nil || len(from) == 0 || len(free) == 0 {
		return to
	}
	for i, j := range m.Lines.witness(s, at, in) {
		if j >= 0 {
			to[from[i]] = free[j]
		}
	}
	return to
}

// DocPath is the path of a document, and with it the resource whose lists are
// asked for; nil if no version has it.
func (m *Matcher) DocPath(at [3]*syntax.Document, index [3]int) *three.Path {
	for _, s := range [3]three.Side{three.Dest, three.Updated, three.Original} {
		if at[s] == nil {
			continue
		}
		p := &three.Path{Root: m.Resource(at[s].Root)}
		if m.Multi {
			p.Field = "document " + strconv.Itoa(index[s]+1)
			if k, n := p.Root.Kind, tree.ScalarAt(at[s].Root, "metadata", "name"); k != "" && n != "" {
				p.Field = k + "/" + n
			}
		}
		return p
	}
	return nil
}

// PathAt is the path of the smallest entry of st that holds at, as a merge with
// that version in it would name it.
func (m *Matcher) PathAt(st *syntax.Stream, at text.Span) *three.Path {
	for i, d := range st.Docs {
		if d.Span.Contains(at) {
			p := m.DocPath([3]*syntax.Document{three.Dest: d}, [3]int{three.Dest: i})
			return m.pathIn(p, d.Root, at)
		}
	}
	return nil
}

func (m *Matcher) pathIn(p *three.Path, n *syntax.Node, at text.Span) *three.Path {
	for i, e := range n.Entries {
		if e.Span.Contains(at) {
			return m.pathIn(m.entryPath(p, n, i), e.Value, at)
		}
	}
	return p
}

// entryPath is the path of the entry i of n, which stands at p.
func (m *Matcher) entryPath(p *three.Path, n *syntax.Node, i int) *three.Path {
	e := n.Entries[i]
	if e.Key != nil {
		return p.Child(e.Key.Value)
	}
	if p.Field == "items" && p.Up.Root != nil && strings.HasSuffix(p.Up.Root.Kind, "List") && schema.Identity(e.Value) != "" {
		return m.ResourcePath(p)(three.Entries{three.Dest: e})
	}
	if l := m.Rules.Of(p.Place(), n); l.Kind == schema.Map {
		return p.Labelled(l.Label(e.Value))
	}
	return p.Index(i)
}
