package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// LineKind is what a line of trivia is.
type LineKind uint8

// The kinds of lines.
const (
	BlankLine   LineKind = iota + 1 // nothing but blanks
	CommentLine                     // a comment, perhaps indented
	OtherLine                       // anything else: a directive, ---, ..., a property
)

// A TriviaLine is one line of trivia.
type TriviaLine struct {
	Kind LineKind
	Span text.Span // the line with its break
	// Comment is the comment of the line, from # to before the break, also
	// on an OtherLine that does not start with %; else empty.
	Comment text.Span
}

// TriviaLines splits span, which should start at the start of a line and hold
// no scalar, into its lines. Where span starts or ends in mid line, so does
// the first or last of them.
func (s *Stream) TriviaLines(span text.Span) []TriviaLine {
	c := cursor{src: s.File.Bytes()[:span.End]}
	var lines []TriviaLine
	for off := span.Start; off < span.End; {
		l := TriviaLine{Span: text.Span{Start: off, End: c.lineAfter(off)}}
		c.classify(&l)
		lines = append(lines, l)
		off = l.Span.End
	}
	return lines
}

func (c *cursor) classify(l *TriviaLine) {
	first, end := skipBlanks(c.src, l.Span.Start), c.lineEnd(l.Span.Start)
	switch {
	case first >= end:
		l.Kind = BlankLine
	case c.src[first] == '#':
		l.Kind = CommentLine
		l.Comment = text.Span{Start: first, End: end}
	default:
		l.Kind = OtherLine
		l.Comment = c.trailing(l.Span.Start, end)
	}
}

// trailing returns the comment in the line [start, end) behind other text.
func (c *cursor) trailing(start, end int) text.Span {
	if c.src[start] != '%' {
		for off := start + 1; off < end; off++ {
			if c.src[off] == '#' && isBlank(c.src[off-1]) {
				return text.Span{Start: off, End: end}
			}
		}
	}
	return text.Span{}
}
