package merge

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
)

// restore puts what was left out back into a result; false if something that it
// tells is about that.
func restore(res *Result, e *elide.Elision) bool {
	whole, ok := e.Restore(res.Bytes)
	if !ok {
		return false
	}
	for _, f := range res.Followed {
		if e.About(f.From) || e.About(f.To) {
			return false
		}
	}
	res.Bytes = whole.Bytes
	for _, cs := range [...][]Conflict{res.Conflicts, res.Resolved} {
		for i := range cs {
			c := &cs[i]
			if slices.ContainsFunc([]string{c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text}, e.About) {
				return false
			}
			for s, v := range [...]*Version{&c.Base, &c.Ours, &c.Theirs} {
				v.Line = whole.Line(s, v.Line)
			}
			c.Line = whole.Line(elide.Lines, c.Line)
		}
	}
	return true
}
