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

// applyBumpPolicies bumps once more what both sides bumped to one version, if the policy
// next is for a field of the file, and it is known which side is own; and takes the highest of what
// both sides bumped in a lock file.
func (m *merger) applyBumpPolicies() {
	rules := m.opts.Rules.schemaOrEmpty()
	if slices.Contains(rules.PresetNames(), bump.LockPreset) {
		raw, locked := bump.MergePackages(m.in.Raw, m.opts.Path)
		m.setVersions(raw)
		for _, c := range locked {
			m.earlyDecisions = append(m.earlyDecisions, Conflict{
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
	if _, ok := m.ownSide(); !ok {
		return
	}
	for _, b := range bumped {
		m.earlyDecisions = append(m.earlyDecisions, Conflict{Path: b.Path.String(), Kind: ConflictValue, By: b.By, Wrote: b.Replacement})
	}
	m.setVersions(bump.Rewrite(m.in.Raw, bumped))
}

// decideByPolicy decides a conflict where the team's rules name its field.
func (m *merger) decideByPolicy(c *page.Conflict) (decided page.Verdict, ok bool) {
	if c.Entry == nil || c.Path == nil || c.Kind == plan.ConflictComment || c.Kind == plan.ConflictEncrypted {
		return decided, false
	}
	by, side := m.opts.Rules.schemaOrEmpty().DecisionAt(c.Path.Place()), three.Dest
	switch by.Policy {
	case schema.Ours:
	case schema.Theirs:
		side = three.Updated
	case schema.Own, schema.Upstream, schema.Next:
		if side, ok = m.ownSide(); !ok {
			return decided, false
		}
		if by.Policy == schema.Next {
			return bump.DecideNext(c, side, m.in.Streams, by)
		}
		if by.Policy == schema.Upstream {
			side = side.Other()
		}
	case schema.Highest, schema.Lowest:
		if s, ok := c.Pinned(m.in.Streams, by.Policy); ok {
			return c.Taken(s, by), true
		}
		if side, ok = c.Preferred(by.Policy); !ok {
			return decided, false
		}
	default:
		return decided, false
	}
	return c.Valued(m.in.Streams, side, by)
}

// ownSide is which side is one's own, if somebody knows.
func (m *merger) ownSide() (three.Version, bool) {
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

// applyDecisions returns p with its conflicts decided as the team's rules and the
// options say, and the conflicts that were.
func (m *merger) applyDecisions(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	p, done := m.decideVerified(p, r, m.decideByPolicy, nil)
	var more []page.Decision
	side := three.Updated
	switch m.opts.Resolve {
	case ResolveNone:
		return p, done
	case ResolveUnion:
		p, more = m.decideUnion(r, p)
		return p, append(done, more...)
	case ResolveOurs:
		side = three.Dest
	}
	take := func(c *page.Conflict) (page.Verdict, bool) {
		return c.Taken(side, Decision{Side: three.Names[side]}), c.Kind != plan.ConflictEncrypted
	}
	if len(done) > 0 { // all of a side was proven with the page; beside what policies took from the other side it was not
		p, more = m.decideVerified(p, r, take, done)
	} else {
		p, more = p.Decide(r, take)
	}
	return p, append(done, more...)
}

// decideVerified is p with what j decides, or with all of its conflicts where that does not hold. Before is what was decided in
// p already.
func (m *merger) decideVerified(p *page.Page, r *page.Renderer, j page.Judge, before []page.Decision) (*page.Page, []page.Decision) {
	out, done := p.Decide(r, j)
	if len(done) == 0 || m.proof.VerifyDecisions(out, slices.Concat(before, done)) != nil {
		return p, nil
	}
	return out, done
}

// decideUnion decides every conflict whose both sides can stand: ours, then theirs.
// Where they cannot (two values of one field, say) the conflict stays.
func (m *merger) decideUnion(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	var unitable []*page.Conflict
	both := func(c *page.Conflict) (page.Verdict, bool) {
		v, ok := c.Union()
		return v, ok && slices.Contains(unitable, c)
	}
	for _, c := range p.Conflicts() {
		if _, ok := c.Union(); !ok {
			continue
		}
		unitable = append(unitable, c)
		try, _ := p.Decide(r, both)
		pairs := m.proof.PairedNodes
		m.proof.PairedNodes = slices.DeleteFunc(slices.Clone(pairs), c.About)
		if m.proof.IsExhausted() || m.proof.VerifyPage(try) != nil {
			unitable, m.proof.PairedNodes = unitable[:len(unitable)-1], pairs
		}
	}
	return p.Decide(r, both)
}
