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
	if slices.ContainsFunc(m.in.raw[:], func(b []byte) bool { return markerLine(b) > 0 }) {
		return
	}
	parts, err := diff3.Parts(m.in.raw[original], m.in.raw[dest], m.in.raw[updated], diff3.Options{Markers: lineMarkers(m.markers()), As: diff3.Merge})
	if err != nil {
		return
	}
	whole := frame{newline: commonBreak(m.in.raw), final: true}
	m.in.data, m.in.merged = m.in.raw, whole
	r := &renderer{sources: sources{files: m.in.files(), nl: []byte(whole.lineBreak())}}
	p := pageOfLines(m.in.raw, parts)
	if b, _ := m.write(r, p); !bytes.Equal(b, x.merged.Bytes) {
		return
	}
	x.r, x.page, x.clashes = r, p, p.clashes()
	x.answers = make([]Answer, len(x.clashes))
	x.unread = !m.readableWith(p)
}

// readableWith reports whether a page of the line merge is YAML with either
// side at its conflicts.
func (m *merger) readableWith(p *page) bool {
	return m.in.unfit(m.opts.MaxSize) == "" && readable(p.choose(dest)) && readable(p.choose(updated))
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
