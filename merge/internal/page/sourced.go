package page

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A sourcedText is text with the source of each of its bytes. Only its method append changes it.
type sourcedText struct {
	bytes  []byte
	pieces []three.Piece
}

// writtenText returns text that is not copied from a version.
func writtenText(kind three.Written, b []byte) sourcedText {
	return sourcedText{b, three.AppendPieces(nil, three.Piece{Len: len(b), Written: kind})}
}

// punctuation returns a dash, colon, comma or blank that is not copied from a version.
func punctuation(b string) sourcedText { return writtenText(three.Punctuation, []byte(b)) }

// spaces returns the indentation up to column n.
func spaces(n int) sourcedText { return writtenText(three.Indent, text.Spaces(n)) }

// concat returns the texts, one after the other. The result shares no memory with them.
func concat(texts ...sourcedText) (all sourcedText) {
	size := 0
	for _, t := range texts {
		size += len(t.bytes)
	}
	all.bytes = make([]byte, 0, size)
	for _, t := range texts {
		all.append(t)
	}
	return all
}

// append adds u, text and sources, to the end of t.
func (t *sourcedText) append(u sourcedText) {
	t.bytes = append(t.bytes, u.bytes...)
	t.pieces = three.AppendPieces(t.pieces, u.pieces...)
}

// cut returns the first n bytes of t, and the rest.
func (t sourcedText) cut(n int) (head, tail sourcedText) {
	head.bytes, tail.bytes = t.bytes[:n:n], t.bytes[n:]
	for i, p := range t.pieces {
		if p.Len > n {
			first := p
			first.Len = n
			p.Len, p.Offset = p.Len-n, p.Offset+n
			head.pieces = three.AppendPieces(t.pieces[:i:i], first)
			tail.pieces = append([]three.Piece{p}, t.pieces[i+1:]...)
			return head, tail
		}
		n -= p.Len
	}
	head.pieces = t.pieces
	return head, tail
}

// from returns t without its first n bytes.
func (t sourcedText) from(n int) sourcedText {
	_, tail := t.cut(n)
	return tail
}

// upTo returns the first n bytes of t.
func (t sourcedText) upTo(n int) sourcedText {
	head, _ := t.cut(n)
	return head
}

// trimRight returns t without the blanks at its end.
func (t sourcedText) trimRight() sourcedText { return t.upTo(len(bytes.TrimRight(t.bytes, " "))) }

// move returns the lines of t with the indentation that m gives them. In the sources, this indentation is written, and
// the rest of each line is copied as before. t starts at the start of a line.
func (t sourcedText) move(m text.Move) sourcedText {
	moved, rest := m.Apply(t.bytes), t
	if len(moved) == 0 || &moved[0] == &t.bytes[0] { // Apply returns the same bytes if nothing changes
		return t
	}
	out := sourcedText{bytes: moved}
	for line := range bytes.Lines(t.bytes) {
		movedLine, nextMoved := cutFirstLine(moved) // another indentation, and then the bytes of line
		content := len(bytes.TrimLeft(line, " \t"))
		out.pieces = three.AppendPieces(out.pieces, three.Piece{Len: len(movedLine) - content, Written: three.Indent})
		kept, next := rest.from(len(line) - content).cut(content)
		out.pieces = three.AppendPieces(out.pieces, kept.pieces...)
		moved, rest = nextMoved, next
	}
	return out
}

// moveExceptFirst returns t with a new indentation of all lines but the first (see move). t may start in the middle of
// a line.
func (t sourcedText) moveExceptFirst(m text.Move) sourcedText {
	i := bytes.IndexByte(t.bytes, '\n') + 1
	if i == 0 {
		return t
	}
	first, rest := t.cut(i)
	return concat(first, rest.move(m))
}
