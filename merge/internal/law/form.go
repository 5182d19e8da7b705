package law

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// form holds how q, which all versions have, is written: as one side has it, if
// the other left that alone, or as both have it.
func (c *checker) form(q quad) *Refusal {
	if q[original] == nil || c.person || q.part() {
		return nil
	}
	head := of(q, func(n *node) uint64 { return n.head })
	want := q[dest]
	if head[dest] == head[original] {
		want = q[updated]
	}
	if broken(head) && !q[result].rewritten(want) {
		return q.refuse("form", "it is not written as in %s", want.v)
	}
	flows := q.has(func(n *node) bool { return n.Style != syntax.Block })
	if !flows && !q.lent() && broken(of(q, func(n *node) int32 { return n.indent })) {
		return q.refuse("form", "its entries are indented by %d", q[result].indent)
	}
	return c.remark(q)
}

// rewritten reports whether r cannot be written as want, a collection: another
// one is empty, or stands in brackets with other entries.
func (r *node) rewritten(want *node) bool {
	if len(want.Entries) == 0 && len(r.Entries) == 0 {
		return false
	}
	return len(want.Entries) == 0 || len(r.Entries) == 0 || r.Style == syntax.Flow && r.data != want.data
}

// remark holds the comment on the line of q's entry.
func (c *checker) remark(q quad) *Refusal {
	if q.has(func(n *node) bool {
		if n.entry == nil {
			return true
		}
		_, _, open := cutAt(c.cuts[n.v], n.entry.Comment())
		return open
	}) {
		return nil
	}
	said := of(q, func(n *node) string { return string(bytes.TrimSpace(c.files[n.v].Slice(n.entry.Comment()))) })
	if want, ok := choose(said); ok && want != said[result] {
		x := q.refuse("comment", "expected the comment %q behind it, found %q", want, said[result])
		x.Subject = cmp.Or(want, said[result])
		return x
	}
	return nil
}

// written holds how a thing is written that not all versions have: as in a
// version that says the same. What lands in other surroundings may be laid out
// as is usual there.
func (c *checker) written(q quad) *Refusal {
	r := q[result]
	if r == nil || r.part {
		return nil
	}
	var by []*node
	for _, s := range sides {
		if n := q[s]; n != nil && n.data == r.data {
			by = append(by, n)
		}
	}
	as := r.as
	if q[original] != nil {
		as = func(n *node) bool { return n.form == r.form || n.inFlow != r.inFlow } // comments merge by themselves
	}
	parted := r.size() > 0 && len(by) == 2 && !by[0].as(by[1])
	if len(by) == 0 || slices.ContainsFunc(by, as) || parted {
		return nil // where both wrote it, each may have had its own way with a part
	}
	return q.refuse("form", "it is not written as in %s", by[0].v)
}

// as reports whether n may be r, which says the same: it is written as r, or in
// other surroundings.
func (n *node) as(r *node) bool {
	return n.form == r.form && n.notes == r.notes || n.inFlow != r.inFlow
}

// rewrote reports whether a side wrote one of rows otherwise that says the same:
// that may be what the other side gave another name or value.
func rewrote(rows []*row) bool {
	return slices.ContainsFunc(rows, func(k *row) bool {
		o := k.q[original]
		if o == nil && k.q[result] == nil {
			return true // it is in another one, perhaps, in its own order
		}
		return o != nil && slices.ContainsFunc(k.q[dest:result], func(n *node) bool { return n != nil && n.data == o.data && !n.as(o) })
	})
}

// frame is how a file is written as a whole; "" is what it does not say. What stands
// last is not said where lines are in conflict, nor is the start of a file without data.
type frame struct{ bom, ending, breaks, start string }

// fileForm holds the frame of the file.
func (c *checker) fileForm() *Refusal {
	var f [versions]frame
	for v, file := range c.files {
		if len(file.Bytes()) == 0 {
			continue
		}
		f[v] = frame{bom: fmt.Sprint(file.BOM()), breaks: lineEnds(file.Bytes())}
		if len(c.Open) == 0 && !c.endsLine() {
			f[v].ending = fmt.Sprint(file.FinalNewline())
		}
		if !c.docs[v].kept[0].isBlank() {
			f[v].start = fmt.Sprint(c.streams[v].Docs[0].Explicit)
		}
	}
	for _, p := range []struct {
		said string
		of   func(frame) string
	}{
		{"the byte order mark was lost or added", func(f frame) string { return f.bom }},
		{"the final newline was lost or added", func(f frame) string { return f.ending }},
		{"line ends differ from those of the inputs", func(f frame) string { return f.breaks }},
		{"the --- of the first document was lost or added", func(f frame) string { return f.start }},
	} {
		if !agree([...]string{p.of(f[original]), p.of(f[dest]), p.of(f[updated]), p.of(f[result])}) {
			return quad{}.refuse("form", "%s", p.said)
		}
	}
	return nil
}

// endsLine reports whether the result is a template that ends with a line break, and so
// does a version: then it may.
func (c *checker) endsLine() bool {
	return c.streams[result].Masked != nil && c.files[result].FinalNewline() &&
		slices.ContainsFunc(c.files[:result], (*text.File).FinalNewline)
}

const mixed = "mixed"

// lineEnds returns the only break of b, mixed if there are several, and "" if
// there is none.
func lineEnds(b []byte) string {
	lf, cr, crlf := bytes.Count(b, []byte("\n")), bytes.Count(b, []byte("\r")), bytes.Count(b, []byte("\r\n"))
	switch {
	case lf+cr == 0:
		return ""
	case cr == 0:
		return "\n"
	case lf == crlf && cr == crlf:
		return "\r\n"
	case lf == 0:
		return "\r"
	}
	return mixed
}

// agree reports whether the result's is that of the merge. A version that says
// nothing has no say.
func agree(p [versions]string) bool {
	for _, s := range sides {
		p[s] = cmp.Or(p[s], p[original])
	}
	if p[original] == "" {
		return p[result] == "" || p[result] == p[dest] || p[result] == p[updated]
	}
	want, ok := choose(p)
	return p[result] == "" || !ok || p[result] == want || want == mixed
}

// newLines refuses a line of the result that no input has and a person did not
// write, unless it is made of the words of the inputs.
func (c *checker) newLines() *Refusal {
	lines, words := map[uint64]bool{}, map[uint64]bool{}
	for _, f := range c.files[:result] {
		for line := range bytes.Lines(f.Bytes()) {
			lines[linesSum(line)] = true
		}
	}
	file, at := c.files[result], 0
	for line := range bytes.Lines(file.Bytes()) {
		s := text.Span{Start: at, End: at + len(line)}
		at = s.End
		if _, all, _ := cutAt(c.cuts[result], s); all || lines[linesSum(line)] {
			continue
		}
		if len(words) == 0 {
			for _, f := range c.files[:result] {
				eachWord(f.Bytes(), func(word []byte) { words[maphash.Bytes(seed, word)] = true })
			}
		}
		var bad *Refusal
		for _, part := range c.typed(s) {
			eachWord(file.Slice(part), func(word []byte) {
				if !words[maphash.Bytes(seed, word)] {
					bad = quad{}.refuse("line", "line %d of the result stands in no input: %q is new", file.Line(s.Start), word)
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
