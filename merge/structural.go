package merge

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/walk"
)

// sopsReason says what to do with a merged file that SOPS encrypted.
const sopsReason = "encrypted with SOPS: the mac of a merged file is never valid; settle the conflicts, decrypt with `sops -d --ignore-mac`, and encrypt the result anew"

const tooManySteps = "too many parts of the merge could not be verified, the last one"

// structural merges by resource and field, and proves the result. What the
// proof refuses becomes a conflict around the smallest entry, then its
// parent, up to the whole file.
func (m *merger) structural() (Result, error) {
	m.in.At("walk")
	w := m.walker(three.RuleSet{})
	docs := w.Documents()
	m.united = w.Decided
	if m.sealed && plan.BreakSeals(docs) {
		m.refused = sopsReason
	}
	r := m.renderer()
	p := m.render(r, docs)
	grown := false
	for refusal := m.proof.Prove(p); refusal != nil; refusal = m.proof.Prove(p) {
		if m.elided != nil {
			return Result{}, refusal
		}
		if !m.sealed {
			m.refused = refusal.Error()
		}
		if m.proof.Exhausted() {
			return m.delegate(tooManySteps + ": " + m.refused)
		}
		m.in.At("grow")
		if !w.Grow(docs, refusal.Path, refusal.Subject) {
			return m.wholeFile(r)
		}
		grown = true
		p = m.render(r, docs)
	}
	if grown {
		p = m.proof.Shrink(r, w, docs, p)
	}
	m.in.At("tighten")
	p = m.proof.Tighten(r, p)
	if grown {
		if q := m.proof.ByLines(r); q != nil && q.Smaller(p) {
			p = q
		}
	}
	if reason := m.in.Doubled(); reason != "" && (len(p.Conflicts()) == 0 || m.stuck(p)) {
		if m.elided != nil {
			return Result{}, errors.New(reason)
		}
		return m.delegate(reason)
	}
	return m.result(r, p), nil
}

func (m *merger) render(r *page.Renderer, docs []*plan.Document) *page.Page {
	m.in.At("render")
	return r.Page(docs)
}

// stuck reports whether a conflict of p had to grow around a whole document, where
// the line merge has conflicts too, so that people look at the file anyway.
func (m *merger) stuck(p *page.Page) bool {
	return m.lineConflicts > 0 && slices.ContainsFunc(p.Conflicts(), func(c *page.Conflict) bool {
		return c.Kind == plan.ConflictRefused && c.Child == nil
	})
}

// result writes a proven page.
func (m *merger) result(r *page.Renderer, p *page.Page) Result {
	m.in.At("write")
	m.r, m.proven = r, p
	res := Result{Method: Structural, Reason: m.refused, LineConflicts: m.lineConflicts}
	p, done := m.decided(r, p)
	res.Resolved = append(decisions(done), united(m.united)...)
	res.Bytes, res.Conflicts = m.write(r, p)
	return res
}

// united are the lists that policies decided on the way.
func united(lists []walk.United) (all []Conflict) {
	for _, d := range lists {
		all = append(all, Conflict{Path: d.Path.String(), Kind: plan.ConflictList, By: d.By})
	}
	return all
}

// write returns the file, with markers around the conflicts of p.
func (m *merger) write(r *page.Renderer, p *page.Page) ([]byte, []Conflict) {
	if len(p.Conflicts()) == 0 {
		return m.in.Write(p.Choose(three.Dest)), nil
	}
	k := lineMarkers(m.markers())
	w := r.Write(p, k, m.in.Merged.Bom)
	form, b := m.in.Merged, w.Bytes
	if page.StartsMarked(b, k) {
		form.Bom = false // it stands behind the marker
	}
	if page.EndsMarked(b, k) {
		form.Final = true // a marker is a whole line
	}
	return m.in.WriteAs(form, b), conflicts(w.Marks)
}

// wholeFile is one conflict around everything.
func (m *merger) wholeFile(r *page.Renderer) (Result, error) {
	if reason := m.in.Doubled(); reason != "" && m.lineConflicts > 0 {
		return m.delegate(reason)
	}
	if p := m.proof.ByLines(r); p != nil {
		return m.result(r, p), nil
	}
	k := &page.Conflict{Kind: plan.ConflictRefused}
	for s, b := range m.in.Data {
		k.Alt[s] = b
		k.At[s] = text.Span{End: len(b)}
	}
	p := &page.Page{}
	p.Add(k)
	if refusal := m.proof.Prove(p); refusal != nil {
		return m.delegate("the merge could not be verified: " + refusal.Error())
	}
	return m.result(r, p), nil
}
