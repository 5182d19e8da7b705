package merge

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
)

// grow puts what a refusal is about into conflict: the entries that hold its
// comment or its alias, else the smallest merged entry around its path, else
// the document. It reports false where nothing is left to grow.
func (w *walker) grow(plan []*docPlan, r *referee.Refusal) bool {
	if r.Subject != "" && w.growAbout(plan, r.Subject) {
		if r.Subject[0] == '#' {
			w.disputed = append(w.disputed, []byte(r.Subject))
		}
		return true
	}
	var best *child
	length := -1
	for _, c := range w.children {
		if c.clash != nil || c.within() {
			continue
		}
		if s := c.path.String(); len(s) > length && covers(s, r.Path) {
			best, length = c, len(s)
		}
	}
	if best != nil {
		w.refuse(best)
		return true
	}
	return growDoc(plan, r.Path)
}

// within reports whether an entry above c is in conflict already.
func (c *child) within() bool {
	for p := c.up; p != nil; p = p.up {
		if p.clash != nil {
			return true
		}
	}
	return c.doc != nil && c.doc.clash != nil
}

// covers reports whether the path p is path or one above it.
func covers(p, path string) bool {
	rest, ok := strings.CutPrefix(path, p)
	return ok && (rest == "" || p == "" || strings.ContainsRune(".[:", rune(rest[0])))
}

// growDoc makes the merged document that holds path a conflict, or the first
// one if none does.
func growDoc(plan []*docPlan, path string) bool {
	var best *docPlan
	for _, d := range plan {
		if d.clash != nil || d.whole != original {
			continue
		}
		if best == nil || covers(d.path.String(), path) {
			best = d
		}
	}
	if best == nil {
		return false
	}
	best.clashOver(ConflictRefused)
	return true
}
