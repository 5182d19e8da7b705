package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// bump bumps once more what both sides bumped to one version, if the policy
// next is for a field of the file, and it is known which side is own; and takes the highest of what
// both sides bumped in a lock file.
func (m *merger) bump() {
	rules := m.opts.Rules.known()
	if slices.Contains(rules.PresetNames(), bump.LockPreset) {
		raw, locked := bump.MergePackages(m.in.Raw, m.opts.Path)
		m.came(raw)
		for _, c := range locked {
			m.told = append(m.told, Conflict{
				Path: c.Path, Kind: ConflictValue, By: Decision{Policy: schema.Highest, Preset: bump.LockPreset}, Took: three.Names[c.Side],
			})
		}
	}
	if bytes.Equal(m.in.Raw[three.Dest], m.in.Raw[three.Updated]) || !rules.HasPolicy(schema.Next, m.opts.Path) {
		return
	}
	bumped := bump.FindEqualBumps(m.in.Raw, m.opts.Path, rules)
	if len(bumped) == 0 {
		return // to find out whose side is own takes longer than most merges
	}
	if _, ok := m.own(); !ok {
		return
	}
	for _, b := range bumped {
		m.told = append(m.told, Conflict{Path: b.Path.String(), Kind: ConflictValue, By: b.By, Wrote: b.Replacement})
	}
	m.came(bump.Rewrite(m.in.Raw, bumped))
}

// policy decides a conflict where the team's rules name its field.
func (m *merger) policy(c *page.Conflict) (decided page.Verdict, ok bool) {
	if c.Entry == nil || c.Path == nil || c.Kind == plan.ConflictComment || c.Kind == plan.ConflictEncrypted {
		return decided, false
	}
	by, took := m.opts.Rules.known().DecisionAt(c.Path.Place()), three.Dest
	switch by.Policy {
	case schema.Ours:
	case schema.Theirs:
		took = three.Updated
	case schema.Own, schema.Upstream, schema.Next:
		if took, ok = m.own(); !ok {
			return decided, false
		}
		if by.Policy == schema.Next {
			return bump.DecideNext(c, took, m.in.Streams, by)
		}
		if by.Policy == schema.Upstream {
			took = took.Other()
		}
	case schema.Highest, schema.Lowest:
		if s, ok := c.PreferredPinSide(m.in.Streams, by.Policy); ok {
			return c.TakeSide(s, by), true
		}
		if took, ok = c.PreferredSide(by.Policy); !ok {
			return decided, false
		}
	default:
		return decided, false
	}
	return c.TakeValue(m.in.Streams, took, by)
}

// own is which side is one's own, if somebody knows.
func (m *merger) own() (three.Version, bool) {
	if m.opts.Own == nil {
		return three.Dest, false
	}
	switch m.opts.Own() {
	case OwnOurs:
		return three.Dest, true
	case OwnTheirs:
		return three.Updated, true
	}
	return three.Dest, false
}

// decided returns p with its conflicts decided as the team's rules and the
// options say, and the conflicts that were.
func (m *merger) decided(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	p, done := m.settled(p, r, m.policy, nil)
	var more []page.Decision
	side := three.Updated
	switch m.opts.Resolve {
	case ResolveNone:
		return p, done
	case ResolveUnion:
		p, more = m.union(r, p)
		return p, append(done, more...)
	case ResolveOurs:
		side = three.Dest
	}
	take := func(c *page.Conflict) (page.Verdict, bool) {
		return c.TakeSide(side, Decision{Side: three.Names[side]}), c.Kind != plan.ConflictEncrypted
	}
	if len(done) > 0 { // all of a side was proven with the page; beside what policies took from the other side it was not
		p, more = m.settled(p, r, take, done)
	} else {
		p, more = p.Decide(r, take)
	}
	return p, append(done, more...)
}

// settled is p with what j decides, or with all of its conflicts where that does not hold. Before is what was decided in
// p already.
func (m *merger) settled(p *page.Page, r *page.Renderer, j page.Judge, before []page.Decision) (*page.Page, []page.Decision) {
	out, done := p.Decide(r, j)
	if len(done) == 0 || m.proof.VerifyDecisions(out, slices.Concat(before, done)) != nil {
		return p, nil
	}
	return out, done
}

// union decides every conflict whose both sides can stand: ours, then theirs.
// Where they cannot (two values of one field, say) the conflict stays.
func (m *merger) union(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	var stand []*page.Conflict
	both := func(c *page.Conflict) (page.Verdict, bool) {
		v, ok := c.Union()
		return v, ok && slices.Contains(stand, c)
	}
	for _, c := range p.Conflicts() {
		if _, ok := c.Union(); !ok {
			continue
		}
		stand = append(stand, c)
		try, _ := p.Decide(r, both)
		one := m.proof.PairedNodes
		m.proof.PairedNodes = slices.DeleteFunc(slices.Clone(one), c.Contains)
		if m.proof.IsExhausted() || m.proof.VerifyPage(try) != nil {
			stand, m.proof.PairedNodes = stand[:len(stand)-1], one
		}
	}
	return p.Decide(r, both)
}
