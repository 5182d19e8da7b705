package merge

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// MergeLines is the three-way merge by lines of git merge, in this process. It returns the
// merged bytes and the number of conflicts in them, marked as m asks; an error where it
// cannot merge at all, as git cannot: a NUL among the first 8000 bytes, more than 1023 MiB.
func MergeLines(base, ours, theirs []byte, m Markers) (merged []byte, conflicts int, err error) {
	return diff3.MergeLines(base, ours, theirs, diff3.Options{Markers: m, As: diff3.Merge})
}

// MergeFileLines is that of git merge-file, git checkout -m and the
// recursive strategy, which find other common lines than git merge does.
func MergeFileLines(base, ours, theirs []byte, m Markers) (merged []byte, conflicts int, err error) {
	return diff3.MergeLines(base, ours, theirs, diff3.Options{Markers: m, As: diff3.MergeFile})
}

// ResolveLines is MergeLines with all conflicts decided, as by git merge-file --ours. The
// error is that of a way to decide them that is none, too.
func ResolveLines(base, ours, theirs []byte, r Resolve) (merged []byte, err error) {
	if r == ResolveNone || r > ResolveUnion {
		return nil, fmt.Errorf("no way %d to decide all conflicts", r)
	}
	merged, _, err = diff3.MergeLines(base, ours, theirs, diff3.Options{As: diff3.Merge, Favor: favors[r]})
	return merged, err
}

// lined is a line merge with its tree.
type lined struct {
	bytes     []byte
	conflicts int
	err       error
	stream    *syntax.Stream // in the form of the versions; nil where it does not parse
}

// readLines runs the line merge, and reads what it gives as the versions were read.
func (m *merger) readLines() (l *lined) {
	if m.opts.Resolve != ResolveNone {
		return nil
	}
	if l = m.lines; l == nil {
		l = &lined{}
	}
	defer guard(&l.err)
	if m.lines == nil {
		l.bytes, l.conflicts, l.err = m.lineMerge(Markers{})
	}
	if l.err == nil && l.conflicts == 0 && m.in.Language != read.Template {
		l.stream = m.proof.ParseResult(l.bytes)
	}
	return l
}

// lineConflicts is how many conflicts the line merge has, -1 if it did not run.
func (m *merger) lineConflicts() int {
	if m.lines == nil || m.lines.err != nil {
		return -1
	}
	return m.lines.conflicts
}

func (m *merger) lineMerge(k Markers) ([]byte, int, error) {
	return m.raw.Merge(diff3.Options{Markers: k, As: diff3.Merge, Favor: favors[m.opts.Resolve]})
}

var favors = [...]diff3.Favor{
	ResolveNone: diff3.FavorNone, ResolveOurs: diff3.FavorOurs, ResolveTheirs: diff3.FavorTheirs, ResolveUnion: diff3.FavorUnion,
}

// delegate takes the line merge's result as it is, for a reason.
func (m *merger) delegate(reason string) (outcome, error) {
	b, conflicts, err := m.lineMerge(m.markers())
	if err != nil {
		return outcome{}, err
	}
	return outcome{Result: DelegatedResult(b, conflicts, m.markers().Size, reason)}, nil
}

// DelegatedResult is a line merge as the Result of a merge that was left to it for
// the reason: merged has so many conflicts, and markers of size characters.
func DelegatedResult(merged []byte, conflicts, size int, reason string) Result {
	res := Result{Bytes: merged, Method: Delegated, Reason: reason, LineConflicts: conflicts}
	if conflicts > 0 {
		res.Conflicts = make([]Conflict, conflicts)
	}
	for i := range res.Conflicts {
		res.Conflicts[i].Kind = ConflictLine
	}
	for i, c := range text.Conflicts(merged, size) {
		if i < conflicts {
			res.Conflicts[i].Line = c.Line
		}
	}
	return res
}

func (m *merger) markers() Markers {
	k := Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
	if m.opts.Markers != nil {
		k = m.opts.Markers()
	}
	return k
}

// errByLine is why the line merge stands though the merge by field was proven.
var errByLine = errors.New("that leaves fewer lines in conflict")

// choose returns the candidate with the fewest lines to be read, the first of equals: the merge by field, nil where
// there is none that was proven, for the reason why; the line merge of git merge; that of git merge-file, which
// finds other common lines. A line merge stands if nothing is wrong with it outside of its conflicts; else what is
// wrong is in conflict too.
//
//	a: 1          <<<<<<< ours     of a key that both sides added, each at a place of its own,
//	k: 1   →      k: 1             where git's merge would leave both
//	b: 1          =======
//	k: 2          k: 2
//	              >>>>>>> theirs
//
// A merge by field that asks about multiplied fields is always returned: the line merge does not say what
// is asked, and often asks about one of the fields only.
//
// Where there is no candidate, the error is why.
func (m *merger) choose() (outcome, error) {
	fields, why := m.fields, m.noFields
	if why != nil {
		fields = nil
	}
	if fields != nil && (len(fields.Conflicts) == 0 || m.lineConflicts() < 0 || m.sealed || fields.multiplies()) {
		return *fields, nil
	}
	best, least := fields, math.MaxInt
	if fields != nil {
		why = errByLine
		least = m.toRead(fields.page, fields.Bytes)
	}
	var merges []*lineCandidate
	for _, as := range [...]diff3.As{diff3.Merge, diff3.MergeFile} {
		if l := m.lineCandidate(as); l != nil && !(fields != nil && l.page(nil).SplitsIndivisible(fields.page)) && (len(merges) == 0 || !bytes.Equal(l.bytes, merges[0].bytes)) {
			merges = append(merges, l)
		}
	}
	for _, l := range merges {
		if l.toRead < least {
			if o := m.asGit(l); o != nil {
				best, least = o, l.toRead
			}
		}
	}
	for _, l := range merges {
		if l.toRead < least {
			if o := m.mended(l); o != nil {
				if n := m.toRead(o.page, o.Bytes); n < least {
					best, least = o, n
				}
			}
		}
	}
	switch {
	case best == nil:
		return outcome{}, why
	case best != fields:
		best.Reason = why.Error()
	}
	return *best, nil
}

// multiplies reports whether o has a conflict of multiplied fields.
func (o *outcome) multiplies() bool {
	return slices.ContainsFunc(o.Conflicts, func(c Conflict) bool { return c.Kind == ConflictMultiplied })
}

// toRead is how many lines of both sides the page p, written as b, asks people to read: all in conflict, but those that
// stand between markers only so that no item is cut.
func (m *merger) toRead(p *page.Page, b []byte) int {
	k := m.markers()
	return text.CountConflictLines(b, k.Size) - p.CountItemLines(k.Style)
}

// A lineCandidate is a line merge as git does it.
type lineCandidate struct {
	bytes     []byte
	conflicts int
	toRead    int // lines
	// page is the merge with these changes of one side alone, of n, in conflict too; nil where there is none.
	page   func(contested []int) *page.Page
	n      int
	as     diff3.As
	defect *verify.Violation // what is wrong with it outside of its conflicts, once it is known
}

func (m *merger) lineCandidate(as diff3.As) *lineCandidate {
	k, data := m.markers(), m.in.Data
	b, conflicts, err := m.raw.Merge(diff3.Options{Markers: k, As: as})
	if err != nil {
		return nil
	}
	v := m.aligned(data[three.Original], data[three.Dest], data[three.Updated])
	l := &lineCandidate{as: as, bytes: b, conflicts: conflicts, n: v.CountOneSided(as)}
	l.page = func(contested []int) *page.Page {
		parts, err := v.Parts(diff3.Options{Markers: k, As: as, Contested: contested})
		if err != nil {
			return nil
		}
		return page.FromLineMerge(data, parts, v.Merging(as, contested))
	}
	p := l.page(nil)
	if p == nil {
		return nil
	}
	l.toRead = m.toRead(p, l.bytes)
	return l
}

// asGit is the line merge as it stands; nil where something is wrong with it.
func (m *merger) asGit(l *lineCandidate) *outcome {
	if l.conflicts == 0 {
		l.defect = m.proof.LineMergeDefect(l.bytes, nil, m.raw.Merging(l.as, nil))
	} else {
		l.defect = m.proof.PageDefect(l.page(nil))
	}
	if l.defect != nil {
		return nil
	}
	res := DelegatedResult(l.bytes, l.conflicts, m.markers().Size, "")
	return &outcome{Result: res, page: l.page(nil), pages: m.renderer()}
}

// mended is the line merge with what is wrong with it in conflict too; nil where that cannot be.
func (m *merger) mended(l *lineCandidate) *outcome {
	switch {
	case l.defect == nil || m.torn():
		return nil // it was not looked for, as it asked more, or there is too much to mend
	case l.defect.Rule == verify.RuleMultiplied:
		return nil // in conflicts of their own, each field could be taken from another side
	}
	p := m.mend(l.n, l.page)
	if p == nil {
		return nil
	}
	o := &outcome{page: p, pages: m.renderer()}
	o.Result = Result{Method: Delegated, Refused: m.whyNot(l.defect), LineConflicts: m.lineConflicts()}
	o.Bytes, o.Conflicts = m.write(o.pages, p)
	return o
}

// mend finds which of n changes, which a line merge took from one side each, have to be in conflict so that nothing
// is wrong with it, whichever side is taken, as something is with none of them: as few as one look after the other finds.
// It returns the merge with these; nil where it is wrong with all of them, or where no more is to be proven.
//
// Of the changes up to the last that is needed, that one is: it is looked for by halves, then the next
// one before it.
func (m *merger) mend(n int, with func(contested []int) *page.Page) *page.Page {
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
