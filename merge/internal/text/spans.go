package text

// LineSpans cuts sp into lines, each with its break.
func LineSpans(f *File, sp Span) []Span {
	var ls []Span
	for at := sp.Start; at < sp.End; {
		end := min(f.LineEnd(at), sp.End)
		ls = append(ls, Span{Start: at, End: end})
		at = end
	}
	return ls
}
