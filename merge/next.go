package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// own is which side is one's own.
func (m *merger) own() (own, upstream three.Side, ok bool) {
	if m.opts.Own == nil {
		return three.Dest, three.Updated, false
	}
	switch m.opts.Own() {
	case OwnOurs:
		return three.Dest, three.Updated, true
	case OwnTheirs:
		return three.Updated, three.Dest, true
	}
	return three.Dest, three.Updated, false
}

// next decides a conflict by the policy of that name: own's version, or
// upstream's bumped in its place.
func (m *merger) next(c *page.Conflict, by string) (v page.Verdict, ok bool) {
	own, upstream, ok := m.own()
	s, plain := scalarsOf(c.Child.At.Values())
	if !ok || !plain {
		return v, false
	}
	version, ok := schema.NextVersion(s[three.Original], s[own], s[upstream])
	switch {
	case !ok:
		return v, false
	case version == s[own]:
		return c.Taken(own, by), true
	}
	e := c.Child.At[upstream]
	was := m.in.Streams[upstream].File.Slice(text.Span{Start: e.Key.Content.Start, End: e.Value.Content.End})
	now := bytes.Replace(was[e.Value.Content.Start-e.Key.Content.Start:], []byte(s[upstream]), []byte(version), 1)
	now = append(bytes.Clone(was[:e.Value.Content.Start-e.Key.Content.Start]), now...)
	v = page.Verdict{By: by, Wrote: version}
	v.Text, ok = replaceLine(c.Alt[upstream], was, now)
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

// scalarsOf are the values of v; it reports false where they are no plain
// scalars.
func scalarsOf(v three.Nodes) (s [3]string, plain bool) {
	for i, n := range v {
		if n == nil || n.Kind != syntax.Scalar || n.Anchor != "" || n.TagText != "" {
			return s, false
		}
		s[i] = n.Value
	}
	return s, true
}
