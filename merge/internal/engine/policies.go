package engine

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// applyBumpPolicies applies the policies that change the versions of m before the merge, and adds the decisions to
// m.earlyDecisions. These policies are about
//
//   - packages of a lock file
//   - counters that restart when a version is raised
//   - versions that both sides raised to the same one; if the own side is not known, Result.NeedsOwn is set instead
//
// Nothing changes if two versions are identical, or if one is too large or has conflict markers.
func (m *merger) applyBumpPolicies() {
	if _, ok := three.PickFunc(m.passed, bytes.Equal); ok || m.in.Unfit() != nil {
		return // there is nothing to decide, or the versions must not be parsed
	}
	rules := m.opts.rules()
	if slices.Contains(rules.PresetNames(), bump.LockPreset) {
		raw, locked := bump.MergePackages(m.in.Raw, m.opts.Path)
		m.setVersions(raw)
		for _, c := range locked {
			m.earlyDecisions = append(m.earlyDecisions, Conflict{
				Path: c.Path, Kind: plan.ConflictValue, By: team.Decision{Policy: team.Highest, Preset: bump.LockPreset}, Took: three.Names[c.Side],
			})
		}
	}
	if restarts := bump.FindRestarts(m.in.Raw, m.opts.Path, rules); len(restarts) > 0 {
		m.setVersions(bump.UndoCounting(m.in.Raw, restarts))
		for _, x := range restarts {
			m.earlyDecisions = append(m.earlyDecisions, Conflict{Path: x.Path.String(), Kind: plan.ConflictValue, By: x.By, Took: three.Names[x.Side]})
		}
	}
	bumped := bump.FindEqualBumps(m.in.Raw, m.opts.Path, rules)
	if len(bumped) == 0 {
		return // the side is not asked for: finding it out takes the caller longer than most merges
	}
	if _, ok := m.ownSide(); !ok {
		return
	}
	for _, b := range bumped {
		m.earlyDecisions = append(m.earlyDecisions, Conflict{Path: b.Path.String(), Elements: b.Path.Elements(), Kind: plan.ConflictValue, By: b.By, Wrote: b.Replacement})
	}
	m.setVersions(bump.Rewrite(m.in.Raw, bumped))
}

// decideByPolicy decides the conflict c by the policy, such as highest, that the team's rules have for its field. ok is
// false if there is no policy, or if the policy cannot decide c; c.Undecided may then say why. If the policy needs the
// own side, and that is unknown, Result.NeedsOwn is set.
func (m *merger) decideByPolicy(c *page.Conflict) (decided page.Verdict, ok bool) {
	if !c.CanHavePolicy() {
		return page.Verdict{}, false
	}
	by := m.opts.rules().DecisionAt(c.Path.Place())
	isComparison := by.Policy == team.Highest || by.Policy == team.Lowest // of a hash, by the version in its comment
	if s, ok := c.PreferredPinSide(m.in.Streams, by.Policy); ok && isComparison {
		return c.TakeSide(s, by), true
	}
	side, ok := m.sideForPolicy(c, by)
	switch {
	case !ok:
		return page.Verdict{}, false
	case by.Policy == team.Next:
		return bump.DecideNext(c, side, m.in.Streams, by)
	}
	return c.TakeValue(m.in.Streams, side, by, m.opts.rules())
}

// sideForPolicy returns the side that a policy prefers in the conflict c. by is the decision with the policy; for the
// policy next, the result is the own side. ok is false if the policy cannot say, and c.Undecided may then say why.
func (m *merger) sideForPolicy(c *page.Conflict, by team.Decision) (side three.Version, ok bool) {
	switch by.Policy {
	case team.Ours:
		return three.Dest, true
	case team.Theirs:
		return three.Updated, true
	case team.Own, team.Upstream, team.Next:
		if side, ok = m.ownSide(); !ok {
			c.Undecided = by.String() + " is not applied, because the own side is unknown"
		}
		if by.Policy == team.Upstream {
			side = side.Other()
		}
	case team.Highest, team.Lowest:
		if side, ok = c.PreferredSide(by.Policy); !ok && c.Kind == plan.ConflictValue {
			c.Undecided = by.String() + " cannot compare the values"
		}
	}
	return side, ok
}

// ownSide returns the side that is the user's own work (Options.Own). ok is false if that is not known; the result of
// the merge then has NeedsOwn set, so that the caller can find it out and merge again. own must not be used then.
func (m *merger) ownSide() (own three.Version, ok bool) {
	if own, ok = m.opts.Own.Get(); !ok && m.opts.needsOwn != nil {
		*m.opts.needsOwn = true
	}
	return own, ok
}

// applyDecisions decides conflicts of p: first by the policies of the team's rules, then by Options.Resolve. A decision
// with which the file fails verification is discarded. It returns the page with the remaining conflicts, and all
// decisions. p does not change, except for Undecided of its conflicts.
func (m *merger) applyDecisions(r *page.Renderer, p *page.Page) (decided *page.Page, decisions []page.Decision) {
	p, byPolicy := m.decideVerified(p, r, m.decideByPolicy, nil)
	switch m.opts.Resolve {
	case diff3.FavorOurs:
		return m.decideWithSide(r, p, three.Dest, byPolicy)
	case diff3.FavorTheirs:
		return m.decideWithSide(r, p, three.Updated, byPolicy)
	case diff3.FavorUnion:
		p, united := m.decideUnion(r, p)
		return p, append(byPolicy, united...)
	}
	return p, byPolicy
}

// decideWithSide decides the conflicts of p by taking side s. A conflict remains if it is encrypted, or if the file
// fails verification with s. earlier are decisions that p contains already. It returns the page with the remaining
// conflicts, and all decisions, with those in earlier. p does not change.
func (m *merger) decideWithSide(r *page.Renderer, p *page.Page, s three.Version, earlier []page.Decision) (decided *page.Page, decisions []page.Decision) {
	by := team.Decision{Side: three.Names[s]}
	// Of a mapping on one line, only the fields in conflict are decided.
	p, ofFields := m.decideVerified(p, r, func(c *page.Conflict) (page.Verdict, bool) {
		return c.TakeFields(m.in.Streams, s, by)
	}, earlier)
	earlier = append(earlier, ofFields...)
	takeSide := func(c *page.Conflict) (page.Verdict, bool) {
		return c.TakeSide(s, by), c.Kind != plan.ConflictEncrypted
	}
	if len(earlier) == 0 { // the page that was verified with s in all conflicts is unchanged
		return p.Decide(r, takeSide)
	}
	p, ofSide := m.decideVerified(p, r, takeSide, earlier)
	return p, append(earlier, ofSide...)
}

// decideVerified decides conflicts of p by calling decide for each. A decision with which the file fails verification
// is left out, and Undecided of the conflict says why. earlier are decisions that p contains already. It returns the
// page with the remaining conflicts, and the new decisions. p does not change.
func (m *merger) decideVerified(p *page.Page, r *page.Renderer, decide page.Judge, earlier []page.Decision) (decided *page.Page, decisions []page.Decision) {
	_, all := p.Decide(r, decide)
	var candidates []*page.Conflict
	by := map[*page.Conflict]string{} // the policy or side that decides each
	for _, d := range all {
		candidates = append(candidates, d.Conflict)
		by[d.Conflict] = d.By.String()
	}
	check := func(conflicts []*page.Conflict) *verify.Violation {
		out, done := p.Decide(r, decideOnly(conflicts, decide))
		return m.proof.VerifyDecisions(out, slices.Concat(earlier, done))
	}
	refuse := func(c *page.Conflict, reason string) { c.Undecided = by[c] + " is not applied, because " + reason }
	verified := m.selectVerified(nil, candidates, check, refuse)
	return p.Decide(r, decideOnly(verified, decide))
}

// decideOnly returns a judge that decides the given conflicts as decide does, and leaves all others.
func decideOnly(conflicts []*page.Conflict, decide page.Judge) page.Judge {
	isChosen := map[*page.Conflict]bool{}
	for _, c := range conflicts {
		isChosen[c] = true
	}
	return func(c *page.Conflict) (v page.Verdict, ok bool) {
		if !isChosen[c] {
			return v, false
		}
		return decide(c)
	}
}

// selectVerified returns those conflicts that can be decided so that the file passes verification: accepted, and as
// many of candidates as possible. check verifies the file in which only the given conflicts are decided. refuse is
// called for each candidate that is left out, with the reason.
func (m *merger) selectVerified(accepted, candidates []*page.Conflict, check func([]*page.Conflict) *verify.Violation, refuse func(c *page.Conflict, reason string)) []*page.Conflict {
	if len(candidates) == 0 {
		return accepted
	}
	try := slices.Concat(accepted, candidates)
	violation := check(try)
	switch half := len(candidates) / 2; {
	case violation == nil:
		return try
	case half == 0:
		refuse(candidates[0], m.reasonForConflict(violation))
	case m.proof.IsExhausted():
		for _, c := range candidates {
			refuse(c, "too much of the file would have to be verified")
		}
	default: // halves, so that a single wrong decision costs few verifications
		accepted = m.selectVerified(accepted, candidates[:half], check, refuse)
		return m.selectVerified(accepted, candidates[half:], check, refuse)
	}
	return accepted
}

// decideUnion decides conflicts of p by keeping the lines of both sides, ours first. A conflict remains if this is
// impossible, or if the file fails verification then. It returns the page with the remaining conflicts, and the
// decisions. p does not change. Both nodes of a decided conflict remain in the file, so they are removed from
// m.proof.PairedNodes.
func (m *merger) decideUnion(r *page.Renderer, p *page.Page) (decided *page.Page, decisions []page.Decision) {
	allPairs := m.proof.PairedNodes
	unite := func(conflicts []*page.Conflict) (*page.Page, []page.Decision) {
		// Both nodes of a resolved conflict are in the result, so verification must not take them for one thing.
		m.proof.PairedNodes = slices.DeleteFunc(slices.Clone(allPairs), func(pair three.Nodes) bool {
			return slices.ContainsFunc(conflicts, func(c *page.Conflict) bool { return c.Contains(pair) })
		})
		return p.Decide(r, decideOnly(conflicts, (*page.Conflict).Union))
	}
	candidates := slices.DeleteFunc(p.Conflicts(), func(c *page.Conflict) bool { _, ok := c.Union(); return !ok })
	check := func(conflicts []*page.Conflict) *verify.Violation {
		united, _ := unite(conflicts)
		return m.proof.VerifyPage(united)
	}
	return unite(m.selectVerified(nil, candidates, check, func(*page.Conflict, string) {}))
}
