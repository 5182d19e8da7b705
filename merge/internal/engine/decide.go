package engine

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// applyBumpPolicies changes the versions of m before they are merged, and appends a Conflict for each change to
// m.earlyDecisions. These are:
//
//   - Packages in a lock file (such as package-lock.json) that both sides changed take the highest version, if the
//     team's rules (.git-merge-yaml.yaml) include the preset for lock files.
//   - A counter that restarts when a version is raised, such as a build number. If one side raised the version and
//     restarted the counter, and the other side only raised the counter, the change of the other side is undone.
//   - A version with the policy next, by which each release gets its own version. If both sides raised it to the same
//     new version, both get the version after that.
//
// The last one needs the user's own side (Options.Own). If that is not known, Result.NeedsOwn is set and the version
// stays. If no policy applies, nothing changes. The bytes that the caller of Merge passed are never changed.
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
	if restarts := bump.FindRestarts(m.in.Raw, m.opts.Path, rules); len(restarts) > 0 {
		m.setVersions(bump.UndoCounting(m.in.Raw, restarts))
		for _, x := range restarts {
			m.earlyDecisions = append(m.earlyDecisions, Conflict{Path: x.Path.String(), Kind: plan.ConflictValue, By: x.By, Took: three.Names[x.Side]})
		}
	}
	if bytes.Equal(m.in.Raw[three.Dest], m.in.Raw[three.Updated]) || !rules.HasPolicy(schema.Next, m.opts.Path) {
		return
	}
	bumped := bump.FindEqualBumps(m.in.Raw, m.opts.Path, rules)
	if len(bumped) == 0 {
		return // to find out which side is the user's own takes the caller longer than most merges
	}
	if _, ok := m.ownSide(); !ok {
		return
	}
	for _, b := range bumped {
		m.earlyDecisions = append(m.earlyDecisions, Conflict{Path: b.Path.String(), Elements: b.Path.Elements(), Kind: plan.ConflictValue, By: b.By, Wrote: b.Replacement})
	}
	m.setVersions(bump.Rewrite(m.in.Raw, bumped))
}

// decideByPolicy decides conflict c by the policy that the team's rules (.git-merge-yaml.yaml) have for its field. It
// returns the text that replaces the conflict and the rule that decided it:
//
//	ours, theirs        that side
//	own, upstream       the user's own side, or the other side
//	highest, lowest     the side with that value, as 1.10 is higher than 1.2
//	next                the own version, or upstream's raised in the same way, so that each release has its own
//
// ok is false if there is no policy, or if it cannot decide c. It is also false, and Result.NeedsOwn is set, if the
// policy is own, upstream or next and the user's own side is not known. If highest or lowest cannot compare the values,
// the Detail of c says so. Conflicts about comments, about values
// encrypted by SOPS and about lines that are not an entry are never decided.
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
			if c.Kind == plan.ConflictValue {
				c.Detail = cmp.Or(c.Detail, "both modified; "+by.String()+" cannot compare the values")
			}
			return decided, false
		}
	default:
		return decided, false
	}
	return c.TakeValue(m.in.Streams, side, by)
}

// ownSide returns the side that is the user's own work, as in Options.Own. If that is not known, ok is false, own must
// not be used, and the result of the merge has NeedsOwn set.
func (m *merger) ownSide() (own three.Version, ok bool) {
	s, ok := m.opts.Own.side()
	if !ok && m.opts.needsOwn != nil {
		*m.opts.needsOwn = true
	}
	return s, ok
}

// side returns the version for o: dest for OwnOurs, updated for OwnTheirs. For OwnUnknown, ok is false.
func (o Own) side() (own three.Version, ok bool) {
	if o == OwnTheirs {
		return three.Updated, true
	}
	return three.Dest, o == OwnOurs
}

// applyDecisions decides conflicts of p, a merged file as a list of text and conflicts. It first uses the policies of
// the team's rules (.git-merge-yaml.yaml), and then Options.Resolve for the other conflicts. It returns the file with
// the remaining conflicts, and all decisions: nil if there are none. p does not change.
//
// Some decisions are discarded if the file with them fails verification. It must still contain every other edit of both
// sides, and nothing else.
//
//   - policies: the file with all their decisions is verified. If it fails, all of them are discarded.
//   - ResolveOurs, ResolveTheirs: their file is verified only if policies decided something. If it fails, the conflicts
//     remain. Conflicts about values encrypted by SOPS always remain.
//   - ResolveUnion: each conflict is verified on its own. Conflicts that fail, or whose sides cannot both be kept,
//     remain.
func (m *merger) applyDecisions(r *page.Renderer, p *page.Page) (decided *page.Page, decisions []page.Decision) {
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
	// Of a mapping on one line, only the fields in conflict are decided.
	p, resolved = m.decideVerified(p, r, func(c *page.Conflict) (page.Verdict, bool) {
		return c.TakeFields(m.in.Streams, side, schema.Decision{Side: three.Names[side]})
	}, done)
	done, resolved = append(done, resolved...), nil
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

// decideVerified calls decide for each conflict of p, a merged file as a list of text and conflicts. It returns a file
// in which the decided conflicts are replaced, and these decisions. earlier are decisions that p contains already; they
// are verified again, but not returned.
//
// If the file fails verification (it lacks another edit of a side, or has an additional one), all decisions are
// discarded: it returns p itself and nil. It also does so if decide decided nothing. p is never changed.
func (m *merger) decideVerified(p *page.Page, r *page.Renderer, decide page.Judge, earlier []page.Decision) (decided *page.Page, decisions []page.Decision) {
	out, done := p.Decide(r, decide)
	if len(done) == 0 || m.proof.VerifyDecisions(out, slices.Concat(earlier, done)) != nil {
		return p, nil
	}
	return out, done
}

// decideUnion replaces conflicts of p, a merged file as a list of text and conflicts, by the lines of both sides, those
// of ours first. It does so only if the file then passes verification: it has every other edit of both sides, and
// nothing else. Two list items can be kept, but two values of one field stay a conflict. It returns the file with the
// other conflicts, and the decisions, or nil if there are none. p does not change.
//
// Conflicts are tried one after the other, until so many bytes were verified that the merge has to stop. The rest stay
// in conflict. For each that was decided, decideUnion removes its nodes from m.proof.PairedNodes (the nodes that the
// merge matched with each other), because both are in the result now.
func (m *merger) decideUnion(r *page.Renderer, p *page.Page) (decided *page.Page, decisions []page.Decision) {
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
