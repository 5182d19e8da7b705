package engine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Merge merges the changes that ours and theirs made to base, and returns the merged YAML file.
//
// The result is the first of these that is clean:
//
//  1. if two versions are identical, the third version
//  2. a side that already contains all changes of the other side
//  3. git's line merge, if it has no defect
//  4. the merge by resource and field
//
// If none of them is clean, Merge returns the result with the fewest lines between conflict markers: the merge by
// field, or a line merge. If the versions cannot be merged as YAML, it returns the line merge, and Result.Reason is
// the reason.
//
// With a rule set other than DefaultRules, Merge returns the merge by these rules, or the line merge if that is not
// possible. If SOPS encrypted the file, it merges by the default rules instead.
//
// Merge returns an error if a value in opts is not one of the constants of its type, or if even the line merge fails.
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
			o, err := newMerger(raw, opts).delegate(err)
			return o.Result, err
		}
	}
	opts.needsOwn = new(bool)
	m := newMerger(raw, opts)
	m.elision = &defaultElision
	o, err := m.merge(ways)
	return o.Result, err
}

// A merger is the state of one merge.
type merger struct {
	opts Options
	in   *read.Inputs
	// proof verifies results.
	proof *proof.Prover
	// raw are the versions as the caller passed them, prepared for the line merge.
	raw *diff3.Versions
	// lines is the line merge. It is nil if the merge does not need it or has not run it yet.
	lines          *lineResult
	parsed         bool       // whether parse has succeeded
	encrypted      bool       // whether SOPS encrypted a side
	lineDefect     string     // the defect of the clean line merge, or ""
	refusedReason  string     // why verification refused a clean merge by field, or ""
	earlyDecisions []Conflict // decisions made before the merge: about equal bumps, and about packages of a lock file
	// elision are the conditions for merging without the parts that all versions share. If it is nil, they are always
	// merged completely.
	elision *elisionBounds
	// placeholder is the text in the keys that replace elided entries. It is empty if nothing was elided.
	placeholder string
	// planWalker is the walker of the merge by field, and plan its plan without refused entries. Both are nil before
	// matchEntries.
	planWalker *plan.Walker
	plan       *plan.Merge
	// fieldMerge is the merge by field, and fieldMergeErr why there is none. Both are nil before tryFieldMerge.
	fieldMerge    *outcome
	fieldMergeErr error
}

// An outcome is a Result with the state it was written from. page is nil if the result has no page. page contains all
// conflicts, including those that rules decided. renderer writes the page. unitedLists are the lists that policies
// decided during the merge by field.
type outcome struct {
	Result
	page        *page.Page
	renderer    *page.Renderer
	unitedLists []plan.UnionApplied
}

// tooManyReplannings is the reason for leaving a merge to the line merge when the verifier has reached its limit.
const tooManyReplannings = "too many parts of the merge could not be verified, the last one"

// errEncrypted is the error of a rule set for a file that SOPS encrypted. Its text is sopsReason.
var errEncrypted = errors.New(sopsReason)

// sopsReason is the reason for a conflict in a file that SOPS encrypted.
const sopsReason = "encrypted by SOPS, which alone can write the mac of what both sides changed; merge it decrypted, as docs/secrets.md shows"

// newMerger returns a merger of base, ours and theirs, which it does not parse yet.
func newMerger(raw [3][]byte, opts Options) *merger {
	opts.Rules = opts.rules() // the same for all steps, because it caches what applies to a file and to a kind
	in := read.New(raw, opts.Names)
	in.MaxBytes = opts.Limits.MaxBytes
	m := &merger{opts: opts, in: in, proof: &proof.Prover{Inputs: in, File: opts.Path, Rules: opts.Rules, MaxSteps: opts.Limits.MaxSteps}}
	m.setVersions(raw)
	return m
}

// setVersions makes raw the versions of m, and gives m.proof a function that aligns them by line.
func (m *merger) setVersions(raw [3][]byte) {
	m.in.Raw, m.raw = raw, diff3.NewVersions(raw[three.Original], raw[three.Dest], raw[three.Updated])
	lines := m.raw
	m.proof.AlignLines = sync.OnceValue(func() []diff3.Chunk {
		chunks := lines.Merging(diff3.Merge, nil)
		if slices.ContainsFunc(chunks, func(k diff3.Chunk) bool { return k.Open }) {
			return nil
		}
		return chunks
	})
}

// alignLines returns the three versions for a line merge. It returns m.raw if they are identical to the versions of
// m, so that the alignment is computed only once.
func (m *merger) alignLines(original, dest, updated []byte) *diff3.Versions {
	raw := m.in.Raw
	if bytes.Equal(original, raw[three.Original]) && bytes.Equal(dest, raw[three.Dest]) && bytes.Equal(updated, raw[three.Updated]) {
		return m.raw
	}
	return diff3.NewVersions(original, dest, updated)
}

// conflictWholeFile returns a result with a single conflict around the whole file. It is used if SOPS encrypted the
// file and no merge by field contains the conflict about its mac.
func (m *merger) conflictWholeFile() outcome {
	o := outcome{page: &page.Page{}, renderer: m.newRenderer()}
	o.page.Add(page.WholeFileConflict(m.in.Data))
	o.page.Conflicts()[0].Kind = plan.ConflictEncrypted
	o.Result = Result{Method: Structural, Reason: sopsReason, LineConflicts: m.countLineConflicts()}
	m.setPage(&o, o.page)
	return o
}

// mergeByField merges by resource and field, with w as the planner. It verifies the result and applies the policies
// and Options.Resolve to its conflicts. It sets m.plan, m.planWalker, m.lineDefect (if encrypted) and
// m.refusedReason.
//
// The error is why there is no result that passes verification.
func (m *merger) mergeByField(w *plan.Walker) (o outcome, err error) {
	m.matchEntries(w)
	merged := m.plan
	o.unitedLists, o.renderer = merged.Unions, m.newRenderer()
	if o.page, err = m.contestRefused(o.renderer, o.renderer.Page(merged.Documents), m.planWalker); err != nil {
		return o, err
	}
	if m.encrypted && len(o.page.Conflicts()) > 0 {
		m.lineDefect = sopsReason
	}
	p, decided := m.applyDecisions(o.renderer, o.page)
	o.Result = Result{Method: Structural, Reason: m.lineDefect, Refused: m.refusedReason, LineConflicts: m.countLineConflicts()}
	o.Resolved = append(decidedConflicts(decided), unionDecisions(o.unitedLists)...)
	o.Followed = toRenames(merged.FollowedRenames)
	m.setPage(&o, p)
	o.GuessedOrders = toGuessedOrders(merged.GuessedOrders, o.Conflicts)
	return o, nil
}

// contestRefused returns a page of the plan of w that passes verification. p is the page of that plan.
//
// If p fails, the entries that the violations are about become conflicts: the smallest entries first, then their
// parents, and finally the whole file. After that, contestRefused removes conflicts that turn out to be unnecessary,
// the largest first.
//
// It sets m.refusedReason to the reason of the first violation, unless the file is encrypted. It returns an error if
// the verifier reaches its limit (see proof.Prover.IsExhausted) before a page passes, or if even a conflict around
// the whole file fails.
func (m *merger) contestRefused(r *page.Renderer, p *page.Page, w *plan.Walker) (*page.Page, error) {
	w.Deep = true // a violation may be inside an entry that was not walked before
	var forced plan.ForcedConflicts
	var docs []plan.Document
	for wrong := m.proof.PageViolations(p); len(wrong) > 0; wrong = m.proof.PageViolations(p) {
		if !m.encrypted {
			m.refusedReason = m.refusalReason(wrong[0])
		}
		if m.proof.CountReplanning(len(wrong)); m.proof.IsExhausted() {
			return nil, withCause(CauseUnverified, errors.New(tooManyReplannings+": "+m.describeViolation(wrong[0])))
		}
		var refused []plan.Violation
		for _, r := range wrong {
			refused = append(refused, plan.Violation{Spans: [3]text.Span(r.At[:3]), Subject: r.Subject})
		}
		if docs == nil {
			docs = w.Merge(forced).Documents
		}
		extended := w.ForceConflicts(forced, docs, refused)
		if len(extended) == len(forced) {
			wholeFile := &page.Page{}
			wholeFile.Add(page.WholeFileConflict(m.in.Data))
			if refusal := m.proof.VerifyPage(wholeFile); refusal != nil {
				return nil, withCause(CauseUnverified, errors.New("the merge could not be verified: "+m.describeViolation(refusal)))
			}
			return wholeFile, nil
		}
		forced, docs = extended, w.Merge(extended).Documents
		p = r.Page(docs)
	}
	// A violation puts several entries in conflict, and often one of them is enough. Try to do without the largest.
	for _, s := range slices.SortedStableFunc(slices.Values(forced), func(a, b plan.ForcedConflict) int { return b.ByteCount() - a.ByteCount() }) {
		if m.proof.IsExhausted() {
			break
		}
		less := slices.DeleteFunc(slices.Clone(forced), func(x plan.ForcedConflict) bool { return x == s })
		if q := r.Page(w.Merge(less).Documents); m.proof.VerifyPage(q) == nil {
			forced, p = less, q
		}
	}
	return p, nil
}

// matchEntries plans the merge by field with w, and passes the matches of the plan to the verifier. It does nothing
// if there is a plan already.
func (m *merger) matchEntries(w *plan.Walker) {
	if m.plan == nil {
		m.planWalker, m.plan = w, w.Merge(nil)
		m.proof.PairedNodes, m.proof.MovedNodes = plan.UnkeyedMatches(m.plan.Documents), m.plan.Moved
	}
}

// newRenderer returns a renderer for the pages of m. m must have been parsed.
func (m *merger) newRenderer() *page.Renderer {
	src := page.Sources{Streams: m.in.Streams, LineBreak: []byte(m.in.MergedFormat.LineEndOrDefault())}
	for s, st := range m.in.Streams {
		src.Files[s] = st.File
	}
	return &page.Renderer{Sources: src}
}

// newMatcher returns a matcher that matches entries by the rules of o.
func (o Options) newMatcher() *pair.Matcher {
	return &pair.Matcher{Rules: o.rules(), File: o.Path, Hasher: pair.NewHasher()}
}

// newWalker returns a walker that plans the merge by field of m. m must have been parsed.
func (m *merger) newWalker() *plan.Walker {
	w := plan.New(m.in.Streams, m.opts.newMatcher())
	w.Deep, w.Encrypted = m.encrypted, m.encrypted
	w.Lines.Placeholder = m.placeholder
	return w
}

// setPage sets Bytes, Conflicts and Render of o to those of p, which is rendered by o.renderer.
func (m *merger) setPage(o *outcome, p *page.Page) {
	r := o.renderer
	o.setRender(m.opts.markers(), func(k text.Markers) ([]byte, []Conflict) { return writePage(m.in, r, p, k) })
}

// setRender sets o.Render, and sets o.Bytes and o.Conflicts to its results for k.
func (o *outcome) setRender(k text.Markers, render func(text.Markers) ([]byte, []Conflict)) {
	o.MarkerSize = k.Size
	if o.Bytes, o.Conflicts = render(k); len(o.Conflicts) > 0 {
		o.Render = func(k text.Markers) ([]byte, []Conflict) { return render(withDefaultLabels(k)) }
	}
}

// writePage returns p, a page of the versions in, as a file in the format of the merged file, with the markers k around
// its conflicts, and the conflicts.
func writePage(in *read.Inputs, r *page.Renderer, p *page.Page, k text.Markers) ([]byte, []Conflict) {
	if len(p.Conflicts()) == 0 {
		return in.FormatResult(p.Resolve(three.Dest)), nil
	}
	form := in.MergedFormat
	w := r.Write(p, k, form.HasBOM)
	if marked := text.Conflicts(w.Bytes, k.Size); len(marked) > 0 {
		form.HasBOM = form.HasBOM && marked[0].Start > 0 // if a conflict is first, a BOM would be after its marker
		form.HasFinalLineEnd = form.HasFinalLineEnd || marked[len(marked)-1].End == len(w.Bytes)
	}
	var conflicts []Conflict
	for _, k := range w.Marks {
		conflicts = append(conflicts, conflictOf(k))
	}
	return in.FormatResultAs(form, w.Bytes), conflicts
}

// unionDecisions returns the lists that policies decided during the merge by field as resolved conflicts.
func unionDecisions(lists []plan.UnionApplied) (all []Conflict) {
	for _, d := range lists {
		all = append(all, Conflict{Path: d.Path.String(), Elements: d.Path.Elements(), Kind: plan.ConflictList, By: d.Decision})
	}
	return all
}

// toGuessedOrders converts the lists whose order was guessed, without those in a conflict.
func toGuessedOrders(lists []*three.Path, conflicts []Conflict) (out []GuessedOrder) {
	for _, p := range lists {
		path := p.String()
		inConflict := func(c Conflict) bool { return strings.HasPrefix(path, c.Path) }
		if !slices.ContainsFunc(conflicts, inConflict) {
			out = append(out, GuessedOrder{Path: path, RulePath: strings.Join(p.Place().Path, ".")})
		}
	}
	return out
}

// toRenames converts the renames that changes of the other side followed.
func toRenames(followed []plan.FollowedRename) (out []Rename) {
	for _, f := range followed {
		r := Rename{From: f.From, To: f.To}
		if at := f.List; at != nil {
			r = Rename{From: at.String() + "[" + f.From + "]", To: at.String() + "[" + f.To + "]"}
		}
		out = append(out, r)
	}
	return out
}

// callRecovered calls f and returns its results. If f panics, it returns an error.
func callRecovered(f func() (outcome, error)) (o outcome, err error) {
	defer recoverAsError(&err)
	return f()
}

// recoverAsError sets *err if the function that deferred it panics.
func recoverAsError(err *error) {
	if p := recover(); p != nil {
		*err = withCause(CauseInternal, fmt.Errorf("internal error: %v", p))
	}
}
