package merge

import (
	"bytes"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// grow puts what a refusal is about into conflict: the entries that hold its
// comment or its alias, else the smallest merged entry around its path, else
// the document. It reports false where nothing is left to grow.
func (w *walker) grow(plan []*docPlan, r *referee.Refusal) bool {
	if r.Subject != "" && w.growAbout(plan, r.Subject) {
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
		best.contest(ConflictRefused)
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

// growAbout makes every entry that holds subject, and that its versions do not
// have alike, a conflict of its own.
func (w *walker) growAbout(plan []*docPlan, subject string) bool {
	grown := false
	for _, d := range plan {
		if d.clash == nil && d.root != nil {
			grown = w.growKids(d.root, subject) || grown
		}
	}
	return grown
}

func (w *walker) growKids(m *value, subject string) bool {
	grown := false
	for _, c := range m.kids {
		switch {
		case c.clash != nil:
		case w.holds(c, subject):
			if c.path == nil {
				c.path = c.name(c.at)
			}
			c.contest(ConflictRefused)
			grown = true
		case c.value != nil:
			grown = w.growKids(c.value, subject) || grown
		}
	}
	return grown
}

// holds reports whether one of the versions of c has subject, outside the
// entries that merged one by one, and not all are the same.
func (w *walker) holds(c *child, subject string) bool {
	var own [3][]byte
	found := false
	for s, e := range c.at {
		if e != nil {
			own[s] = w.own(side(s), e, c.value != nil && c.value.merged)
			found = found || mentions(own[s], subject)
		}
	}
	return found && !bytes.Equal(own[dest], own[updated])
}

// own is the bytes of an entry; of a merged collection, those before its
// entries.
func (w *walker) own(s side, e *syntax.Entry, merged bool) []byte {
	sp := e.Span
	if merged && e.Value.Style == syntax.Block && e.HeadEnd > sp.Start {
		sp.End = e.HeadEnd
	}
	return w.bytes(s, sp)
}

// mentions reports whether b holds subject: a comment, or an alias with the
// anchor that it names.
func mentions(b []byte, subject string) bool {
	name, alias := strings.CutPrefix(subject, "*")
	if !alias {
		return bytes.Contains(b, []byte(subject))
	}
	for _, c := range []string{"*", "&"} {
		for rest := b; ; {
			i := bytes.Index(rest, []byte(c+name))
			if i < 0 {
				break
			}
			rest = rest[i+1+len(name):]
			if len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n,]}"), rest[0]) >= 0 {
				return true
			}
		}
	}
	return false
}
