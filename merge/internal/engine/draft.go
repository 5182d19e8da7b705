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

// A Draft is a merge whose conflicts can still be decided, one by one. Package merge asks the user about them.
type Draft struct {
	// Merged is the result of the merge without further decisions: the same as that of Merge.
	Merged Result
	// Page is the merged file as a list of text and conflicts. It has all conflicts, including those in ByRules. It is
	// one text if no conflict can be decided: Merged has none or, if a version contains conflict markers itself, it is
	// git's merge by lines.
	Page *page.Page
	// Renderer writes Page as a file.
	Renderer *page.Renderer
	// ByRules are the conflicts of Page that the team's rules decide, each with the text that replaces it and the
	// rule.
	ByRules map[*page.Conflict]page.Verdict
	// Own is the side that is the user's own work, as in Options.Own.
	Own three.Optional
	// Inputs are the versions, and Proof verifies results of them.
	Inputs *read.Inputs
	Proof  *proof.Prover
	// Markers are the style, size and labels of the conflict markers in results of Draft.Result. They may be changed.
	Markers text.Markers

	unitedLists    []plan.UnionApplied // the lists that policies decided during the merge
	earlyDecisions []Conflict
}

// NewDraft merges the changes of ours and theirs to base, and keeps the merged file with its conflicts, so that the
// user can decide them. It uses the default rules: the options Resolve and Kustomize are ignored. It fails for an
// invalid option, a binary or too large version, or a panic.
func NewDraft(base, ours, theirs []byte, opts Options) (_ *Draft, err error) {
	defer recoverAsError(&err)
	opts.Resolve, opts.Kustomize = diff3.FavorNone, false
	if err := opts.validate(); err != nil {
		return nil, err
	}
	opts.needsOwn = new(bool) // policies set it if they need the unknown own side
	m := newMerger([3][]byte{base, ours, theirs}, opts)
	o, err := m.merge(ways)
	if err != nil {
		return nil, err
	}
	d := &Draft{
		Merged: o.Result, ByRules: map[*page.Conflict]page.Verdict{}, Own: opts.Own, Inputs: m.in, Proof: m.proof,
		Markers: m.opts.markers(), unitedLists: o.unitedLists, earlyDecisions: m.earlyDecisions,
	}
	if o.Method != Structural {
		d.setLinePage(o, m.raw)
		return d, nil
	}
	d.Renderer, d.Page = o.renderer, o.page
	_, decisions := m.decideVerified(d.Page, d.Renderer, m.decideByPolicy, nil)
	for _, decision := range decisions {
		d.ByRules[decision.Conflict] = decision.Verdict
	}
	return d, nil
}

// setLinePage sets d.Page and d.Renderer for o, a merge by lines, so that the user can decide its conflicts. raw are
// the versions. If a version has conflict markers itself, or if no page has the bytes of o, the page is one text, in
// which nothing can be decided. d.Inputs and d.Markers must be set; d.Inputs may change.
func (d *Draft) setLinePage(o outcome, raw *diff3.Versions) {
	r, p := o.renderer, o.page
	if p == nil {
		// git's merge by lines keeps differences in line ends
		d.Inputs = read.NewUnchanged(d.Inputs.Raw, d.Inputs.Names)
		r = &page.Renderer{Files: d.Inputs.Files(), LineBreak: []byte(d.Inputs.MergedFormat.LineEndOrDefault())}
		parts, _ := raw.Parts(diff3.Options{Markers: d.Markers, As: diff3.Merge}) // none if it fails
		p = page.FromLineMerge(d.Inputs.Raw, parts, raw.MergeChunks(diff3.Merge, nil))
	}
	hasMarkers := slices.ContainsFunc(d.Inputs.Raw[:], func(b []byte) bool { return text.UnresolvedConflictLine(b) > 0 })
	d.Renderer, d.Page = r, p
	if b, _ := writePage(d.Inputs, r, p, d.Markers); hasMarkers || !bytes.Equal(b, o.Bytes) {
		d.Renderer, d.Page = &page.Renderer{}, &page.Page{Parts: []page.Part{{Text: o.Bytes}}}
	}
}

// Result returns the result of the merge with the conflicts of d.Page decided by decide. Conflicts for which decide
// returns false, or about the mac of SOPS, remain. The result is not verified, and d does not change.
func (d *Draft) Result(decide page.Judge) Result {
	if len(d.Page.Conflicts()) == 0 {
		return d.Merged // its conflicts, if there are any, cannot be decided
	}
	p, done := d.Page.Decide(d.Renderer, decide)
	o := outcome{Result: d.Merged, renderer: d.Renderer}
	o.Resolved = slices.Concat(decidedConflicts(done), unionDecisions(d.unitedLists), d.earlyDecisions)
	o.setRender(d.Markers, func(k text.Markers) ([]byte, []Conflict) { return writePage(d.Inputs, d.Renderer, p, k) })
	return o.Result
}

// ConflictOf returns conflict c of d.Page, with all lines of its versions, as a Conflict for the user. line is the
// line of its opening marker in the result, from 1, or 0 if it is decided.
func (d *Draft) ConflictOf(c *page.Conflict, line int) Conflict {
	return conflictOf(d.Renderer.WholeMark(c, line))
}
