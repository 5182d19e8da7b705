package merge

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// structural merges by resource and field, and proves the result. What the
// proof refuses becomes a conflict around the smallest entry, then its
// parent, up to the whole file.
func (m *merger) structural() (Result, error) {
	m.in.at("walk")
	w := m.walker(ruleSet{})
	docs := w.documents()
	m.united = w.decided
	if m.sealed && breakSeals(docs) {
		m.refused = sopsReason
	}
	r := m.renderer()
	p := m.render(r, docs)
	grown := false
	for refusal := m.proof.prove(p); refusal != nil; refusal = m.proof.prove(p) {
		if m.elided != nil {
			return Result{}, refusal
		}
		if !m.sealed {
			m.refused = refusal.Error()
		}
		if m.proof.exhausted() {
			return m.delegate(tooManySteps + ": " + m.refused)
		}
		m.in.at("grow")
		if !w.grow(docs, refusal.Path, refusal.Subject) {
			return m.wholeFile(r)
		}
		grown = true
		p = m.render(r, docs)
	}
	if grown {
		p = m.proof.shrink(r, w, docs, p)
	}
	m.in.at("tighten")
	p = m.proof.tighten(r, p)
	if grown {
		if q := m.proof.byLines(r); q != nil && q.smaller(p) {
			p = q
		}
	}
	if reason := m.in.doubled(); reason != "" && (len(p.clashes()) == 0 || m.stuck(p)) {
		if m.elided != nil {
			return Result{}, errors.New(reason)
		}
		return m.delegate(reason)
	}
	return m.result(r, p), nil
}

func (m *merger) render(r *renderer, docs []*docPlan) *page {
	m.in.at("render")
	return r.stream(docs)
}

// stuck reports whether a conflict of p had to grow around a whole document, where
// the line merge has conflicts too, so that people look at the file anyway.
func (m *merger) stuck(p *page) bool {
	return m.lineConflicts > 0 && slices.ContainsFunc(p.clashes(), func(c *marked) bool {
		return c.kind == ConflictRefused && c.child == nil
	})
}

// result writes a proven page.
func (m *merger) result(r *renderer, p *page) Result {
	m.in.at("write")
	m.r, m.proven = r, p
	res := Result{Method: Structural, Reason: m.refused, LineConflicts: m.lineConflicts}
	p, done := m.decided(r, p)
	res.Resolved = append(decisions(done), united(m.united)...)
	res.Bytes, res.Conflicts = m.write(r, p)
	return res
}

// united are the lists that policies decided on the way.
func united(lists []unitedList) (all []Conflict) {
	for _, d := range lists {
		all = append(all, Conflict{Path: d.path.String(), Kind: ConflictList, By: d.by})
	}
	return all
}

// write returns the file, with markers around the conflicts of p.
func (m *merger) write(r *renderer, p *page) ([]byte, []Conflict) {
	if len(p.clashes()) == 0 {
		return m.in.write(p.choose(dest)), nil
	}
	k := lineMarkers(m.markers())
	w := r.write(p, k, m.in.merged.bom)
	form, b := m.in.merged, w.out
	if startsMarked(b, k) {
		form.bom = false // it stands behind the marker
	}
	if endsMarked(b, k) {
		form.final = true // a marker is a whole line
	}
	return m.in.writeAs(form, b), conflicts(w.open)
}

// wholeFile is one conflict around everything.
func (m *merger) wholeFile(r *renderer) (Result, error) {
	if reason := m.in.doubled(); reason != "" && m.lineConflicts > 0 {
		return m.delegate(reason)
	}
	if p := m.proof.byLines(r); p != nil {
		return m.result(r, p), nil
	}
	k := &marked{kind: ConflictRefused}
	for s, b := range m.in.data {
		k.alt[s] = b
		k.open[s] = text.Span{End: len(b)}
	}
	p := &page{}
	p.add(k)
	if refusal := m.proof.prove(p); refusal != nil {
		return m.delegate("the merge could not be verified: " + refusal.Error())
	}
	return m.result(r, p), nil
}
