package engine

import (
	"bytes"
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A way is one way to merge three versions, such as git's merge by lines, or the merge by field. Ways are listed in
// the order in which they are tried: the first clean result is the result of the merge. If no way gives a clean
// result, the result of the last way is.
type way struct {
	name string
	// needsTrees means that the versions have to be parsed before try is called.
	needsTrees bool
	// try returns a result. The error is errNotApplicable if the way does not apply to these versions, or why it
	// failed; the next way is tried then.
	try func(*merger) (outcome, error)
}

// The ways of merging by the default rules.
var (
	identicalVersions = &way{"identical versions", false, (*merger).tryIdentical}
	unmergeable       = &way{"git's merge, because the file cannot be merged by field", false, (*merger).tryUnfit}
	containingSide    = &way{"the side that contains the other's changes", true, (*merger).tryContainingSide}
	supersetSide      = &way{"the side that has every line of the other", true, (*merger).trySupersetSide}
	cleanLineMerge    = &way{"git's clean merge", true, (*merger).tryLineMerge}
	cleanFieldMerge   = &way{"the merge by field", true, (*merger).tryFieldMerge}
	fewestLines       = &way{"the fewest lines in conflict", true, (*merger).tryFewestLines}
)

// ways are the ways that Merge tries. They correspond to the rows of the table in docs/how-it-merges.md.
var ways = []*way{identicalVersions, unmergeable, containingSide, cleanLineMerge, cleanFieldMerge, fewestLines}

// checkWays are the ways that Check tries, to compare their result to one made by another program or the user. They do
// not end with fewestLines, so that the conflicts are those of the merge by field.
var checkWays = []*way{containingSide, cleanLineMerge, cleanFieldMerge}

// remergeWays are the ways for versions of which one side was changed: the changes of the other side were taken out of
// it, to find out whether merging them gives the side again.
var remergeWays = []*way{supersetSide, cleanLineMerge, cleanFieldMerge, fewestLines}

// errNotApplicable is the error of a way that does not apply to the versions, so that the next way has to be tried.
var errNotApplicable = errors.New("this way does not apply")

// merge merges the versions by policies and ways. If this fails, even with a panic, it returns git's merge by lines, or
// an error if a version is binary or too large. A clean merge of parsed versions
// becomes a conflict if SOPS encrypted them.
func (m *merger) merge(ways []*way) (outcome, error) {
	o, err := m.mergeByPolicies(ways)
	if err != nil {
		o, err = m.useLineMerge(err)
	}
	// Only SOPS can write the checksum (mac) of a merged file.
	if m.encrypted && err == nil && o.Clean() {
		o = m.conflictWholeFile()
	}
	o.Resolved = append(o.Resolved, m.earlyDecisions...)
	o.NeedsOwn = m.opts.needsOwn != nil && *m.opts.needsOwn
	return o, err
}

// mergeByPolicies merges the versions by ways, after the policies that change the versions. If it panics, it returns an
// error with the cause CauseInternal, as in "internal error: index out of range".
func (m *merger) mergeByPolicies(ways []*way) (o outcome, err error) {
	defer recoverAsError(&err)
	m.applyBumpPolicies()
	return m.tryWaysAndRecover(ways)
}

// tryWaysAndRecover does what tryWays does, and sets Combined of the result, the values that come from both sides, such
// as new.io/web:1.1, if the versions were parsed. It also fails if a way panics (CauseInternal).
func (m *merger) tryWaysAndRecover(ways []*way) (o outcome, err error) {
	defer recoverAsError(&err)
	if o, err = m.tryWays(ways); err == nil && m.parsed {
		o.Combined = m.findCombined(o)
	}
	return o, err
}

// tryWays returns the result of the first of ways that is clean or left to git (isLeftToGit), or else that of the last
// way, or its error. Before the first way that needs trees, it parses the versions, unless shortened ones can be merged
// by the ways from there on. It fails if they cannot be parsed, or with errNeedsWhole as soon as a way does.
func (m *merger) tryWays(ways []*way) (outcome, error) {
	var lastErr error
	for i, w := range ways {
		if w.needsTrees && !m.parsed {
			if o, ok := m.mergeShortened(ways[i:]); ok {
				return o, nil
			}
			if err := m.parse(); err != nil {
				return outcome{}, err
			}
		}
		o, err := w.try(m)
		switch isLast := i == len(ways)-1; {
		case err == errNeedsWhole:
			return outcome{}, err
		case err == nil && (o.Clean() || o.isLeftToGit() || isLast):
			return o, withCause(CauseDefinition, m.opts.rules().CRDError()) // the merge may have needed a definition
		}
		lastErr = err
	}
	return outcome{}, lastErr
}

// isLeftToGit reports whether o is git's merge by lines, used because the versions cannot be merged as YAML, so that no
// other way has to be tried. It reports false for a merge by lines that was chosen because it has fewer lines in
// conflict.
func (o outcome) isLeftToGit() bool { return o.Method == Delegated && o.page == nil }

// tryIdentical returns the result without a merge if the caller passed two versions that are identical, byte for byte:
// the side that changed, or ours if both sides are equal. Otherwise the error is errNotApplicable. The Bytes of the
// result are not a copy.
func (m *merger) tryIdentical() (outcome, error) {
	s, ok := three.PickFunc(m.passed, bytes.Equal)
	if !ok {
		return outcome{}, errNotApplicable
	}
	return outcome{Result: Result{Bytes: m.passed[s], Method: Trivial, LineConflicts: -1}}, nil
}

// tryUnfit returns git's merge by lines, with its Cause, if a version is too large or has conflict markers, so that the
// versions cannot be merged as YAML. Otherwise the error is errNotApplicable.
func (m *merger) tryUnfit() (outcome, error) {
	if err := m.in.Unfit(); err != nil {
		return m.useLineMerge(err)
	}
	return outcome{}, errNotApplicable
}

// parse parses the versions and merges them by lines, unless m.lines has that result already. It sets m.parsed,
// m.encrypted, and m.lines, which becomes nil if Options.Resolve is set (newLineResult). If it fails, only m.in has
// changed. The error has the position of a syntax error, as in "ours:3:1: …".
func (m *merger) parse() error {
	m.in.UnifyFormat(false)
	if err := m.in.Parse(); err != nil {
		return err
	}
	m.in.KnownTrees = append(m.in.KnownTrees, m.in.Streams[:]...)
	m.encrypted = m.in.Streams[three.Dest].IsEncrypted() || m.in.Streams[three.Updated].IsEncrypted()
	m.lines = m.newLineResult()
	m.parsed = true
	return nil
}

// tryLineMerge returns git's merge by lines, with the Method ByLine, if it has no conflict and no defect. A defect,
// such as a duplicate mapping key, is the error, and is described in m.lineDefect. Otherwise the error is
// errNotApplicable.
func (m *merger) tryLineMerge() (outcome, error) {
	l := m.lines
	if l == nil || l.err != nil || l.conflicts > 0 || m.encrypted {
		return outcome{}, errNotApplicable
	}
	defect := m.proof.LineMergeDefect(l.bytes, m.raw.MergeChunks(diff3.Merge, nil))
	if defect == nil {
		return outcome{Result: Result{Bytes: l.bytes, Method: ByLine}}, nil
	}
	described := defect
	// the value that is wrong in an item says more to the user than that the item is lost
	if defect.Rule == verify.RuleMovedLost {
		if all := m.proof.Findings(l.bytes, nil); len(all) > 0 {
			described = all[0]
		}
	}
	m.lineDefect = m.describeViolation(described)
	return outcome{}, defect
}

// tryFieldMerge returns the merge by field, with its conflicts, or an error if none passes verification. It is computed
// only once. If a side added a duplicate mapping key, git's merge by lines is returned instead of a merge by field
// without conflicts.
func (m *merger) tryFieldMerge() (outcome, error) {
	if m.fieldMerge == nil && m.fieldMergeErr == nil {
		o, err := m.mergeByField()
		m.fieldMerge, m.fieldMergeErr = &o, err
	}
	if reason := m.in.AddedDuplicateKey(); m.fieldMergeErr == nil && reason != "" && len(m.fieldMerge.page.Conflicts()) == 0 {
		return m.useLineMerge(withCause(CauseKeys, errors.New(reason)))
	}
	return *m.fieldMerge, m.fieldMergeErr
}
