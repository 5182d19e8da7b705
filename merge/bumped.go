package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// bumpTwice bumps once more what both sides bumped to one version, where the
// policy next is for it: they are two releases. Both versions are taken for
// files that say so, so that all else goes on as ever.
func (m *merger) bumpTwice() {
	if bytes.Equal(m.raw[dest], m.raw[updated]) || !m.opts.Rules.known().HasPolicy(schema.Next, m.opts.Path) {
		return
	}
	if _, _, ok := m.own(); !ok {
		return
	}
	var st [3]*syntax.Stream
	for s, b := range m.raw {
		var err error
		if st[s], err = syntax.Parse(text.New(b)); err != nil || len(st[s].Docs) != len(st[original].Docs) {
			return // what is no YAML is told when it is parsed to be merged
		}
	}
	w := &walker{file: m.opts.Path}
	for i := range st[original].Docs {
		v := nodes{st[original].Docs[i].Root, st[dest].Docs[i].Root, st[updated].Docs[i].Root}
		m.bumped = m.bumpedIn(m.bumped, v, &path{root: w.resource(v[dest])})
	}
	for _, s := range sides {
		m.raw[s] = rewritten(m.raw[s], s, m.bumped)
	}
}

// bumped is a version that both sides bumped alike.
type bumped struct {
	at   [3]text.Span // of the values
	now  []byte
	told Conflict
}

// bumpedIn adds to found what both sides bumped alike in the fields of v.
func (m *merger) bumpedIn(found []bumped, v nodes, p *path) []bumped {
	for _, n := range v {
		if n == nil || n.Kind != syntax.Mapping {
			return found
		}
	}
	for _, e := range v[dest].Entries {
		o, u := v[original].Field(e.Key.Value), v[updated].Field(e.Key.Value)
		if o == nil || u == nil || e.Key.Kind != syntax.Scalar {
			continue
		}
		values, below := entries{o, e, u}.values(), p.child(e.Key.Value)
		if b, ok := m.bumpedAlike(values, below); ok {
			found = append(found, b)
		}
		found = m.bumpedIn(found, values, below)
	}
	return found
}

// bumpedAlike reports whether both sides bumped the field at p to one version,
// and the policy next is for it.
func (m *merger) bumpedAlike(v nodes, p *path) (b bumped, ok bool) {
	s, plain := scalarsOf(v)
	if !plain || s[dest] != s[updated] || s[original] == s[dest] {
		return b, false
	}
	version, ok := schema.NextVersion(s[original], s[dest], s[updated])
	policy, source := m.opts.Rules.known().Field(p.place())
	if !ok || policy != schema.Next {
		return b, false
	}
	b.now = []byte(version)
	b.told = Conflict{Path: p.String(), Kind: ConflictValue, By: by(policy, source), Wrote: version}
	for s, n := range v {
		at := bytes.Index(m.raw[s][n.Content.Start:n.Content.End], []byte(n.Value))
		if at < 0 {
			return b, false
		}
		b.at[s] = text.Span{Start: n.Content.Start + at, End: n.Content.Start + at + len(n.Value)}
	}
	return b, true
}

// rewritten is the version s with what is bumped once more.
func rewritten(b []byte, s side, all []bumped) []byte {
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
