package engine

import (
	"bytes"
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A way is one way to merge three versions. Ways are listed in the order in which they are tried:
// the first clean result is the result of the merge. If no way gives a clean result, the result of the last way is.
type way struct {
	name string
	// needsTrees means that the versions have to be parsed before try is called.
	needsTrees bool
	// try returns a result, or an error if the way does not apply or fails.
	try func(*merger) (outcome, error)
}

// The ways of merging by the default rules.
var (
	identicalVersions = way{"identical versions", false, (*merger).tryIdentical}
	unmergeable       = way{"git's merge, as YAML cannot be merged", false, (*merger).tryUnmergeable}
	containingSide    = way{"the side that contains the other's changes", true, (*merger).tryContainingSide}
	supersetSide      = way{"the side that has every line of the other", true, (*merger).trySupersetSide}
	cleanLineMerge    = way{"git's clean merge", true, (*merger).tryLineMerge}
	cleanFieldMerge   = way{"the merge by field", true, (*merger).tryFieldMerge}
	fewestLines       = way{"the fewest lines in conflict", true, (*merger).tryFewestLines}
)

// ways are the ways that Merge tries. They correspond to the rows of the table in docs/how-it-merges.md.
var ways = []way{identicalVersions, unmergeable, containingSide, cleanLineMerge, cleanFieldMerge, fewestLines}

// checkWays are the ways that Check tries, to compare their result to one made by another program or the user. They
// do not end with fewestLines, so that the conflicts are those of the merge by field.
var checkWays = []way{containingSide, cleanLineMerge, cleanFieldMerge}

// remergeWays are the ways for versions of which one side had the changes of the other side reverted; see isRemerge.
var remergeWays = []way{supersetSide, cleanLineMerge, cleanFieldMerge, fewestLines}

// errNotApplicable is the error of a way that does not apply to the versions.
var errNotApplicable = errors.New("this way does not apply")

// merge tries ways and returns the result. If they fail for any reason, including a panic, it returns git's line
// merge. It returns an error if the line merge fails, too.
func (m *merger) merge(ways []way) (outcome, error) {
	o, err := m.tryWaysAndRecover(ways)
	if err != nil {
		o, err = m.delegate(err)
	}
	if m.encrypted && err == nil && o.Clean() {
		o = m.conflictWholeFile()
	}
	o.Resolved = append(o.Resolved, m.earlyDecisions...)
	o.NeedsOwn = m.opts.needsOwn != nil && *m.opts.needsOwn
	return o, err
}

// tryWaysAndRecover returns the result of tryWays, with the combined image references if the versions were parsed. A
// panic is returned as an error.
func (m *merger) tryWaysAndRecover(ways []way) (o outcome, err error) {
	defer recoverAsError(&err)
	if o, err = m.tryWays(ways); err == nil && m.parsed {
		o.Combined = m.findCombined(o)
	}
	return o, err
}

// tryWays returns the result of the first way that is clean or leaves the versions to git's line merge. If there is
// none, it returns the result of the last way. The error is that of the parser, of the last way, or of a custom
// resource definition that the merge needs.
func (m *merger) tryWays(ways []way) (o outcome, err error) {
	for i, w := range ways {
		if w.needsTrees && !m.parsed {
			if o, ok := m.mergeElided(ways[i:]); ok {
				return o, nil
			}
			if err := m.parse(); err != nil {
				return outcome{}, err
			}
		}
		if o, err = w.try(m); err == nil && (o.Clean() || o.isLeftToGit() || i == len(ways)-1) {
			return o, withCause(CauseDefinition, m.opts.rules().CRDError())
		}
	}
	return outcome{}, err
}

// isLeftToGit reports whether o is a line merge for versions that cannot be merged as YAML. No further way is tried
// then.
func (o outcome) isLeftToGit() bool { return o.Method == Delegated && o.page == nil }

// tryIdentical returns the third version if two are identical.
func (m *merger) tryIdentical() (outcome, error) {
	s, ok := three.PickFunc(m.in.Raw, bytes.Equal)
	if !ok {
		return outcome{}, errNotApplicable
	}
	return outcome{Result: Result{Bytes: m.in.Raw[s], Method: Trivial, LineConflicts: -1}}, nil
}

// tryUnmergeable returns git's line merge if a version is too large, is not text, or has conflict markers. Otherwise
// it calls applyBumpPolicies, which may change the versions of m, and returns errNotApplicable.
func (m *merger) tryUnmergeable() (outcome, error) {
	if err := unfitError(m.in); err != nil {
		return m.delegate(err)
	}
	m.applyBumpPolicies()
	return outcome{}, errNotApplicable
}

// parse parses the versions and, unless that is done already, merges them by line. It sets m.lines, m.encrypted and
// m.parsed. The error contains the position of the syntax error.
func (m *merger) parse() error {
	m.in.UnifyFormat(false)
	if err := m.in.Parse(); err != nil {
		return err
	}
	m.in.KnownTrees = append(m.in.KnownTrees, m.in.Streams[:]...)
	m.encrypted = m.in.Streams[three.Dest].IsEncrypted() || m.in.Streams[three.Updated].IsEncrypted()
	m.lines = m.parseLineMerge()
	m.parsed = true
	return nil
}

// tryLineMerge returns git's line merge if it is clean and has no defect. If it has one, it sets m.lineDefect. For an
// encrypted file it returns errNotApplicable.
func (m *merger) tryLineMerge() (outcome, error) {
	l := m.lines
	if l == nil || l.err != nil || l.conflicts > 0 || m.encrypted {
		return outcome{}, errNotApplicable
	}
	if refusal := m.proof.LineMergeDefect(l.bytes, l.stream, m.raw.Merging(diff3.Merge, nil)); refusal != nil {
		m.lineDefect = m.describeViolation(refusal)
		return outcome{}, refusal
	}
	return outcome{Result: Result{Bytes: l.bytes, Method: ByLine}}, nil
}

// tryFieldMerge returns the merge by field, with its conflicts. It is computed once and kept in m.fieldMerge and
// m.fieldMergeErr. If it is clean although a mapping of a side has a duplicate key, which most parsers reject,
// tryFieldMerge returns git's line merge instead.
func (m *merger) tryFieldMerge() (outcome, error) {
	if m.fieldMerge == nil && m.fieldMergeErr == nil {
		o, err := m.mergeByField(m.newWalker())
		m.fieldMerge, m.fieldMergeErr = &o, err
	}
	if reason := m.in.AddedDuplicateKey(); m.fieldMergeErr == nil && reason != "" && len(m.fieldMerge.page.Conflicts()) == 0 {
		return m.delegate(withCause(CauseKeys, errors.New(reason)))
	}
	return *m.fieldMerge, m.fieldMergeErr
}
