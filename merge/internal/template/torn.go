package template

import (
	"bytes"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// mostTorn bounds the size of files that are looked at for what makes them no YAML,
// and maxTorn how often: it takes a parse for each halving.
const (
	mostTorn = 256 << 10
	maxTorn  = 4
)

// culprit is the block because of which masked is no YAML: the innermost one around
// the first line with which it is none, else the last one above. It is noBlock
// where there is none, or the file is large.
func (r *Reading) culprit(masked []byte, lines []line) int {
	if len(masked) > mostTorn {
		return noBlock
	}
	i := sort.Search(len(lines), func(i int) bool {
		_, err := syntax.Parse(text.New(masked[:lines[i].End]))
		return err != nil
	})
	if i == len(lines) {
		return noBlock
	}
	if f := r.at(lines[i].Start); f != nil {
		return f.block
	}
	block := noBlock
	for opening, b := range r.nest.blocks {
		last := r.actions[b.actions[len(b.actions)-1]]
		if last.End <= lines[i].Start && opening > block && bytes.IndexByte(r.data[r.actions[opening].Start:last.End], '\n') >= 0 {
			block = opening
		}
	}
	return block
}
