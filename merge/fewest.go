package merge

import (
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// byLine is why the line merge stands though the merge by field was proven.
const byLine = "that leaves fewer lines in conflict"

// fewest is o, or the line merge where that asks people less, and nothing is wrong with it
// outside of its conflicts: that of git merge, or of git merge-file, which finds other common
// lines. So no file has more lines than git's, unless git's asks about what nobody disputes, or cuts
// items that both sides added.
func (m *merger) fewest(o outcome) (outcome, error) {
	if m.cut.fields || len(o.Conflicts) == 0 || m.lines == nil || m.lines.err != nil || m.sealed {
		return o, nil
	}
	k := m.markers()
	best := rank{m.proof.OneSided(o.page), conflict.Lines(o.Bytes, k.Size) - o.page.Whole(k.Style)}
	others := []diff3.As{diff3.Merge, diff3.MergeFile}
	if m.lines.conflicts > mostConflicts {
		others = others[:1] // that of git merge-file takes the longest of all where so much differs
	}
	for _, as := range others {
		b, conflicts, err := m.raw.Merge(diff3.Options{Markers: k, As: as})
		if err != nil {
			continue
		}
		r, ok := m.rankLines(as, b, conflicts, best)
		if !ok {
			continue
		}
		if m.elided != nil {
			return o, errors.New(byLine)
		}
		best, o = r, m.byLines(b, conflicts, byLine)
	}
	return o, nil
}

// A rank says how much of people a file with conflicts asks.
type rank struct {
	oneSided int // edits that one side alone made, and that stand in a conflict
	lines    int // of both sides between markers
}

// weight is as how many lines an edit counts that stands in a conflict though nobody disputes
// it: it is lost with an answer that is about something else. To count it before all lines was
// tried, and made conflicts of hundreds of lines to keep one such edit out of a small one.
const weight = 8

// before reports whether r asks less than x.
func (r rank) before(x rank) bool {
	return r.lines+weight*r.oneSided < x.lines+weight*x.oneSided
}

// rankLines ranks the line merge b, if it asks less than best and nothing is wrong with it
// outside of its conflicts; with more than mostConflicts nobody looks.
func (m *merger) rankLines(as diff3.As, b []byte, conflicts int, best rank) (r rank, ok bool) {
	if r.lines = conflict.Lines(b, m.markers().Size); !r.before(best) || conflicts > mostConflicts {
		return r, r.before(best)
	}
	data := m.in.Data
	parts, err := m.aligned(data[three.Original], data[three.Dest], data[three.Updated]).Parts(diff3.Options{As: as})
	if err != nil {
		return r, false
	}
	p := page.OfLines(data, parts)
	if len(p.Conflicts()) == 0 {
		return r, m.proof.Flawed(b, nil) == nil
	}
	r.oneSided = m.proof.OneSided(p)
	return r, r.before(best) && m.proof.Defect(p) == nil
}
