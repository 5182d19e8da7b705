package merge

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// structural merges by resource and field, and proves the result. What the
// proof refuses becomes a conflict around the smallest entry, then its
// parent, up to the whole file.
func (m *merger) structural() (Result, error) {
	w := &walker{files: m.in.files(), streams: m.streams, rules: m.rules, file: m.opts.Path, sums: newSums(), deep: m.deep}
	for s, st := range m.streams {
		w.files[s] = st.File
	}
	plan := w.documents()
	if m.sealed && breakSeals(plan) {
		m.refused = sopsReason
	}
	r := &renderer{w: w, nl: []byte(m.in.merged.lineBreak())}
	var p *page
	for {
		p = r.stream(plan)
		refusal := m.prove(p)
		if refusal == nil {
			break
		}
		if !m.sealed {
			m.refused = refusal.Error()
		}
		if !w.grow(plan, refusal.Path) {
			return m.wholeFile(r)
		}
	}
	return m.result(r, p), nil
}

// result writes a proven page.
func (m *merger) result(r *renderer, p *page) Result {
	res := Result{Method: Structural, Reason: m.refused, LineConflicts: m.lineConflicts}
	p, res.Resolved = m.decided(r, p)
	if len(p.clashes()) == 0 {
		res.Bytes = m.in.write(p.choose(dest))
		return res
	}
	res.Bytes, res.Conflicts = r.write(p, m.markers())
	res.Bytes = m.in.write(res.Bytes)
	return res
}

// prove returns why a page may not be written.
func (m *merger) prove(p *page) *referee.Refusal {
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

// verify returns why b is not the merge of the inputs.
func (m *merger) verify(b []byte) *referee.Refusal {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return &referee.Refusal{Rule: "parses", Detail: err.Error()}
	}
	return referee.Check(referee.Claim{
		Original: m.proof[original], Dest: m.proof[dest], Updated: m.proof[updated], Result: st,
		File: m.opts.Path, Rules: m.rules,
	})
}

// verifySide returns why b, the unified file with side s at every conflict,
// does not hold.
func (m *merger) verifySide(b []byte, s side, open []referee.Open) *referee.Refusal {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return &referee.Refusal{Rule: "parses", Detail: err.Error()}
	}
	return referee.Check(referee.Claim{
		Original: m.streams[original], Dest: m.streams[dest], Updated: m.streams[updated], Result: st,
		File: m.opts.Path, Rules: m.rules, Open: open, Side: referee.Side(s),
	})
}

// grow makes the smallest merged entry around path a conflict. It reports
// false where nothing is left to grow.
func (w *walker) grow(plan []*docPlan, path string) bool {
	var best *child
	length := -1
	for _, c := range w.children {
		if c.clash != nil || c.within() {
			continue
		}
		if s := c.path.String(); len(s) > length && covers(s, path) {
			best, length = c, len(s)
		}
	}
	if best != nil {
		best.contest(ConflictRefused)
		return true
	}
	return growDoc(plan, path)
}

// within reports whether an entry above c is in conflict already.
func (c *child) within() bool {
	for p := c.up; p != nil; p = p.up {
		if p.clash != nil {
			return true
		}
	}
	return c.doc != nil && c.doc.clash != nil
}

// covers reports whether the path p is path or one above it.
func covers(p, path string) bool {
	rest, ok := strings.CutPrefix(path, p)
	return ok && (rest == "" || p == "" || strings.ContainsRune(".[:", rune(rest[0])))
}

// growDoc makes the merged document that holds path a conflict, or the first
// one if none does.
func growDoc(plan []*docPlan, path string) bool {
	var best *docPlan
	for _, d := range plan {
		if d.clash != nil || d.whole != original {
			continue
		}
		if best == nil || covers(d.path.String(), path) {
			best = d
		}
	}
	if best == nil {
		return false
	}
	best.clashOver(ConflictRefused)
	return true
}

// wholeFile is one conflict around everything.
func (m *merger) wholeFile(r *renderer) (Result, error) {
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
