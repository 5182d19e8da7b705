package merge

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/walk"
)

// merger is one merge on its way.
type merger struct {
	opts Options
	in   *read.Inputs
	// proof judges what is to be written.
	proof *proof.Prover
	// raw are the versions as they came, to be merged by lines.
	raw *diff3.Versions
	// lines is the line merge; nil if it is not asked for, or has not run yet.
	lines         *lined
	lineConflicts int              // of the line merge, -1 if it did not run
	sealed        bool             // SOPS encrypted a version
	defect        string           // what is wrong with the line merge, which is clean
	refused       string           // why a clean result of the merge by fields was
	settled       []facts.Conflict // comments that do not stand by a rule set
	bumped        []bump.Version   // by both sides to one version
	locked        []bump.Choice    // packages of a lock file
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
	page    *page.Page
	pages   *page.Renderer
	united  []walk.United
	follows []walk.Followed
}

const tooManySteps = "too many parts of the merge could not be verified, the last one"

// sopsReason says what to do with a merged file that SOPS encrypted.
const sopsReason = "encrypted with SOPS: the mac of a merged file is never valid; settle the conflicts, decrypt with `sops -d --ignore-mac`, and encrypt the result again"

// newMerger prepares a merge.
func newMerger(raw [3][]byte, opts Options) *merger {
	in := read.New(raw, opts.Names)
	m := &merger{in: in, proof: &proof.Prover{In: in, File: opts.Path, Rules: opts.Rules.known()}, lineConflicts: -1}
	m.came(raw)
	m.opts = opts
	return m
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
func (m *merger) walker() *walk.Walker {
	w := walk.New(m.in.Streams, m.opts.matcher())
	w.Deep, w.Sealed = m.sealed, m.sealed
	if m.elided != nil {
		w.Lines.LeftOut = elide.Placeholder
	}
	m.witness = w.Lines
	w.Lines.Aligned = m.aligned(w.Files[three.Original].Bytes(), w.Files[three.Dest].Bytes(), w.Files[three.Updated].Bytes())
	return w
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

// write returns the file, with markers around the conflicts of p.
func (m *merger) write(r *page.Renderer, p *page.Page) ([]byte, []Conflict) {
	if len(p.Conflicts()) == 0 {
		return m.in.Write(p.Choose(three.Dest)), nil
	}
	k, form := m.markers(), m.in.Merged
	w := r.Write(p, k, form.Bom)
	if all := conflict.Parse(w.Bytes, k.Size); len(all) > 0 {
		form.Bom = form.Bom && all[0].Start > 0 // else it stands behind the marker
		form.Final = form.Final || all[len(all)-1].End == len(w.Bytes)
	}
	return m.in.WriteAs(form, w.Bytes), conflicts(w.Marks)
}

// unions are the lists that policies decided on the way.
func unions(lists []walk.United) (all []Conflict) {
	for _, d := range lists {
		all = append(all, Conflict{Path: d.Path.String(), Kind: plan.ConflictList, By: d.By})
	}
	return all
}

// renames are those that the other side's changes followed.
func renames(all []walk.Followed) (out []Rename) {
	for _, f := range all {
		if f.In == nil {
			out = append(out, Rename{From: f.From, To: f.To})
			continue
		}
		at := f.In.String()
		out = append(out, Rename{From: at + "[" + f.From + "]", To: at + "[" + f.To + "]"})
	}
	return out
}

// says spells a refusal, with the path of what it is about.
func (m *merger) says(r *verify.Violation) string {
	if p := m.opts.pathOf(m.in.Proof, r); p != "" {
		return p + ": " + r.Error()
	}
	return r.Error()
}

// pathOf is the path of what a refusal is about, in ours if that has it.
func (o Options) pathOf(streams [3]*syntax.Stream, r *verify.Violation) string {
	m := o.matcher()
	for _, st := range streams {
		m.Multi = m.Multi || st != nil && len(st.Docs) > 1
	}
	for _, s := range [...]three.Side{three.Dest, three.Updated, three.Original} {
		if at := r.At[s]; !at.Empty() && streams[s] != nil {
			return m.PathAt(streams[s], at).String()
		}
	}
	return ""
}

// broken says of the rules of the verifier what would be wrong with a clean merge.
var broken = map[string]string{
	"lost":                "something that a side has there would be gone",
	"kept":                "something that all versions have there would be gone",
	"undone":              "an edit of a side would be undone",
	"value":               "the value would not be what the edits of the sides make it",
	"invented":            "it would have what neither side wrote",
	"doubled":             "it would be there twice",
	"deleted and changed": "one side deleted what the other changed",
	"added differently":   "both sides added it, and neither has all that the other has",
	"emptied":             "each side removed a part of it, and nothing would be left",
	"alias":               "an alias would mean something else",
	"anchor or tag":       "its anchor or tag would be that of neither side",
	"key":                 "both sides added it, with keys of two types",
	"one of":              "it would have two fields that exclude each other",
	"guard":               "it would end up under different template conditions",
	"text":                "its lines would not be what the edits of the sides make them",
	"comment":             "a comment would be lost or duplicated",
	"order":               "its order would be that of neither side",
}

// whyNot says why no clean merge was right, by the first thing that was refused.
func (m *merger) whyNot(r *verify.Violation) string {
	what, why := "it", broken[r.Rule]
	if p := m.opts.pathOf(m.in.Proof, r); p != "" {
		what = p
	}
	if why == "" { // what the parser and the templates say tells more
		why = r.Error()
	}
	return what + " cannot be merged cleanly: " + why
}

// bump bumps once more what both sides bumped to one version, if the policy
// next is for a field of the file, and it is known which side is own.
func (m *merger) bump() {
	rules := m.opts.Rules.known()
	if slices.Contains(rules.Extended(), bump.LockRules) {
		raw, locked := bump.Locks(m.in.Raw, m.opts.Path)
		m.came(raw)
		m.locked = locked
	}
	if bytes.Equal(m.in.Raw[three.Dest], m.in.Raw[three.Updated]) || !rules.HasPolicy(schema.Next, m.opts.Path) {
		return
	}
	bumped := bump.Twice(m.in.Raw, m.opts.Path, rules)
	if len(bumped) == 0 {
		return // to find out whose side is own takes longer than most merges
	}
	if _, ok := m.own(); ok {
		m.bumped = bumped
		m.came(bump.Rewrite(m.in.Raw, bumped))
	}
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
