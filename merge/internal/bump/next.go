// Package bump decides versions that both sides of a merge bumped. It takes a
// conflict over one, and gives the text that stands in its place; and it takes
// three files, and gives them with what both bumped to one version bumped once
// more.
package bump

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
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
	if !ok {
		return v, false
	}
	v = page.Verdict{By: by, Wrote: version}
	value := bytes.Replace(c.Written(versions, upstream), []byte(s[upstream]), []byte(version), 1)
	if version == s[own] {
		v, value = c.Taken(own, by), c.Written(versions, own)
	}
	v.Value = true
	v.Text, ok = c.Slot(versions, value)
	return v, ok
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
