package verify

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkSources returns a violation if the result has bytes of unknown origin. Each byte must be a copy of the byte of a
// version that c.Sources names, or something that a merge may write itself, such as indentation. It returns nil if the
// sources are unknown.
func (c *checker) checkSources() *Violation {
	if c.Sources == nil {
		return nil
	}
	b, at := c.files[result].Bytes(), 0
	for _, p := range c.Sources {
		if at+p.Len > len(b) || !c.isCopy(p, b[at:at+p.Len]) {
			break
		}
		at += p.Len
	}
	if at == len(b) {
		return nil
	}
	bad := nodeVersions{}.newViolation(RuleSource, "line %d of the result has a text that is not in base, ours or theirs", c.files[result].Line(at))
	bad.At[result] = text.Span{Start: at, End: c.files[result].LineEnd(at)}
	return bad
}

// isCopy reports whether b, the bytes of the result for p, are what p says: a copy of the bytes of a version, or a text
// that a merge may write itself (Written.Allows).
func (c *checker) isCopy(p three.Piece, b []byte) bool {
	if p.Written != three.Copied {
		return p.Written.Allows(b)
	}
	from := c.files[p.Version].Bytes()
	return p.Offset+p.Len <= len(from) && bytes.Equal(from[p.Offset:p.Offset+p.Len], b)
}
