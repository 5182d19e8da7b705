package law

import (
	"cmp"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A ref is the reference of an image: its registry and name, and what is behind that,
// its tag and digest, which are one thing.
type ref struct{ name, version string }

// isImage reports whether q, which both sides changed differently, is a field of
// images, and every version has the reference of one there.
func (c *checker) isImage(at *place, q quad) bool {
	if q.part() || q[original] == nil {
		return false
	}
	refs := q.has(func(n *node) bool { return c.refOf(n) == ref{} })
	return !refs && c.Rules.Image(at.schema(c.File))
}

// image holds a reference: what names it, and its version, are each that of the
// side that changed it. Its quotes are those of theirs, if it alone changed them, else
// those of ours.
func (c *checker) image(q quad) *Refusal {
	name, named := choose(of(q, func(n *node) string { return c.refOf(n).name }))
	version, versioned := choose(of(q, func(n *node) string { return c.refOf(n).version }))
	if !named || !versioned {
		return c.text(q)
	}
	r, quotes := q[result], q[dest]
	if quotes.Style == q[original].Style {
		quotes = q[updated]
	}
	switch {
	case c.refOf(r) != ref{name, version}, r.Style == syntax.Plain && ambiguous(r.Value):
		return q.refuse("value", "expected the image %q with the version %q, found %s", name, version, r.show())
	case !c.person && r.Style != quotes.Style:
		return q.refuse("form", "its quotes are not those of %s", quotes.v)
	}
	c.images = append(c.images, r.Span)
	return nil
}

// refOf is the reference that n is; nothing, if it is no plain or quoted text of
// one word, has an anchor or a tag, or is written in another way than it reads.
func (c *checker) refOf(n *node) ref {
	word := strings.Trim(string(c.files[n.v].Slice(n.Content)), `"'`)
	if n.Kind != syntax.Scalar || n.Tag() != "!!str" || cmp.Or(n.Anchor, n.TagText) != "" || n.isText() || word == "" {
		return ref{}
	}
	if strings.ContainsFunc(word, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("!\"#$%&'()*,;<=>?[\\]^`{|}~", r)
	}) {
		return ref{}
	}
	// A colon that a slash follows is that of a port.
	last := strings.LastIndexByte(word, '/') + 1
	if d := strings.IndexByte(word, '@'); d >= 0 && d < last {
		return ref{}
	}
	cut := strings.IndexAny(word[last:], ":@")
	if cut < 0 {
		return ref{name: word}
	}
	return ref{word[:last+cut], word[last+cut:]}
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
