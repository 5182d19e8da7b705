package engine

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A lineResult is the result of a merge by lines, as git merge does it.
type lineResult struct {
	bytes     []byte
	conflicts int
	err       error
	stream    *syntax.Stream // the parsed result, in the format of the versions; nil if it was not or cannot be parsed
}

// parseLineMerge merges the versions by lines, as git merge does, unless m.lines has the merged bytes already. It
// returns m.lines itself in that case, and otherwise a new lineResult; it does not set m.lines.
//
// If there are no conflicts, and the file is not a template, it also sets the field stream to the parsed result. An
// error or a panic is returned in the field err. It returns nil if Options.Resolve is set, because conflicts are then
// decided by field.
func (m *merger) parseLineMerge() (l *lineResult) {
	if m.opts.Resolve != ResolveNone {
		return nil
	}
	if l = m.lines; l == nil {
		l = &lineResult{}
	}
	defer recoverAsError(&l.err)
	if m.lines == nil {
		l.bytes, l.conflicts, l.err = m.runLineMerge(text.Markers{})
	}
	if l.err == nil && l.conflicts == 0 && m.in.Language != read.Template {
		l.stream = m.proof.ParseResult(l.bytes)
	}
	return l
}

// countLineConflicts returns the number of conflicts of git's merge by lines (m.lines), 0 if it is clean, or -1 if it
// did not run or failed.
func (m *merger) countLineConflicts() int {
	if m.lines == nil || m.lines.err != nil {
		return -1
	}
	return m.lines.conflicts
}

// runLineMerge returns the versions merged by lines, as git merge does it, with the markers k, and the number of
// conflicts. Conflicts are decided by Options.Resolve if it is set; their number is then 0. It returns an error if a
// version is binary (diff3.ErrBinary) or too large (diff3.ErrTooLarge).
func (m *merger) runLineMerge(k text.Markers) (merged []byte, conflicts int, err error) {
	return m.raw.Merge(diff3.Options{Markers: k, As: diff3.Merge, Favor: favors[m.opts.Resolve]})
}

// favors has, for each value of Resolve, the option for the merge by lines.
var favors = [...]diff3.Favor{
	ResolveNone: diff3.FavorNone, ResolveOurs: diff3.FavorOurs, ResolveTheirs: diff3.FavorTheirs, ResolveUnion: diff3.FavorUnion,
}

// useLineMerge returns git's merge by lines as the result, with the Method Delegated. reason is why the versions are
// not merged by field. It becomes Result.Reason, and the cause that withCause added to it becomes Result.Cause. reason
// must not be nil.
//
// The markers are those of the options. Result.Conflicts has only the kind and the line of each conflict. If the merge
// by lines fails because a version is binary or too large, it returns that error and an empty outcome.
func (m *merger) useLineMerge(reason error) (outcome, error) {
	var err error
	o := outcome{Result: Result{Method: Delegated, Cause: causeOf(reason), Reason: reason.Error()}}
	o.setRender(m.markers(), func(k text.Markers) ([]byte, []Conflict) {
		var b []byte
		b, o.LineConflicts, err = m.runLineMerge(k)
		return b, lineConflicts(b, o.LineConflicts, k.Size)
	})
	if err != nil {
		return outcome{}, err
	}
	return o, nil
}

// lineConflicts returns the conflicts in merged, a merge by lines. count is their number, and size the number of
// characters of their markers; 0 means 7. Kind (plan.ConflictLine) and Line are set; all other fields of a Conflict are
// zero. Line is 0 if fewer conflicts than count are found in merged. It returns nil if count is 0.
func lineConflicts(merged []byte, count, size int) (all []Conflict) {
	if count > 0 {
		all = make([]Conflict, count)
	}
	for i := range all {
		all[i].Kind = plan.ConflictLine
	}
	for i, c := range text.Conflicts(merged, size) {
		if i < count {
			all[i].Line = c.Line
		}
	}
	return all
}

// markers returns the conflict markers of the options. If the options have none, the labels are base, ours and theirs.
func (m *merger) markers() text.Markers { return m.opts.markers() }

// errFewerLines is the reason for using a merge by lines although there is a merge by field.
var errFewerLines = withCause(CauseFewerLines, errors.New("that leaves fewer lines in conflict"))

// tryFewestLines returns the merge that leaves the fewest lines in conflict to the user, and of equal ones the first of
// these:
//
//  1. the merge by field, if it passed verification
//  2. the merge by lines of git merge, if it has no defect outside of its conflicts
//  3. the merge by lines of git merge-file, which aligns other lines, under the same condition
//  4. these merges by lines with additional conflicts around the defects
//
// A defect is an error for which a merge by lines is not used, such as a duplicate mapping key. The merge by field, if
// there is one, is returned in any case if one of these is true:
//
//   - It is clean, or has a conflict of the kind plan.ConflictAccess.
//   - Git's merge by lines did not run or failed.
//   - SOPS encrypted the file.
//
// A merge by lines is not used if it splits a conflict of the merge by field that can only be decided as a whole. If
// none of the merges is possible, the error is m.fieldMergeErr. For a merge by lines, Result.Reason and Result.Cause
// are those of m.fieldMergeErr or, if there is a merge by field, of errFewerLines.
func (m *merger) tryFewestLines() (outcome, error) {
	fieldMerge, fieldErr := m.fieldMerge, m.fieldMergeErr
	if fieldErr != nil {
		fieldMerge = nil
	}
	if fieldMerge != nil && (len(fieldMerge.Conflicts) == 0 || m.countLineConflicts() < 0 || m.encrypted || fieldMerge.hasAccessConflict()) {
		return *fieldMerge, nil
	}
	best, fewest := fieldMerge, math.MaxInt
	if fieldMerge != nil {
		fieldErr = errFewerLines
		fewest = m.countLinesToRead(fieldMerge.page, fieldMerge.Bytes)
	}
	var candidates []*lineCandidate
	for _, as := range [...]diff3.As{diff3.Merge, diff3.MergeFile} {
		if l := m.newLineCandidate(as); l != nil && !(fieldMerge != nil && l.buildPage(nil).SplitsIndivisible(fieldMerge.page)) && (len(candidates) == 0 || !bytes.Equal(l.bytes, candidates[0].bytes)) {
			candidates = append(candidates, l)
		}
	}
	for _, l := range candidates {
		if l.linesToRead < fewest {
			if o := m.lineOutcome(l); o != nil {
				best, fewest = o, l.linesToRead
			}
		}
	}
	for _, l := range candidates {
		if l.linesToRead < fewest {
			if o := m.lineOutcomeWithAddedConflicts(l); o != nil {
				if n := m.countLinesToRead(o.page, o.Bytes); n < fewest {
					best, fewest = o, n
				}
			}
		}
	}
	switch {
	case best == nil:
		return outcome{}, fieldErr
	case best != fieldMerge:
		best.Cause, best.Reason = causeOf(fieldErr), fieldErr.Error()
	}
	return *best, nil
}

// hasAccessConflict reports whether o has a conflict of the kind plan.ConflictAccess, about fields of one mapping that
// grant more together than in each side.
func (o *outcome) hasAccessConflict() bool {
	return slices.ContainsFunc(o.Conflicts, func(c Conflict) bool { return c.Kind == plan.ConflictAccess })
}

// countLinesToRead returns the number of lines that the user has to compare in the conflicts of p: those of ours and
// theirs together. p is a merged file as a list of text and conflicts. written is the same file with the markers of the
// options. Lines that are between the markers only because a list item is not split are not counted. It returns 0 if
// there are no conflicts.
func (m *merger) countLinesToRead(p *page.Page, written []byte) int {
	k := m.markers()
	return text.CountConflictLines(written, k.Size) - p.CountItemLines(k.Style)
}

// A lineCandidate is a merge by lines with the algorithm of git merge or of git merge-file.
type lineCandidate struct {
	bytes       []byte
	conflicts   int
	linesToRead int // the lines of ours and theirs that the user has to compare
	// buildPage returns the merge as a page: a list of text and conflicts. forced has the numbers, from 0 to
	// oneSided-1, of ranges of lines that only one side changed and that become conflicts as well. buildPage returns
	// nil if the merge fails.
	buildPage func(forced []int) *page.Page
	oneSided  int
	as        diff3.As
	defect    *verify.Violation // a defect outside of its conflicts; nil if there is none, or before lineOutcome
}

// newLineCandidate merges the versions by lines with the algorithm of a git command: diff3.Merge is git merge, and
// diff3.MergeFile is git merge-file. Conflicts are marked, also if Options.Resolve is set. Its defect is nil, because
// lineOutcome has not searched for one yet. It returns nil if a version is binary or too large.
func (m *merger) newLineCandidate(as diff3.As) *lineCandidate {
	k, data := m.markers(), m.in.Data
	b, conflicts, err := m.raw.Merge(diff3.Options{Markers: k, As: as})
	if err != nil {
		return nil
	}
	v := m.alignLines(data[three.Original], data[three.Dest], data[three.Updated])
	l := &lineCandidate{as: as, bytes: b, conflicts: conflicts, oneSided: v.CountOneSided(as)}
	l.buildPage = func(forced []int) *page.Page {
		parts, err := v.Parts(diff3.Options{Markers: k, As: as, ForcedConflicts: forced})
		if err != nil {
			return nil
		}
		return page.FromLineMerge(data, parts, v.Merging(as, forced))
	}
	p := l.buildPage(nil)
	if p == nil {
		return nil
	}
	l.linesToRead = m.countLinesToRead(p, l.bytes)
	return l
}

// lineOutcome returns the merge by lines l as a result with the Method Delegated. It returns nil if l has a defect
// outside of its conflicts: an error for which a merge by lines is not used, such as a duplicate mapping key. It sets
// l.defect to the defect, or to nil. The caller has to set Cause and Reason.
func (m *merger) lineOutcome(l *lineCandidate) *outcome {
	if l.conflicts == 0 {
		l.defect = m.proof.LineMergeDefect(l.bytes, nil, m.raw.Merging(l.as, nil))
	} else {
		l.defect = m.proof.PageDefect(l.buildPage(nil))
	}
	if l.defect != nil {
		return nil
	}
	o := &outcome{Result: Result{Method: Delegated, LineConflicts: l.conflicts}, page: l.buildPage(nil), renderer: m.newRenderer()}
	o.setRender(m.markers(), func(k text.Markers) ([]byte, []Conflict) {
		b, conflicts, _ := m.raw.Merge(diff3.Options{Markers: k, As: l.as}) // it did not fail with other markers
		return b, lineConflicts(b, conflicts, k.Size)
	})
	return o
}

// lineOutcomeWithAddedConflicts returns the merge by lines l as a result with the Method Delegated. Lines that only one
// side changed are in conflict as well, so that no defect (an error such as a duplicate mapping key) is outside of the
// conflicts. Result.Refused describes the defect. lineOutcome must have set l.defect; the caller has to set Cause and
// Reason.
//
// It returns nil in these cases:
//
//   - l.defect is nil.
//   - No set of such conflicts removes all defects, or too much had to be verified.
//   - Git's merge by lines failed or has more than 1,000 conflicts.
//   - The defect is about fields that grant more together than in each side, such as verbs and resources of an RBAC
//     rule. With a conflict for each field, the user could combine fields of different sides.
func (m *merger) lineOutcomeWithAddedConflicts(l *lineCandidate) *outcome {
	switch {
	case l.defect == nil || m.isTooDifferent():
		return nil // either l has too many lines in conflict to be chosen, or too many defects
	case l.defect.Rule == verify.RuleAccess:
		return nil // with a conflict for each field, the user could combine fields of different sides
	}
	p := m.addConflictsUntilNoDefect(l.oneSided, l.buildPage)
	if p == nil {
		return nil
	}
	o := &outcome{page: p, renderer: m.newRenderer()}
	o.Result = Result{Method: Delegated, Refused: m.reasonForConflict(l.defect), LineConflicts: m.countLineConflicts()}
	m.setPage(o, p)
	return o
}

// addConflictsUntilNoDefect returns a merge by lines with a small number of additional conflicts, so that it has no
// defect, whichever side the user takes in each conflict. A defect is an error such as a duplicate mapping key. The
// result is a page: a list of text and conflicts.
//
// Each additional conflict is a range of lines that only one side changed. These are numbered from 0 to oneSided-1, and
// buildPage returns the page with conflicts for the given numbers. buildPage(nil) must have a defect.
//
// It returns nil in these cases:
//
//   - There is a defect even with all of these ranges in conflict, or there are none.
//   - buildPage returns nil.
//   - So many bytes were verified that the merge has to stop (proof.Prover.IsExhausted). All verified bytes count.
func (m *merger) addConflictsUntilNoDefect(oneSided int, buildPage func(forced []int) *page.Page) *page.Page {
	var needed []int
	for last := oneSided; ; {
		k := sort.Search(last, func(k int) bool {
			try := slices.Clone(needed)
			for i := range k + 1 {
				try = append(try, i)
			}
			p := buildPage(try)
			return p != nil && (m.proof.IsExhausted() || m.proof.HasNoDefect(p))
		})
		if k == last || m.proof.IsExhausted() {
			return nil
		}
		needed, last = append(needed, k), k
		if p := buildPage(needed); p == nil || k == 0 || m.proof.HasNoDefect(p) {
			return p
		}
	}
}
