package merge

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
	// parsed says that the way needs the versions as trees.
	parsed bool
	// try returns a result, or an error that says why this way has none.
	try func(*merger) (outcome, error)
}

// The ways of the default rules.
var (
	identicalVersions = way{"identical versions", false, (*merger).identical}
	unmergeable       = way{"git's merge, as YAML cannot be merged", false, (*merger).unfit}
	containingSide    = way{"the side that contains the other's changes", true, (*merger).containing}
	supersetSide      = way{"the side that has every line of the other", true, (*merger).superset}
	cleanLineMerge    = way{"git's clean merge", true, (*merger).byLine}
	cleanFieldMerge   = way{"the merge by field", true, (*merger).byField}
	fewestLines       = way{"the fewest lines in conflict", true, (*merger).choose}
)

// ways is the order of all decisions, the rows of the table in docs/how-it-merges.md.
var ways = []way{identicalVersions, unmergeable, containingSide, cleanLineMerge, cleanFieldMerge, fewestLines}

// waysToJudge are those by which a merge that somebody else made is judged. The conflicts of the merge by field stay,
// whatever git's merge asks.
var waysToJudge = []way{containingSide, cleanLineMerge, cleanFieldMerge}

// waysOfRest merge versions of which one had the other side's changes reverted; see remerges.
var waysOfRest = []way{supersetSide, cleanLineMerge, cleanFieldMerge, fewestLines}

// errNotApplicable is the error of a way that does not apply to the versions.
var errNotApplicable = errors.New("this way does not apply")

// merge merges in these ways. What fails for whatever reason, a panic included, is left to git's line merge; the
// error is that of the line merge.
func (m *merger) merge(ways []way) (outcome, error) {
	o, err := m.tryAll(ways)
	if err != nil {
		o, err = m.delegate(err.Error())
	}
	if m.sealed && err == nil && o.Clean() {
		o = m.wholeEncrypted()
	}
	o.Resolved = append(o.Resolved, m.told...)
	return o, err
}

// tryAll decides, and adds to the result which references of images it combined. A panic is an error.
func (m *merger) tryAll(ways []way) (o outcome, err error) {
	defer guard(&err)
	if o, err = m.decide(ways); err == nil && m.parsed {
		o.Combined = m.combined(o)
	}
	return o, err
}

// decide returns the result of the first way that is clean or leaves the versions to git; else that of the last way. The
// error says why there is none: the versions cannot be parsed, the last way has no result, or a rule cannot be applied.
func (m *merger) decide(ways []way) (o outcome, err error) {
	for i, w := range ways {
		if w.parsed && !m.parsed {
			if o, ok := m.mergeElided(ways[i:]); ok {
				return o, nil
			}
			if err := m.parse(); err != nil {
				return outcome{}, err
			}
		}
		if o, err = w.try(m); err == nil && (o.Clean() || o.left() || i == len(ways)-1) {
			return o, m.opts.Rules.known().CRDError()
		}
	}
	return outcome{}, err
}

// left reports whether the merge was left to git's line merge, which no further way replaces.
func (o outcome) left() bool { return o.Method == Delegated && o.page == nil }

// identical returns the third version if two are identical.
func (m *merger) identical() (outcome, error) {
	s, ok := three.PickFunc(m.in.Raw, bytes.Equal)
	if !ok {
		return outcome{}, errNotApplicable
	}
	return outcome{Result: Result{Bytes: m.in.Raw[s], Method: Trivial, LineConflicts: -1}}, nil
}

// unfit returns git's line merge if a version is too large, is not text, or has conflict markers. Otherwise it
// applies the policies that change versions before they are merged.
func (m *merger) unfit() (outcome, error) {
	if reason := m.in.UnfitReason(); reason != "" {
		return m.delegate(reason)
	}
	m.bump()
	return outcome{}, errNotApplicable
}

// parse parses the versions, and merges them by line unless that is done. The error has the place of what
// cannot be parsed.
func (m *merger) parse() error {
	m.in.UnifyFormat(false)
	if err := m.in.Parse(); err != nil {
		return err
	}
	m.in.KnownTrees = append(m.in.KnownTrees, m.in.Streams[:]...)
	m.sealed = m.in.Streams[three.Dest].IsEncrypted() || m.in.Streams[three.Updated].IsEncrypted()
	m.lines = m.readLines()
	m.parsed = true
	return nil
}

// byLine returns git's line merge if it is clean and has no defect. Otherwise it notes the defect.
func (m *merger) byLine() (outcome, error) {
	l := m.lines
	if l == nil || l.err != nil || l.conflicts > 0 || m.sealed {
		return outcome{}, errNotApplicable
	}
	if refusal := m.proof.LineMergeDefect(l.bytes, l.stream, m.raw.Merging(diff3.Merge, nil)); refusal != nil {
		m.defect = m.says(refusal)
		return outcome{}, refusal
	}
	return outcome{Result: Result{Bytes: l.bytes, Method: ByLine}}, nil
}

// byField returns the merge by field, with its conflicts; it is made once. If it is clean although a side has
// a key twice in a mapping, which most parsers refuse, the result is git's line merge.
func (m *merger) byField() (outcome, error) {
	if m.fields == nil && m.noFields == nil {
		o, err := m.byFields(m.walker())
		m.fields, m.noFields = &o, err
	}
	if reason := m.in.AddedDuplicateKey(); m.noFields == nil && reason != "" && len(m.fields.page.Conflicts()) == 0 {
		return m.delegate(reason)
	}
	return *m.fields, m.noFields
}
