package engine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/overlay"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A Finding is an error in the result of a merge: something is missing, or was added although neither side added it.
type Finding struct {
	// Path names the entry, as in spec.template.spec.containers[name=web].image. It is empty if the finding is about
	// the whole file.
	Path string
	// Line is the line of a conflict marker in the result, from 1. It is 0 for other findings.
	Line int
	// Rule is the name of the violated rule: lost, undone, wrong value, duplicate, unexpected, deleted and modified,
	// wrong comment, wrong alias, conflict markers, and so on.
	Rule string
	// Detail describes what was expected. It calls the versions base, ours and theirs.
	Detail string
}

// Check returns the errors in result, a merge of base, ours and theirs that git, the user or another program made.
// Every edit of the sides must be in result, and nothing else. In a conflict, result may have any value but that of
// base. Check fails if the versions cannot be merged as YAML.
func Check(base, ours, theirs, result []byte, opts Options) ([]Finding, error) {
	opts = Options{Path: opts.Path, Names: opts.Names, Rules: opts.Rules, Own: opts.Own, Kustomize: opts.Kustomize, Limits: opts.Limits}
	if line := text.UnresolvedConflictLine(result); line > 0 {
		return []Finding{{Line: line, Rule: "conflict markers", Detail: fmt.Sprintf("unresolved conflict at line %d", line)}}, nil
	}
	raw := [3][]byte{base, ours, theirs}
	if err := read.New(raw, opts.Names).Unfit(); err != nil {
		return nil, err
	}
	if opts.Kustomize {
		return checkByRuleSet(raw, result, opts, overlay.Kustomize)
	}
	// As in Merge, these policies change the versions before the merge.
	raw, found := checkEqualBumps(raw, result, opts)
	raw = acceptRestarts(raw, result, opts)
	m := newMerger(raw, opts)
	o, err := m.mergeForCheck()
	if err != nil {
		return nil, err
	}
	if isSameAsMerge := len(o.Conflicts) == 0 && bytes.Equal(o.Bytes, result); !isSameAsMerge {
		for _, v := range m.findViolations(o, result) {
			found = append(found, Finding{Path: opts.violationPath(m.in.Streams, v), Rule: v.Rule.String(), Detail: v.Detail})
		}
	}
	return found, opts.rules().CRDError()
}

// mergeForCheck returns the merge of the versions with which Check compares a result that the user or another program
// made. Its conflicts are those of the merge by field; the result may decide them freely. It also matches the entries
// of the versions and stores the plan of the merge by field in m.plan, which the verification of the result needs. It
// fails if the versions cannot be merged as YAML, or if no merge passes verification.
func (m *merger) mergeForCheck() (o outcome, err error) {
	defer recoverAsError(&err)
	if o, err = m.tryWays(checkWays); err != nil {
		return o, err
	}
	if o.isLeftToGit() {
		return o, errors.New(o.Reason)
	}
	m.matchEntries(m.newWalker())
	return o, nil
}

// findViolations returns the points in which result is not a merge of the versions. o is the merge by checkWays, for
// its conflicts: there, result may have any value, even if the team's rules decided the conflict. If git merges a
// conflict without asking the user, this does not hold.
func (m *merger) findViolations(o outcome, result []byte) []*verify.Violation {
	open := m.narrowToFields(m.openConflicts(append(o.Conflicts, o.Resolved...)), o.page)
	if m.countLineConflicts() == 0 && bytes.Equal(m.lines.bytes, result) {
		open = nil // git has no conflict that the user could have decided
	}
	violations := m.proof.Findings(result, open)
	// The user was not asked about conflicts that git merges silently, so rights (access) and fields that are one value (units)
	// are checked again without these conflicts.
	if remaining := m.dropSilentConflicts(o.Conflicts); len(open) > 0 && len(remaining) < len(o.Conflicts) {
		for _, r := range m.proof.Findings(result, m.openConflicts(append(remaining, o.Resolved...))) {
			if r.Rule == verify.RuleAccess || r.Rule == verify.RuleUnit {
				violations = append(violations, r)
			}
		}
	}
	return violations
}

// dropSilentConflicts returns conflicts without those about which git did not ask the user. Such a conflict has a
// Detail, and overlaps no conflict of git's merge by lines: its lines do not touch. For example, ours adds a verb to an
// RBAC rule, and theirs a resource.
func (m *merger) dropSilentConflicts(conflicts []Conflict) (kept []Conflict) {
	var gitConflicts []*page.Conflict
	if l := m.newLineCandidate(diff3.Merge); l != nil {
		gitConflicts = l.buildPage(nil).Conflicts()
	}
	overlapsGit := func(o verify.Conflict) bool {
		return slices.ContainsFunc(gitConflicts, func(g *page.Conflict) bool {
			return g.Spans[three.Dest].Overlaps(o.At[three.Dest]) || g.Spans[three.Updated].Overlaps(o.At[three.Updated])
		})
	}
	for _, c := range conflicts {
		if c.Detail == "" || slices.ContainsFunc(m.openConflicts([]Conflict{c}), overlapsGit) {
			kept = append(kept, c)
		}
	}
	return kept
}

// openConflicts returns the places of conflicts for verification: there, the author of the result was free to decide in
// any way. A place has the whole lines of the conflict in each version. Conflicts without a line number are left out.
// The versions of m must have been parsed.
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

// narrowToFields returns the conflicts in open, for verification, but with a smaller place for each one around a
// mapping on one line, such as {a: 1, b: 2}: a place for each of its fields in conflict. The other fields are then
// verified. p is the merged file with these conflicts; if it is nil, open is returned.
func (m *merger) narrowToFields(open []verify.Conflict, p *page.Page) (narrowed []verify.Conflict) {
	if p == nil {
		return open
	}
	fieldsOf := map[[3]text.Span][][3]text.Span{} // by the place of a conflict
	for _, c := range p.Conflicts() {
		fieldsOf[c.Spans] = c.FieldsInConflict(m.in.Streams)
	}
	for _, o := range open {
		fields := fieldsOf[o.At]
		if len(fields) == 0 {
			narrowed = append(narrowed, o)
		}
		for _, at := range fields {
			narrowed = append(narrowed, verify.Conflict{Chosen: verify.Result, At: at})
		}
	}
	return narrowed
}

// acceptRestarts changes the versions so that a check of result accepts counters that start again, such as a build
// number that goes back to 0 when the version is raised. raw are the versions. It returns the changed ones, or raw if
// there are no such counters.
func acceptRestarts(raw [3][]byte, result []byte, opts Options) [3][]byte {
	restarts := bump.FindRestarts(raw, opts.Path, opts.rules())
	if len(restarts) == 0 {
		return raw
	}
	_, files, err := read.Open(result)
	if err != nil {
		return raw // the rest of the check reports it
	}
	return bump.AcceptCounters(raw, restarts, files[0].Stream)
}

// checkEqualBumps checks version numbers that both sides raised to the same value, if the policy "next" decides about
// them:
//
//	base    ours    theirs    result
//	1.0.0   1.0.1   1.0.1     1.0.1     a finding: two releases have one version
//	1.0.0   1.0.1   1.0.1     1.0.2     no finding
//
// accepted are the versions raw in which both sides have the number of result, if it is another one, so that the rest
// of the check accepts it. Without a known own side, nothing is checked.
func checkEqualBumps(raw [3][]byte, result []byte, opts Options) (accepted [3][]byte, findings []Finding) {
	bumps := bump.FindEqualBumps(raw, opts.Path, opts.rules())
	// Merge does not apply the policy either if the user's own side is not known.
	if _, known := opts.Own.Get(); len(bumps) == 0 || !known {
		return raw, nil
	}
	_, files, err := read.Open(result)
	if err != nil {
		return raw, nil // the rest of the check reports it
	}
	var rebumped []bump.EqualBump // with the numbers in result
	for _, b := range bumps {
		value, ok := b.ValueIn(files[0].Stream)
		switch isOfSides := value == b.Sides; {
		case !ok || value == b.Base: // the rest of the check reports it
		case isOfSides && opts.Rules.HasNextVersion(opts.Path):
			findings = append(findings, Finding{Path: b.Path.String(), Rule: "same version", Detail: fmt.Sprintf(
				"both sides bumped to %s, so two releases would share a version; the next version is %s (%s)", b.Sides, b.Replacement, b.By)})
		default:
			b.Replacement = value
			rebumped = append(rebumped, b)
		}
	}
	return bump.Rewrite(raw, rebumped), findings
}
