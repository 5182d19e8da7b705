package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// Reuses reports whether Parse reads b by reusing nodes of similar.
func Reuses(b []byte, similar []*Stream) bool {
	return parseReusing(text.New(b), nil, newParsedFile(b), similar) != nil
}
