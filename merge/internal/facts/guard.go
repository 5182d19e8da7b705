package facts

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// guardSum is the sum of the blocks around e, 0 without any.
func (r *reader) guardSum(e *syntax.Entry) uint64 {
	if r == nil || r.facts == nil {
		return 0
	}
	if g := r.facts.Guards[e]; len(g) > 0 {
		return Hash(GuardText(g))
	}
	return 0
}

// GuardText spells a guard.
func GuardText(all []template.Level) string {
	var said []string
	for _, l := range all {
		said = append(said, l.Said)
	}
	return strings.Join(said, " > ")
}
