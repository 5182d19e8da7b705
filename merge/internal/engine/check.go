package engine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A Finding is an error in the result of a merge: something is missing, or was added although neither side added it.
type Finding struct {
	// Path names the entry, as in spec.template.spec.containers[name=web].image. It is empty if the finding is about
	// the whole file.
	Path string `json:"path"`
	// Line is the line of a conflict marker in the result, from 1. It is 0 for other findings.
	Line int `json:"line,omitempty"`
	// Rule is the name of the violated rule: lost, undone, value, doubled, invented, deleted and changed, comment,
	// alias, markers, and so on.
	Rule string `json:"rule"`
	// Detail describes what was expected. It calls the versions base, ours and theirs.
	Detail string `json:"detail"`
}

// String returns f as one line: path: rule: detail. Without a path, the line begins with the rule.
func (f Finding) String() string {
	s := f.Rule + ": " + f.Detail
	if f.Path != "" {
		s = f.Path + ": " + s
	}
	return s
}

// maxFindings is the maximum number of findings of a verification. More would not be read.
const maxFindings = 100

// Check returns the errors in the result of a three-way merge that git, the user or another program made. Every edit
// of each side must be in the result, and nothing else. Indentation, quotes and order are not checked.
//
// Some errors are not reported:
//
//   - Where Merge has a conflict, the user may have written anything except the value of base. Where the team's
//     policies decide a conflict, the user may have decided differently. The same holds for a counter that restarts
//     with a version by the team's rules.
//   - If result is git's clean line merge, only what Merge regards as a defect is reported.
//
// Two errors are reported in addition:
//
//   - rule "same version": a version has one value for two releases although the team's rules have the policy next for it.
//   - Multiplied fields grant what neither side grants, and Merge has a conflict about them but git has none. It
//     cannot be known then that the user decided it.
//
// Check stops after about 100 findings, and has at most one for each list without associative keys. With a rule set
// other than DefaultRules, there is at most one finding: the first difference that the rules do not allow.
//
// Check uses only the options Path, Rules, RuleSet and Own. It returns an error if the versions cannot be merged as
// YAML.
func Check(base, ours, theirs, result []byte, opts Options) ([]Finding, error) {
	opts = Options{Path: opts.Path, Rules: opts.Rules, Own: opts.Own, RuleSet: opts.RuleSet, Limits: opts.Limits}
	if line := text.UnresolvedConflictLine(result); line > 0 {
		return []Finding{{Line: line, Rule: "conflict markers", Detail: fmt.Sprintf("a conflict is left at line %d", line)}}, nil
	}
	raw := [3][]byte{base, ours, theirs}
	if reason := read.New(raw, opts.Names).UnfitReason(); reason != "" {
		return nil, errors.New(reason)
	}
	if opts.RuleSet != DefaultRules {
		return checkByRuleSet(raw, result, opts, ruleSets[opts.RuleSet])
	}
	raw, found := findEqualBumps(raw, result, opts)
	raw = acceptRestarts(raw, result, opts)
	m := newMerger(raw, opts)
	o, err := callRecovered(func() (outcome, error) {
		o, err := m.tryWays(checkWays)
		if err == nil {
			m.matchEntries(m.newWalker())
		}
		return o, err
	})
	switch {
	case err != nil:
		return nil, err
	case o.isLeftToGit():
		return nil, errors.New(o.Reason)
	case len(o.Conflicts) == 0 && bytes.Equal(o.Bytes, result):
		return found, opts.rules().CRDError() // identical to the result of Merge
	}
	open := m.openConflicts(append(o.Conflicts, o.Resolved...))
	if m.countLineConflicts() == 0 && bytes.Equal(m.lines.bytes, result) {
		open = nil // git has no conflict that the user could have decided
	}
	violations := m.proof.Findings(result, open, maxFindings)
	if remaining := m.dropUnaskedMultiplied(o.Conflicts); len(open) > 0 && len(remaining) < len(o.Conflicts) {
		for _, r := range m.proof.Findings(result, m.openConflicts(append(remaining, o.Resolved...)), maxFindings) {
			if r.Rule == verify.RuleMultiplied {
				violations = append(violations, r)
			}
		}
	}
	for _, r := range violations {
		found = append(found, Finding{Path: opts.violationPath(m.in.Streams, r), Rule: r.Rule, Detail: r.Detail})
	}
	return found, opts.rules().CRDError()
}

// dropUnaskedMultiplied returns conflicts without those about multiplied fields that do not overlap a conflict of
// git's line merge. Git did not ask the user about these, so the user may not have decided them.
func (m *merger) dropUnaskedMultiplied(conflicts []Conflict) (kept []Conflict) {
	var gitConflicts []*page.Conflict
	if l := m.newLineCandidate(diff3.Merge); l != nil {
		gitConflicts = l.page(nil).Conflicts()
	}
	for _, c := range conflicts {
		at := m.openConflicts([]Conflict{c})
		if c.Kind != plan.ConflictMultiplied || len(at) > 0 && slices.ContainsFunc(gitConflicts, func(g *page.Conflict) bool {
			return slices.ContainsFunc(three.Sides[:], func(s three.Version) bool { return overlaps(g.Spans[s], at[0].At[s]) })
		}) {
			kept = append(kept, c)
		}
	}
	return kept
}

// overlaps reports whether a and b have bytes in common.
func overlaps(a, b text.Span) bool { return max(a.Start, b.Start) < min(a.End, b.End) }

// openConflicts returns the places where the author of a result was free to decide: the places of conflicts, whether
// or not the team's rules decided them. Conflicts without a place are omitted.
func (m *merger) openConflicts(conflicts []Conflict) (open []verify.Conflict) {
	for _, c := range conflicts {
		if c.Base.Line+c.Ours.Line+c.Theirs.Line == 0 {
			continue // it was decided before the merge, or while lists were merged
		}
		var at [3]text.Span
		for s, v := range [3]Version{c.Base, c.Ours, c.Theirs} {
			f, lines := m.in.Streams[s].File, len(slices.Collect(strings.Lines(v.Text)))
			if v.Line > 0 && lines > 0 {
				at[s] = text.Span{Start: f.LineOffset(v.Line), End: f.LineOffset(v.Line + lines)}
			}
		}
		open = append(open, verify.Conflict{Chosen: verify.Result, At: at})
	}
	return open
}

// acceptRestarts returns raw changed so that a counter that restarts with a version may have the value in result: that of
// the side with the new version, of the side that only counted on, or one that the user wrote. It returns raw itself if
// there is no such counter.
func acceptRestarts(raw [3][]byte, result []byte, opts Options) [3][]byte {
	restarts := bump.FindRestarts(raw, opts.Path, opts.rules())
	if len(restarts) == 0 {
		return raw
	}
	_, files, err := read.Open(result)
	if err != nil {
		return raw // the rest of the check reports it
	}
	return bump.AcceptCounters(raw, restarts, files[0].Stream, result)
}

// findEqualBumps looks for versions that both sides raised to the same new version although they have the policy
// next. It returns a finding for each that the result does not raise further. If the result has yet another version,
// that of the user, both sides get it in the returned versions, so that it is not reported as an invented value. It
// returns raw and nil if there is no such policy or the user's own side is not known.
func findEqualBumps(raw [3][]byte, result []byte, opts Options) ([3][]byte, []Finding) {
	if !opts.rules().HasPolicy(schema.Next, opts.Path) {
		return raw, nil
	}
	if _, known := newMerger(raw, opts).ownSide(); !known {
		return raw, nil
	}
	_, files, err := read.Open(result)
	if err != nil {
		return raw, nil // the rest of the check reports it
	}
	var found []Finding
	var rebumped []bump.EqualBump
	for _, v := range bump.FindEqualBumps(raw, opts.Path, opts.rules()) {
		switch value, ok := v.ValueIn(files[0].Stream); {
		case ok && value == v.Sides && opts.Rules.HasNextVersion(opts.Path):
			found = append(found, Finding{Path: v.Path.String(), Rule: "same version", Detail: fmt.Sprintf(
				"ours and theirs both bumped it to %s, so that two releases have one version; the next one is %s (%s)", v.Sides, v.Replacement, v.By)})
		case ok && value != v.Base:
			v.Replacement = value
			rebumped = append(rebumped, v)
		}
	}
	return bump.Rewrite(raw, rebumped), found
}
