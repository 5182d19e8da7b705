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

// A lineResult is the result of git's line merge.
type lineResult struct {
	bytes     []byte
	conflicts int
	err       error
	stream    *syntax.Stream // the parsed result, in the format of the versions; nil if it was not or cannot be parsed
}

// parseLineMerge runs the line merge, unless m.lines has its bytes already, and parses it if it is clean. An error or
// a panic is returned in the field err. It returns nil if Options.Resolve is set.
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

// countLineConflicts returns the number of conflicts of the line merge, or -1 if it did not run or failed.
func (m *merger) countLineConflicts() int {
	if m.lines == nil || m.lines.err != nil {
		return -1
	}
	return m.lines.conflicts
}

// runLineMerge returns git's line merge of the versions and the number of its conflicts, after applying
// Options.Resolve.
func (m *merger) runLineMerge(k text.Markers) ([]byte, int, error) {
	return m.raw.Merge(diff3.Options{Markers: k, As: diff3.Merge, Favor: favors[m.opts.Resolve]})
}

// favors translates Resolve for the line merge.
var favors = [...]diff3.Favor{
	ResolveNone: diff3.FavorNone, ResolveOurs: diff3.FavorOurs, ResolveTheirs: diff3.FavorTheirs, ResolveUnion: diff3.FavorUnion,
}

// delegate returns the line merge as the result. reason is why the versions are not merged as YAML; it may have a cause
// (see withCause).
func (m *merger) delegate(reason error) (outcome, error) {
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

// lineConflicts returns the conflicts of a line merge. merged has the given number of conflicts, with markers of size
// characters. The conflicts have only Kind and Line.
func lineConflicts(merged []byte, conflicts, size int) (all []Conflict) {
	if conflicts > 0 {
		all = make([]Conflict, conflicts)
	}
	for i := range all {
		all[i].Kind = plan.ConflictLine
	}
	for i, c := range text.Conflicts(merged, size) {
		if i < conflicts {
			all[i].Line = c.Line
		}
	}
	return all
}

// markers returns the markers of the options, or the default markers.
func (m *merger) markers() text.Markers { return m.opts.markers() }

// errFewerLines is the reason for choosing a line merge although there is a merge by field.
var errFewerLines = withCause(CauseFewerLines, errors.New("that leaves fewer lines in conflict"))

// tryFewestLines returns the candidate with the fewest lines in conflict, and of equal ones the first. The candidates
// are, in this order:
//
//  1. the merge by field, if it passed verification
//  2. the line merge of git merge, if it has no defect outside of its conflicts
//  3. the line merge of git merge-file, which aligns other lines, under the same condition
//  4. these line merges with additional conflicts around the defects
//
// Example of a defect: both sides added the key k to a mapping, at different places. Git's clean merge has both,
// which is a duplicate key. With an additional conflict, each side has one.
//
//	git merge   lines in conflict
//	a: 1        ours    theirs
//	k: 1        k: 1    k: 2
//	b: 1
//	k: 2
//
// A merge by field that is encrypted, is clean, or has a conflict about multiplied fields is always returned. A line
// merge does not mention multiplied fields, and often has only one of them in conflict.
//
// If there is no candidate, the error is that of the merge by field. If a line merge is chosen, Result.Reason is the
// same error, or errFewerLines.
func (m *merger) tryFewestLines() (outcome, error) {
	fieldMerge, fieldErr := m.fieldMerge, m.fieldMergeErr
	if fieldErr != nil {
		fieldMerge = nil
	}
	if fieldMerge != nil && (len(fieldMerge.Conflicts) == 0 || m.countLineConflicts() < 0 || m.encrypted || fieldMerge.hasMultipliedFields()) {
		return *fieldMerge, nil
	}
	best, fewest := fieldMerge, math.MaxInt
	if fieldMerge != nil {
		fieldErr = errFewerLines
		fewest = m.countLinesToRead(fieldMerge.page, fieldMerge.Bytes)
	}
	var candidates []*lineCandidate
	for _, as := range [...]diff3.As{diff3.Merge, diff3.MergeFile} {
		if l := m.newLineCandidate(as); l != nil && !(fieldMerge != nil && l.page(nil).SplitsIndivisible(fieldMerge.page)) && (len(candidates) == 0 || !bytes.Equal(l.bytes, candidates[0].bytes)) {
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
			if o := m.repairedOutcome(l); o != nil {
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

// hasMultipliedFields reports whether o has a conflict about multiplied fields.
func (o *outcome) hasMultipliedFields() bool {
	return slices.ContainsFunc(o.Conflicts, func(c Conflict) bool { return c.Kind == plan.ConflictMultiplied })
}

// countLinesToRead returns the number of lines of both sides that the user has to compare in p, which was written as
// b: all lines in conflict except those that are between the markers only to keep an item in one piece.
func (m *merger) countLinesToRead(p *page.Page, b []byte) int {
	k := m.markers()
	return text.CountConflictLines(b, k.Size) - p.CountItemLines(k.Style)
}

// A lineCandidate is a line merge by one of git's two algorithms.
type lineCandidate struct {
	bytes       []byte
	conflicts   int
	linesToRead int // see countLinesToRead
	// page returns the line merge as a page, with some chunks in conflict that only one side changed. forced has
	// the numbers of these chunks, from 0 to oneSided-1. page returns nil if the line merge fails.
	page     func(forced []int) *page.Page
	oneSided int
	as       diff3.As
	defect   *verify.Violation // a defect outside of its conflicts; nil if there is none, or before lineOutcome
}

// newLineCandidate returns the line merge by the algorithm as, or nil if it fails. It ignores Options.Resolve.
func (m *merger) newLineCandidate(as diff3.As) *lineCandidate {
	k, data := m.markers(), m.in.Data
	b, conflicts, err := m.raw.Merge(diff3.Options{Markers: k, As: as})
	if err != nil {
		return nil
	}
	v := m.alignLines(data[three.Original], data[three.Dest], data[three.Updated])
	l := &lineCandidate{as: as, bytes: b, conflicts: conflicts, oneSided: v.CountOneSided(as)}
	l.page = func(forced []int) *page.Page {
		parts, err := v.Parts(diff3.Options{Markers: k, As: as, ForcedConflicts: forced})
		if err != nil {
			return nil
		}
		return page.FromLineMerge(data, parts, v.Merging(as, forced))
	}
	p := l.page(nil)
	if p == nil {
		return nil
	}
	l.linesToRead = m.countLinesToRead(p, l.bytes)
	return l
}

// lineOutcome returns the result for l without changes. If l has a defect, it sets l.defect and returns nil.
func (m *merger) lineOutcome(l *lineCandidate) *outcome {
	if l.conflicts == 0 {
		l.defect = m.proof.LineMergeDefect(l.bytes, nil, m.raw.Merging(l.as, nil))
	} else {
		l.defect = m.proof.PageDefect(l.page(nil))
	}
	if l.defect != nil {
		return nil
	}
	o := &outcome{Result: Result{Method: Delegated, LineConflicts: l.conflicts}, page: l.page(nil), renderer: m.newRenderer()}
	o.setRender(m.markers(), func(k text.Markers) ([]byte, []Conflict) {
		b, conflicts, _ := m.raw.Merge(diff3.Options{Markers: k, As: l.as}) // it did not fail with other markers
		return b, lineConflicts(b, conflicts, k.Size)
	})
	return o
}

// repairedOutcome returns the result for l with additional conflicts around its defects, or nil if that is
// impossible. It also returns nil if lineOutcome did not look for defects, if the versions are too different, or if
// the defect is about multiplied fields.
func (m *merger) repairedOutcome(l *lineCandidate) *outcome {
	switch {
	case l.defect == nil || m.isTooDifferent():
		return nil // either l has too many lines in conflict to be chosen, or too many defects
	case l.defect.Rule == verify.RuleMultiplied:
		return nil // with a conflict for each field, the user could combine fields of different sides
	}
	p := m.forceDefectConflicts(l.oneSided, l.page)
	if p == nil {
		return nil
	}
	o := &outcome{page: p, renderer: m.newRenderer()}
	o.Result = Result{Method: Delegated, Refused: m.refusalReason(l.defect), LineConflicts: m.countLineConflicts()}
	m.setPage(o, p)
	return o
}

// forceDefectConflicts returns the page of a line merge with a small number of additional conflicts so that it has no
// defect, whichever sides the user takes. with returns the page for a set of additional conflicts; each of them is
// the number of a chunk that only one side changed, from 0 to n-1. Without additional conflicts, the line merge must
// have a defect.
//
// The search takes the shortest prefix of the chunks without a defect. Its last chunk is necessary. The search then
// continues with the chunks before it, until the necessary chunks suffice. Prefixes are searched by bisection.
//
// It returns nil if there is a defect even with all chunks in conflict, or if the verifier reaches its limit.
func (m *merger) forceDefectConflicts(n int, with func(forced []int) *page.Page) *page.Page {
	var needed []int
	for last := n; ; {
		k := sort.Search(last, func(k int) bool {
			try := slices.Clone(needed)
			for i := range k + 1 {
				try = append(try, i)
			}
			p := with(try)
			return p != nil && (m.proof.IsExhausted() || m.proof.HasNoDefect(p))
		})
		if k == last || m.proof.IsExhausted() {
			return nil
		}
		needed, last = append(needed, k), k
		if p := with(needed); p == nil || k == 0 || m.proof.HasNoDefect(p) {
			return p
		}
	}
}
