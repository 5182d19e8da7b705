package verify

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// isImage reports whether q, which both sides changed differently, is a field of
// images, and every version has the reference of one there.
func (c *checker) isImage(at *place, q quad) bool {
	if q.part() || q[base] == nil {
		return false
	}
	refs := q.has(func(n *node) bool { return n.Ref() == facts.Ref{} })
	return !refs && c.Rules.Image(at.schema(c.File))
}

// image holds a reference: what names it, and its version, are each that of the
// side that changed it. Its quotes are those of theirs, if it alone changed them, else
// those of ours.
func (c *checker) image(q quad) *Violation {
	name, named := facts.Choose(of(q, func(n *node) string { return n.Ref().Name }))
	version, versioned := facts.Choose(of(q, func(n *node) string { return n.Ref().Version }))
	if !named || !versioned {
		return c.text(q)
	}
	r, quotes := q[result], q[ours]
	if quotes.Style == q[base].Style {
		quotes = q[theirs]
	}
	switch {
	case r.Ref() != facts.Ref{Name: name, Version: version}, r.Style == syntax.Plain && facts.Ambiguous(r.Value):
		return q.violation("value", "expected the image %q with the version %q, found %s", name, version, r.Show())
	case !c.person && r.Style != quotes.Style:
		return q.violation("form", "its quotes are not those of %s", quotes.V)
	}
	c.images = append(c.images, r.Span)
	return nil
}

// typed returns what of the line s of the result is not the reference of an image that
// was put together, which has words that are in no input.
func (c *checker) typed(s text.Span) []text.Span {
	for _, at := range c.images {
		if s.Start <= at.Start && at.End <= s.End {
			return append(c.typed(text.Span{Start: s.Start, End: at.Start}), c.typed(text.Span{Start: at.End, End: s.End})...)
		}
	}
	return []text.Span{s}
}

// A use is an alias and what it means: the last node of its name before it.
type use struct {
	alias, target *node
	at, where     uint64 // where they stand
}

// aliases refuses an alias of the result that means another node than in the
// sides that have it: at its place, else anywhere.
func (c *checker) aliases() *Violation {
	known := map[[2]uint64][]use{} // by name and address; those of a name at 0
	for _, s := range sides {
		for _, x := range c.uses(s) {
			for _, addr := range [...]uint64{0, x.at} {
				k := [...]uint64{facts.Hash(x.alias.Value), addr}
				known[k] = append(known[k], x)
			}
		}
	}
	for _, x := range c.uses(result) {
		was := known[[...]uint64{facts.Hash(x.alias.Value), x.at}]
		if len(was) == 0 {
			was = known[[...]uint64{facts.Hash(x.alias.Value), 0}]
		}
		if len(was) > 0 && !slices.ContainsFunc(was, x.means) {
			bad := quad{result: x.alias}
			bad[was[0].alias.V] = was[0].alias
			r := bad.violation("alias", "*%s does not mean what it means in %s", x.alias.Value, was[0].alias.V)
			r.Subject = "*" + x.alias.Value
			return r
		}
	}
	return nil
}

// means reports whether x means what w means: a node of the same value, or what
// became of it.
func (x use) means(w use) bool {
	a, b := x.target, w.target
	return a == b || a != nil && b != nil && (a.Data == b.Data || x.where == w.where)
}

// uses returns the aliases of v.
func (c *checker) uses(v version) (all []use) {
	if bytes.IndexByte(c.files[v].Bytes(), '*') < 0 && c.streams[v].Masked == nil {
		return nil // what is folded is not to be read for nothing
	}
	var anchors map[string]use
	c.eachHome(v, func(n *node, at uint64) {
		switch {
		case n.Entry == nil:
			anchors = map[string]use{}
		case n.Kind == syntax.Alias:
			of := anchors[n.Value]
			all = append(all, use{n, of.target, at, of.where})
		}
		if n.Anchor != "" {
			anchors[n.Anchor] = use{target: n, where: at}
		}
	})
	return all
}
