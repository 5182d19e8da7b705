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

// tryContainingSide returns the side that already contains all changes of the other side, as after a squash merge or a
// cherry-pick. Here that is theirs, but git might keep both copies of b:
//
//	base    ours    theirs
//	- a     - a     - z
//	- c     - b     - a
//	        - c     - b
//	                - c
//
// The error is errNotApplicable if there is no such side, if the file is encrypted, or if the sides are too different.
func (m *merger) tryContainingSide() (outcome, error) {
	if m.encrypted || m.isTooDifferent() {
		return outcome{}, errNotApplicable
	}
	if s, ok := m.remergedSide(); ok {
		return m.takeSide(s), nil
	}
	return m.trySupersetSide()
}

// remergedSide returns a side that is itself a merge with the other side. To find out, it takes the other side's
// changes out of a side, and merges them again: this must give the same bytes. ok is false if there is no such side.
func (m *merger) remergedSide() (side three.Version, ok bool) {
	sides := filterSides(m.hasMostChanges) // to save time
	revertByLine := func(s three.Version) ([]byte, bool) { return m.versionsWithUpdated(s).RevertDest() }
	for _, revert := range [...]func(three.Version) ([]byte, bool){revertByLine, m.revertByField} {
		for _, s := range sides {
			if m.isRemerge(s, revert) {
				return s, true
			}
		}
	}
	return side, false
}

// filterSides returns the sides for which keep returns true.
func filterSides(keep func(three.Version) bool) []three.Version {
	return slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Version) bool { return !keep(s) })
}

// hasMostChanges reports whether side s has so many of the other side's changes that s may be a merge with the other
// side. All of these must hold:
//
//   - it has each line that the other side added and that is nowhere in the original
//   - it has three quarters of all lines that the other side added, or passes verification as the result
//   - if the other side added no lines, it lacks half of the lines that the other side deleted
func (m *merger) hasMostChanges(s three.Version) bool {
	v := m.versionsWithUpdated(s)
	missing, added, ok := v.CountMissingAdditions()
	lacksNewLine := !ok // a line that is nowhere in the original
	if lacksNewLine || 4*missing > added && !m.isVerified(s) {
		return false
	}
	retained, deleted := v.CountRetainedDeletions()
	return added > 0 || 2*retained <= deleted
}

// trySupersetSide returns the side that has every line that the other side added, and no line that the other side
// deleted. It must pass verification as the result. The error is errNotApplicable if neither side is so, if both are,
// or if the sides may have changed the same line differently.
func (m *merger) trySupersetSide() (outcome, error) {
	supersets := filterSides(func(s three.Version) bool { return m.versionsWithUpdated(s).UpdatedIncludesDest() })
	if len(supersets) != 1 || !m.isVerified(supersets[0]) {
		return outcome{}, errNotApplicable
	}
	side := supersets[0]
	if m.versionsWithUpdated(side).UpdatedEditsDeleted() {
		if o, err := m.tryFieldMerge(); err != nil || !o.Clean() {
			return outcome{}, errNotApplicable // the sides disagree on a line
		}
	}
	return m.takeSide(side), nil
}

// isVerified reports whether side s passes verification as the result of the merge: it contains every edit of both
// sides, and no others. If there is no plan of the merge by field yet, it computes m.plan, which verification needs.
func (m *merger) isVerified(s three.Version) bool {
	m.matchEntries(m.newWalker())
	return m.proof.Verify(m.in.Raw[s]) == nil
}

// isRemerge reports whether side s is itself a merge of the other side. revert takes the other side's changes out of s;
// it is so if merging them again gives s, byte for byte:
//
//	original   other side   side s   s without the other's changes
//	- a        - a          - a      - a
//	- c        - b          - b      - c
//	           - c          - c      - d
//	                        - d
//
// It returns false if taking s as the result might hide a conflict.
func (m *merger) isRemerge(s three.Version, revert func(three.Version) ([]byte, bool)) bool {
	reverted, ok := revert(s)
	if !ok || bytes.Equal(reverted, m.in.Raw[s]) { // there is nothing to revert
		return false
	}
	versions := m.in.Raw // an array, so m is not changed
	versions[s] = reverted
	remerger := m.newSubmerger(versions)
	if remerger == nil || m.hasDuplicates(remerger.in) {
		return false
	}
	merged, isClean := remerger.mergeCleanly()
	if !isClean || !bytes.Equal(merged, m.in.Raw[s]) {
		return false
	}
	claim := m.proof.Claim(m.in.Streams[s])
	if t := m.in.Templates; t[s] != nil {
		claim.Facts = [...]*template.Facts{t[three.Original].Facts(), t[three.Dest].Facts(), t[three.Updated].Facts(), t[s].Facts()}
	}
	return !verify.HidesConflict(claim)
}

// versionsWithUpdated returns the three versions, prepared for a comparison by lines. Side s has the role of updated,
// and the other side that of dest, so that a question about both sides needs only one method.
func (m *merger) versionsWithUpdated(s three.Version) *diff3.Versions {
	if s == three.Dest {
		return m.raw.SwapSides()
	}
	return m.raw
}

// maxRemergeConflicts is the maximum number of conflicts of git's merge by lines for which a side may be a merge of
// the other. If a merge is repeated, git's merge by lines has only a handful of conflicts.
const maxRemergeConflicts = 1000

// isTooDifferent reports whether the sides are too different to compare them line by line: git's merge by lines failed
// or has more than maxRemergeConflicts conflicts. It reports false if that merge has not run.
func (m *merger) isTooDifferent() bool {
	return m.lines != nil && (m.lines.err != nil || m.lines.conflicts > maxRemergeConflicts)
}

// revertByField returns side s without the changes of the other side. For this, it merges as git revert does: the other
// side is the base, the original is ours, and s is theirs. ok is false if this merge fails or has a conflict, or if s
// edited a line that the other side deleted.
func (m *merger) revertByField(s three.Version) (reverted []byte, ok bool) {
	if m.versionsWithUpdated(s).UpdatedEditsDeleted() {
		return nil, false
	}
	raw := m.in.Raw
	reverter := m.newSubmerger([3][]byte{raw[s.Other()], raw[three.Original], raw[s]})
	if reverter == nil {
		return nil, false
	}
	return reverter.mergeCleanly()
}

// newSubmerger returns a merger for a merge within this one, of other versions (base, ours, theirs). It has the options
// of m, but without Options.Resolve. The versions are parsed and merged by lines already; those that m has parsed are
// not parsed again. It returns nil if a version cannot be parsed.
func (m *merger) newSubmerger(versions [3][]byte) *merger {
	n := newMerger(versions, m.opts)
	n.opts.Resolve = diff3.FavorNone
	// most versions are the same, so their trees are copied
	n.in.KnownTrees = slices.Clone(m.in.KnownTrees)
	if n.parse() != nil {
		return nil
	}
	return n
}

// mergeCleanly returns the merge of the versions of m, which must have been parsed, by remergeWays. ok is false if the
// merge fails, is left to git, or has a conflict, even one that the team's rules decided. It sets m.cleanOnly, so that
// a merge with conflicts is not verified.
func (m *merger) mergeCleanly() (merged []byte, ok bool) {
	m.cleanOnly = true
	o, err := m.tryWays(remergeWays)
	return o.Bytes, err == nil && !o.isLeftToGit() && len(o.Conflicts)+len(o.Resolved) == 0
}

// hasDuplicates reports whether a test by merging again (see isRemerge) is unreliable, because a side has a duplicate,
// such as a mapping key twice, after the other side's changes were taken out. reverted are the versions after that.
// Here, merging the deletion of k gives side again, although side changed k:
//
//	original   other side   side   side without the other's changes
//	a: 1       a: 1         k: 2   k: 2
//	k: 1       z: 1         a: 1   a: 1
//	z: 1                    z: 1   k: 1
//	                               z: 1
func (m *merger) hasDuplicates(reverted *read.Inputs) bool {
	return slices.ContainsFunc(three.Sides[:], func(s three.Version) bool {
		c := m.proof.Claim(reverted.Streams[s])
		return verify.CheckWellFormed(c) != nil || verify.FindDuplicate(c) != nil
	})
}

// takeSide returns the outcome whose result is side s as it is, without conflicts. Its Method is ByLine if git's merge
// by lines gives the same bytes, and otherwise Trivial, because nothing had to be merged. Its Reason is why a clean
// merge by lines is not used, or "". The bytes are not copied.
func (m *merger) takeSide(s three.Version) outcome {
	res := Result{Bytes: m.in.Raw[s], Method: Trivial, Reason: m.lineDefect, LineConflicts: -1}
	if l := m.lines; l != nil && l.err == nil {
		if res.LineConflicts = l.conflicts; l.conflicts == 0 && bytes.Equal(l.bytes, res.Bytes) {
			res.Method = ByLine
		}
	}
	return outcome{Result: res}
}
