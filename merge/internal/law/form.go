package law

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// form holds how q, which all versions have, is written: as one side has it, if
// the other left that alone, or as both have it.
func (c *checker) form(q quad) *Refusal {
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	if o == nil || c.person || q.part() || o == d && d == u {
		return nil
	}
	want := d
	if d.head == o.head {
		want = u
	}
	if broken(of(q, func(n *node) uint64 { return n.head })) && !r.rewritten(want) {
		return q.refuse("form", "it is not written as in %s", want.v)
	}
	flows := q.has(func(n *node) bool { return n.Style != syntax.Block })
	if indent := of(q, func(n *node) int { return n.indent }); !flows && !q.lent() && broken(indent) {
		return q.refuse("form", "its entries are indented by %d", r.indent)
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
		_, _, open := cutAt(c.cuts[n.v], n.entry.Comment)
		return open
	}) {
		return nil
	}
	said := of(q, func(n *node) string { return string(bytes.TrimSpace(c.files[n.v].Slice(n.entry.Comment))) })
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
	from := dest
	for _, s := range sides {
		n := q[s]
		if n == nil {
			continue
		}
		if n.data == r.data && (n.form == r.form || n.inFlow != r.inFlow) {
			return nil
		}
		from = s
	}
	if q[dest] != nil && q[updated] != nil {
		return nil // both wrote it, and each may have had its own way with a part
	}
	return q.refuse("form", "it is not written as in %s", from)
}

// rewrote reports whether a side wrote one of rows otherwise that says the same:
// that may be what the other side gave another name or value.
func rewrote(rows []*row) bool {
	return slices.ContainsFunc(rows, func(k *row) bool {
		o := k.q[original]
		if o == nil && k.q[result] == nil {
			return true // it is in another one, perhaps, in its own order
		}
		return o != nil && slices.ContainsFunc(k.q[dest:result], func(n *node) bool { return n != nil && n.data == o.data && n.form != o.form })
	})
}

// fileForm holds what belongs to the file as a whole: line ends, byte order
// mark, final newline and whether it starts with ---.
func (c *checker) fileForm() *Refusal {
	for _, p := range []struct {
		said string
		of   func(version) string
	}{
		{"the byte order mark was lost or added", func(v version) string { return word(c.files[v].BOM()) }},
		{"the final newline was lost or added", c.ending},
		{"line ends differ from those of the inputs", func(v version) string { return lineEnds(c.files[v].Bytes()) }},
		{"the --- of the first document was lost or added", c.start},
	} {
		if len(c.files[result].Bytes()) > 0 && !c.agree(p.of) {
			return quad{}.refuse("form", "%s", p.said)
		}
	}
	return nil
}

func word(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// ending tells whether v ends with a line break; not where lines are in
// conflict, for what stands last then is not said.
func (c *checker) ending(v version) string {
	if len(c.Open) > 0 {
		return ""
	}
	return word(c.files[v].FinalNewline())
}

// start tells whether v starts with ---; not of a file without data.
func (c *checker) start(v version) string {
	if n := c.docs[v]; len(n.kids) == 0 || n.kids[0].isBlank() {
		return ""
	}
	return word(c.streams[v].Docs[0].Explicit)
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

// agree reports whether the result has the property of as the merge of the
// inputs has it. An input without the property, or an empty one, has no say.
func (c *checker) agree(of func(version) string) bool {
	var p [versions]string
	for v, f := range c.files {
		if len(f.Bytes()) > 0 {
			p[v] = of(version(v))
		}
	}
	for _, s := range sides {
		if p[s] == "" {
			p[s] = p[original]
		}
	}
	if p[result] == "" {
		return true
	}
	if p[original] == "" {
		return p[result] == p[dest] || p[result] == p[updated]
	}
	want, ok := choose(p)
	return !ok || p[result] == want || want == mixed
}

// newLines refuses a line of the result that no input has, blanks around it
// aside, unless it is made of tokens that the inputs have: scalars, keys,
// anchors, tags and comments.
func (c *checker) newLines() *Refusal {
	novel := c.novelLines()
	if len(novel) == 0 {
		return nil
	}
	have := map[uint64]bool{}
	for v := range result {
		c.tokens(v, func(_ text.Span, token []byte) { have[maphash.Bytes(seed, token)] = true })
	}
	var bad *Refusal
	c.tokens(result, func(at text.Span, token []byte) {
		if bad == nil && novel[c.files[result].Line(at.Start)] && !have[maphash.Bytes(seed, token)] {
			bad = quad{}.refuse("line", "line %d of the result stands in no input: %q is new", c.files[result].Line(at.Start), token)
			bad.At[result] = at
		}
	})
	return bad
}

// novelLines are the lines of the result, by number, that stand in no input,
// those of a person aside.
func (c *checker) novelLines() map[int]bool {
	have := map[uint64]bool{}
	for v := range result {
		for line := range bytes.Lines(c.files[v].Bytes()) {
			have[linesSum(line)] = true
		}
	}
	novel := map[int]bool{}
	at, number := 0, 0
	for line := range bytes.Lines(c.files[result].Bytes()) {
		number++
		s := text.Span{Start: at, End: at + len(line)}
		at = s.End
		if _, all, _ := cutAt(c.cuts[result], s); !all && !have[linesSum(line)] {
			novel[number] = true
		}
	}
	return novel
}

// tokens calls f for every line of every token of v.
func (c *checker) tokens(v version, f func(text.Span, []byte)) {
	src := c.files[v].Bytes()
	emit := func(s text.Span) {
		at := s.Start
		for line := range bytes.Lines(src[s.Start:s.End]) {
			if token := bytes.TrimSpace(line); len(token) > 0 {
				start := at + bytes.Index(line, token)
				f(text.Span{Start: start, End: start + len(token)}, token)
			}
			at += len(line)
		}
	}
	for _, d := range c.streams[v].Docs {
		nodeTokens(d.Root, src, emit)
	}
	for _, r := range c.streams[v].Comments() {
		emit(r.Span)
	}
}

func nodeTokens(n *syntax.Node, src []byte, emit func(text.Span)) {
	at := n.Span.Start
	for _, word := range bytes.Fields(src[n.Span.Start:n.Content.Start]) {
		i := at + bytes.Index(src[at:], word)
		at = i + len(word)
		if word[0] == '&' || word[0] == '!' {
			emit(text.Span{Start: i, End: at})
		}
	}
	if n.Style != syntax.Block && n.Style != syntax.Flow {
		emit(n.Content)
	}
	for _, e := range n.Entries {
		if e.Key != nil {
			nodeTokens(e.Key, src, emit)
		}
		nodeTokens(e.Value, src, emit)
	}
}
