package form

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Lined reports whether the root's bytes and what surrounds them are whole
// lines.
func (f *Versions) Lined(s three.Side, d *syntax.Document) bool {
	return f.StartsLine(s, d) && d.Foot.Start == f.Files[s].LineStart(d.Foot.Start)
}

// StartsLine reports whether the root of d starts on a line of its own.
func (f *Versions) StartsLine(s three.Side, d *syntax.Document) bool {
	return d.Head.End == f.Files[s].LineStart(d.Head.End)
}

// Head gathers what stands above the roots of documents.
func (f *Versions) Head(at [3]*syntax.Document) plan.Slot {
	return f.outside(at, func(_ three.Side, d *syntax.Document) text.Span { return d.Head })
}

// Below gathers what stands below the lines of the roots.
func (f *Versions) Below(at [3]*syntax.Document) plan.Slot {
	return f.outside(at, func(s three.Side, d *syntax.Document) text.Span {
		foot := d.Foot
		if file := f.Files[s]; foot.Start != file.LineStart(foot.Start) {
			foot.Start = file.LineEnd(foot.Start)
		}
		return foot
	})
}

func (f *Versions) outside(at [3]*syntax.Document, get func(three.Side, *syntax.Document) text.Span) plan.Slot {
	var t plan.Slot
	for s, d := range at {
		if d != nil {
			t.Spans[s] = get(three.Side(s), d)
			t.Lines[s] = plan.Lines(f.Files[s], t.Spans[s], 0)
		}
	}
	return t
}

// A Part is what stands before or behind the root of a document.
type Part func(*syntax.Document) text.Span

// HeadOf is what stands before the root of d.
func HeadOf(d *syntax.Document) text.Span { return d.Head }

// FootOf is what stands behind the root of d.
func FootOf(d *syntax.Document) text.Span { return d.Foot }

// Texts are a part of documents as they are written.
func (f *Versions) Texts(at [3]*syntax.Document, part Part) (t [3][]byte) {
	for s, d := range at {
		if d != nil {
			t[s] = f.Bytes(three.Side(s), part(d))
		}
	}
	return t
}

// Framed makes the form of p's root that of a side in whose file it stands between the
// head and the foot of p, as they were chosen. It reports false where there is none.
func (f *Versions) Framed(p *plan.Document) bool {
	m := p.Root
	own := f.Bytes(m.Form, m.V[m.Form].Span)
	for _, s := range [3]three.Side{m.Form, p.Form, p.FootForm} {
		stands := s == m.Form || !m.Merged && bytes.Equal(f.Bytes(s, m.V[s].Span), own)
		if stands && f.same(p, s, p.Form, HeadOf) && f.same(p, s, p.FootForm, FootOf) {
			m.Form = s
			return true
		}
	}
	return false
}

func (f *Versions) same(p *plan.Document, a, b three.Side, part Part) bool {
	return a == b || bytes.Equal(f.Bytes(a, part(p.At[a])), f.Bytes(b, part(p.At[b])))
}
