package syntax

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Comment is one comment of a file, on a line of its own or behind something.
type Comment struct {
	Span text.Span // from # to before the line break
	Doc  int       // index of its document in Stream.Docs
}

// Comments returns every comment of the file in its order. A # inside a
// scalar, a tag or a directive's words is no comment.
func (s *Stream) Comments() []Comment {
	var all []Comment
	s.EachComment(func(c Comment) {
		if all == nil {
			all = make([]Comment, 0, s.MostComments())
		}
		all = append(all, c)
	})
	return all
}

// unmasked is where what is masked as a comment that starts at off starts in the
// file: blanks may stand for what is before off on its line.
func (s *Stream) unmasked(off int) int {
	start := off
	for start > 0 && isBlank(s.Masked[start-1]) {
		start--
	}
	if start > 0 && s.Masked[start-1] != '\n' {
		return off // behind something
	}
	return min(off, skipBlanks(s.File.Bytes(), start))
}

// MostComments is how many comments to reserve memory for: few files have more.
func (s *Stream) MostComments() int {
	b := s.read()
	return min(bytes.Count(b, []byte("#")), 1+bytes.Count(b, []byte("\n")))
}

// read are the bytes that the parser read.
func (s *Stream) read() []byte {
	if s.Masked != nil {
		return s.Masked
	}
	return s.File.Bytes()
}

// EachComment calls f with every comment of Comments.
func (s *Stream) EachComment(f func(Comment)) {
	c := collector{cursor: newCursor(s.read()), found: f}
	if s.Masked != nil {
		c.found = func(c Comment) {
			c.Span.Start = s.unmasked(c.Span.Start)
			f(c)
		}
	}
	c.pos = 0
	for i, d := range s.Docs {
		c.doc = i
		c.words(d.Head.End)
		c.node(d.Root)
		c.plain(d.Foot.End)
	}
}

// A collector moves over the parts of a file that are no scalars.
type collector struct {
	cursor
	doc   int
	found func(Comment)
}

// plain collects the comments up to end where every # starts one.
func (c *collector) plain(end int) { c.collect(end, func(int) bool { return true }) }

// words collects the comments up to end where a # may also stand inside a
// word: in tags and directives.
func (c *collector) words(end int) { c.collect(end, c.startsWord) }

func (c *collector) collect(end int, starts func(off int) bool) {
	for c.pos < end {
		i := bytes.IndexByte(c.src[c.pos:end], '#')
		if i < 0 {
			c.pos = end
			return
		}
		c.pos += i
		if starts(c.pos) {
			c.found(Comment{c.comment(), c.doc})
		} else {
			c.pos++
		}
	}
}

// startsWord reports whether nothing, a blank or a break stands before off.
func (c *collector) startsWord(off int) bool {
	switch {
	case off == c.bol || isBlank(c.src[off-1]) || breakLen(c.src, off-1) == 1:
		return true
	case off < 3:
		return false
	}
	return breakLen(c.src, off-2) == 2 || breakLen(c.src, off-3) == 3
}

func (c *collector) node(n *Node) {
	c.plain(n.Span.Start)
	switch {
	case n.Style == Block:
		c.words(max(c.pos, n.Content.Start))
		c.entries(n)
	case n.Style == Flow:
		c.words(n.Content.Start)
		c.entries(n)
	case n.Style >= Literal && n.Kind == Scalar:
		c.words(n.Lines.Start)
		c.pos = n.Content.End
	default:
		c.words(n.Content.Start)
		c.pos = n.Content.End
	}
}

func (c *collector) entries(n *Node) {
	for _, e := range n.Entries {
		if e.Key != nil {
			c.node(e.Key)
		}
		c.node(e.Value)
		c.plain(e.Span.End)
	}
	c.plain(n.Content.End)
}
