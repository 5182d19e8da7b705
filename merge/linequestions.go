package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// askLines makes the conflicts of the line merge questions. The page is of the
// bytes as they came: no form of a file merges on its own here. There are no
// questions where the page is not what the merge wrote, and where a version
// has markers of its own, which nobody could tell from those of a conflict.
func (x *Resolution) askLines() {
	m := x.m
	if slices.ContainsFunc(m.in.Raw[:], func(b []byte) bool { return read.MarkerLine(b) > 0 }) {
		return
	}
	parts, err := diff3.Parts(m.in.Raw[three.Original], m.in.Raw[three.Dest], m.in.Raw[three.Updated], diff3.Options{Markers: lineMarkers(m.markers()), As: diff3.Merge})
	if err != nil {
		return
	}
	whole := read.Form{Newline: read.CommonBreak(m.in.Raw), Final: true}
	m.in.Data, m.in.Merged = m.in.Raw, whole
	r := &page.Renderer{Sources: page.Sources{Files: m.in.Files(), Break: []byte(whole.LineBreak())}}
	p := page.OfLines(m.in.Raw, parts)
	if b, _ := m.write(r, p); !bytes.Equal(b, x.merged.Bytes) {
		return
	}
	x.r, x.page, x.clashes = r, p, p.Conflicts()
	x.answers = make([]Answer, len(x.clashes))
	x.unread = !m.readableWith(p)
}

// readableWith reports whether a page of the line merge is YAML with either
// side at its conflicts.
func (m *merger) readableWith(p *page.Page) bool {
	return m.in.Unfit(m.opts.MaxSize) == "" && readable(p.Choose(three.Dest)) && readable(p.Choose(three.Updated))
}

// readAll returns why the file is no YAML with the answers, the last of which is
// that to c, on either side of what is left.
func (x *Resolution) readAll(answers []Answer, c *page.Conflict) *AnswerError {
	for _, s := range three.Sides {
		b, at := x.chosen(answers, s)
		if _, err := syntax.Parse(text.New(b)); err != nil {
			return unreadable(err, b, at[c])
		}
	}
	return nil
}
