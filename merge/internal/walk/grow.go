package walk

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Grow puts what a refusal is about into conflict: the entries that hold its
// comment or its alias, else the smallest merged entry around its path, else
// the document. It reports false where nothing is left to grow.
func (w *Walker) Grow(docs []*plan.Document, path, subject string) bool {
	if subject != "" && w.growAbout(docs, subject) {
		if subject[0] != '*' {
			w.disputed = append(w.disputed, []byte(subject))
		}
		return true
	}
	var best *plan.Child
	length := -1
	for _, c := range w.children {
		if c.Clash != nil || c.Within() {
			continue
		}
		if s := c.Path.String(); len(s) > length && covers(s, path) {
			best, length = c, len(s)
		}
	}
	if best != nil {
		w.refuse(best)
		return true
	}
	return growDoc(docs, path)
}

// covers reports whether the path p is path or one above it.
func covers(p, path string) bool {
	rest, ok := strings.CutPrefix(path, p)
	return ok && (rest == "" || p == "" || strings.ContainsRune(".[:", rune(rest[0])))
}

// growDoc makes the merged document that holds path a conflict, or the first
// one if none does.
func growDoc(docs []*plan.Document, path string) bool {
	var best *plan.Document
	for _, d := range docs {
		if d.Clash != nil || d.Whole != three.Original {
			continue
		}
		if best == nil || covers(d.Path.String(), path) {
			best = d
		}
	}
	if best == nil {
		return false
	}
	best.Contest(plan.ConflictRefused)
	return true
}
