package engine

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
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
// Git aligns each side with the base only. It might therefore keep both copies of b, or have a conflict.
func (m *merger) tryContainingSide() (outcome, error) {
	if o, err := m.remergedSide(); err == nil {
		return o, nil
	}
	return m.trySupersetSide()
}

// remergedSide returns a side that is itself a merge of the other side, as isRemerge finds it: with revertByLine for
// ours and then for theirs, otherwise with revertByField.
//
// To save time, isRemerge is not called for all sides. A side must have every added line of the other side that is
// new to the base. It may lack at most a quarter of all added lines, unless it passes verification as the result. If
// the other side only deleted lines, the side must not have more than half of them, at any place and with any
// indentation.
func (m *merger) remergedSide() (outcome, error) {
	if m.encrypted || m.isTooDifferent() {
		return outcome{}, errNotApplicable
	}
	sides := slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Version) bool {
		missing, added, ok := m.versionsToward(s).CountMissingAdditions()
		if !ok || missing*4 > added && !m.isVerified(s) {
			return true
		}
		retained, deleted := m.versionsToward(s).CountRetainedDeletions()
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

// trySupersetSide returns the side that has every edited line of the other side (see
// diff3.Versions.UpdatedIncludesDest), if only one side has, and if it passes verification as the result. If the side
// changed what the other side deleted, the merge by field must be clean, too.
func (m *merger) trySupersetSide() (outcome, error) {
	if m.encrypted || m.isTooDifferent() {
		return outcome{}, errNotApplicable
	}
	sides := slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Version) bool { return !m.versionsToward(s).UpdatedIncludesDest() })
	if len(sides) != 1 || !m.isVerified(sides[0]) || m.versionsToward(sides[0]).UpdatedEditsDeleted() && !m.isFieldMergeClean() {
		return outcome{}, errNotApplicable
	}
	return m.takeSide(sides[0]), nil
}

// isVerified reports whether side s passes verification as the result of the merge.
func (m *merger) isVerified(s three.Version) bool {
	m.matchEntries(m.newWalker())
	return m.proof.Verify(m.in.Raw[s]) == nil
}

// isFieldMergeClean reports whether tryFieldMerge returns a clean result.
func (m *merger) isFieldMergeClean() bool {
	o, err := m.tryFieldMerge()
	return err == nil && o.Clean()
}

// isRemerge reports whether side s is itself a merge of the other side. It calls revert to revert the changes of the
// other side in s. Merging the rest with the other side must be clean and yield s again. Neither the rest nor the
// other side may have duplicates (see hasDuplicates). It also reports false if the result needs a decision by the
// user: each side deleted a different one of two equal entries, or one side deleted what the other side moved.
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
	return ok && bytes.Equal(b, m.in.Raw[s]) && !verify.HidesConflict(m.proof.Claim(m.in.Streams[s]))
}

// versionsToward returns the versions for the line merge with side s as updated.
func (m *merger) versionsToward(s three.Version) *diff3.Versions {
	if s == three.Dest {
		return m.raw.SwapSides()
	}
	return m.raw
}

// maxRemergeConflicts is the maximum number of conflicts of git's line merge for which a side may be a merge of the
// other. If a merge is repeated, git's line merge has only a handful.
const maxRemergeConflicts = 1000

// isTooDifferent reports whether the line merge has more than maxRemergeConflicts conflicts, or failed. It reports
// false if the line merge has not run.
func (m *merger) isTooDifferent() bool {
	return m.lines != nil && (m.lines.err != nil || m.lines.conflicts > maxRemergeConflicts)
}

// revertByLine reverts the changes of the other side in side s by lines. It returns false if s changed these lines or
// lines next to them.
func (m *merger) revertByLine(s three.Version) ([]byte, bool) {
	return m.versionsToward(s).RevertDest()
}

// revertByField reverts the changes of the other side in side s, with a merge by the options of m that has the other
// side as base. It returns false if that merge has conflicts, or if s changed what the other side deleted.
func (m *merger) revertByField(s three.Version) ([]byte, bool) {
	if m.versionsToward(s).UpdatedEditsDeleted() {
		return nil, false
	}
	v := m.in.Raw
	n := m.newSubmerger([3][]byte{v[s.Other()], v[three.Original], v[s]})
	if n == nil {
		return nil, false
	}
	return n.mergeCleanly()
}

// newSubmerger returns a parsed merger of v with the options of m except Resolve. It returns nil if v cannot be
// parsed.
func (m *merger) newSubmerger(v [3][]byte) *merger {
	n := newMerger(v, m.opts)
	n.opts.Resolve = ResolveNone
	n.in.KnownTrees = slices.Clone(m.in.KnownTrees)
	if n.parse() != nil {
		return nil
	}
	return n
}

// mergeCleanly returns the result of remergeWays. It returns false if the result has conflicts, resolved or not, or
// is that of a line merge because the versions cannot be merged as YAML.
func (m *merger) mergeCleanly() ([]byte, bool) {
	o, err := m.tryWays(remergeWays)
	return o.Bytes, err == nil && !o.isLeftToGit() && len(o.Conflicts)+len(o.Resolved) == 0
}

// hasDuplicates reports whether a side of rest has duplicate keys or identities, or has an entry more often than the
// versions of m. rest has the side that was reverted. Such duplicates come from an entry that one side deleted and
// the other side changed.
func (m *merger) hasDuplicates(rest *read.Inputs) bool {
	for _, s := range three.Sides {
		if c := m.proof.Claim(rest.Streams[s]); verify.CheckWellFormed(c) != nil || verify.FindDuplicate(c) != nil {
			return true
		}
	}
	return false
}

// takeSide returns side s as the result. Its method is ByLine if s is identical to a clean line merge, otherwise
// Trivial.
func (m *merger) takeSide(s three.Version) outcome {
	res := Result{Bytes: m.in.Raw[s], Method: Trivial, Reason: m.lineDefect, LineConflicts: -1}
	if l := m.lines; l != nil && l.err == nil {
		if res.LineConflicts = l.conflicts; l.conflicts == 0 && bytes.Equal(l.bytes, res.Bytes) {
			res.Method = ByLine
		}
	}
	return outcome{Result: res}
}
