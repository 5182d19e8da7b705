package template

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// twice holds that no block stands more often than in each version: what both
// sides added stands once.
func (l *Law) twice(r *Reading, result *facts) *Breach {
	texts := r.blockTexts()
	for _, said := range slices.Sorted(maps.Keys(texts)) {
		b := texts[said]
		if b.count < 2 {
			continue
		}
		most := 1
		for _, v := range l.versions {
			most = max(most, v.blockTexts()[said].count)
		}
		if b.count > most {
			line, _, _ := strings.Cut(said, "}}")
			return &Breach{Path: result.entryAt(b.last), Detail: fmt.Sprintf("the block %s}} stands %d times, not %d times", line, b.count, most)}
		}
	}
	return nil
}

// entryAt is the path of the first entry behind off, or of the last one.
func (f *facts) entryAt(off int) (path string) {
	f.each(func(e *entry, p string) bool {
		path = p
		return e.Start < off
	})
	return path
}

// printed holds that no line prints the same below an entry more often than in each
// version: what both sides added, one of them perhaps in a block, is there once.
func (l *Law) printed(r *Reading, result *facts) *Breach {
	if !l.printsMore(r) {
		return nil // as mostly
	}
	counts := map[[2]string]int{}
	for v, f := range l.facts {
		of := map[[2]string]int{}
		l.versions[v].eachBelow(f, func(d line, above string) {
			if x := [2]string{above, l.versions[v].printed(d)}; x[1] != "" {
				of[x]++
				counts[x] = max(counts[x], of[x])
			}
		})
	}
	var b *Breach
	r.eachBelow(result, func(d line, above string) {
		x := [2]string{above, r.printed(d)}
		if counts[x]--; x[1] != "" && counts[x] < 0 && b == nil {
			b = &Breach{Path: above, Line: r.said(d), Detail: fmt.Sprintf("%q prints more often than in each version", x[1])}
		}
	})
	return b
}

// printsMore reports whether more lines of r print the same than in each version.
func (l *Law) printsMore(r *Reading) bool {
	for said, n := range r.outputs() {
		if n > l.outputs[said] {
			return true
		}
	}
	return false
}

// outputs counts the lines that are one action that prints, by what it says.
func (r *Reading) outputs() map[string]int {
	all := map[string]int{}
	for _, d := range r.directives {
		if said := r.printed(d); said != "" {
			all[said]++
		}
	}
	return all
}

// printed is what a line says that is one action that prints, else "".
func (r *Reading) printed(d line) string {
	if d.last == d.first+1 && r.actions[d.first].kind == output {
		return r.actions[d.first].said
	}
	return ""
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
