package tree

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Image is where the two parts of the reference of an image stand: Name, its
// registry and name, and Version behind it, its tag and digest with what leads
// them in, :1.0 or @sha256:…; empty where it has none.
type Image struct{ Name, Version text.Span }

// reference is [host[:port]/]name[:tag][@digest]. A colon before the last slash is that of
// a port.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\w[\w.-]*(?::\d+/[\w.-]+)?(?:/[\w.-]+)*)((?::\w[\w.-]*)?(?:@[\w+.-]+:[[:xdigit:]]+)?)$`)
})

// ImageOf reads the reference of an image off a plain or quoted scalar on one line
// without anchor and tag. It reports false where there is more in it, or less: what an
// engine or a shell has to fill in, or what without its quotes may be no text.
func ImageOf(f *text.File, n *syntax.Node) (Image, bool) {
	if n == nil || n.Kind != syntax.Scalar || n.Tag != "!!str" || Propped(n) || n.Style > syntax.DoubleQuoted {
		return Image{}, false
	}
	at := unquoted(n)
	m := reference().FindStringSubmatchIndex(string(f.Slice(at)))
	if m == nil {
		return Image{}, false
	}
	cut := at.Start + m[4]
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

// IsImage reports whether s, the parts of two references in one, is a text in every
// style: no number, no word like true.
func IsImage(s string) bool {
	return strings.ContainsAny(s, ":@/") && strings.ContainsFunc(s, func(r rune) bool { return r >= 'A' })
}
