package pair

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Documents are those of streams and, where none has several, how they pair: as one.
func (m *Matcher) Documents(streams [3]*syntax.Stream) (docs [3][]*syntax.Document, single []Step) {
	st := Triple(-1, -1, -1)
	m.Multi = false
	for s, stream := range streams {
		docs[s], st.At[s] = stream.Docs, len(stream.Docs)-1
		m.Multi = m.Multi || len(stream.Docs) > 1
	}
	if m.Multi {
		return docs, nil
	}
	return docs, []Step{st}
}

// DocElems prepares documents for pairing by the identity of their resources, and, where a version has several of
// one, by the blocks of a template around them:
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
//
// Documents without an identity are known by content and place.
func (m *Matcher) DocElems(docs [3][]*syntax.Document) [3][]elem {
	var out [3][]elem
	var nameless [3][]int
	var roots [3][]*syntax.Node
	for s, ds := range docs {
		for _, d := range ds {
			roots[s] = append(roots[s], d.Root)
		}
	}
	identity, several := m.Identities(roots), map[string]bool{}
	for _, all := range roots {
		seen := map[string]bool{}
		for _, n := range all {
			key := identity(n)
			several[key] = several[key] || seen[key] && key != ""
			seen[key] = true
		}
	}
	for s, all := range roots {
		seen := map[string]int{}
		for i, n := range all {
			key := identity(n)
			if several[key] && len(n.Entries) > 0 {
				key += "\x00" + n.Entries[0].Guard.String()
			}
			if key == "" {
				nameless[s] = append(nameless[s], i)
			} else if seen[key]++; seen[key] > 1 {
				key += "\x00" + strconv.Itoa(seen[key])
			}
			out[s] = append(out[s], elem{key: key, node: n, sum: m.Sums.of(n), at: n.Span, kin: schema.KindAndName(n), bare: key == "" && !n.IsNull(), aside: asideOf(n)})
		}
	}
	m.nameless(out, nameless)
	return out
}

// asideOf returns what tells which fields of n, a resource, are its identity; nil if n is none.
func asideOf(n *syntax.Node) func(path string) bool {
	if schema.KindAndName(n) == "" {
		return nil
	}
	return func(path string) bool { return path == "metadata.name" || path == "metadata.namespace" }
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
	fresh := !slices.ContainsFunc(v[three.Original], func(e elem) bool { return e.bare })
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
		if i := onlyOne(v[s]); fresh && i >= 0 && v[s][i].bare {
			out[s][at[s][i]].key = "+"
		}
	}
}

// onlyOne is the only document of docs, or the only one that is not blank; -1 if there are more.
func onlyOne(docs []elem) int {
	i := slices.IndexFunc(docs, func(e elem) bool { return e.bare || len(docs) == 1 })
	if i < 0 || slices.ContainsFunc(docs[i+1:], func(e elem) bool { return e.bare }) {
		return -1
	}
	return i
}

// only completes what was aligned by content: where both versions have one document without identity, blank ones
// aside, that is one, as in files of one document, unless it is blank in one of them beside others; else lines may tell.
func (m *Matcher) only(s three.Version, a *ordered) []int {
	v, to := a.v, a.match[s]
	o := v[three.Original]
	if i, j := onlyOne(o), onlyOne(v[s]); min(i, j) >= 0 && (len(o) == len(v[s]) || o[i].bare == v[s][j].bare) {
		to[i] = j
		return to
	}
	var from, free []int
	var was, is []elem
	for i, j := range to {
		if j < 0 {
			from, was = append(from, i), append(was, v[three.Original][i])
		}
	}
	for j, i := range a.back[s] {
		if i < 0 {
			free, is = append(free, j), append(is, v[s][j])
		}
	}
	if m.Lines == nil || len(from) == 0 || len(free) == 0 {
		return to
	}
	for i, j := range m.Lines.witness(s, m.Sums, was, is) {
		if j >= 0 {
			to[from[i]] = free[j]
		}
	}
	return to
}

// DocPath is the path of a document, and with it the resource whose lists are
// asked for; nil if no version has it.
func (m *Matcher) DocPath(at [3]*syntax.Document, index [3]int) *three.Path {
	for _, s := range [3]three.Version{three.Dest, three.Updated, three.Original} {
		if at[s] == nil {
			continue
		}
		p := &three.Path{Root: m.Resource(at[s].Root)}
		if m.Multi {
			p.Field = "document " + strconv.Itoa(index[s]+1)
			if k, n := p.Root.Kind, at[s].Root.ScalarAt("metadata", "name"); k != "" && n != "" {
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

// pathIn is the path of the smallest entry of n, which stands at p, that holds at.
func (m *Matcher) pathIn(p *three.Path, n *syntax.Node, at text.Span) *three.Path {
	for _, e := range n.Entries {
		switch {
		case !e.Span.Contains(at):
		case e.Key != nil:
			return m.pathIn(p.Child(e.Key.Value), e.Value, at)
		default:
			name := m.Items(three.Nodes{three.Dest: n}, p).Name
			return m.pathIn(name(three.Entries{three.Dest: e}), e.Value, at)
		}
	}
	return p
}
