package tree

import (
	"bytes"
	"regexp"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Spread reports whether n is a flow collection of f with lines of their own for each of its
// entries, and for its closing bracket.
func Spread(f *text.File, n *syntax.Node) bool {
	if n.Style != syntax.Flow || n.Implicit || len(n.Entries) == 0 {
		return false
	}
	for _, e := range n.Entries {
		if e.Odd || !startsLine(f, e.Start, e.Span.Start) {
			return false
		}
	}
	return startsLine(f, n.Content.End-1, n.Tail.Start) &&
		blank(f, text.Span{Start: n.Content.Start + 1, End: SpreadLines(f, n.Entries[0]).Start})
}

// startsLine reports whether off is the first on its line, which begins behind after.
func startsLine(f *text.File, off, after int) bool {
	start := f.LineStart(off)
	return start > after && blank(f, text.Span{Start: start, End: off})
}

func blank(f *text.File, s text.Span) bool { return len(bytes.TrimSpace(f.Slice(s))) == 0 }

// SpreadLines are the whole lines of an entry of a collection that is spread: those of its Lead,
// and its own.
func SpreadLines(f *text.File, e *syntax.Entry) text.Span {
	return text.Span{Start: f.LineEnd(e.Span.Start), End: f.LineEnd(e.Span.End)}
}

// SpreadTail are the lines between the last entry and the closing bracket of n, which is spread.
func SpreadTail(f *text.File, n *syntax.Node) text.Span {
	return text.Span{Start: f.LineEnd(n.Tail.Start), End: f.LineStart(n.Content.End - 1)}
}

// SpreadIndent is what stands before the entries of n, which is spread, and before its closing
// bracket.
func SpreadIndent(f *text.File, n *syntax.Node) (entries, bracket []byte) {
	before := func(off int) []byte { return f.Slice(text.Span{Start: f.LineStart(off), End: off}) }
	return before(n.Entries[0].Start), before(n.Content.End - 1)
}

// CommaAt is where the comma behind e, an entry of a collection that is spread, stands in f, or
// would stand.
func CommaAt(f *text.File, e *syntax.Entry) int {
	at := e.Foot.Start
	if e.Comma {
		at += bytes.IndexByte(f.Slice(e.Foot), ',')
	}
	return at
}

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
	at := n.Content
	if n.Style != syntax.Plain { // without its quotes
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

// IsText reports whether the plain scalar s is a text to every version of YAML: no
// number, and no word like true.
func IsText(s string) bool {
	var n yaml.Node
	return yaml.Unmarshal([]byte(s), &n) == nil && len(n.Content) == 1 && n.Content[0].Tag == "!!str" &&
		n.Content[0].Value == s && !Ambiguous(s)
}
