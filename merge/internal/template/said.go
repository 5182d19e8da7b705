package template

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// said is a directive line, blanks made one.
func (r *Reading) said(d line) string { return squeezed(r.data[d.Start:d.End]) }

// squeezed is b without the blanks around it, and with those in it made one.
func squeezed(b []byte) string {
	b = bytes.TrimSpace(b)
	blank := true
	for _, c := range b {
		if c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r' || c >= 0x80 || c == ' ' && blank {
			return string(bytes.Join(bytes.Fields(b), []byte(" ")))
		}
		blank = c == ' '
	}
	return string(b)
}

// blockTexts counts the blocks that stand on several lines by their texts, blanks
// made one, of those that start alike.
func (r *Reading) blockTexts() map[string]blockText {
	if r.texts != nil {
		return r.texts
	}
	starts := map[string]int{}
	for opening, b := range r.nest.blocks {
		if b != nil {
			starts[r.actions[opening].said]++
		}
	}
	r.texts = map[string]blockText{}
	for opening, b := range r.nest.blocks {
		if a := r.actions[opening]; b != nil && starts[a.said] > 1 {
			r.blockText(text.Span{Start: a.Start, End: r.actions[b.actions[len(b.actions)-1]].End})
		}
	}
	return r.texts
}

// blockText counts a block.
func (r *Reading) blockText(at text.Span) {
	if b := r.data[at.Start:at.End]; len(b) < mostBlock && bytes.IndexByte(b, '\n') >= 0 {
		said := squeezed(b)
		r.texts[said] = blockText{r.texts[said].count + 1, at.Start}
	}
}

// A blockText is how often a block stands in a file, and where last.
type blockText struct{ count, last int }

// mostBlock bounds the blocks that are compared as a whole: nested ones would cost
// their depth.
const mostBlock = 4 << 10
