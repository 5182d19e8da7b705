package verify

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// form holds how q, which all versions have, is written: as one side has it, if
// the other left that alone, or as both have it.
func (c *checker) form(q quad) *Violation {
	switch {
	case q[base] == nil || c.person:
		return nil
	case q.part():
		return c.remark(q)
	}
	head := of(q, func(n *node) uint64 { return n.Head })
	want := q[ours]
	if head[ours] == head[base] {
		want = q[theirs]
	}
	if broken(head) && !q[result].Rewritten(want) {
		return q.violation("form", "it is not written as in %s", want.V)
	}
	flows := q.has(func(n *node) bool { return n.Style != syntax.Block })
	if !flows && !q.lent() && broken(of(q, func(n *node) int32 { return n.Inset })) {
		return q.violation("form", "its entries are indented by %d", q[result].Inset)
	}
	return c.remark(q)
}

// remark holds the comment on the line of q's entry.
func (c *checker) remark(q quad) *Violation {
	if q.has(func(n *node) bool {
		if n.Entry == nil {
			return true
		}
		_, _, open := facts.MaskAt(c.masks[n.V], n.Entry.Comment)
		return open
	}) {
		return nil
	}
	said := of(q, func(n *node) string { return string(bytes.TrimSpace(c.files[n.V].Slice(n.Entry.Comment))) })
	if want, ok := facts.Choose(said); ok && want != said[result] {
		x := q.violation("comment", "expected the comment %q behind it, found %q", want, said[result])
		x.Subject = cmp.Or(want, said[result])
		return x
	}
	return nil
}

// written holds how a thing is written that not all versions have: as in a
// version that says the same. What lands in other surroundings may be laid out
// as is usual there.
func (c *checker) written(q quad) *Violation {
	r := q[result]
	if r == nil || r.Partial {
		return nil
	}
	var by []*node
	for _, s := range sides {
		if n := q[s]; n != nil && n.Data == r.Data {
			by = append(by, n)
		}
	}
	as := r.As
	if q[base] != nil {
		as = func(n *node) bool { return n.Form == r.Form || n.InFlow != r.InFlow } // comments merge by themselves
	}
	parted := len(r.Kids) > 0 && len(by) == 2 && !by[0].As(by[1])
	if len(by) == 0 || slices.ContainsFunc(by, as) || parted {
		return nil // where both wrote it, each may have had its own way with a part
	}
	return q.violation("form", "it is not written as in %s", by[0].V)
}

// rewrote reports whether a side wrote one of matches otherwise that says the same:
// that may be what the other side gave another name or value.
func rewrote(rows []*match) bool {
	return slices.ContainsFunc(rows, func(k *match) bool {
		b := k.q[base]
		if b == nil && k.q[result] == nil {
			return true // it is in another one, perhaps, in its own order
		}
		return b != nil && slices.ContainsFunc(k.q[ours:result], func(n *node) bool { return n != nil && n.Data == b.Data && !n.As(b) })
	})
}

// explicit holds whether the first document has its ---. A file without data does not say so.
func (c *checker) explicit() *Violation {
	var said [versions]string
	for v, file := range c.files {
		if len(file.Bytes()) > 0 && !c.docs[v].Kids[0].IsBlank() {
			said[v] = fmt.Sprint(c.streams[v].Docs[0].Explicit)
		}
	}
	for _, s := range sides {
		said[s] = cmp.Or(said[s], said[base])
	}
	want, ok := facts.Choose(said)
	if !ok || said[result] == "" || said[result] == want || said[base] == "" && slices.Contains(said[:result], said[result]) {
		return nil
	}
	return quad{}.violation("form", "the --- of the first document was lost or added")
}

// newLines refuses a line of the result that no input has and a person did not
// write, unless it is made of the words of the inputs.
func (c *checker) newLines() *Violation {
	lines, words := map[uint64]bool{}, map[uint64]bool{}
	for _, f := range c.files[:result] {
		for line := range bytes.Lines(f.Bytes()) {
			lines[facts.LinesSum(line)] = true
		}
	}
	file, at := c.files[result], 0
	for line := range bytes.Lines(file.Bytes()) {
		s := text.Span{Start: at, End: at + len(line)}
		at = s.End
		if _, all, _ := facts.MaskAt(c.masks[result], s); all || lines[facts.LinesSum(line)] {
			continue
		}
		if len(words) == 0 {
			for _, f := range c.files[:result] {
				eachWord(f.Bytes(), func(word []byte) { words[maphash.Bytes(facts.Seed, word)] = true })
			}
		}
		var bad *Violation
		for _, part := range c.typed(s) {
			eachWord(file.Slice(part), func(word []byte) {
				if !words[maphash.Bytes(facts.Seed, word)] {
					bad = quad{}.violation("line", "line %d of the result is in no input: %q", file.Line(s.Start), word)
					bad.At[result] = s
				}
			})
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

// eachWord calls f with what stands between blanks and brackets in b.
func eachWord(b []byte, f func([]byte)) {
	for word := range bytes.FieldsFuncSeq(b, func(r rune) bool { return strings.ContainsRune(" \t\r\n,:[]{}", r) }) {
		f(word)
	}
}
