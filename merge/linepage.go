package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// pageOfLines is a line merge of the versions raw as a page.
func pageOfLines(raw [3][]byte, parts []diff3.Part) *page {
	p := &page{}
	for _, x := range parts {
		if x.Conflict == nil {
			p.text(x.Text)
			continue
		}
		c := &marked{kind: ConflictLine, lines: &x.Conflict.Marked}
		for s, at := range [3]diff3.Range{x.Conflict.Original, x.Conflict.Dest, x.Conflict.Updated} {
			c.alt[s] = raw[s][at.Start:at.End]
			c.open[s] = text.Span{Start: at.Start, End: at.End}
		}
		p.add(c)
	}
	return p
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
		w.open = append(w.open, w.r.whole(c, w.line))
	}
	w.text(git.Text[written:])
}
