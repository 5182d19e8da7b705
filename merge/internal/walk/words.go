package walk

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// word is letters and digits with what joins them, blanks, or any other character.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL\pN_.+-]+|\s+|(?s:.)`) })

// mostWords bounds the words of a text that are compared.
const mostWords = 4000

// words compares three versions of a text word by word.
func words(v [3]string) (cut [3][]string, chunks []diff3.Chunk, ok bool) {
	for s, x := range v {
		cut[s] = word().FindAllString(x, -1)
	}
	chunks, ok = edits(cut)
	return cut, chunks, ok
}

// edits tells who changed what of three versions of words. It reports false where both
// changed the same differently: neither put there what the other did, and more.
func edits(v [3][]string) (chunks []diff3.Chunk, ok bool) {
	if max(len(v[0]), len(v[1]), len(v[2])) > mostWords {
		return nil, false
	}
	for _, c := range diff3.ChunksOf(v) {
		apart := []diff3.Chunk{c}
		if c.Kind == diff3.BothChanged {
			if apart = c.Apart(v); apart == nil {
				apart = byPlace(c, v)
			}
			if apart == nil {
				apart = contained(c, v)
			}
		}
		if apart == nil {
			return nil, false
		}
		chunks = append(chunks, apart...)
	}
	return chunks, true
}

// contained is c as a change of the side that put there all that the other did, and more;
// nil where neither did, or where nothing of the original stands beside it: another value
// that holds this one is not its edit.
func contained(c diff3.Chunk, v [3][]string) []diff3.Chunk {
	d, u := v[three.Dest][c.Dest.Start:c.Dest.End], v[three.Updated][c.Updated.Start:c.Updated.End]
	switch {
	case c.Original.Len() == len(v[three.Original]) || !c.Whole && !c.Original.Empty():
		return nil
	case holdsAll(d, u):
		c.Kind = diff3.DestChanged
	case holdsAll(u, d):
		c.Kind = diff3.UpdatedChanged
	default:
		return nil
	}
	return []diff3.Chunk{c}
}

// holdsAll reports whether a has all of b, in its order.
func holdsAll(a, b []string) bool {
	for _, w := range a {
		if len(b) > 0 && b[0] == w {
			b = b[1:]
		}
	}
	return len(b) == 0
}

// wordsByPlace are the lines of c, which both sides changed, line by line and word by word;
// nil where the versions have different numbers of lines, or both changed a word differently.
func (w *Walker) wordsByPlace(c diff3.Chunk, keys [3][]string, spans [3][]text.Span) (out []plan.TextPart) {
	n := c.Original.Len()
	if c.Dest.Len() != n || c.Updated.Len() != n {
		return nil
	}
	for i := range n {
		var line [3]string
		var at [3]text.Span
		for s, from := range [3]int{c.Original.Start, c.Dest.Start, c.Updated.Start} {
			line[s], at[s] = keys[s][from+i], spans[s][from+i]
		}
		if s, ok := three.Pick(line); ok {
			out = append(out, plan.TextPart{Side: s, Span: at[s]})
			continue
		}
		cut, chunks, ok := words(line)
		if !ok || line[three.Original] == "" {
			return nil
		}
		out = append(out, w.wordParts(cut, chunks, at)...)
	}
	return out
}

// wordParts are the parts of a line that stands at at, and whose words are cut; the first has
// what stands before them, the last what stands behind.
func (w *Walker) wordParts(cut [3][]string, chunks []diff3.Chunk, at [3]text.Span) (out []plan.TextPart) {
	for i, c := range chunks {
		s, r := takes(c)
		line := bytes.TrimRight(w.Bytes(s, at[s]), "\r\n")
		part := plan.TextPart{Side: s, Inner: i > 0, Span: at[s]}
		if i > 0 {
			part.Span.Start += len(line) - length(cut[s][r.Start:])
		}
		if i < len(chunks)-1 {
			part.Span.End = at[s].Start + len(line) - length(cut[s][r.End:])
		}
		out = append(out, part)
	}
	return out
}

func length(words []string) int { return len(strings.Join(words, "")) }

// larger is the side whose edits of words hold all of the other's: what both made together is
// what it has. It reports false where there is none.
func larger(v [3][]string) (three.Side, bool) {
	chunks, ok := edits(v)
	if !ok || len(v[three.Original]) == 0 {
		return three.Dest, false
	}
	var made []string
	for _, c := range chunks {
		s, at := takes(c)
		made = append(made, v[s][at.Start:at.End]...)
	}
	for _, s := range three.Sides {
		if slices.Equal(made, v[s]) {
			return s, true
		}
	}
	return three.Dest, false
}

// largerText is larger of the words of a text.
func largerText(v [3]string) (three.Side, bool) {
	var cut [3][]string
	for s, x := range v {
		cut[s] = word().FindAllString(x, -1)
	}
	return larger(cut)
}

// largerList is larger of the items of a list.
func (w *Walker) largerList(v three.Nodes) (three.Side, bool) {
	var items [3][]string
	for s, n := range v {
		if n == nil {
			return three.Dest, false
		}
		for _, e := range n.Entries {
			items[s] = append(items[s], strconv.FormatUint(w.Sums.Content(e.Value), 36))
		}
	}
	return larger(items)
}

// takes is the side of which a chunk has its words, and where.
func takes(c diff3.Chunk) (three.Side, diff3.Range) {
	if c.Kind == diff3.UpdatedChanged {
		return three.Updated, c.Updated
	}
	return three.Dest, c.Dest
}

// byPlace are the lines of c, which both sides changed, one by one; nil where the versions have
// different numbers of them, or both changed one differently.
func byPlace(c diff3.Chunk, keys [3][]string) (out []diff3.Chunk) {
	n := c.Original.Len()
	if c.Dest.Len() != n || c.Updated.Len() != n {
		return nil
	}
	for i := range n {
		k := diff3.Chunk{
			Original: diff3.Range{Start: c.Original.Start + i, End: c.Original.Start + i + 1},
			Dest:     diff3.Range{Start: c.Dest.Start + i, End: c.Dest.Start + i + 1},
			Updated:  diff3.Range{Start: c.Updated.Start + i, End: c.Updated.Start + i + 1},
		}
		line := [3]string{keys[three.Original][k.Original.Start], keys[three.Dest][k.Dest.Start], keys[three.Updated][k.Updated.Start]}
		s, ok := three.Pick(line)
		if !ok {
			return nil
		}
		if line[s] != line[three.Original] {
			k.Kind = diff3.Kind(s)
		}
		out = append(out, k)
	}
	return out
}
