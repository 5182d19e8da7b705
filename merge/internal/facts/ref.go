package facts

import (
	"cmp"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A Ref is the reference of an image: its registry and name, and what is behind that,
// its tag and digest, which are one thing; or a URL and the revision that is its last
// parameter, ref.
type Ref struct{ Name, Version string }

// Ref is the reference that n is; nothing, if it is no plain or quoted text of
// one word, has an anchor or a tag, or is written in another way than it reads.
func (n *Node) Ref() Ref {
	word := strings.Trim(string(n.in.file.Slice(n.Content)), `"'`)
	if n.Kind != syntax.Scalar || n.Tag != "!!str" || cmp.Or(n.Anchor, n.TagText) != "" || n.IsText() || word == "" {
		return Ref{}
	}
	if url, rev, ok := strings.Cut(word, "ref="); ok && strings.Contains(url, "?") && strings.LastIndexAny(url, "?&") == len(url)-1 {
		if strings.ContainsAny(word, " \t\"'\\#{}$") || strings.ContainsAny(rev, "?&") || strings.Count(url, "?") > 1 || rev == "" {
			return Ref{}
		}
		return Ref{url + "ref=", rev}
	}
	if strings.ContainsFunc(word, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("!\"#$%&'()*,;<=>?[\\]^`{|}~", r)
	}) {
		return Ref{}
	}
	// A colon that a slash follows is that of a port.
	last := strings.LastIndexByte(word, '/') + 1
	if d := strings.IndexByte(word, '@'); d >= 0 && d < last {
		return Ref{}
	}
	cut := strings.IndexAny(word[last:], ":@")
	if cut < 0 {
		return Ref{Name: word}
	}
	return Ref{word[:last+cut], word[last+cut:]}
}
