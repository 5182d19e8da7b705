package merge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
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
		switch {
		case err == nil:
			return res, nil
		case err != errEncrypted: // else by the default rules, which leave its mac in conflict
			o, err := newMerger(raw, opts).delegate(err.Error())
			return o.Result, err
		}
	}
	var bad error
	m := newMerger(raw, opts.watched(&bad))
	o, err := m.merge(m.shortest)
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
	lines   *lined
	sealed  bool       // SOPS encrypted a version
	defect  string     // what is wrong with the line merge, which is clean
	refused string     // why a clean result of the merge by fields was
	told    []Conflict // what was decided before the merge: versions bumped once more, packages of a lock file
	// elided says what the inputs lack; nil if nothing. Where they lack something,
	// the merge of the rest is sure or none.
	elided *elide.Elision
	// witness is what lines tell of what is one thing; nil before the walk.
	witness *pair.Lines
}

// An outcome is a result and, if it is structural, the page from which it was
// written, with all conflicts, also those that rules decided.
type outcome struct {
	Result
	page   *page.Page
	pages  *page.Renderer
	united []plan.United
}

const tooManySteps = "too many parts of the merge could not be verified, the last one"

// errEncrypted is sopsReason as the error of a rule set, none of which merges such a file.
var errEncrypted = errors.New(sopsReason)

// sopsReason is why a merged file that SOPS encrypted is in conflict.
const sopsReason = "encrypted by SOPS, which alone can write the mac of what both sides changed; merge it decrypted, as docs/secrets.md shows"

// newMerger prepares a merge.
func newMerger(raw [3][]byte, opts Options) *merger {
	in := read.New(raw, opts.Names)
	m := &merger{opts: opts, in: in, proof: &proof.Prover{In: in, File: opts.Path, Rules: opts.Rules.known()}}
	m.came(raw)
	return m
}

// came takes raw for the versions as they came.
func (m *merger) came(raw [3][]byte) {
	m.in.Raw, m.raw = raw, diff3.Of(raw[three.Original], raw[three.Dest], raw[three.Updated])
}

// aligned are versions to be merged by lines: those that came, if it is they.
func (m *merger) aligned(original, dest, updated []byte) *diff3.Versions {
	came := m.in.Raw
	if bytes.Equal(original, came[three.Original]) && bytes.Equal(dest, came[three.Dest]) && bytes.Equal(updated, came[three.Updated]) {
		return m.raw
	}
	return diff3.Of(original, dest, updated)
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
	if m.sealed && err == nil && len(o.Conflicts) == 0 {
		o = m.wholeEncrypted()
	}
	o.Resolved = append(o.Resolved, m.told...)
	return o, err
}

// wholeEncrypted returns the merge in which all of the file is in conflict, since SOPS encrypted it and there is no merge
// by field in which its mac could be.
func (m *merger) wholeEncrypted() outcome {
	o := outcome{page: &page.Page{}, pages: m.renderer()}
	o.page.Add(page.Whole(m.in.Data))
	o.page.Conflicts()[0].Kind = plan.ConflictEncrypted
	o.Result = Result{Method: Structural, Reason: sopsReason, LineConflicts: m.lineConflicts()}
	o.Bytes, o.Conflicts = m.write(o.pages, o.page)
	return o
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
	m.in.Trees = append(m.in.Trees, m.in.Streams[:]...)
	m.sealed = m.in.Streams[three.Dest].Encrypted() || m.in.Streams[three.Updated].Encrypted()
	return nil
}

// merged is the merge of the versions that were read, and merged by lines.
func (m *merger) merged() (o outcome, err error) {
	s, ok := m.remade(m.byLines)
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
	if l == nil || l.err != nil || l.conflicts > 0 || m.sealed {
		return false
	}
	refusal := m.proof.Flawed(l.bytes, l.stream)
	if refusal != nil {
		m.defect = m.says(refusal)
	}
	return refusal == nil
}

// structural merges by resource and field, and of that and git's line merges takes what has the fewest lines to read.
func (m *merger) structural() (outcome, error) {
	fields, err := m.byFields(m.walker())
	if s, ok := m.complete(err == nil && len(fields.Conflicts) == 0); ok {
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
func (m *merger) byFields(w *plan.Walker) (o outcome, err error) {
	made := m.walked(w)
	o.united, o.pages = made.United, m.renderer()
	if o.page, err = m.proven(o.pages, o.pages.Page(made.Documents), w); err != nil {
		return o, err
	}
	if m.sealed && len(o.page.Conflicts()) > 0 {
		m.defect = sopsReason
	}
	p, done := m.decided(o.pages, o.page) // what is decided at once
	o.Result = Result{Method: Structural, Reason: m.defect, Refused: m.refused, LineConflicts: m.lineConflicts()}
	o.Resolved = append(decisions(done), unions(o.united)...)
	o.Followed = renames(made.Followed)
	o.Bytes, o.Conflicts = m.write(o.pages, p)
	return o, nil
}

// proven is p, the page of the plan of w, as it can be proven: what is refused is contested, around the smallest
// entry, then its parent, up to the whole file. The error is why it cannot be.
func (m *merger) proven(r *page.Renderer, p *page.Page, w *plan.Walker) (*page.Page, error) {
	w.Deep = true // what was taken whole may hold what is refused
	var contested plan.Contested
	var docs []*plan.Document
	for wrong := m.proof.Refusals(p); len(wrong) > 0; wrong = m.proof.Refusals(p) {
		if !m.sealed {
			m.refused = m.whyNot(wrong[0])
		}
		if m.proof.Spend(len(wrong)); m.proof.Exhausted() || m.elided != nil {
			return nil, errors.New(tooManySteps + ": " + m.says(wrong[0]))
		}
		var refused []plan.Refusal
		for _, r := range wrong {
			refused = append(refused, plan.Refusal{At: [3]text.Span(r.At[:3]), Subject: r.Subject})
		}
		if docs == nil {
			docs = w.Merge(contested).Documents
		}
		more := w.Contest(contested, docs, refused)
		if len(more) == len(contested) {
			whole := &page.Page{}
			whole.Add(page.Whole(m.in.Data))
			if refusal := m.proof.Prove(whole); refusal != nil {
				return nil, errors.New("the merge could not be verified: " + m.says(refusal))
			}
			return whole, nil
		}
		contested, docs = more, w.Merge(more).Documents
		p = r.Page(docs)
	}
	// A refusal contests all that holds what it names, and often one of that is enough: the largest first.
	for _, s := range slices.SortedStableFunc(slices.Values(contested), func(a, b plan.Spot) int { return b.Size() - a.Size() }) {
		if m.proof.Exhausted() {
			break
		}
		less := slices.DeleteFunc(slices.Clone(contested), func(x plan.Spot) bool { return x == s })
		if q := r.Page(w.Merge(less).Documents); m.proof.Prove(q) == nil {
			contested, p = less, q
		}
	}
	if !m.proof.Exhausted() {
		p = m.tightened(r, p)
	}
	return p, nil
}

// tightened is p with smaller conflicts where that can be proven: within a conflict, lines that one side alone changed
// merge as git's line merge does, and only what both changed stays between markers.
func (m *merger) tightened(r *page.Renderer, p *page.Page) *page.Page {
	pieces := map[*page.Conflict][]page.Part{}
	for _, c := range p.Conflicts() {
		if parts := r.Pieces(c); parts != nil {
			pieces[c] = parts
		}
	}
	if len(pieces) > 0 {
		if all := p.Split(pieces); m.proof.Prove(all) == nil {
			return all
		}
	}
	return p
}

// walked is the plan that w makes, and what it takes for one thing is from then on.
func (m *merger) walked(w *plan.Walker) *plan.Merge {
	made := w.Merge(nil)
	m.proof.Same = plan.Pairs(made.Documents)
	return made
}

// renderer is what writes the pages of m.
func (m *merger) renderer() *page.Renderer {
	src := page.Sources{Streams: m.in.Streams, Break: []byte(m.in.Merged.LineBreak())}
	for s, st := range m.in.Streams {
		src.Files[s] = st.File
	}
	return &page.Renderer{Sources: src}
}

// matcher is what pairs entries by the rules of opts.
func (o Options) matcher() *pair.Matcher {
	return &pair.Matcher{Rules: o.Rules.known(), File: o.Path, Sums: pair.NewSums()}
}

// walker is what makes the plan of m.
func (m *merger) walker() *plan.Walker {
	w := plan.New(m.in.Streams, m.opts.matcher())
	w.Deep, w.Sealed = m.sealed, m.sealed
	if m.elided != nil {
		w.Lines.LeftOut = elide.Placeholder
	}
	m.witness = w.Lines
	return w
}

// write returns the file, with markers around the conflicts of p.
func (m *merger) write(r *page.Renderer, p *page.Page) ([]byte, []Conflict) {
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

// unions are the lists that policies decided on the way.
func unions(lists []plan.United) (all []Conflict) {
	for _, d := range lists {
		all = append(all, Conflict{Path: d.Path.String(), Kind: plan.ConflictList, By: d.By})
	}
	return all
}

// renames are those that the other side's changes followed.
func renames(all []plan.Followed) (out []Rename) {
	for _, f := range all {
		r := Rename{From: f.From, To: f.To}
		if at := f.In; at != nil {
			r = Rename{From: at.String() + "[" + f.From + "]", To: at.String() + "[" + f.To + "]"}
		}
		out = append(out, r)
	}
	return out
}

// guarded is what f returns; a panic is an error.
func guarded(f func() (outcome, error)) (o outcome, err error) {
	defer guard(&err)
	return f()
}

// guard makes a panic an error.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("internal error: %v", p)
	}
}
