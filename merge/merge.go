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
	m.elision = &elisionThatPays
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
	lines   *lined
	parsed  bool       // read has parsed the versions
	sealed  bool       // SOPS encrypted a version
	defect  string     // what is wrong with the line merge, which is clean
	refused string     // why a clean result of the merge by fields was
	told    []Conflict // what was decided before the merge: versions bumped once more, packages of a lock file
	// elision says when parts that all versions share are left out; nil if they never are.
	elision *elisionBounds
	// leftOut is the text of the keys that stand for elided entries; empty if nothing was elided.
	leftOut string
	// walk is the walker of the merge by field, and plan its first plan; nil before matchEntries.
	walk *plan.Walker
	plan *plan.Merge
	// fields is the merge by field, nil until byField makes it; noFields says why there is none.
	fields   *outcome
	noFields error
}

// An outcome is a result and, if it is structural, the page from which it was
// written, with all conflicts, also those that rules decided.
type outcome struct {
	Result
	page   *page.Page
	pages  *page.Renderer
	united []plan.UnionApplied
}

const tooManySteps = "too many parts of the merge could not be verified, the last one"

// errEncrypted is sopsReason as the error of a rule set, none of which merges such a file.
var errEncrypted = errors.New(sopsReason)

// sopsReason is why a merged file that SOPS encrypted is in conflict.
const sopsReason = "encrypted by SOPS, which alone can write the mac of what both sides changed; merge it decrypted, as docs/secrets.md shows"

// newMerger prepares a merge.
func newMerger(raw [3][]byte, opts Options) *merger {
	in := read.New(raw, opts.Names)
	m := &merger{opts: opts, in: in, proof: &proof.Prover{Inputs: in, File: opts.Path, Rules: opts.Rules.known()}}
	m.came(raw)
	return m
}

// came takes raw for the versions as they came.
func (m *merger) came(raw [3][]byte) {
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

// aligned are versions to be merged by lines: those that came, if it is they.
func (m *merger) aligned(original, dest, updated []byte) *diff3.Versions {
	came := m.in.Raw
	if bytes.Equal(original, came[three.Original]) && bytes.Equal(dest, came[three.Dest]) && bytes.Equal(updated, came[three.Updated]) {
		return m.raw
	}
	return diff3.NewVersions(original, dest, updated)
}

// wholeEncrypted returns the merge in which all of the file is in conflict, since SOPS encrypted it and there is no merge
// by field in which its mac could be.
func (m *merger) wholeEncrypted() outcome {
	o := outcome{page: &page.Page{}, pages: m.renderer()}
	o.page.Add(page.WholeFileConflict(m.in.Data))
	o.page.Conflicts()[0].Kind = plan.ConflictEncrypted
	o.Result = Result{Method: Structural, Reason: sopsReason, LineConflicts: m.lineConflicts()}
	o.Bytes, o.Conflicts = m.write(o.pages, o.page)
	return o
}

// byFields merges by resource and field: it writes the plan of w as a page, and verifies the page.
// The error says why there is no such merge.
func (m *merger) byFields(w *plan.Walker) (o outcome, err error) {
	m.matchEntries(w)
	made := m.plan
	o.united, o.pages = made.Unions, m.renderer()
	if o.page, err = m.proven(o.pages, o.pages.Page(made.Documents), m.walk); err != nil {
		return o, err
	}
	if m.sealed && len(o.page.Conflicts()) > 0 {
		m.defect = sopsReason
	}
	p, done := m.decided(o.pages, o.page) // what is decided at once
	o.Result = Result{Method: Structural, Reason: m.defect, Refused: m.refused, LineConflicts: m.lineConflicts()}
	o.Resolved = append(decisions(done), unions(o.united)...)
	o.Followed = renames(made.FollowedRenames)
	o.Bytes, o.Conflicts = m.write(o.pages, p)
	return o, nil
}

// proven is p, the page of the plan of w, as it can be proven: what is refused is contested, around the smallest
// entry, then its parent, up to the whole file. The error is why it cannot be.
func (m *merger) proven(r *page.Renderer, p *page.Page, w *plan.Walker) (*page.Page, error) {
	w.Deep = true // what was taken whole may hold what is refused
	var contested plan.ForcedConflicts
	var docs []plan.Document
	for wrong := m.proof.PageViolations(p); len(wrong) > 0; wrong = m.proof.PageViolations(p) {
		if !m.sealed {
			m.refused = m.whyNot(wrong[0])
		}
		if m.proof.CountReplanning(len(wrong)); m.proof.IsExhausted() {
			return nil, errors.New(tooManySteps + ": " + m.says(wrong[0]))
		}
		var refused []plan.Violation
		for _, r := range wrong {
			refused = append(refused, plan.Violation{Spans: [3]text.Span(r.At[:3]), Subject: r.Subject})
		}
		if docs == nil {
			docs = w.Merge(contested).Documents
		}
		more := w.ForceConflicts(contested, docs, refused)
		if len(more) == len(contested) {
			whole := &page.Page{}
			whole.Add(page.WholeFileConflict(m.in.Data))
			if refusal := m.proof.VerifyPage(whole); refusal != nil {
				return nil, errors.New("the merge could not be verified: " + m.says(refusal))
			}
			return whole, nil
		}
		contested, docs = more, w.Merge(more).Documents
		p = r.Page(docs)
	}
	// A refusal contests all that holds what it names, and often one of that is enough: the largest first.
	for _, s := range slices.SortedStableFunc(slices.Values(contested), func(a, b plan.ForcedConflict) int { return b.ByteCount() - a.ByteCount() }) {
		if m.proof.IsExhausted() {
			break
		}
		less := slices.DeleteFunc(slices.Clone(contested), func(x plan.ForcedConflict) bool { return x == s })
		if q := r.Page(w.Merge(less).Documents); m.proof.VerifyPage(q) == nil {
			contested, p = less, q
		}
	}
	if !m.proof.IsExhausted() {
		p = m.tightened(r, p)
	}
	return p, nil
}

// tightened is p with smaller conflicts where that can be proven: within a conflict, lines that one side alone changed
// merge as git's line merge does, and only what both changed stays between markers.
func (m *merger) tightened(r *page.Renderer, p *page.Page) *page.Page {
	pieces := map[*page.Conflict][]page.Part{}
	for _, c := range p.Conflicts() {
		if parts := r.SplitByLine(c); parts != nil {
			pieces[c] = parts
		}
	}
	if len(pieces) > 0 {
		if all := p.ReplaceConflicts(pieces); m.proof.VerifyPage(all) == nil {
			return all
		}
	}
	return p
}

// matchEntries plans the merge by field with w, unless it is planned already, and tells the verifier which
// entries of the versions the plan takes for one.
func (m *merger) matchEntries(w *plan.Walker) {
	if m.plan == nil {
		m.walk, m.plan = w, w.Merge(nil)
		m.proof.PairedNodes = plan.UnkeyedMatches(m.plan.Documents)
	}
}

// renderer is what writes the pages of m.
func (m *merger) renderer() *page.Renderer {
	src := page.Sources{Streams: m.in.Streams, LineBreak: []byte(m.in.Merged.LineBreak())}
	for s, st := range m.in.Streams {
		src.Files[s] = st.File
	}
	return &page.Renderer{Sources: src}
}

// matcher is what pairs entries by the rules of opts.
func (o Options) matcher() *pair.Matcher {
	return &pair.Matcher{Rules: o.Rules.known(), File: o.Path, Hasher: pair.NewHasher()}
}

// walker is what makes the plan of m.
func (m *merger) walker() *plan.Walker {
	w := plan.New(m.in.Streams, m.opts.matcher())
	w.Deep, w.Encrypted = m.sealed, m.sealed
	w.Lines.Placeholder = m.leftOut
	return w
}

// write returns the file, with markers around the conflicts of p.
func (m *merger) write(r *page.Renderer, p *page.Page) ([]byte, []Conflict) {
	if len(p.Conflicts()) == 0 {
		return m.in.Write(p.Resolve(three.Dest)), nil
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
func unions(lists []plan.UnionApplied) (all []Conflict) {
	for _, d := range lists {
		all = append(all, Conflict{Path: d.Path.String(), Kind: plan.ConflictList, By: d.Decision})
	}
	return all
}

// renames are those that the other side's changes followed.
func renames(all []plan.FollowedRename) (out []Rename) {
	for _, f := range all {
		r := Rename{From: f.From, To: f.To}
		if at := f.List; at != nil {
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
