package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Slot puts value in the place of the scalar in conflict, and merges what the versions
// have beside it: a policy says what a value is, and nothing of comments. It reports
// false where the values are no scalars of one line, or both sides changed what is
// beside them.
func (c *Conflict) Slot(versions [3]*syntax.Stream, value []byte) ([]byte, bool) {
	var before, behind [3][]byte
	for s, e := range c.Child.At {
		if e == nil && three.Side(s) == three.Original {
			continue
		}
		var ok bool
		if before[s], behind[s], ok = beside(c.Alt[s], e, versions[s]); !ok {
			return nil, false
		}
	}
	if c.Child.At[three.Original] == nil { // both added the field
		before[three.Original] = lastLine(before[three.Dest])
		behind[three.Original] = behind[three.Dest][len(bytes.TrimRight(behind[three.Dest], "\r\n")):]
	}
	b, plain := three.PickFunc(before, bytes.Equal)
	a, alike := three.PickFunc(behind, bytes.Equal)
	return slices.Concat(before[b], value, behind[a]), plain && alike
}

// Written is the value of side s in conflict as s writes it.
func (c *Conflict) Written(versions [3]*syntax.Stream, s three.Side) []byte {
	n := c.Child.At[s].Value
	return versions[s].File.Slice(n.Content)
}

// beside cuts the lines of a version at the value of e, which starts one of them
// behind its key, blanks and dashes; it reports false where none does, or several.
func beside(lines []byte, e *syntax.Entry, st *syntax.Stream) (before, behind []byte, ok bool) {
	if e == nil || e.Value.Kind != syntax.Scalar {
		return nil, nil, false
	}
	head := text.Span{Start: e.Value.Content.Start, End: e.Value.Content.Start}
	if e.Key != nil {
		head.Start = e.Key.Span.End - e.Key.Content.Len()
	}
	was := slices.Concat(st.File.Slice(head), st.File.Slice(e.Value.Content))
	at, found := 0, 0
	for line := range bytes.Lines(lines) {
		if body := bytes.TrimLeft(line, " -"); bytes.HasPrefix(body, was) {
			found++
			cut := at + len(line) - len(body)
			before, behind = lines[:cut+head.Len()], lines[cut+len(was):]
		}
		at += len(line)
	}
	return before, behind, found == 1
}

func lastLine(b []byte) []byte { return b[1+bytes.LastIndexByte(b, '\n'):] }
