// Package bump decides versions that both sides of a merge bumped. It takes a
// conflict over one, and gives the text that stands in its place; and it takes
// three files, and gives them with what both bumped to one version bumped once
// more.
package bump

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Next decides a conflict over a version: own's, or upstream's bumped in its
// place, as schema.NextVersion has it. It reports false where there is none.
func Next(c *page.Conflict, own three.Side, versions [3]*syntax.Stream, by string) (v page.Verdict, ok bool) {
	upstream := own.Other()
	s, plain := scalars(c.Child.At.Values())
	if !plain {
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
	start := e.KeySpan().End - e.Key.Content.Len()
	key := e.Value.Content.Start - start
	was := versions[upstream].File.Slice(text.Span{Start: start, End: e.Value.Content.End})
	now := slices.Concat(was[:key], bytes.Replace(was[key:], []byte(s[upstream]), []byte(version), 1))
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

// scalars are the values of v; it reports false where they are no plain
// scalars.
func scalars(v three.Nodes) (s [3]string, plain bool) {
	for i, n := range v {
		if n == nil || n.Kind != syntax.Scalar || n.Anchor != "" || n.TagText != "" {
			return s, false
		}
		s[i] = n.Value
	}
	return s, true
}
