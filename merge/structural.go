package merge

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// structural merges by resource and field, and proves the result. What the
// proof refuses becomes a conflict around the smallest entry, then its
// parent, up to the whole file.
func (m *merger) structural() (Result, error) {
	m.at("walk")
	w := m.walker()
	plan := w.documents()
	if m.sealed && breakSeals(plan) {
		m.refused = sopsReason
	}
	r := &renderer{w: w, nl: []byte(m.in.merged.lineBreak())}
	p := m.render(r, plan)
	grown := false
	for refusal := m.prove(p); refusal != nil; refusal = m.prove(p) {
		if m.elided != nil {
			return Result{}, refusal
		}
		if !m.sealed {
			m.refused = refusal.Error()
		}
		if m.exhausted() {
			return m.delegate(tooManySteps + ": " + m.refused)
		}
		m.at("grow")
		if !w.grow(plan, refusal) {
			return m.wholeFile(r)
		}
		grown = true
		p = m.render(r, plan)
	}
	if grown {
		p = m.shrink(r, plan, p)
	}
	m.at("tighten")
	p = m.tighten(r, p)
	if grown {
		if q := m.byLines(r); q != nil && q.smaller(p) {
			p = q
		}
	}
	if reason := m.doubled(); reason != "" && (len(p.clashes()) == 0 || m.stuck(p)) {
		if m.elided != nil {
			return Result{}, errors.New(reason)
		}
		return m.delegate(reason)
	}
	return m.result(r, p), nil
}

func (m *merger) render(r *renderer, plan []*docPlan) *page {
	m.at("render")
	return r.stream(plan)
}

// stuck reports whether a conflict of p had to grow around a whole document, where
// the line merge has conflicts too, so that people look at the file anyway.
func (m *merger) stuck(p *page) bool {
	return m.lineConflicts > 0 && slices.ContainsFunc(p.clashes(), func(c *marked) bool {
		return c.kind == ConflictRefused && c.child == nil
	})
}

// doubled says which key stands twice in an input: most readers refuse such a
// file, so that no clean merge of it is right.
func (m *merger) doubled() string {
	for _, s := range sides {
		if e := doubledKey(m.streams[s]); e != nil {
			at := m.streams[s].File.Position(e.Start)
			return fmt.Sprintf("%s:%d:%d: the key %q stands twice in its mapping", m.called(s), at.Line, at.Column, e.Key.Value)
		}
	}
	return ""
}

// result writes a proven page.
func (m *merger) result(r *renderer, p *page) Result {
	m.at("write")
	m.r, m.proven = r, p
	res := Result{Method: Structural, Reason: m.refused, LineConflicts: m.lineConflicts}
	p, res.Resolved = m.decided(r, p)
	res.Resolved = append(res.Resolved, united(r)...)
	res.Bytes, res.Conflicts = m.write(r, p)
	return res
}

// united are the lists that policies decided on the way.
func united(r *renderer) (all []Conflict) {
	for _, d := range r.w.decided {
		all = append(all, Conflict{Path: d.path.String(), Kind: ConflictList, By: d.by})
	}
	return all
}

// write returns the file, with markers around the conflicts of p.
func (m *merger) write(r *renderer, p *page) ([]byte, []Conflict) {
	if len(p.clashes()) == 0 {
		return m.in.write(p.choose(dest)), nil
	}
	k := m.markers()
	w := r.write(p, k, m.in.merged.bom)
	in, b := m.in, w.out
	if startsMarked(b, k) {
		in.merged.bom = false // it stands behind the marker
	}
	if endsMarked(b, k) {
		in.merged.final = true // a marker is a whole line
	}
	return in.write(b), w.open
}

// prove returns why a page may not be written.
func (m *merger) prove(p *page) *referee.Refusal {
	m.at("prove")
	if len(p.clashes()) == 0 {
		return m.verify(m.in.write(p.choose(dest)))
	}
	var open []referee.Open
	for _, o := range opens(p) {
		open = append(open, referee.Open{Original: o[original], Dest: o[dest], Updated: o[updated]})
	}
	for _, s := range sides {
		if r := m.verifySide(p.choose(s), s, open); r != nil {
			return r
		}
	}
	return nil
}

// parseResult reads a result. What does not parse is refused; a missing anchor
// is named.
func parseResult(b []byte) (*syntax.Stream, *referee.Refusal) {
	st, err := syntax.Parse(text.New(b))
	if err == nil {
		return st, nil
	}
	r := &referee.Refusal{Rule: "parses", Detail: err.Error()}
	if _, after, ok := strings.Cut(r.Detail, "unknown anchor '"); ok {
		name, _, _ := strings.Cut(after, "'")
		r.Subject = "*" + name
	}
	return nil, r
}

// verify returns why b is not the merge of the inputs.
func (m *merger) verify(b []byte) *referee.Refusal {
	m.steps += len(b)
	st, refusal := parseResult(b)
	if refusal != nil {
		return refusal
	}
	return m.check(st)
}

// check returns why st, a clean result, is not the merge of the inputs.
func (m *merger) check(st *syntax.Stream) *referee.Refusal {
	return referee.Check(referee.Claim{
		Original: m.proof[original], Dest: m.proof[dest], Updated: m.proof[updated], Result: st,
		File: m.opts.Path, Rules: m.opts.Rules.known(),
	})
}

// verifySide returns why b, the unified file with side s at every conflict,
// does not hold.
func (m *merger) verifySide(b []byte, s side, open []referee.Open) *referee.Refusal {
	m.steps += len(b)
	st, refusal := parseResult(b)
	if refusal != nil {
		return refusal
	}
	return referee.Check(referee.Claim{
		Original: m.streams[original], Dest: m.streams[dest], Updated: m.streams[updated], Result: st,
		File: m.opts.Path, Rules: m.opts.Rules.known(), Open: open, Side: referee.Side(s),
	})
}

// wholeFile is one conflict around everything.
func (m *merger) wholeFile(r *renderer) (Result, error) {
	if reason := m.doubled(); reason != "" && m.lineConflicts > 0 {
		return m.delegate(reason)
	}
	if p := m.byLines(r); p != nil {
		return m.result(r, p), nil
	}
	k := &marked{kind: ConflictRefused}
	for s, b := range m.in.data {
		k.alt[s] = b
		k.open[s] = text.Span{End: len(b)}
	}
	p := &page{}
	p.add(k)
	if refusal := m.prove(p); refusal != nil {
		return m.delegate("the merge could not be verified: " + refusal.Error())
	}
	return m.result(r, p), nil
}
