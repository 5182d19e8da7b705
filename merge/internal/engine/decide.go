package engine

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// applyBumpPolicies changes the versions of m before they are merged, and records each change in m.earlyDecisions:
//
//   - If the preset for lock files is included, packages that both sides changed in a lock file take the highest
//     version.
//   - If both sides raised a version with the policy next to the same new version, and it is known which side is
//     the user's own, both sides get the version after that.
func (m *merger) applyBumpPolicies() {
	rules := m.opts.rules()
	if slices.Contains(rules.PresetNames(), bump.LockPreset) {
		raw, locked := bump.MergePackages(m.in.Raw, m.opts.Path)
		m.setVersions(raw)
		for _, c := range locked {
			m.earlyDecisions = append(m.earlyDecisions, Conflict{
				Path: c.Path, Kind: plan.ConflictValue, By: schema.Decision{Policy: schema.Highest, Preset: bump.LockPreset}, Took: three.Names[c.Side],
			})
		}
	}
	if bytes.Equal(m.in.Raw[three.Dest], m.in.Raw[three.Updated]) || !rules.HasPolicy(schema.Next, m.opts.Path) {
		return
	}
	bumped := bump.FindEqualBumps(m.in.Raw, m.opts.Path, rules)
	if len(bumped) == 0 {
		return // finding out the own side takes the caller longer than most merges
	}
	if _, ok := m.ownSide(); !ok {
		return
	}
	for _, b := range bumped {
		m.earlyDecisions = append(m.earlyDecisions, Conflict{Path: b.Path.String(), Elements: b.Path.Elements(), Kind: plan.ConflictValue, By: b.By, Wrote: b.Replacement})
	}
	m.setVersions(bump.Rewrite(m.in.Raw, bumped))
}

// decideByPolicy returns the verdict about c by the policy for its field in the team's rules. ok is false if there is
// no policy, if the policy cannot decide c, or if it depends on the user's own side and that is not known. Conflicts
// about comments and encrypted values are never decided.
func (m *merger) decideByPolicy(c *page.Conflict) (decided page.Verdict, ok bool) {
	if c.Entry == nil || c.Path == nil || c.Kind == plan.ConflictComment || c.Kind == plan.ConflictEncrypted {
		return decided, false
	}
	by, side := m.opts.rules().DecisionAt(c.Path.Place()), three.Dest
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
		if s, ok := c.PreferredPinSide(m.in.Streams, by.Policy); ok {
			return c.TakeSide(s, by), true
		}
		if side, ok = c.PreferredSide(by.Policy); !ok {
			return decided, false
		}
	default:
		return decided, false
	}
	return c.TakeValue(m.in.Streams, side, by)
}

// ownSide returns the side that is the user's own. If it is not known, ownSide returns false, and the result has
// NeedsOwn set.
func (m *merger) ownSide() (three.Version, bool) {
	s, ok := m.opts.Own.side()
	if !ok && m.opts.needsOwn != nil {
		*m.opts.needsOwn = true
	}
	return s, ok
}

// side returns the version that o is. It returns false for OwnUnknown.
func (o Own) side() (three.Version, bool) {
	if o == OwnTheirs {
		return three.Updated, true
	}
	return three.Dest, o == OwnOurs
}

// applyDecisions returns p with its conflicts decided by the policies of the team's rules and then by
// Options.Resolve, and these decisions. Decisions by policies, and by Options.Resolve after a policy has decided, are
// discarded if the result fails verification.
func (m *merger) applyDecisions(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	p, done := m.decideVerified(p, r, m.decideByPolicy, nil)
	var resolved []page.Decision
	side := three.Updated
	switch m.opts.Resolve {
	case ResolveNone:
		return p, done
	case ResolveUnion:
		p, resolved = m.decideUnion(r, p)
		return p, append(done, resolved...)
	case ResolveOurs:
		side = three.Dest
	}
	takeSide := func(c *page.Conflict) (page.Verdict, bool) {
		return c.TakeSide(side, schema.Decision{Side: three.Names[side]}), c.Kind != plan.ConflictEncrypted
	}
	if len(done) > 0 { // p was verified with one side everywhere, but not together with the decisions of policies
		p, resolved = m.decideVerified(p, r, takeSide, done)
	} else {
		p, resolved = p.Decide(r, takeSide)
	}
	return p, append(done, resolved...)
}

// decideVerified returns p with the conflicts decided that j decides, and these decisions. If the result fails
// verification, it returns p and nil. before are the decisions that p contains already.
func (m *merger) decideVerified(p *page.Page, r *page.Renderer, j page.Judge, before []page.Decision) (*page.Page, []page.Decision) {
	out, done := p.Decide(r, j)
	if len(done) == 0 || m.proof.VerifyDecisions(out, slices.Concat(before, done)) != nil {
		return p, nil
	}
	return out, done
}

// decideUnion decides the conflicts for which the lines of both sides, ours first, pass verification. Others, such as
// two values of one field, stay conflicts. It tries one conflict after the other. It modifies m.proof.PairedNodes:
// the nodes in a conflict that was decided no longer match.
func (m *merger) decideUnion(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	var unitable []*page.Conflict
	unite := func(c *page.Conflict) (page.Verdict, bool) {
		v, ok := c.Union()
		return v, ok && slices.Contains(unitable, c)
	}
	for _, c := range p.Conflicts() {
		if _, ok := c.Union(); !ok {
			continue
		}
		unitable = append(unitable, c)
		try, _ := p.Decide(r, unite)
		pairs := m.proof.PairedNodes
		m.proof.PairedNodes = slices.DeleteFunc(slices.Clone(pairs), c.Contains)
		if m.proof.IsExhausted() || m.proof.VerifyPage(try) != nil {
			unitable, m.proof.PairedNodes = unitable[:len(unitable)-1], pairs
		}
	}
	return p.Decide(r, unite)
}
