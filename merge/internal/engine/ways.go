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

// merge merges the versions: first policies may change them, then ways are tried. If that fails, even with a panic, it
// returns git's merge by lines, or an error if a version is binary or too large. If SOPS encrypted the versions, a
// clean result becomes a conflict around the whole file.
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

// tryWaysAndRecover tries ways as tryWays does. It also sets Combined of the result, if the versions were parsed: the
// values of which each side made a part, such as new.io/web:1.1. If a way panics, it returns an error with the cause
// CauseInternal.
func (m *merger) tryWaysAndRecover(ways []*way) (o outcome, err error) {
	defer recoverAsError(&err)
	if o, err = m.tryWays(ways); err == nil && m.parsed {
		o.Combined = m.findCombined(o)
	}
	return o, err
}

// tryWays returns the result of the first of ways that is clean, or left to git (isLeftToGit). If there is none, it
// returns that of the last way, or its error. Before the first way that needs trees, it tries a faster merge of
// shortened versions, and if that is impossible, it parses the versions. It fails if they cannot be parsed, or with
// errNeedsWhole as soon as a way does.
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

// tryIdentical returns the result if no merge is needed, because two of the versions that the caller passed are
// identical: the side that changed, or ours if both sides are equal. Otherwise the error is errNotApplicable. The bytes
// are not copied.
func (m *merger) tryIdentical() (outcome, error) {
	s, ok := three.PickFunc(m.passed, bytes.Equal)
	if !ok {
		return outcome{}, errNotApplicable
	}
	return outcome{Result: Result{Bytes: m.passed[s], Method: Trivial, LineConflicts: -1}}, nil
}

// tryUnfit returns git's merge by lines if the versions cannot be merged as YAML, because a version is too large or has
// conflict markers. Otherwise the error is errNotApplicable.
func (m *merger) tryUnfit() (outcome, error) {
	if err := m.in.Unfit(); err != nil {
		return m.useLineMerge(err)
	}
	return outcome{}, errNotApplicable
}

// parse parses the versions and merges them by lines. It sets m.parsed, m.encrypted and m.lines; m.lines is not
// computed again if it is set, and becomes nil if Options.Resolve is set. The error has the position of a syntax error,
// as in "ours:3:1: …"; only m.in has changed then.
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

// tryLineMerge returns git's merge by lines, with the Method ByLine, if it has no conflict and no defect. If it has a
// defect, such as a duplicate mapping key, the defect is the error, and m.lineDefect describes it. The error is
// errNotApplicable if it has a conflict, did not run or failed, even with a panic, or if the file is encrypted.
func (m *merger) tryLineMerge() (outcome, error) {
	l := m.lines
	if l == nil || l.err != nil || l.conflicts > 0 || m.encrypted {
		return outcome{}, errNotApplicable
	}
	defect := m.findLineDefect()
	switch {
	case l.err != nil:
		return outcome{}, errNotApplicable
	case defect == nil:
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

// findLineDefect returns a defect of m.lines, git's merge by lines without conflicts, or nil. If this panics, it sets
// m.lines.err and returns nil, so that the merge by field can still be tried.
func (m *merger) findLineDefect() *verify.Violation {
	defer recoverAsError(&m.lines.err)
	return m.proof.LineMergeDefect(m.lines.bytes, m.raw.MergeChunks(diff3.Merge, nil))
}

// tryFieldMerge returns the merge by field, with its conflicts. It is computed only once. The error is why no merge
// passes verification. If a side added a duplicate mapping key, and the merge by field has no conflicts, it returns
// git's merge by lines instead.
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
