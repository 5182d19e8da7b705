package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// askLines makes the conflicts of the line merge questions. The page is of the
// bytes as they came: no form of a file merges on its own here. There are no
// questions where the page is not what the merge wrote, and where a version
// has markers of its own, which nobody could tell from those of a conflict.
func (x *Resolution) askLines() {
	m := x.m
	if slices.ContainsFunc(m.raw[:], func(b []byte) bool { return markerLine(b) > 0 }) {
		return
	}
	parts, err := diff3.Parts(m.raw[original], m.raw[dest], m.raw[updated], lineOptions(m.markers(), diff3.Merge))
	if err != nil {
		return
	}
	whole := frame{newline: commonBreak(m.raw), final: true}
	m.in = inputs{raw: m.raw, data: m.raw, merged: whole}
	r := &renderer{w: &walker{files: m.in.files()}, nl: []byte(whole.lineBreak())}
	page := m.linePage(parts)
	if b, _ := m.write(r, page); !bytes.Equal(b, x.merged.Bytes) {
		return
	}
	x.r, x.page, x.clashes = r, page, page.clashes()
	x.answers = make([]Answer, len(x.clashes))
	x.unread = !m.readableWith(page)
}

// linePage is a line merge as a page.
func (m *merger) linePage(parts []diff3.Part) *page {
	p := &page{}
	for _, x := range parts {
		if x.Conflict == nil {
			p.text(x.Text)
			continue
		}
		c := &marked{kind: ConflictLine, lines: &x.Conflict.Marked}
		for s, at := range [3]diff3.Range{x.Conflict.Original, x.Conflict.Dest, x.Conflict.Updated} {
			c.alt[s] = m.raw[s][at.Start:at.End]
			c.open[s] = text.Span{Start: at.Start, End: at.End}
		}
		p.add(c)
	}
	return p
}

// readableWith reports whether a page of the line merge is YAML with either
// side at its conflicts.
func (m *merger) readableWith(p *page) bool {
	return m.unfit() == "" && readable(p.choose(dest)) && readable(p.choose(updated))
}

// both is ours, then theirs, each in whole lines.
func (c *marked) both(nl []byte) []byte {
	ours := c.alt[dest]
	if c.lines != nil && len(ours) > 0 && len(c.alt[updated]) > 0 && !bytes.HasSuffix(ours, []byte("\n")) {
		return slices.Concat(ours, nl, c.alt[updated])
	}
	return slices.Concat(ours, c.alt[updated])
}

// asGit writes a conflict of the line merge as git does.
func (w *markers) asGit(c *marked) {
	git := c.lines[w.Style]
	written := 0
	for _, at := range git.Opens {
		w.text(git.Text[written:at])
		written = at
		w.open = append(w.open, w.r.conflict(c, hunk{alt: c.alt}, w.line))
		w.of = append(w.of, c)
	}
	w.text(git.Text[written:])
}

// readAll returns why the file is no YAML with the answers, the last of which is
// that to c, on either side of what is left.
func (x *Resolution) readAll(answers []Answer, c *marked) *AnswerError {
	for _, s := range sides {
		b, at := x.chosen(answers, s)
		if _, err := syntax.Parse(text.New(b)); err != nil {
			return unreadable(err, b, at[c])
		}
	}
	return nil
}
