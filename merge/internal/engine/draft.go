package engine

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Draft is a merge whose conflicts can still be decided.
type Draft struct {
	// Merged is the result of the merge without further decisions.
	Merged Result
	// Page has all conflicts, including those in ByRules. It is nil if no conflict can be decided: there is none, or the
	// conflicts of a line merge look like text of the versions.
	Page *page.Page
	// Renderer writes Page.
	Renderer *page.Renderer
	// ByRules are the conflicts that the team's rules decide, with their verdicts.
	ByRules map[*page.Conflict]page.Verdict
	// Inputs are the versions, and Proof verifies results of them.
	Inputs *read.Inputs
	Proof  *proof.Prover
	// Markers are the markers of Result. They may be changed.
	Markers text.Markers

	own            Own
	unitedLists    []plan.UnionApplied // the lists that policies decided during the merge
	earlyDecisions []Conflict
}

// NewDraft merges as Merge does by the default rules. The options Resolve and RuleSet are ignored.
func NewDraft(base, ours, theirs []byte, opts Options) (_ *Draft, err error) {
	defer recoverAsError(&err)
	opts.Resolve, opts.RuleSet = ResolveNone, DefaultRules
	if err := opts.validate(); err != nil {
		return nil, err
	}
	opts.needsOwn = new(bool)
	m := newMerger([3][]byte{base, ours, theirs}, opts)
	o, err := m.merge(ways)
	if err != nil {
		return nil, err
	}
	d := &Draft{Merged: o.Result, ByRules: map[*page.Conflict]page.Verdict{}, Markers: m.markers(), own: opts.Own, unitedLists: o.unitedLists, earlyDecisions: m.earlyDecisions}
	switch o.Method {
	case Structural:
		d.Renderer, d.Page = o.renderer, o.page
		_, ruled := m.decideVerified(d.Page, d.Renderer, m.decideByPolicy, nil)
		for _, c := range d.Page.Conflicts() {
			if v, ok := m.decideByPolicy(c); ok && len(ruled) > 0 && c.Kind != plan.ConflictEncrypted {
				d.ByRules[c] = v
			}
		}
	case Delegated:
		d.Renderer, d.Page = m.linePage(o)
	}
	d.Inputs, d.Proof = m.in, m.proof
	return d, nil
}

// linePage returns the line merge o as a page, and its renderer. If o has no page, it reads the versions of m again
// without unifying their formats, because the line merge keeps differences in format.
//
// It returns nil if the page does not yield the bytes of the result, or if a version contains conflict markers, which
// could not be distinguished from those of a conflict.
func (m *merger) linePage(o outcome) (*page.Renderer, *page.Page) {
	if slices.ContainsFunc(m.in.Raw[:], func(b []byte) bool { return text.UnresolvedConflictLine(b) > 0 }) {
		return nil, nil
	}
	r, p := o.renderer, o.page
	if p == nil {
		parts, err := m.raw.Parts(diff3.Options{Markers: m.markers(), As: diff3.Merge})
		if err != nil {
			return nil, nil
		}
		m.in = read.NewUnchanged(m.in.Raw, m.in.Names)
		r = &page.Renderer{Sources: page.Sources{Files: m.in.Files(), LineBreak: []byte(m.in.MergedFormat.LineEndOrDefault())}}
		p = page.FromLineMerge(m.in.Raw, parts, m.raw.Merging(diff3.Merge, nil))
	}
	if b, _ := writePage(m.in, r, p, m.markers()); !bytes.Equal(b, o.Bytes) {
		return nil, nil
	}
	return r, p
}

// Result returns the result of the merge with the conflicts decided that j decides.
func (d *Draft) Result(j page.Judge) Result {
	p, done := d.Page.Decide(d.Renderer, j)
	o := outcome{Result: d.Merged, renderer: d.Renderer}
	o.Resolved = slices.Concat(decidedConflicts(done), unionDecisions(d.unitedLists), d.earlyDecisions)
	o.setRender(d.Markers, func(k text.Markers) ([]byte, []Conflict) { return writePage(d.Inputs, d.Renderer, p, k) })
	return o.Result
}

// OwnSide returns the side that is the user's own. It returns false if it is not known.
func (d *Draft) OwnSide() (three.Version, bool) { return d.own.side() }

// ConflictOf returns c, with all its lines, as a Conflict whose opening marker is in a line of the result.
func (d *Draft) ConflictOf(c *page.Conflict, line int) Conflict {
	return conflictOf(d.Renderer.WholeMark(c, line))
}
