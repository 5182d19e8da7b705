package form

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Odd reports whether more than blanks, properties and one comment stands
// between key and value. A value that merely starts on a line of its own is
// not odd.
func (f *Versions) Odd(s three.Side, e *syntax.Entry) bool {
	if !e.Odd || e.Value.Implicit {
		return e.Odd
	}
	inline := e.Value.Style != syntax.Block && !tree.IsBlockScalar(e.Value) && !e.Value.Content.Empty()
	gap := f.Bytes(s, text.Span{Start: e.Colon, End: max(e.Colon, e.Value.Content.Start)})
	key := f.KeyText(s, e)
	return !inline || plan.CommentAt(gap) >= 0 || !bytes.HasSuffix(key, []byte(":")) && !bytes.Equal(key, []byte("-"))
}
