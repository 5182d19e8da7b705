package merge

import (
	"strings"
)

// grow puts what a refusal is about into conflict: the entries that hold its
// comment or its alias, else the smallest merged entry around its path, else
// the document. It reports false where nothing is left to grow.
func (w *walker) grow(docs []*docPlan, path, subject string) bool {
	if subject != "" && w.growAbout(docs, subject) {
		if subject[0] == '#' {
			w.disputed = append(w.disputed, []byte(subject))
		}
		return true
	}
	var best *child
	length := -1
	for _, c := range w.children {
		if c.clash != nil || c.within() {
			continue
		}
		if s := c.path.String(); len(s) > length && covers(s, path) {
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
func growDoc(docs []*docPlan, path string) bool {
	var best *docPlan
	for _, d := range docs {
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
	best.contest(ConflictRefused)
	return true
}
