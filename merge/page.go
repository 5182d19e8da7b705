package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// stream writes the documents of a plan.
func (r *renderer) stream(plan []*docPlan) *page {
	p := &page{}
	for i, d := range plan {
		r.document(d, i == 0, p)
	}
	p.agree()
	return p
}

// agree drops the conflicts whose sides came out the same.
func (p *page) agree() {
	for i, x := range p.parts {
		if c := x.clash; c != nil && c.kind != ConflictEncrypted && bytes.Equal(c.alt[dest], c.alt[updated]) {
			p.parts[i] = part{text: c.alt[dest]}
		}
	}
}

func (r *renderer) document(d *docPlan, first bool, p *page) {
	switch {
	case d.clash != nil:
		r.docClash(d, first, p)
	case d.whole != original:
		r.separate(d.at[d.whole], first, p)
		p.text(r.w.bytes(d.whole, d.at[d.whole].Span))
	default:
		if !first && !r.starts(d) {
			p.text(append([]byte("---"), r.nl...))
		}
		r.mergedDoc(d, p)
	}
}

// separate writes a --- before a document that has none but is not the first.
func (r *renderer) separate(d *syntax.Document, first bool, p *page) {
	if !first && !d.Explicit {
		p.text(append([]byte("---"), r.nl...))
	}
}

// starts reports whether the merged head of d has a --- line.
func (r *renderer) starts(d *docPlan) bool {
	if d.form != original {
		return d.at[d.form].Explicit
	}
	for _, part := range d.head {
		for _, l := range part.lines {
			if bytes.HasPrefix(l.text, []byte("---")) {
				return true
			}
		}
	}
	return false
}

func (r *renderer) mergedDoc(d *docPlan, p *page) {
	if d.form != original {
		p.text(r.w.bytes(d.form, d.at[d.form].Head))
		r.root(d, p)
		p.text(r.w.bytes(d.footForm, d.at[d.footForm].Foot))
		return
	}
	r.trivia(d.head, nil, 0, p)
	r.root(d, p)
	r.trivia(d.foot, nil, 0, p)
}

func (r *renderer) root(d *docPlan, p *page) {
	m := d.root
	n := m.v[m.form]
	switch {
	case m.merged && n.Style == syntax.Block:
		if len(m.kids) == 0 {
			p.text(append([]byte(emptyFlow(n)), r.nl...))
		}
		r.kids(m, n.Indent, p)
	case m.flow != nil:
		p.text(m.flow)
	default:
		p.text(r.w.bytes(m.form, n.Span))
	}
}

// docClash writes a conflict over documents.
func (r *renderer) docClash(d *docPlan, first bool, p *page) {
	m := &marked{kind: d.clash.kind, path: d.path}
	for s, run := range d.clash.runs {
		for i, x := range run {
			if i == 0 {
				m.open[s] = x.Span
			}
			m.open[s].End = x.Span.End
			if !(first && i == 0) && !x.Explicit {
				m.alt[s] = append(append(m.alt[s], "---"...), r.nl...)
			}
			m.alt[s] = append(m.alt[s], r.w.bytes(side(s), x.Span)...)
		}
	}
	p.add(m)
}

// choose is the file with one side taken at every conflict.
func (p *page) choose(s side) []byte {
	n := 0
	for _, x := range p.parts {
		n += len(x.text)
		if x.clash != nil {
			n += len(x.clash.alt[s])
		}
	}
	b := make([]byte, 0, n)
	for _, x := range p.parts {
		b = append(b, x.text...)
		if x.clash != nil {
			b = append(b, x.clash.alt[s]...)
		}
	}
	return b
}

// clashes returns the conflicts of a page.
func (p *page) clashes() []*marked {
	var m []*marked
	for _, x := range p.parts {
		if x.clash != nil {
			m = append(m, x.clash)
		}
	}
	return m
}
