package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// What both sides changed alike counts once. If one side already contains all changes of the other,
// as after a squash merge, a cherry-pick, or a merge that is repeated, it is the result.
//
//	base    ours    theirs
//	- a     - a     - z
//	- c     - b     - a
//	        - c     - b
//	                - c
//
// Git aligns each side with the base alone, and so may put b there twice, or leave a conflict.

// containing returns the side that contains the changes of the other, if there is one: remerged or superset finds it.
func (m *merger) containing() (outcome, error) {
	if o, err := m.remerged(); err == nil {
		return o, nil
	}
	return m.superset()
}

// remerged returns the side that is a merge of the other side; see remerges. It looks at a side only if three in four of the lines
// that the other side put in are there, and every one that the base does not have; or if it passes verification as the merge.
// If the other side only deleted lines, a side that has most of them at another place or indentation does not contain that.
func (m *merger) remerged() (outcome, error) {
	if m.sealed || m.torn() {
		return outcome{}, errNotApplicable
	}
	sides := slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Version) bool {
		lacking, put, ok := m.toward(s).CountMissingAdditions()
		if !ok || lacking*4 > put && !m.verifies(s) {
			return true
		}
		retained, deleted := m.toward(s).CountRetainedDeletions()
		return put == 0 && 2*retained > deleted
	})
	for _, revert := range [...]func(three.Version) ([]byte, bool){m.revertByLine, m.revertByField} {
		for _, s := range sides {
			if m.remerges(s, revert) {
				return m.taken(s), nil
			}
		}
	}
	return outcome{}, errNotApplicable
}

// superset returns the only side that has every line that the other side changed, if it passes verification as the
// merge. If it changed what the other side deleted, the merge by field must be clean, too.
func (m *merger) superset() (outcome, error) {
	if m.sealed || m.torn() {
		return outcome{}, errNotApplicable
	}
	sides := slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Version) bool { return !m.toward(s).UpdatedIncludesDest() })
	if len(sides) != 1 || !m.verifies(sides[0]) || m.toward(sides[0]).UpdatedEditsDeleted() && !m.mergesByField() {
		return outcome{}, errNotApplicable
	}
	return m.taken(sides[0]), nil
}

// verifies reports whether the side s passes verification as the merge.
func (m *merger) verifies(s three.Version) bool {
	m.matchEntries(m.walker())
	return m.proof.Verify(m.in.Raw[s]) == nil
}

// mergesByField reports whether the merge by field is clean.
func (m *merger) mergesByField() bool {
	o, err := m.byField()
	return err == nil && o.Clean()
}

// remerges reports whether the side s is a merge of the other side: revert takes the other side's changes out of
// it, and what is left, merged with the other side, gives s again.
func (m *merger) remerges(s three.Version, revert func(three.Version) ([]byte, bool)) bool {
	v := m.in.Raw
	rest, ok := revert(s)
	if !ok || bytes.Equal(rest, v[s]) {
		return false
	}
	v[s] = rest
	n := m.anew(v)
	if n == nil || m.repeated(n.in) {
		return false
	}
	b, ok := n.clean()
	return ok && bytes.Equal(b, m.in.Raw[s]) && !verify.HidesConflict(m.proof.Claim(m.in.Streams[s]))
}

// toward are the versions as they came, with the side s as updated.
func (m *merger) toward(s three.Version) *diff3.Versions {
	if s == three.Dest {
		return m.raw.SwapSides()
	}
	return m.raw
}

// mostTorn is how many conflicts git's line merge of what was merged before has at most: a merge
// that comes again has a handful.
const mostTorn = 1000

// torn reports whether the versions have too little in common for one to be a merge of the other, or
// that cannot be told by lines.
func (m *merger) torn() bool {
	return m.lines != nil && (m.lines.err != nil || m.lines.conflicts > mostTorn)
}

// revertByLine takes the other side's changes out of s by the lines that the two have in common. It reports false if s
// changed lines next to them.
func (m *merger) revertByLine(s three.Version) ([]byte, bool) { return m.toward(s).RevertDest() }

// revertByField takes the other side's changes out of s with a merge by the options of m. It reports false if that is in
// conflict, or if s changed what the other side deleted.
func (m *merger) revertByField(s three.Version) ([]byte, bool) {
	if m.toward(s).UpdatedEditsDeleted() {
		return nil, false
	}
	v := m.in.Raw
	n := m.anew([3][]byte{v[s.Other()], v[three.Original], v[s]})
	if n == nil {
		return nil, false
	}
	return n.clean()
}

// anew returns a merger of v with the options of m, nil if v cannot be parsed.
func (m *merger) anew(v [3][]byte) *merger {
	n := newMerger(v, m.opts)
	n.opts.Resolve = ResolveNone
	n.in.Trees = slices.Clone(m.in.Trees)
	if n.parse() != nil {
		return nil
	}
	return n
}

// clean merges by fields and lines. It reports false if something is in conflict or was decided by a rule.
func (m *merger) clean() ([]byte, bool) {
	o, err := m.decide(waysOfRest)
	return o.Bytes, err == nil && !o.left() && len(o.Conflicts)+len(o.Resolved) == 0
}

// repeated reports whether a side of rest, which stands for one of m, has something more often than the
// versions of m, or a key or an identity twice: what one side deleted and the other changed.
func (m *merger) repeated(rest *read.Inputs) bool {
	for _, s := range three.Sides {
		if c := m.proof.Claim(rest.Streams[s]); verify.CheckWellFormed(c) != nil || verify.FindDuplicate(c) != nil {
			return true
		}
	}
	return false
}

// taken is the side s as the result.
func (m *merger) taken(s three.Version) outcome {
	res := Result{Bytes: m.in.Raw[s], Method: Trivial, Reason: m.defect, LineConflicts: -1}
	if l := m.lines; l != nil && l.err == nil {
		if res.LineConflicts = l.conflicts; l.conflicts == 0 && bytes.Equal(l.bytes, res.Bytes) {
			res.Method = ByLine
		}
	}
	return outcome{Result: res}
}
