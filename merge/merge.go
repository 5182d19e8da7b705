package merge

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/walk"
)

// Merge merges the changes base→ours and base→theirs of a YAML file.
//
// The result is decided by the first row that holds: two equal inputs give
// the third; a line merge that is clean and right is taken as it is; else the
// merge by resource and field, clean or with markers around what both sides
// changed differently. What cannot be merged as YAML is left to the line
// merge, and Result.Reason says why. The error is not nil only where even
// the line merge failed, or where an option has a value that its type does not have.
func Merge(base, ours, theirs []byte, opts Options) (Result, error) {
	if err := opts.err(); err != nil {
		return Result{}, err
	}
	raw := [3][]byte{base, ours, theirs}
	if opts.RuleSet != DefaultRules {
		res, err := mergeBySet(raw, opts, ruleSets[opts.RuleSet])
		if err == nil {
			return res, nil
		}
		o, err := newMerger(raw, opts).delegate(err.Error())
		return o.Result, err
	}
	var bad error
	m := newMerger(raw, opts.watched(&bad))
	o, err := m.merge(m.shortest)
	return o.Result, cmp.Or(bad, err)
}

// merge is the way from bytes to bytes by the default rules: the first row of the table of docs/architecture.md that
// holds. By is how what has to be read is merged. What cannot be, for whatever reason, is left to the line merge.
func (m *merger) merge(by func() (outcome, error)) (outcome, error) {
	if s, ok := three.PickFunc(m.in.Raw, bytes.Equal); ok {
		return outcome{Result: Result{Bytes: m.in.Raw[s], Method: Trivial, LineConflicts: -1}}, nil
	}
	if reason := m.in.Unfit(); reason != "" {
		return m.delegate(reason)
	}
	o, err := guarded(func() (outcome, error) {
		m.bump()
		return by()
	})
	if err != nil {
		o, err = m.delegate(err.Error())
	}
	o.Resolved = append(o.Resolved, m.told()...)
	return o, err
}

// shortest merges the versions without what all have alike, or whole where that is not certain to be the same.
func (m *merger) shortest() (outcome, error) {
	if o, ok := m.short(leastSize, mostLeft); ok {
		return o, nil
	}
	return m.whole()
}

// whole merges the versions as they are. The error is why they are left to the line merge.
func (m *merger) whole() (outcome, error) {
	if err := m.read(); err != nil {
		return outcome{}, err
	}
	m.lines = m.readLines()
	return m.merged()
}

// read reads the versions.
func (m *merger) read() error {
	m.in.Unify(false)
	if err := m.in.Parse(); err != nil {
		return err
	}
	m.sealed = tree.Encrypted(m.in.Streams[three.Dest]) || tree.Encrypted(m.in.Streams[three.Updated])
	return nil
}

// merged is the merge of the versions that were read, and merged by lines.
func (m *merger) merged() (o outcome, err error) {
	s, ok := m.remade(byLines)
	if !ok {
		if o, err = m.unmade(); o.Method != ByLine && !m.proof.Exhausted() {
			s, ok = m.remade(m.byRules)
		}
	}
	if ok {
		return m.taken(s), m.opts.Rules.known().Err()
	}
	return o, err
}

// unmade is the merge of versions of which none is what a merge of the other makes.
func (m *merger) unmade() (o outcome, err error) {
	if m.lineMergeHolds() {
		o.Result = Result{Bytes: m.lines.bytes, Method: ByLine}
	} else if o, err = m.structural(); err != nil {
		return o, err
	}
	return o, m.opts.Rules.known().Err()
}

// lineMergeHolds reports whether the line merge is clean and right.
func (m *merger) lineMergeHolds() bool {
	l := m.lines
	if l == nil || l.err != nil {
		return false
	}
	m.lineConflicts = l.conflicts
	if l.conflicts > 0 || m.sealed {
		return false
	}
	refusal := l.refusal
	if refusal == nil {
		refusal = m.proof.Flawed(l.bytes, l.stream)
	}
	if refusal != nil {
		m.defect = m.says(refusal)
	}
	return refusal == nil
}

// structural merges by resource and field, and of that and git's line merges takes what asks least of people.
func (m *merger) structural() (outcome, error) {
	fields, err := m.byFields(m.walker())
	if s, ok := m.complete(); ok {
		return m.taken(s), nil
	}
	if err != nil {
		return m.choose(nil, err)
	}
	if err := m.doubled(fields); err != nil {
		return outcome{}, err
	}
	return m.choose(&fields, nil)
}

// doubled is why o may not be written though it was proven: it is clean, and a side has a key twice in a mapping, so that
// most readers refuse the file.
func (m *merger) doubled(o outcome) error {
	if reason := m.in.Doubled(); reason != "" && o.page != nil && len(o.page.Conflicts()) == 0 {
		return errors.New(reason)
	}
	return nil
}

// byFields merges by resource and field: w makes a plan, the plan is written as a page, and the page is proven.
// The error is why there is no such merge.
func (m *merger) byFields(w *walk.Walker) (o outcome, err error) {
	made := m.walked(w)
	o.united, o.follows, o.pages = made.United, made.Followed, m.renderer()
	page, err := m.proven(o.pages, o.pages.Page(made.Documents), w)
	if err != nil {
		return o, err
	}
	if m.sealed && len(page.Conflicts()) > 0 {
		m.defect = sopsReason
	}
	o.page = page
	return m.written(o), nil
}

// proven is p, the page of the plan of w, as it can be proven: what is refused is contested, around the smallest
// entry, then its parent, up to the whole file. The error is why it cannot be.
func (m *merger) proven(r *page.Renderer, p *page.Page, w *walk.Walker) (*page.Page, error) {
	w.Deep = true // what was taken whole may hold what is refused
	var contested walk.Contested
	for wrong := m.proof.Refusals(p); len(wrong) > 0; wrong = m.proof.Refusals(p) {
		if !m.sealed {
			m.refused = m.whyNot(wrong[0])
		}
		if m.proof.Spend(len(wrong)); m.proof.Exhausted() || m.elided != nil {
			return nil, errors.New(tooManySteps + ": " + m.says(wrong[0]))
		}
		var refused []walk.Refusal
		for _, r := range wrong {
			refused = append(refused, walk.Refusal{At: [3]text.Span(r.At[:3]), Subject: r.Subject})
		}
		more := w.Contest(contested, w.Merge(contested).Documents, refused)
		if len(more) == len(contested) {
			return m.wholeFile()
		}
		contested = more
		p = r.Page(w.Merge(contested).Documents)
	}
	p = m.shrunk(r, p, w, contested)
	if !m.proof.Exhausted() {
		p = m.proof.Tighten(r, p)
	}
	return p, nil
}

// wholeFile is one conflict around everything; the error is why not even that is proven.
func (m *merger) wholeFile() (*page.Page, error) {
	p := &page.Page{}
	p.Add(page.Whole(m.in.Data))
	if refusal := m.proof.Prove(p); refusal != nil {
		return nil, errors.New("the merge could not be verified: " + m.says(refusal))
	}
	return p, nil
}

// walked is the plan that w makes, and what it takes for one thing is from then on.
func (m *merger) walked(w *walk.Walker) *walk.Merge {
	made := w.Merge(nil)
	m.proof.Same = plan.Pairs(made.Documents)
	return made
}

// shrunk is p, for which c is contested, without what need not be, the largest first: a refusal
// contests all that holds what it names, and often one of that is enough.
func (m *merger) shrunk(r *page.Renderer, p *page.Page, w *walk.Walker, c walk.Contested) *page.Page {
	bySize := slices.SortedStableFunc(slices.Values(c), func(a, b walk.Spot) int { return b.Size() - a.Size() })
	for _, s := range bySize {
		if m.proof.Exhausted() {
			break
		}
		less := slices.DeleteFunc(slices.Clone(c), func(x walk.Spot) bool { return x == s })
		if q := r.Page(w.Merge(less).Documents); m.proof.Prove(q) == nil {
			c, p = less, q
		}
	}
	return p
}

// written is a proven page with what is decided at once, as bytes.
func (m *merger) written(o outcome) outcome {
	p, done := m.decided(o.pages, o.page)
	o.Result = Result{Method: Structural, Reason: m.defect, Refused: m.refused, LineConflicts: m.lineConflicts}
	o.Resolved = append(decisions(done), unions(o.united)...)
	o.Followed = renames(o.follows)
	o.Bytes, o.Conflicts = m.write(o.pages, p)
	return o
}

// leastSize is how large a base has to be for an elision to pay.
const leastSize = 1 << 10

// mostLeft is how much of a base, in quarters, may be left by an elision that pays.
const mostLeft = 3

// short merges without what all versions have alike, a base of the least size or more, of which so much is left; false if that is not
// certain to be the same.
func (m *merger) short(least, quarters int) (outcome, bool) {
	size := len(m.in.Raw[three.Original])
	if size < least || m.opts.Resolve != ResolveNone {
		return outcome{}, false
	}
	lines, err := m.raw.Shared(diff3.Merge)
	m.lines = &lined{err: err}
	if err != nil {
		return outcome{}, false
	}
	m.lines.bytes, m.lines.conflicts = lines.Bytes, lines.Conflicts
	if m.opts.Markers != nil {
		m.opts.Markers = sync.OnceValue(m.opts.Markers)
	}
	e := elide.Shorten(m.in.Raw, lines, m.proof.Rules.Lists(m.opts.Path))
	if e == nil || len(e.Short[three.Original]) > size*quarters/4 {
		return outcome{}, false
	}
	s := newMerger([3][]byte(e.Short[:elide.Lines]), m.opts)
	s.elided = e
	s.lines = &lined{bytes: e.Short[elide.Lines], conflicts: m.lines.conflicts}
	if s.read() != nil || s.sealed || s.in.Template {
		return outcome{}, false
	}
	s.lines = s.readLines()
	streams := s.in.Proof[:]
	if e.Clean {
		streams = append(streams[:len(streams):len(streams)], s.lines.stream)
	}
	if slices.Contains(streams, nil) || !e.Placed(streams) {
		return outcome{}, false
	}
	layout := tree.LayoutOf(s.in.Streams[three.Original])
	for _, st := range s.in.Streams {
		if !e.Clean && tree.LayoutOf(st) != layout {
			return outcome{}, false
		}
	}
	return s.restored(m.lines.bytes)
}

// restored merges the short versions, and puts back what they lack; whole is the line merge
// of the whole ones.
func (m *merger) restored(whole []byte) (o outcome, ok bool) {
	e := m.elided
	o, err := guarded(m.merged)
	switch {
	case err != nil || e.Clean != (o.Method == ByLine), m.witness != nil && m.witness.Asked:
		return o, false
	case e.Clean:
		o.Bytes = whole
		return o, true
	}
	return o, restore(&o.Result, e)
}
