package tree

import (
	"regexp"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/meaning"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Image is where the two parts of the reference of an image stand: Name, its
// registry and name, and Version behind it, its tag and digest with what leads
// them in, :1.0 or @sha256:…; empty where it has none.
type Image struct{ Name, Version text.Span }

// reference is [host[:port]/]name[:tag][@digest], or owner/action@ref; or the URL of a folder in a repository, as
// kustomize and Terraform have it, that ends in ref=REVISION. A colon before the last slash is that of a port.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(\w[\w.-]*(?::\d+/[\w.-]+)?(?:/[\w.-]+)*)((?::\w[\w.-]*)?(?:@[\w+.-]+(?::[[:xdigit:]]+)?)?)` +
		`|([^\s?#{}$"'\\]+\?(?:[^\s?#{}$"'\\]*&)?ref=)([^\s?#&{}$"'\\]+))$`)
})

// ImageOf reads the reference of an image off a plain or quoted scalar on one line
// without anchor and tag. It reports false where there is more in it: what an engine
// or a shell has to fill in.
func ImageOf(f *text.File, n *syntax.Node) (Image, bool) {
	if n == nil || n.Kind != syntax.Scalar || n.Tag != "!!str" || Propped(n) || n.Style > syntax.DoubleQuoted {
		return Image{}, false
	}
	at := unquoted(n)
	m := reference().FindStringSubmatchIndex(string(f.Slice(at)))
	if m == nil {
		return Image{}, false
	}
	cut := at.Start + max(m[4], m[8])
	return Image{text.Span{Start: at.Start, End: cut}, text.Span{Start: cut, End: at.End}}, true
}

// unquoted is where a scalar stands without its quotes.
func unquoted(n *syntax.Node) text.Span {
	at := n.Content
	if n.Style != syntax.Plain {
		at.Start++
		at.End--
	}
	return at
}

// IsText reports whether the plain scalar s is a text to every version of YAML: no
// number, and no word like true.
func IsText(s string) bool {
	var n yaml.Node
	return yaml.Unmarshal([]byte(s), &n) == nil && len(n.Content) == 1 && n.Content[0].Tag == "!!str" &&
		n.Content[0].Value == s && !meaning.Ambiguous(s)
}
