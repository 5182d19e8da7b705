package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// part is a piece of the merged file: text, or a conflict.
type part struct {
	text  []byte
	clash *marked
}

// marked is a conflict as it will stand in the file: whole lines per version.
type marked struct {
	alt   [3][]byte
	kind  ConflictKind
	path  *path
	open  [3]text.Span // where the versions stand in the inputs
	child *child       // the entry in conflict, if it is a single one
	// lines is how git marks it, by style, if it is a conflict of the line
	// merge.
	lines *[3]diff3.Marked
}

// page collects parts in order.
type page struct{ parts []part }

func (p *page) text(b []byte) {
	if len(b) > 0 {
		p.parts = append(p.parts, part{text: b})
	}
}

// add adds a conflict.
func (p *page) add(m *marked) { p.parts = append(p.parts, part{clash: m}) }

// stream writes the documents of a plan.
func (r *renderer) stream(docs []*docPlan) *page {
	p := &page{}
	top := [3]bool{true, true, true}
	for _, d := range docs {
		if d.clash != nil {
			r.docClash(d, &top, p)
			continue
		}
		r.document(d, r.first(top, p), p)
		top = [3]bool{}
	}
	p.agree()
	return p
}

// first reports whether nothing stands above, in the file of either side: top
// says of which it holds. Where a conflict leaves one side without a document,
// the separator of the next one goes into the conflict.
func (r *renderer) first(top [3]bool, p *page) bool {
	if top[dest] == top[updated] {
		return top[dest]
	}
	c := p.parts[len(p.parts)-1].clash
	for s := range c.alt {
		if !top[s] {
			c.alt[s] = append(c.alt[s], r.separator()...)
		}
	}
	return true
}

// agree drops the conflicts whose sides came out the same.
func (p *page) agree() {
	for i, x := range p.parts {
		if c := x.clash; c != nil && c.kind != ConflictEncrypted && bytes.Equal(c.alt[dest], c.alt[updated]) {
			p.parts[i] = part{text: c.alt[dest]}
		}
	}
}

func (r *renderer) separator() []byte { return append([]byte("---"), r.nl...) }

// document writes a document that is not in conflict, with the --- that its
// place asks for.
func (r *renderer) document(d *docPlan, first bool, p *page) {
	doc := &page{}
	if d.whole != original {
		doc.text(r.bytes(d.whole, d.at[d.whole].Span))
	} else {
		r.mergedDoc(d, doc)
	}
	own := r.cutSeparator(d, doc)
	switch {
	case first && !r.explicit():
	case len(own) > 0:
		p.text(own)
	case !r.starts(d):
		p.text(r.separator())
	}
	p.parts = append(p.parts, doc.parts...)
}

// explicit reports whether the first document of the result starts with ---.
func (r *renderer) explicit() bool {
	var e [3]bool
	for s, st := range r.streams {
		e[s] = len(st.Docs) > 0 && st.Docs[0].Explicit
	}
	if r.destStarts && len(r.streams[dest].Docs) > 0 {
		return e[dest] // the others are other files
	}
	return pick(e[original], e[dest], e[updated])
}

// cutSeparator takes a line that is nothing but --- from the start of a
// document, and returns it. An empty document keeps its own.
func (r *renderer) cutSeparator(d *docPlan, doc *page) []byte {
	if len(doc.parts) == 0 || doc.parts[0].clash != nil || r.rootless(d) {
		return nil
	}
	b := doc.parts[0].text
	end := bytes.IndexByte(b, '\n') + 1
	if string(bytes.TrimRight(b[:end], "\r\n")) != "---" {
		return nil
	}
	doc.parts[0].text = b[end:]
	return b[:end]
}

// rootless reports whether nothing but trivia is written in a document.
func (r *renderer) rootless(d *docPlan) bool {
	if d.whole != original {
		return d.at[d.whole].Root.Span.Empty()
	}
	return d.root.v[d.root.form].Span.Empty()
}

// starts reports whether the head of d has a --- line.
func (r *renderer) starts(d *docPlan) bool {
	if d.whole != original {
		return d.at[d.whole].Explicit
	}
	if d.form != original {
		return d.at[d.form].Explicit
	}
	return slices.ContainsFunc(d.head, func(part triviaPart) bool {
		if c := part.clash; c != nil {
			return hasSeparator(c.lines[dest]) && hasSeparator(c.lines[updated])
		}
		return hasSeparator(part.lines)
	})
}

func hasSeparator(lines []line) bool {
	return slices.ContainsFunc(lines, func(l line) bool { return bytes.HasPrefix(l.text, []byte("---")) })
}

func (r *renderer) mergedDoc(d *docPlan, p *page) {
	if d.form != original {
		p.text(r.bytes(d.form, d.at[d.form].Head))
		r.root(d, p)
		p.text(r.bytes(d.footForm, d.at[d.footForm].Foot))
		return
	}
	r.trivia(d.head, nil, 0, p)
	r.root(d, p)
	if m := d.root; m.v[m.form].Style == syntax.Flow {
		p.text(r.nl)
	}
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
		p.text(append(bytes.Clone(r.props(m)), m.flow...))
	case n.Style == syntax.Block:
		p.text(r.bytes(m.form, n.Content)) // the properties are in the head
	default:
		p.text(r.bytes(m.form, n.Span))
	}
}

// docClash writes a conflict over documents. It says in top which sides still
// have no document.
func (r *renderer) docClash(d *docPlan, top *[3]bool, p *page) {
	m := &marked{kind: d.clash.kind, path: d.path}
	for s, run := range d.clash.runs {
		for i, x := range run {
			if i == 0 {
				m.open[s] = x.Span
			}
			m.open[s].End = x.Span.End
			if !top[s] && !x.Explicit {
				m.alt[s] = append(m.alt[s], r.separator()...)
			}
			m.alt[s] = append(m.alt[s], r.bytes(side(s), x.Span)...)
			top[s] = false
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
