package engine

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// tryContainingSide returns the side that already contains all changes of the other side, as after a squash merge, a
// cherry-pick, or a repeated merge.
//
//	base    ours    theirs
//	- a     - a     - z
//	- c     - b     - a
//	        - c     - b
//	                - c       the result is theirs
//
// Git aligns each side with the base only. It might therefore keep both copies of b, or have a conflict. The result has
// no conflicts and the bytes of that side. The error is errNotApplicable if there is no such side, or if SOPS encrypted
// the file.
func (m *merger) tryContainingSide() (outcome, error) {
	if o, err := m.remergedSide(); err == nil {
		return o, nil
	}
	return m.trySupersetSide()
}

// remergedSide returns a side that is itself a merge of the other side. To find out, it takes the changes of the other
// side out of a side, and merges the rest with the other side again. If that gives the same bytes, the side is the
// result. It first tries both sides by lines (revertByLine) and then both by field (revertByField), each time ours
// before theirs.
//
// To save time, a side is tried only if most of the other side's changes are in it:
//
//   - It contains every line that the other side added and that the base does not have.
//   - It lacks at most a quarter of all lines that the other side added, or it passes verification as the result of the
//     merge: it contains every edit of both sides, and nothing else.
//   - If the other side only deleted lines, at most half of them are still in it.
//
// The error is errNotApplicable if neither side is such a merge, if SOPS encrypted the file, or if git's merge by lines
// failed or has more than 1,000 conflicts.
func (m *merger) remergedSide() (outcome, error) {
	if m.encrypted || m.isTooDifferent() {
		return outcome{}, errNotApplicable
	}
	sides := slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Version) bool {
		missing, added, ok := m.versionsWithUpdated(s).CountMissingAdditions()
		if !ok || missing*4 > added && !m.isVerified(s) {
			return true
		}
		retained, deleted := m.versionsWithUpdated(s).CountRetainedDeletions()
		return added == 0 && 2*retained > deleted
	})
	for _, revert := range [...]func(three.Version) ([]byte, bool){m.revertByLine, m.revertByField} {
		for _, s := range sides {
			if m.isRemerge(s, revert) {
				return m.takeSide(s), nil
			}
		}
	}
	return outcome{}, errNotApplicable
}

// trySupersetSide returns the side that contains every edit of the other side, line by line. These conditions must all
// be met:
//
//   - Each line that the other side added is in it, in the same order, and each line that the other side deleted is
//     not.
//   - This is true of one side only.
//   - The side passes verification as the result of the merge: it has every edit of both sides, and nothing else.
//   - If it edited a line that the other side deleted, the merge by field has no conflict.
//
// The error is errNotApplicable if a condition is not met, if SOPS encrypted the file, or if git's merge by lines
// failed or has more than 1,000 conflicts.
func (m *merger) trySupersetSide() (outcome, error) {
	if m.encrypted || m.isTooDifferent() {
		return outcome{}, errNotApplicable
	}
	sides := slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Version) bool { return !m.versionsWithUpdated(s).UpdatedIncludesDest() })
	if len(sides) != 1 || !m.isVerified(sides[0]) || m.versionsWithUpdated(sides[0]).UpdatedEditsDeleted() && !m.isFieldMergeClean() {
		return outcome{}, errNotApplicable
	}
	return m.takeSide(sides[0]), nil
}

// isVerified reports whether side s passes verification as the result of the merge: it contains every edit of both
// sides, and no others. It computes the plan of the merge by field, if there is none yet.
func (m *merger) isVerified(s three.Version) bool {
	m.matchEntries(m.newWalker())
	return m.proof.Verify(m.in.Raw[s]) == nil
}

// isFieldMergeClean reports whether the merge by field has no conflict. It runs that merge, if it has not been run
// yet.
func (m *merger) isFieldMergeClean() bool {
	o, err := m.tryFieldMerge()
	return err == nil && o.Clean()
}

// isRemerge reports whether side s is itself a merge of the other side. revert returns s without the changes of the
// other side. If a merge of that with the other side has no conflict and gives s again, byte for byte, s is such a
// merge:
//
//	original   other side   side s   s without the other's changes
//	- a        - a          - a      - a
//	- c        - b          - b      - c
//	           - c          - c      - d
//	                        - d
//
// It reports false in these cases, too:
//
//   - revert fails or changes nothing.
//   - A side, with s reverted, has a duplicate: an entry or a mapping key more often than each version of m.
//   - A user would have to decide something: each side deleted a different one of two equal entries, or one side
//     deleted what the other side moved.
func (m *merger) isRemerge(s three.Version, revert func(three.Version) ([]byte, bool)) bool {
	v := m.in.Raw
	rest, ok := revert(s)
	if !ok || bytes.Equal(rest, v[s]) {
		return false
	}
	v[s] = rest
	n := m.newSubmerger(v)
	if n == nil || m.hasDuplicates(n.in) {
		return false
	}
	b, ok := n.mergeCleanly()
	claim := m.proof.Claim(m.in.Streams[s])
	if t := m.in.Templates; t[s] != nil {
		claim.Facts = [...]*template.Facts{t[three.Original].Facts(), t[three.Dest].Facts(), t[three.Updated].Facts(), t[s].Facts()}
	}
	return ok && bytes.Equal(b, m.in.Raw[s]) && !verify.HidesConflict(claim)
}

// versionsWithUpdated returns the three versions, prepared for a comparison by lines, with side s in the role of
// updated and the other side in the role of dest. It returns m.raw itself if s is updated.
func (m *merger) versionsWithUpdated(s three.Version) *diff3.Versions {
	if s == three.Dest {
		return m.raw.SwapSides()
	}
	return m.raw
}

// maxRemergeConflicts is the maximum number of conflicts of git's merge by lines for which a side may be a merge of
// the other. If a merge is repeated, git's merge by lines has only a handful of conflicts.
const maxRemergeConflicts = 1000

// isTooDifferent reports whether git's merge by lines failed or has more than maxRemergeConflicts conflicts. It is
// then not worthwhile to compare the sides by lines. It reports false if that merge has not run.
func (m *merger) isTooDifferent() bool {
	return m.lines != nil && (m.lines.err != nil || m.lines.conflicts > maxRemergeConflicts)
}

// revertByLine returns side s without the changes of the other side: lines that the other side added are missing, and
// lines that it deleted are back. ok is false if s itself changed these lines or lines next to them, or if the
// versions cannot be compared by lines.
func (m *merger) revertByLine(s three.Version) (reverted []byte, ok bool) {
	return m.versionsWithUpdated(s).RevertDest()
}

// revertByField returns side s without the changes of the other side, as git revert takes out a commit. It merges the
// original and s with the other side as the common ancestor. The merge has the options of m, but leaves conflicts
// undecided.
//
// ok is false if the merge has a conflict or fails, if a version cannot be parsed, or if s edited a line that the other
// side deleted.
func (m *merger) revertByField(s three.Version) (reverted []byte, ok bool) {
	if m.versionsWithUpdated(s).UpdatedEditsDeleted() {
		return nil, false
	}
	v := m.in.Raw
	n := m.newSubmerger([3][]byte{v[s.Other()], v[three.Original], v[s]})
	if n == nil {
		return nil, false
	}
	return n.mergeCleanly()
}

// newSubmerger returns a merger of other versions, in the order base, ours, theirs, with the options of m. Only
// Options.Resolve is not used, so that conflicts remain undecided. It has already parsed the versions and merged them
// by lines. Versions with the same bytes as one of m are not parsed again.
//
// It returns nil if a version cannot be parsed. m does not change.
func (m *merger) newSubmerger(versions [3][]byte) *merger {
	n := newMerger(versions, m.opts)
	n.opts.Resolve = ResolveNone
	n.in.KnownTrees = slices.Clone(m.in.KnownTrees)
	if n.parse() != nil {
		return nil
	}
	return n
}

// mergeCleanly merges the versions of m in the ways of remergeWays (such as by lines, then by field) and returns the
// bytes of the result. The versions must have been parsed. ok is false, and merged must not be used, in these cases:
//
//   - The merge fails.
//   - It has a conflict, even one that the team's rules (.git-merge-yaml.yaml) decided.
//   - The versions cannot be merged as YAML.
//
// It sets m.cleanOnly: from then on, m does not verify a merge by field that has conflicts.
func (m *merger) mergeCleanly() (merged []byte, ok bool) {
	m.cleanOnly = true
	o, err := m.tryWays(remergeWays)
	return o.Bytes, err == nil && !o.isLeftToGit() && len(o.Conflicts)+len(o.Resolved) == 0
}

// hasDuplicates reports whether a side of reverted has a duplicate: a repeated mapping key, a second resource with the
// same identity, or any entry more often than the versions of m. reverted are the versions of m, parsed, but one side
// lacks the changes of the other side.
//
// If the change taken out is the deletion of an entry that the side moved, the side then has the entry a second time:
//
//	original   other side   side   side without the other's changes
//	a: 1       a: 1         k: 2   k: 2
//	k: 1       z: 1         a: 1   a: 1
//	z: 1                    z: 1   k: 1
//	                               z: 1
//
// One side deleted k and the other side changed it, which is a conflict. The side must not be the result then.
func (m *merger) hasDuplicates(reverted *read.Inputs) bool {
	for _, s := range three.Sides {
		if c := m.proof.Claim(reverted.Streams[s]); verify.CheckWellFormed(c) != nil || verify.FindDuplicate(c) != nil {
			return true
		}
	}
	return false
}

// takeSide returns the outcome whose result is side s, without conflicts. It sets these fields of the Result:
//
//	Bytes           the bytes of s, not a copy
//	Method          ByLine if git's merge by lines is clean and has the same bytes, otherwise Trivial
//	Reason          why a clean merge by lines was not used, or ""
//	LineConflicts   the number of its conflicts; -1 if it did not run or failed
func (m *merger) takeSide(s three.Version) outcome {
	res := Result{Bytes: m.in.Raw[s], Method: Trivial, Reason: m.lineDefect, LineConflicts: -1}
	if l := m.lines; l != nil && l.err == nil {
		if res.LineConflicts = l.conflicts; l.conflicts == 0 && bytes.Equal(l.bytes, res.Bytes) {
			res.Method = ByLine
		}
	}
	return outcome{Result: res}
}
