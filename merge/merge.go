package merge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Merge merges the changes base→ours and base→theirs of a YAML file.
//
// It tries an ordered list of ways and returns the first clean result: the third
// version if two are identical, a side that already contains the other side's changes,
// git's line merge if it has no defect, the merge by resource and field. If none is clean,
// it returns the file with the fewest lines between conflict markers. Versions that
// cannot be merged as YAML are left to the line merge, and Result.Reason says why. The
// error is not nil if even the line merge fails, or if an option has a value that its
// type does not define.
func Merge(base, ours, theirs []byte, opts Options) (Result, error) {
	if err := opts.validate(); err != nil {
		return Result{}, err
	}
	raw := [3][]byte{base, ours, theirs}
	if opts.RuleSet != DefaultRules {
		res, err := mergeByRuleSet(raw, opts, ruleSets[opts.RuleSet])
		switch {
		case err == nil:
			return res, nil
		case err != errEncrypted: // else by the default rules, which leave its mac in conflict
			o, err := newMerger(raw, opts).delegate(err.Error())
			return o.Result, err
		}
	}
	var bad error
	m := newMerger(raw, opts.withValidatedFuncs(&bad))
	m.elision = &defaultElision
	o, err := m.merge(ways)
	return o.Result, cmp.Or(bad, err)
}

// merger is one merge on its way.
type merger struct {
	opts Options
	in   *read.Inputs
	// proof judges what is to be written.
	proof *proof.Prover
	// raw are the versions as they came, to be merged by lines.
	raw *diff3.Versions
	// lines is the line merge; nil if it is not asked for, or has not run yet.
	lines          *lineResult
	parsed         bool       // read has parsed the versions
	encrypted      bool       // SOPS encrypted a version
	lineDefect     string     // what is wrong with the line merge, which is clean
	refusedReason  string     // why a clean result of the merge by fields was
	earlyDecisions []Conflict // what was decided before the merge: versions bumped once more, packages of a lock file
	// elision says when parts that all versions share are left out; nil if they never are.
	elision *elisionBounds
	// placeholder is the text of the keys that stand for elided entries; empty if nothing was elided.
	placeholder string
	// planWalker is the walker of the merge by field, and plan its first plan; nil before matchEntries.
	planWalker *plan.Walker
	plan       *plan.Merge
	// fieldMerge is the merge by field, nil until byField makes it; noFields says why there is none.
	fieldMerge    *outcome
	fieldMergeErr error
}

// An outcome is a result and, if it is structural, the page from which it was
// written, with all conflicts, also those that rules decided.
type outcome struct {
	Result
	page        *page.Page
	renderer    *page.Renderer
	unitedLists []plan.United
}

const tooManyReplannings = "too many parts of the merge could not be verified, the last one"

// errEncrypted is sopsReason as the error of a rule set, none of which merges such a file.
var errEncrypted = errors.New(sopsReason)

// sopsReason is why a merged file that SOPS encrypted is in conflict.
const sopsReason = "encrypted by SOPS, which alone can write the mac of what both sides changed; merge it decrypted, as docs/secrets.md shows"

// newMerger prepares a merge.
func newMerger(raw [3][]byte, opts Options) *merger {
	in := read.New(raw, opts.Names)
	m := &merger{opts: opts, in: in, proof: &proof.Prover{Inputs: in, File: opts.Path, Rules: opts.Rules.schemaOrEmpty()}}
	m.setVersions(raw)
	return m
}

// setVersions takes raw for the versions as they came.
func (m *merger) setVersions(raw [3][]byte) {
	m.in.Raw, m.raw = raw, diff3.NewVersions(raw[three.Original], raw[three.Dest], raw[three.Updated])
	lines := m.raw
	m.proof.AlignLines = sync.OnceValue(func() []diff3.Chunk {
		all := lines.Merging(diff3.Merge, nil)
		if slices.ContainsFunc(all, func(k diff3.Chunk) bool { return k.Open }) {
			return nil
		}
		return all
	})
}

// alignLines are versions to be merged by lines: those that came, if it is they.
func (m *merger) alignLines(original, dest, updated []byte) *diff3.Versions {
	raw := m.in.Raw
	if bytes.Equal(original, raw[three.Original]) && bytes.Equal(dest, raw[three.Dest]) && bytes.Equal(updated, raw[three.Updated]) {
		return m.raw
	}
	return diff3.NewVersions(original, dest, updated)
}

// conflictWholeFile returns the merge in which all of the file is in conflict, since SOPS encrypted it and there is no merge
// by field in which its mac could be.
func (m *merger) conflictWholeFile() outcome {
	o := outcome{page: &page.Page{}, renderer: m.newRenderer()}
	o.page.Add(page.Whole(m.in.Data))
	o.page.Conflicts()[0].Kind = plan.ConflictEncrypted
	o.Result = Result{Method: Structural, Reason: sopsReason, LineConflicts: m.countLineConflicts()}
	o.Bytes, o.Conflicts = m.writePage(o.renderer, o.page)
	return o
}

// mergeByField merges by resource and field: it writes the plan of w as a page, and verifies the page.
// The error says why there is no such merge.
func (m *merger) mergeByField(w *plan.Walker) (o outcome, err error) {
	m.matchEntries(w)
	merged := m.plan
	o.unitedLists, o.renderer = merged.United, m.newRenderer()
	if o.page, err = m.contestRefused(o.renderer, o.renderer.Page(merged.Documents), m.planWalker); err != nil {
		return o, err
	}
	if m.encrypted && len(o.page.Conflicts()) > 0 {
		m.lineDefect = sopsReason
	}
	p, decided := m.applyDecisions(o.renderer, o.page) // what is decided at once
	o.Result = Result{Method: Structural, Reason: m.lineDefect, Refused: m.refusedReason, LineConflicts: m.countLineConflicts()}
	o.Resolved = append(decidedConflicts(decided), unionDecisions(o.unitedLists)...)
	o.Followed = toRenames(merged.Followed)
	o.Bytes, o.Conflicts = m.writePage(o.renderer, p)
	return o, nil
}

// contestRefused is p, the page of the plan of w, as it can be proven: what is refused is contested, around the smallest
// entry, then its parent, up to the whole file. The error is why it cannot be.
func (m *merger) contestRefused(r *page.Renderer, p *page.Page, w *plan.Walker) (*page.Page, error) {
	w.Deep = true // what was taken whole may hold what is refused
	var contested plan.Contested
	var docs []plan.Document
	for wrong := m.proof.PageViolations(p); len(wrong) > 0; wrong = m.proof.PageViolations(p) {
		if !m.encrypted {
			m.refusedReason = m.refusalReason(wrong[0])
		}
		if m.proof.CountReplanning(len(wrong)); m.proof.IsExhausted() {
			return nil, errors.New(tooManyReplannings + ": " + m.describeViolation(wrong[0]))
		}
		var refused []plan.Refusal
		for _, r := range wrong {
			refused = append(refused, plan.Refusal{At: [3]text.Span(r.At[:3]), Subject: r.Subject})
		}
		if docs == nil {
			docs = w.Merge(contested).Documents
		}
		extended := w.Contest(contested, docs, refused)
		if len(extended) == len(contested) {
			wholeFile := &page.Page{}
			wholeFile.Add(page.Whole(m.in.Data))
			if refusal := m.proof.VerifyPage(wholeFile); refusal != nil {
				return nil, errors.New("the merge could not be verified: " + m.describeViolation(refusal))
			}
			return wholeFile, nil
		}
		contested, docs = extended, w.Merge(extended).Documents
		p = r.Page(docs)
	}
	// A refusal contests all that holds what it names, and often one of that is enough: the largest first.
	for _, s := range slices.SortedStableFunc(slices.Values(contested), func(a, b plan.Spot) int { return b.Size() - a.Size() }) {
		if m.proof.IsExhausted() {
			break
		}
		less := slices.DeleteFunc(slices.Clone(contested), func(x plan.Spot) bool { return x == s })
		if q := r.Page(w.Merge(less).Documents); m.proof.VerifyPage(q) == nil {
			contested, p = less, q
		}
	}
	if !m.proof.IsExhausted() {
		p = m.splitConflicts(r, p)
	}
	return p, nil
}

// splitConflicts is p with smaller conflicts where that can be proven: within a conflict, lines that one side alone changed
// merge as git's line merge does, and only what both changed stays between markers.
func (m *merger) splitConflicts(r *page.Renderer, p *page.Page) *page.Page {
	pieces := map[*page.Conflict][]page.Part{}
	for _, c := range p.Conflicts() {
		if parts := r.Pieces(c); parts != nil {
			pieces[c] = parts
		}
	}
	if len(pieces) > 0 {
		if all := p.Split(pieces); m.proof.VerifyPage(all) == nil {
			return all
		}
	}
	return p
}

// matchEntries plans the merge by field with w, unless it is planned already, and tells the verifier which
// entries of the versions the plan takes for one.
func (m *merger) matchEntries(w *plan.Walker) {
	if m.plan == nil {
		m.planWalker, m.plan = w, w.Merge(nil)
		m.proof.PairedNodes = plan.Pairs(m.plan.Documents)
	}
}

// newRenderer is what writes the pages of m.
func (m *merger) newRenderer() *page.Renderer {
	src := page.Sources{Streams: m.in.Streams, Break: []byte(m.in.Merged.LineBreak())}
	for s, st := range m.in.Streams {
		src.Files[s] = st.File
	}
	return &page.Renderer{Sources: src}
}

// newMatcher is what pairs entries by the rules of opts.
func (o Options) newMatcher() *pair.Matcher {
	return &pair.Matcher{Rules: o.Rules.schemaOrEmpty(), File: o.Path, Hasher: pair.NewHasher()}
}

// newWalker is what makes the plan of m.
func (m *merger) newWalker() *plan.Walker {
	w := plan.New(m.in.Streams, m.opts.newMatcher())
	w.Deep, w.Sealed = m.encrypted, m.encrypted
	w.Lines.Placeholder = m.placeholder
	return w
}

// writePage returns the file, with markers around the conflicts of p.
func (m *merger) writePage(r *page.Renderer, p *page.Page) ([]byte, []Conflict) {
	if len(p.Conflicts()) == 0 {
		return m.in.Write(p.Choose(three.Dest)), nil
	}
	k, form := m.markers(), m.in.Merged
	w := r.Write(p, k, form.Bom)
	if all := text.Conflicts(w.Bytes, k.Size); len(all) > 0 {
		form.Bom = form.Bom && all[0].Start > 0 // else it stands behind the marker
		form.Final = form.Final || all[len(all)-1].End == len(w.Bytes)
	}
	var conflicts []Conflict
	for _, k := range w.Marks {
		conflicts = append(conflicts, conflictOf(k))
	}
	return m.in.WriteAs(form, w.Bytes), conflicts
}

// unionDecisions are the lists that policies decided on the way.
func unionDecisions(lists []plan.United) (all []Conflict) {
	for _, d := range lists {
		all = append(all, Conflict{Path: d.Path.String(), Kind: plan.ConflictList, By: d.By})
	}
	return all
}

// toRenames are those that the other side's changes followed.
func toRenames(all []plan.Followed) (out []Rename) {
	for _, f := range all {
		r := Rename{From: f.From, To: f.To}
		if at := f.In; at != nil {
			r = Rename{From: at.String() + "[" + f.From + "]", To: at.String() + "[" + f.To + "]"}
		}
		out = append(out, r)
	}
	return out
}

// callRecovered is what f returns; a panic is an error.
func callRecovered(f func() (outcome, error)) (o outcome, err error) {
	defer recoverAsError(&err)
	return f()
}

// recoverAsError makes a panic an error.
func recoverAsError(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("internal error: %v", p)
	}
}
