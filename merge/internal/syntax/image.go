package syntax

import (
	"regexp"
	"sync"

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

// Image reads the reference of an image off a plain or quoted scalar on one line
// without anchor and tag. It reports false where there is more in it: what an engine
// or a shell has to fill in.
func (n *Node) Image(f *text.File) (Image, bool) {
	if n == nil || n.Style > DoubleQuoted || n.Tag != "!!str" || n.Propped() {
		return Image{}, false
	}
	at := n.Content
	if n.Style != Plain { // without its quotes
		at.Start++
		at.End--
	}
	m := reference().FindStringSubmatchIndex(string(f.Slice(at)))
	if m == nil {
		return Image{}, false
	}
	cut := at.Start + max(m[4], m[8])
	return Image{text.Span{Start: at.Start, End: cut}, text.Span{Start: cut, End: at.End}}, true
}
