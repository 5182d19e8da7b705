package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// Reuses reports whether Parse reads b by reusing nodes of similar. It returns an error if b was then parsed as a whole.
func Reuses(b []byte, similar []*Stream) (bool, error) {
	p := newReusingLocator(text.New(b), nil, newParsedFile(b), similar)
	if p == nil {
		return false, nil
	}
	_, err := p.parse()
	return err == nil, err
}
