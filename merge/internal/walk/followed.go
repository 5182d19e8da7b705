package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Followed is an item or a document that one side gave another name, and that the
// other side changed: its change went where the item went.
type Followed struct {
	In       *three.Path // the list; nil for a document
	From, To string
}

// follow notes the renames among steps, whose things at tells by what they are
// known, and what they are.
func (w *Walker) follow(steps []pair.Step, in *three.Path, at func(three.Side, int) (string, *syntax.Node)) {
	if w.RuleSet.UpdatedWins {
		return
	}
	for _, st := range steps {
		if st.Cause != pair.NoCause || st.At[three.Original] < 0 || st.At[three.Dest] < 0 || st.At[three.Updated] < 0 {
			continue
		}
		from, was := at(three.Original, st.At[three.Original])
		for _, s := range three.Sides {
			to, _ := at(s, st.At[s])
			other, x := at(s.Other(), st.At[s.Other()])
			if from != to && from == other && from != "" && to != "" && !w.Sums.Equal(was, x) {
				w.Follows = append(w.Follows, Followed{in, from, to})
			}
		}
	}
}
