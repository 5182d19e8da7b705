package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// own is which side is one's own.
func (m *merger) own() (own, upstream side, ok bool) {
	if m.opts.Own == nil {
		return dest, updated, false
	}
	switch m.opts.Own() {
	case OwnOurs:
		return dest, updated, true
	case OwnTheirs:
		return updated, dest, true
	}
	return dest, updated, false
}

// next decides a conflict by the policy of that name: own's version, or
// upstream's bumped in its place.
func (m *merger) next(c *marked, by string) (v verdict, ok bool) {
	own, upstream, ok := m.own()
	s, plain := c.scalars()
	if !ok || !plain {
		return v, false
	}
	version, ok := schema.NextVersion(s[original], s[own], s[upstream])
	switch {
	case !ok:
		return v, false
	case version == s[own]:
		return c.taken(own, by), true
	}
	e := c.child.at[upstream]
	was := m.r.w.bytes(upstream, text.Span{Start: e.Key.Content.Start, End: e.Value.Content.End})
	now := bytes.Replace(was[e.Value.Content.Start-e.Key.Content.Start:], []byte(s[upstream]), []byte(version), 1)
	now = append(bytes.Clone(was[:e.Value.Content.Start-e.Key.Content.Start]), now...)
	v = verdict{by: by, wrote: version}
	v.text, ok = replaceLine(c.alt[upstream], was, now)
	return v, ok
}

// replaceLine replaces the field was, which starts one line of lines behind
// blanks and dashes; it reports false where none does, or several.
func replaceLine(lines, was, now []byte) ([]byte, bool) {
	var out []byte
	n := 0
	for line := range bytes.Lines(lines) {
		body := bytes.TrimLeft(line, " -")
		if rest, ok := bytes.CutPrefix(body, was); ok {
			n++
			line = slices.Concat(line[:len(line)-len(body)], now, rest)
		}
		out = append(out, line...)
	}
	return out, n == 1
}

// scalars are the three values in conflict; it reports false where they are no
// plain scalars.
func (c *marked) scalars() (s [3]string, plain bool) { return scalarsOf(c.child.at.values()) }

func scalarsOf(v nodes) (s [3]string, plain bool) {
	for i, n := range v {
		if n == nil || n.Kind != syntax.Scalar || n.Anchor != "" || n.TagText != "" {
			return s, false
		}
		s[i] = n.Value
	}
	return s, true
}
