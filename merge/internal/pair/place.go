package pair

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

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
	if p.Field == "items" && p.Up.Root != nil && strings.HasSuffix(p.Up.Root.Kind, "List") && resource.Identity(e.Value) != "" {
		return m.ResourcePath(p)(three.Entries{three.Dest: e})
	}
	if l := m.Rules.Of(p.Place(), n); l.Kind == schema.Map {
		return p.Labelled(l.Label(e.Value))
	}
	return p.Index(i)
}
