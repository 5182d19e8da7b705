package merge

import (
	"bytes"
	"fmt"
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
	if opts.RuleSet == DefaultRules {
		return merge(raw, opts, shortcuts{})
	}
	res, err := mergeBySet(raw, opts, ruleSets[opts.RuleSet])
	if err != nil {
		o, err := newMerger(raw, opts).delegate(err.Error())
		return o.Result, err
	}
	return res, nil
}

func merge(raw [3][]byte, opts Options, cut shortcuts) (Result, error) {
	o, err := newMerger(raw, opts).run(cut)
	return o.Result, err
}

// run merges by the default rules. What cannot be read as YAML, and what goes
// wrong on the way, is left to the line merge.
func (m *merger) run(cut shortcuts) (o outcome, err error) {
	m.cut = cut
	if s, ok := three.PickFunc(m.in.Raw, bytes.Equal); ok && !cut.off && !cut.judged {
		return outcome{Result: Result{Bytes: m.in.Raw[s], Method: Trivial, LineConflicts: -1}}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			o, err = m.delegate(fmt.Sprintf("internal error: %v", p))
		}
	}()
	if reason := m.in.Unfit(m.opts.MaxSize); reason != "" {
		return m.delegate(reason)
	}
	if !cut.judged { // else whoever judges has done so
		m.bump()
	}
	defer func() {
		if m.bad != nil {
			o, err = outcome{}, m.bad
		}
	}()
	defer func() { o.Resolved = append(o.Resolved, m.told()...) }()
	m.in.At("leave out")
	if o, ok := m.short(); ok {
		return o, nil
	}
	if err := m.read(); err != nil {
		return m.delegate(err.Error())
	}
	return m.merged()
}

// read reads the versions, and merges them by line beside that.
func (m *merger) read() error {
	m.in.Unify(false)
	if err := m.in.ParseDeep(); err != nil {
		return err
	}
	if err := m.in.ParseRest(); err != nil {
		return err
	}
	m.lines = m.readLines()
	m.sealed = tree.Encrypted(m.in.Streams[three.Dest]) || tree.Encrypted(m.in.Streams[three.Updated])
	return nil
}

// merged is the merge of the versions that were read.
func (m *merger) merged() (o outcome, err error) {
	if m.lineMergeHolds() {
		o.Result = Result{Bytes: m.lines.bytes, Method: ByLine}
		if m.cut.judged {
			m.walked()
		}
	} else if o, err = m.structural(); err != nil {
		return o, err
	}
	if bad := m.opts.Rules.known().Err(); bad != nil {
		return m.delegate(bad.Error())
	}
	return o, nil
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

// structural merges by resource and field: the walk makes a plan, the plan is written as a page, the page is
// proven, and of that and git's line merges stands what asks least of people.
func (m *merger) structural() (outcome, error) {
	w, made := m.walked()
	o := outcome{pages: m.renderer(), united: made.United, follows: made.Followed}
	o.page = m.render(o.pages, made.Documents)
	if m.sealed && len(o.page.Conflicts()) > 0 {
		m.defect = sopsReason
	}
	why := ""
	if o.page, why = m.proven(o.pages, o.page, w); o.page == nil {
		return m.choose(nil, why)
	}
	if reason := m.in.Doubled(); reason != "" && len(o.page.Conflicts()) == 0 {
		return m.delegate(reason)
	}
	o = m.written(o)
	return m.choose(&o, "")
}

// proven is p, the page of the plan of w, as it can be proven: what is refused is contested, around the smallest
// entry, then its parent, up to the whole file; nil where nothing is left to contest, or no more is to be
// proven, and why.
func (m *merger) proven(r *page.Renderer, p *page.Page, w *walk.Walker) (_ *page.Page, why string) {
	w.Deep = true // what was taken whole may hold what is refused
	var contested walk.Contested
	for wrong := m.proof.Refusals(p); len(wrong) > 0; wrong = m.proof.Refusals(p) {
		if !m.sealed {
			m.refused = m.whyNot(wrong[0])
		}
		if m.proof.Spend(len(wrong)); m.proof.Exhausted() || m.elided != nil {
			return nil, tooManySteps + ": " + m.says(wrong[0])
		}
		m.in.At("grow")
		var refused []walk.Refusal
		for _, r := range wrong {
			refused = append(refused, walk.Refusal{At: [3]text.Span(r.At[:3]), Subject: r.Subject})
		}
		more := w.Contest(contested, w.Merge(contested).Documents, refused)
		if len(more) == len(contested) {
			return m.wholeFile()
		}
		contested = more
		p = m.render(r, w.Merge(contested).Documents)
	}
	p = m.shrunk(r, p, w, contested)
	if !m.proof.Exhausted() {
		p = m.proof.Tighten(r, p)
	}
	return p, ""
}

// wholeFile is one conflict around everything; nil where not even that is proven, and why.
func (m *merger) wholeFile() (*page.Page, string) {
	p := &page.Page{}
	p.Add(page.Whole(m.in.Data))
	if refusal := m.proof.Prove(p); refusal != nil {
		return nil, "the merge could not be verified: " + m.says(refusal)
	}
	return p, ""
}

// walked makes the plan of the merge.
func (m *merger) walked() (*walk.Walker, *walk.Merge) {
	m.in.At("walk")
	w := m.walker()
	made := w.Merge(nil)
	m.proof.Same = plan.Pairs(made.Documents)
	return w, made
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
		if q := m.render(r, w.Merge(less).Documents); m.proof.Prove(q) == nil {
			c, p = less, q
		}
	}
	return p
}

// written is a proven page with what is decided at once, as bytes.
func (m *merger) written(o outcome) outcome {
	m.in.At("write")
	p, done := m.decided(o.pages, o.page)
	o.Result = Result{Method: Structural, Reason: m.defect, Refused: m.refused, LineConflicts: m.lineConflicts}
	o.Resolved = append(decisions(done), unions(o.united)...)
	o.Followed = renames(o.follows)
	o.Bytes, o.Conflicts = m.write(o.pages, p)
	return o
}

// mostElisions is how often what was left out wrongly is put back before the files are
// merged whole.
const mostElisions = 3

// leastSize is how large a base has to be for an elision to pay.
const leastSize = 1 << 10

// short merges without what all versions have alike; false if that is not
// certain to be the same.
func (m *merger) short() (outcome, bool) {
	size := len(m.in.Raw[three.Original])
	if m.cut.off || m.cut.whole || !m.cut.eager && size < leastSize || m.opts.Resolve != ResolveNone || m.opts.LineMerge != nil {
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
	e := elide.Shorten(m.in.Raw, lines)
	for range mostElisions {
		if e == nil || !m.cut.eager && len(e.Short[three.Original]) > size*3/4 {
			break
		}
		s, misplaced, ok := m.without(e)
		if !ok {
			break
		}
		if len(misplaced) == 0 {
			return s.restored(m.lines.bytes)
		}
		e = e.Without(misplaced, m.in.Raw, lines)
	}
	return outcome{}, false
}

// without returns what merges the short versions of e, and what in these does not stand for
// anything in the whole ones; false if nobody can tell.
func (m *merger) without(e *elide.Elision) (s *merger, misplaced map[int]bool, ok bool) {
	s = newMerger([3][]byte(e.Short[:elide.Lines]), m.opts)
	s.elided = e
	s.lines = &lined{bytes: e.Short[elide.Lines], conflicts: m.lines.conflicts}
	if s.read() != nil || s.sealed || s.in.Template {
		return nil, nil, false
	}
	streams := s.in.Proof[:]
	if e.Clean {
		if s.lines.stream == nil {
			return nil, nil, false
		}
		streams = append(streams[:len(streams):len(streams)], s.lines.stream)
	}
	misplaced, ok = e.Misplaced(streams, m.proof.Rules, m.proof.Rules.Lists(m.opts.Path), m.opts.Path)
	return s, misplaced, ok
}

// restored merges the short versions, and puts back what they lack; whole is the line merge
// of the whole ones.
func (m *merger) restored(whole []byte) (o outcome, ok bool) {
	e := m.elided
	var err error // then the whole files are merged
	func() {
		defer guard(&err)
		o, err = m.merged()
	}()
	switch {
	case err != nil || e.Clean != (o.Method == ByLine), m.witness != nil && m.witness.Asked:
		return o, false
	case e.Clean:
		o.Bytes = whole
		return o, true
	}
	return o, restore(&o.Result, e)
}
