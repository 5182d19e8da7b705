package merge

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// lineSpans cuts sp into lines, each with its break.
func lineSpans(f *text.File, sp text.Span) []text.Span {
	var ls []text.Span
	for at := sp.Start; at < sp.End; {
		end := min(f.LineEnd(at), sp.End)
		ls = append(ls, text.Span{Start: at, End: end})
		at = end
	}
	return ls
}
