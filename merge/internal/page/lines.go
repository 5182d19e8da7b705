package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// OfLines is a line merge of the versions raw as a page.
func OfLines(raw [3][]byte, parts []diff3.Part) *Page {
	p := &Page{}
	for _, x := range parts {
		if x.Conflict == nil {
			p.text(x.Text)
			continue
		}
		c := &Conflict{Kind: plan.ConflictLine, Lines: &x.Conflict.Marked}
		for s, at := range [3]diff3.Range{x.Conflict.Original, x.Conflict.Dest, x.Conflict.Updated} {
			c.Alt[s] = raw[s][at.Start:at.End]
			c.At[s] = text.Span{Start: at.Start, End: at.End}
		}
		p.Add(c)
	}
	return p
}

// Both is ours, then theirs, each in whole lines.
func (c *Conflict) Both(nl []byte) []byte {
	ours := c.Alt[three.Dest]
	if c.Behind != nil && len(c.Alt[three.Updated]) > 0 {
		at := len(ours) - *c.Behind
		return slices.Concat(ours[:at], []byte(","), ours[at:], c.Alt[three.Updated])
	}
	if c.Lines != nil && len(ours) > 0 && len(c.Alt[three.Updated]) > 0 && !bytes.HasSuffix(ours, []byte("\n")) {
		return slices.Concat(ours, nl, c.Alt[three.Updated])
	}
	return slices.Concat(ours, c.Alt[three.Updated])
}

// asGit writes a conflict of the line merge as git does.
func (w *Marked) asGit(c *Conflict) {
	git := c.Lines[w.Style]
	written := 0
	for _, at := range git.Opens {
		w.text(git.Text[written:at])
		written = at
		w.Marks = append(w.Marks, w.r.Whole(c, w.line))
	}
	w.text(git.Text[written:])
}
