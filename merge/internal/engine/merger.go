package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/overlay"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Merge merges the changes of ours and theirs to base by lines, by field, and in other ways. It returns the first
// result without conflicts. If there is none, it usually returns the one with the fewest lines in conflict. It fails
// only for an invalid option, or a binary or too large version.
func Merge(base, ours, theirs []byte, opts Options) (Result, error) {
	if err := opts.validate(); err != nil {
		return Result{}, err
	}
	raw := [3][]byte{base, ours, theirs}
	if opts.Kustomize {
		res, err := mergeByRuleSet(raw, opts, overlay.Kustomize)
		if err == nil {
			return res, nil
		}
		if !errors.Is(err, errEncrypted) {
			o, err := newMerger(raw, opts).useLineMerge(err)
			return o.Result, err
		}
		// the default rules merge an encrypted file and leave its mac in conflict
	}
	opts.needsOwn = new(bool)
	m := newMerger(raw, opts)
	m.shortening = &defaultShortening
	o, err := m.merge(ways)
	return o.Result, err
}

// A merger is the state of one merge of three versions.
type merger struct {
	opts Options
	// passed are the versions as the caller passed them. Those of in may have been changed by policies since then.
	passed [3][]byte
	in     *read.Inputs
	// proof verifies results: it compares them with the three versions.
	proof *proof.Prover
	// raw are the versions of in as they were before it was parsed, prepared for a merge by lines.
	raw *diff3.Versions
	// lines is the result of git's merge by lines. It is nil if the merge does not need it or has not run it yet.
	lines          *lineResult
	parsed         bool       // whether parse has succeeded
	encrypted      bool       // whether SOPS encrypted a side
	lineDefect     string     // why git's clean merge by lines is not used, or ""
	whyNotClean    string     // why a merge by field without conflicts failed verification, or ""
	earlyDecisions []Conflict // decisions made before the merge, by applyBumpPolicies
	// shortening has the conditions for a faster merge of shortened versions, without parts that no side changed. If
	// it is nil, the versions are always merged completely.
	shortening *shorteningBounds
	// cleanOnly means that the caller uses the result only if it has no conflicts. To save time, a merge by field with
	// conflicts is then not verified (not compared with the versions for lost edits).
	cleanOnly bool
	// isShortened means that the versions are shortened ones. To save time, the merge fails with errNeedsWhole as soon
	// as it is known that mergeAndRestore cannot use its result.
	isShortened bool
	// planWalker computes the plan of the merge by field, and plan is that plan: the version to take each entry from,
	// or that it is merged or in conflict. plan is the first one, before verification put more entries in conflict.
	// Both are nil before matchEntries.
	planWalker *plan.Walker
	plan       *plan.Merge
	// fieldMerge is the merge by field, and fieldMergeErr why there is none. Both are nil before tryFieldMerge.
	fieldMerge    *outcome
	fieldMergeErr error
}

// An outcome is a Result with the state it was written from. page is the merged file as a list of text and conflicts,
// and renderer writes it; page is nil if the result is a copy of bytes. page has all conflicts, including those that
// rules decided. unitedLists are the lists in which policies kept the items of both sides during the merge by field.
type outcome struct {
	Result
	page        *page.Page
	renderer    *page.Renderer
	unitedLists []plan.UnionApplied
}

// tooManyReplannings is the reason for a merge by lines if so much was verified that the merge by field had to stop.
const tooManyReplannings = "too many parts of the merge could not be verified, most recently"

// errEncrypted is the error of a rule set for a file that SOPS encrypted. Its text is sopsReason.
var errEncrypted = errors.New(sopsReason)

// sopsReason is the reason for a conflict in a file that SOPS encrypted.
const sopsReason = "encrypted by SOPS, and only SOPS can write the mac of the merged file; merge decrypted files (https://github.com/git-merge-yaml/git-merge-yaml/blob/main/docs/secrets.md)"

// newMerger returns a merger of raw (base, ours and theirs). It does not parse them yet, so that it cannot fail. If
// opts.Rules is nil, the merger has rules without any entry. The bytes are not copied.
func newMerger(raw [3][]byte, opts Options) *merger {
	opts.Rules = opts.rules() // the same for all steps, because it caches what applies to a file and to a kind
	in := read.New(raw, opts.Names)
	in.MaxBytes = opts.Limits.MaxBytes
	m := &merger{opts: opts, passed: raw, in: in, proof: &proof.Prover{Inputs: in, File: opts.Path, Rules: opts.Rules, MaxSteps: opts.Limits.MaxSteps}}
	m.setVersions(raw)
	return m
}

// setVersions makes raw (base, ours and theirs) the versions of m, which must not have been parsed yet.
func (m *merger) setVersions(raw [3][]byte) {
	m.in.Raw, m.raw = raw, diff3.NewVersions(raw[three.Original], raw[three.Dest], raw[three.Updated])
}

// conflictWholeFile returns a result with one conflict around the whole file, because only SOPS can write the checksum
// (mac) of the merged file. It is used for an encrypted file whose merge would otherwise be clean. The conflict has the
// kind plan.ConflictEncrypted. The versions must have been parsed.
func (m *merger) conflictWholeFile() outcome {
	c := page.WholeFileConflict(m.in.Data)
	c.Kind = plan.ConflictEncrypted
	o := outcome{page: &page.Page{Parts: []page.Part{{Conflict: c}}}, renderer: m.newRenderer()}
	o.Result = Result{Method: Structural, Reason: sopsReason, LineConflicts: m.countLineConflicts()}
	m.setPage(&o, o.page)
	return o
}

// errNeedsWhole is the error of a merge of shortened versions if the complete versions have to be merged.
var errNeedsWhole = errors.New("the result may depend on parts that were left out")

// mergeByField merges the versions by resource and field. It adds conflicts until the result passes verification, and
// then decides some by policies and Options.Resolve. With m.cleanOnly, a result with conflicts is not verified. It sets
// m.plan, unless that is set already. The error is why no result passes verification, or errNeedsWhole if the versions
// are shortened and the result depends on what was left out.
func (m *merger) mergeByField() (o outcome, err error) {
	m.matchEntries(m.newWalker())
	if m.isShortened && m.planWalker.Lines.MayDependOnElided {
		return outcome{}, errNeedsWhole
	}
	r := m.newRenderer()
	p := r.Page(m.plan.Documents)
	if !m.cleanOnly || len(p.Conflicts()) == 0 {
		if p, err = m.addConflictsUntilVerified(r, p); err != nil {
			return outcome{}, err
		}
	}
	if m.encrypted && len(p.Conflicts()) > 0 {
		m.lineDefect = sopsReason
	}
	remaining, decided := m.applyDecisions(r, p)
	o = outcome{page: p, renderer: r, unitedLists: m.plan.Unions}
	o.Result = Result{Method: Structural, Reason: m.lineDefect, Refused: m.whyNotClean, LineConflicts: m.countLineConflicts()}
	o.Resolved = append(decidedConflicts(decided), unionDecisions(m.plan.Unions)...)
	m.setPage(&o, remaining)
	o.Followed = toRenames(m.plan.FollowedRenames, o.Conflicts)
	o.GuessedOrders = toGuessedOrders(m.plan.GuessedOrders, o.Conflicts)
	return o, nil
}

// addConflictsUntilVerified returns a merged file that passes verification, whichever side the user takes in its
// conflicts. It is p, the page by m.plan, or a page with more conflicts. r writes pages. It fails in these cases:
//
//   - shortened versions need more conflicts (errNeedsWhole)
//   - even one conflict around the whole file fails verification
//   - too much was verified
//
// It sets m.planWalker.Deep and, unless SOPS encrypted the file, m.whyNotClean to the reason for more conflicts.
func (m *merger) addConflictsUntilVerified(r *page.Renderer, p *page.Page) (*page.Page, error) {
	w := m.planWalker
	w.Deep = true // a violation may be inside an entry that was not walked before
	var forced plan.ForcedConflicts
	var docs []plan.Document
	for {
		violations := m.proof.PageViolations(p)
		if len(violations) == 0 {
			return m.withoutUnneededConflicts(r, p, forced), nil
		}
		if m.isShortened {
			return nil, errNeedsWhole
		}
		if !m.encrypted {
			m.whyNotClean = m.reasonForConflict(violations[0])
		}
		if m.proof.CountReplanning(len(violations)); m.proof.IsExhausted() {
			return nil, withCause(CauseUnverified, errors.New(tooManyReplannings+": "+m.describeViolation(violations[0])))
		}
		var refused []plan.Violation
		for _, v := range violations {
			refused = append(refused, plan.Violation{Spans: [3]text.Span(v.At[:3]), Subject: v.Subject})
		}
		if docs == nil {
			docs = w.Merge(nil).Documents // m.plan was not Deep
		}
		extended := w.ForceConflicts(forced, docs, refused)
		if len(extended) == len(forced) { // there is no further entry to put in conflict
			return m.verifiedWholeFileConflict()
		}
		forced, docs = extended, w.Merge(extended).Documents
		p = r.Page(docs)
	}
}

// verifiedWholeFileConflict returns a page with one conflict around the whole file, or an error if it fails
// verification.
func (m *merger) verifiedWholeFileConflict() (*page.Page, error) {
	p := &page.Page{Parts: []page.Part{{Conflict: page.WholeFileConflict(m.in.Data)}}}
	if violation := m.proof.VerifyPage(p); violation != nil {
		return nil, withCause(CauseUnverified, errors.New("the merge could not be verified: "+m.describeViolation(violation)))
	}
	return p, nil
}

// withoutUnneededConflicts returns a page with as few of the conflicts in forced as verification needs: a violation
// puts several entries in conflict, and often one is enough. p is the verified page with all of them, and the result if
// all are needed. r writes pages.
func (m *merger) withoutUnneededConflicts(r *page.Renderer, p *page.Page, forced plan.ForcedConflicts) *page.Page {
	largestFirst := func(a, b plan.ForcedConflict) int { return b.ByteCount() - a.ByteCount() }
	for _, candidate := range slices.SortedStableFunc(slices.Values(forced), largestFirst) {
		if len(forced) == 1 || m.proof.IsExhausted() { // without any of them, it is the page that was refused
			break
		}
		fewer := slices.DeleteFunc(slices.Clone(forced), func(x plan.ForcedConflict) bool { return x == candidate })
		if q := r.Page(m.planWalker.Merge(fewer).Documents); m.proof.VerifyPage(q) == nil {
			forced, p = fewer, q
		}
	}
	return p
}

// matchEntries makes the plan of the merge by field with w, unless m has one already. It sets m.plan and m.planWalker,
// and tells m.proof which entries the plan matched although their keys or names differ, so that verification can check
// the matches.
func (m *merger) matchEntries(w *plan.Walker) {
	if m.plan == nil {
		m.planWalker, m.plan = w, w.Merge(nil)
		m.proof.PairedNodes, m.proof.MovedNodes = plan.UnkeyedMatches(m.plan.Documents), m.plan.Moved
	}
}

// newRenderer returns a new renderer, which writes plans and pages as files, with the text of the versions of m and the
// line break of the merged file. The versions must have been parsed; it panics otherwise.
func (m *merger) newRenderer() *page.Renderer {
	r := &page.Renderer{Streams: m.in.Streams, LineBreak: []byte(m.in.MergedFormat.LineEndOrDefault())}
	for s, st := range m.in.Streams {
		r.Files[s] = st.File
	}
	return r
}

// newMatcher returns a matcher that finds corresponding entries of the versions by the rules and the path in o.
func (o Options) newMatcher() *pair.Matcher {
	return pair.NewMatcher(o.rules(), o.Path)
}

// newPathMatcher returns a matcher that finds the paths of places in streams and in a merge of them (see
// pair.Matcher.PathAt). If a stream has several documents, a path begins with the name of the document. Missing streams
// (nil) are ignored.
func (o Options) newPathMatcher(streams [3]*syntax.Stream) *pair.Matcher {
	m := o.newMatcher()
	m.MultiDocument = slices.ContainsFunc(streams[:], func(st *syntax.Stream) bool { return st != nil && len(st.Docs) > 1 })
	return m
}

// newWalker returns a new walker, which computes the plan of the merge by field for the versions of m. The versions
// must have been parsed.
func (m *merger) newWalker() *plan.Walker {
	w := plan.New(m.in.Streams, m.opts.newMatcher())
	w.Deep, w.Encrypted = m.encrypted, m.encrypted
	return w
}

// setPage sets Bytes, Conflicts, MarkerSize and Render of o to those of the merged file p, with the markers of the
// options. o.renderer, which must not be nil, writes the file. Render is nil if there are no conflicts. o.page does not
// change.
func (m *merger) setPage(o *outcome, p *page.Page) {
	r := o.renderer
	o.setRender(m.opts.markers(), func(k text.Markers) ([]byte, []Conflict) { return writePage(m.in, r, p, k) })
}

// setRender writes the result of o: it sets o.Bytes and o.Conflicts to what render returns for the markers k, and
// o.MarkerSize. If there are conflicts, it also sets o.Render, with which the caller can write the result with other
// markers. o.Render uses git's default markers, with the labels base, ours and theirs, in place of zero markers.
func (o *outcome) setRender(k text.Markers, render func(text.Markers) ([]byte, []Conflict)) {
	o.MarkerSize = k.Size
	if o.Bytes, o.Conflicts = render(k); len(o.Conflicts) > 0 {
		o.Render = func(k text.Markers) ([]byte, []Conflict) { return render(withDefaultLabels(k)) }
	}
}

// writePage returns the file for the page p, and its conflicts with their lines. in are the versions, which give the
// file its line ends, byte order mark and final newline. r writes p, and k are the markers around the conflicts.
func writePage(in *read.Inputs, r *page.Renderer, p *page.Page, k text.Markers) (file []byte, all []Conflict) {
	if len(p.Conflicts()) == 0 {
		return in.FormatResult(p.Resolve(three.Dest)), nil
	}
	form := in.MergedFormat
	w := r.Write(p, k, form.HasBOM)
	if marked := text.Conflicts(w.Bytes, k.Size); len(marked) > 0 {
		form.HasBOM = form.HasBOM && marked[0].Start > 0 // if a conflict is first, a BOM would be after its marker
		// a closing marker needs a line end
		form.HasFinalLineEnd = form.HasFinalLineEnd || marked[len(marked)-1].End == len(w.Bytes)
	}
	for _, mark := range w.Marks {
		all = append(all, conflictOf(mark))
	}
	return in.FormatResultAs(form, w.Bytes), all
}

// unionDecisions returns a decided Conflict for each list in which a policy of the team's rules (.git-merge-yaml.yaml)
// kept the items of both sides during the merge by field. Path, Elements, Kind (plan.ConflictList) and By are set. It
// returns nil if there are none.
func unionDecisions(lists []plan.UnionApplied) (all []Conflict) {
	for _, d := range lists {
		all = append(all, Conflict{Path: d.Path.String(), Elements: d.Path.Elements(), Kind: plan.ConflictList, By: d.Decision})
	}
	return all
}

// isInConflict reports whether the entry at path, or an entry around it, is in conflicts. A conflict without a path is
// around every entry.
func isInConflict(path string, conflicts []Conflict) bool {
	return slices.ContainsFunc(conflicts, func(c Conflict) bool {
		rest, ok := strings.CutPrefix(path, c.Path)
		return ok && (c.Path == "" || rest == "" || strings.ContainsAny(rest[:1], ".["))
	})
}

// toGuessedOrders converts the lists of a plan whose order was guessed, for the user: both sides added items at one
// place. A list is left out if it is in conflict, or inside of one of conflicts.
func toGuessedOrders(lists []plan.GuessedOrder, conflicts []Conflict) (out []GuessedOrder) {
	for _, g := range lists {
		if path := g.Path.String(); !isInConflict(path, conflicts) {
			out = append(out, GuessedOrder{Path: path, RulePath: strings.Join(g.Path.Place().Path, "."), Rule: g.Kind})
		}
	}
	return out
}

// toRenames converts the renames of a plan for the user: one side renamed something, and a change of the other side was
// applied under the new name. For an item, From and To begin with the path of its list, as in
// spec.containers[name=web]. A rename is left out if its new name is in one of conflicts.
func toRenames(followed []plan.FollowedRename, conflicts []Conflict) (out []Rename) {
	for _, f := range followed {
		r := Rename{From: f.From, To: f.To}
		if at := f.List; at != nil {
			r = Rename{From: at.String() + "[" + f.From + "]", To: at.String() + "[" + f.To + "]"}
		}
		if !isInConflict(r.To, conflicts) {
			out = append(out, r)
		}
	}
	return out
}

// recoverAsError has to be deferred. If the function that deferred it panics, it stops the panic and sets *err to an
// error with the cause CauseInternal. Otherwise it leaves *err as it is.
func recoverAsError(err *error) {
	if p := recover(); p != nil {
		*err = withCause(CauseInternal, fmt.Errorf("internal error: %v", p))
	}
}
