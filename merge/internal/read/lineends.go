package read

import (
	"bytes"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// CheckLineEnds returns an error if an entry, a document or a comment of its
// own starts behind a line end that YAML knows and git does not: CR alone, NEL
// (U+0085), LS or PS (U+2028, U+2029). Merged lines would tear it apart.
// Within texts they do no harm.
func CheckLineEnds(st *syntax.Stream) error {
	src := st.File.Bytes()
	if !strangeEnds(src) {
		return nil
	}
	for _, d := range st.Docs {
		at := firstStrange(src, d.Root)
		if strangeStart(src, d.Span.Start) {
			at = d.Span.Start
		}
		if at < 0 && !d.Foot.Empty() && strangeStart(src, d.Foot.Start) {
			at = d.Foot.Start
		}
		if at >= 0 {
			pos := st.File.Position(at)
			return fmt.Errorf("line %d, column %d: the line above ends with %s, which git takes for no line end", pos.Line,
				pos.Column, lineEndName(src[:at]))
		}
	}
	return nil
}

// strangeEnds reports whether src has line ends other than LF and CRLF.
func strangeEnds(src []byte) bool {
	return bytes.Count(src, []byte("\r")) > bytes.Count(src, []byte("\r\n")) ||
		bytes.Contains(src, []byte("\u0085")) || bytes.Contains(src, []byte("\u2028")) || bytes.Contains(src, []byte("\u2029"))
}

// firstStrange returns where in n the first entry or comment starts behind a
// strange line end, -1 if none does.
func firstStrange(src []byte, n *syntax.Node) int {
	for _, e := range n.Entries {
		if n.Style == syntax.Block {
			for _, at := range [...]int{e.Span.Start, e.Lead.End, e.Foot.Start} {
				if strangeStart(src, at) {
					return at
				}
			}
		}
		if at := firstStrange(src, e.Value); at >= 0 {
			return at
		}
	}
	return -1
}

// strangeStart reports whether a strange line end stands right before at.
func strangeStart(src []byte, at int) bool { return lineEndName(src[:at]) != "" }

// lineEndName names the strange line end that src ends with, "" if it ends with
// none.
func lineEndName(src []byte) string {
	for _, end := range [...]struct{ bytes, name string }{
		{"\r", "CR alone"}, {"\u0085", "NEL (U+0085)"}, {"\u2028", "LS (U+2028)"}, {"\u2029", "PS (U+2029)"},
	} {
		if bytes.HasSuffix(src, []byte(end.bytes)) {
			return end.name
		}
	}
	return ""
}
