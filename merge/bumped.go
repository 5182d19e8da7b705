package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// bumpTwice bumps once more what both sides bumped to one version, where the
// policy next is for it: they are two releases. Both versions are taken for
// files that say so, so that all else goes on as ever.
func (m *merger) bumpTwice() {
	if bytes.Equal(m.in.Raw[three.Dest], m.in.Raw[three.Updated]) || !m.opts.Rules.known().HasPolicy(schema.Next, m.opts.Path) {
		return
	}
	if _, _, ok := m.own(); !ok {
		return
	}
	var st [3]*syntax.Stream
	for s, b := range m.in.Raw {
		var err error
		if st[s], err = syntax.Parse(text.New(b)); err != nil || len(st[s].Docs) != len(st[three.Original].Docs) {
			return // what is no YAML is told when it is parsed to be merged
		}
	}
	match := pair.Matcher{File: m.opts.Path}
	for i := range st[three.Original].Docs {
		v := three.Nodes{st[three.Original].Docs[i].Root, st[three.Dest].Docs[i].Root, st[three.Updated].Docs[i].Root}
		m.bumped = m.bumpedIn(m.bumped, v, &three.Path{Root: match.Resource(v[three.Dest])})
	}
	for _, s := range three.Sides {
		m.in.Raw[s] = rewritten(m.in.Raw[s], s, m.bumped)
	}
}

// bumped is a version that both sides bumped alike.
type bumped struct {
	at   [3]text.Span // of the values
	now  []byte
	told Conflict
}

// bumpedIn adds to found what both sides bumped alike in the fields of v.
func (m *merger) bumpedIn(found []bumped, v three.Nodes, p *three.Path) []bumped {
	for _, n := range v {
		if n == nil || n.Kind != syntax.Mapping {
			return found
		}
	}
	for _, e := range v[three.Dest].Entries {
		o, u := v[three.Original].Field(e.Key.Value), v[three.Updated].Field(e.Key.Value)
		if o == nil || u == nil || e.Key.Kind != syntax.Scalar {
			continue
		}
		values, below := three.Entries{o, e, u}.Values(), p.Child(e.Key.Value)
		if b, ok := m.bumpedAlike(values, below); ok {
			found = append(found, b)
		}
		found = m.bumpedIn(found, values, below)
	}
	return found
}

// bumpedAlike reports whether both sides bumped the field at p to one version,
// and the policy next is for it.
func (m *merger) bumpedAlike(v three.Nodes, p *three.Path) (b bumped, ok bool) {
	s, plain := scalarsOf(v)
	if !plain || s[three.Dest] != s[three.Updated] || s[three.Original] == s[three.Dest] {
		return b, false
	}
	version, ok := schema.NextVersion(s[three.Original], s[three.Dest], s[three.Updated])
	policy, source := m.opts.Rules.known().Field(p.Place())
	if !ok || policy != schema.Next {
		return b, false
	}
	b.now = []byte(version)
	b.told = Conflict{Path: p.String(), Kind: ConflictValue, By: three.By(policy, source), Wrote: version}
	for s, n := range v {
		at := bytes.Index(m.in.Raw[s][n.Content.Start:n.Content.End], []byte(n.Value))
		if at < 0 {
			return b, false
		}
		b.at[s] = text.Span{Start: n.Content.Start + at, End: n.Content.Start + at + len(n.Value)}
	}
	return b, true
}

// rewritten is the version s with what is bumped once more.
func rewritten(b []byte, s three.Side, all []bumped) []byte {
	all = slices.Clone(all)
	slices.SortFunc(all, func(x, y bumped) int { return x.at[s].Start - y.at[s].Start })
	var out []byte
	at := 0
	for _, x := range all {
		out = append(append(out, b[at:x.at[s].Start]...), x.now...)
		at = x.at[s].End
	}
	return append(out, b[at:]...)
}

// told is what was bumped once more, for people.
func (m *merger) told() (all []Conflict) {
	for _, b := range m.bumped {
		all = append(all, b.told)
	}
	return all
}
