package referee

import (
	"bytes"
	"hash/maphash"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// form checks how the entry of t is written: as one side has it, if the other
// left it alone, or as both have it.
func (c *checker) form(at *place, t quad) *Refusal {
	o, d, u, r := t[original], t[dest], t[updated], t[result]
	if o == nil || o == d && d == u || c.waivers != nil {
		return nil
	}
	want := r
	switch {
	case d.writtenAs(u), u.writtenAs(o):
		want = d
	case d.writtenAs(o):
		want = u
	}
	if want.head != r.head && !r.mayDiffer(want) {
		return at.refuse("form", "it is not written as in %s", want.v)
	}
	if n, ok := choose(o.indent, d.indent, u.indent); ok && n != r.indent && t.areBlock() {
		return at.refuse("form", "its entries are indented by %d, not by %d", r.indent, n)
	}
	return c.comment(at, t)
}

// comment checks the comment on the line of t's entry, where each side left
// alone or changed it without the value, or the value without it.
func (c *checker) comment(at *place, t quad) *Refusal {
	var s [versions]string
	for v, n := range t {
		if n.entry == nil {
			return nil
		}
		span := n.entry.Comment
		if within(c.opened[n.v], span) || within(c.taken[n.v], span) {
			return nil
		}
		s[v] = string(c.files[n.v].Slice(span))
	}
	if want, ok := choose(s[original], s[dest], s[updated]); ok && want != s[result] {
		return at.refuse("form", "expected the comment %q behind it, found %q", want, s[result])
	}
	return nil
}

// mayDiffer reports whether the text of r's own entry may be another than
// want's: what merged within its line, what became a block collection, and a
// block collection of which nothing is left.
func (r *node) mayDiffer(want *node) bool {
	if want.Style == syntax.Block {
		return r.Style == syntax.Flow && len(r.kids) == 0 && len(want.kids) > 0
	}
	return r.Style == syntax.Block || want.Style != syntax.Literal && r.full != want.full
}

func (t quad) areBlock() bool {
	for _, n := range t {
		if n.Style != syntax.Block {
			return false
		}
	}
	return true
}

// writtenAs reports whether n's own entry is written as o's is, and holds the
// same, so that a new form of the one is the new form of the other.
func (n *node) writtenAs(o *node) bool {
	return n.head == o.head && (n.full == o.full || n.Style == o.Style && (n.Style == syntax.Block || n.Style == syntax.Literal))
}

// formBelow checks how fields are written that not all versions have: in the
// order and with the text that they have in want, whose data got equals. What
// lands in new surroundings may be indented and listed as is usual there.
func (c *checker) formBelow(at *place, want, got *node) *Refusal {
	switch {
	case c.waivers != nil:
		return nil
	case want.raw == got.raw:
		return nil
	case want.text != got.text && want.Style != syntax.Literal, want.field && got.field && want.head != got.head && (want.Style == got.Style || len(got.kids) == 0):
		return at.refuse("form", "it is not written as in %s", want.v)
	}
	for i := range min(len(want.kids), len(got.kids)) {
		if want.kids[i].id != got.kids[i].id {
			return at.refuse("order", "its fields stand in another order than in %s", want.v)
		}
		if r := c.formBelow(at, &want.kids[i], &got.kids[i]); r != nil {
			return r
		}
	}
	return nil
}

// fileForm checks what belongs to the file as a whole: line ends, byte order
// mark, final newline and whether it starts with ---.
func (c *checker) fileForm() *Refusal {
	if len(c.files[result].Bytes()) == 0 {
		return nil
	}
	if !c.agree(func(v version) string { return mark(c.files[v].BOM()) }) {
		return (*place)(nil).refuse("form", "the byte order mark was lost or added")
	}
	if c.Side == Neither && !c.agreeOnEnd() {
		return (*place)(nil).refuse("form", "the final newline was lost or added")
	}
	if !c.agree(func(v version) string { return lineEnds(c.files[v]) }) {
		return (*place)(nil).refuse("form", "line ends differ from those of the inputs")
	}
	if !c.agree(c.start) {
		return (*place)(nil).refuse("form", "the --- of the first document was lost or added")
	}
	return nil
}

// agreeOnEnd reports whether the result ends with a break exactly if the merge
// of what the inputs end with does; dest's end stands if both changed it.
func (c *checker) agreeOnEnd() bool {
	var end [versions]string
	for v, f := range c.files {
		b := f.Bytes()
		end[v] = string(b[len(bytes.TrimRight(b, "\r\n")):])
	}
	want, ok := choose(end[original], end[dest], end[updated])
	if len(c.files[original].Bytes()) == 0 || !ok {
		return (end[result] == "") == (end[dest] == "") || (end[result] == "") == (end[updated] == "")
	}
	return (end[result] == "") == (want == "")
}

// start tells whether v starts with ---; not of a file without data.
func (c *checker) start(v version) string {
	if len(c.docs[v]) == 0 || c.docs[v][0].isBlank() {
		return ""
	}
	return mark(c.streams[v].Docs[0].Explicit)
}

func mark(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

const mixed = "mixed"

// lineEnds returns the only break of f, mixed if there are several, and ""
// if there is none.
func lineEnds(f *text.File) string {
	b := f.Bytes()
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

// agree reports whether the result has the property get as the merge of the
// inputs has it. An input without the property, or an empty one, has no say.
func (c *checker) agree(get func(version) string) bool {
	var p [versions]string
	for v, f := range c.files {
		if len(f.Bytes()) > 0 {
			p[v] = get(version(v))
		}
	}
	if p[result] == "" {
		return true
	}
	for _, s := range sides {
		if p[s] == "" {
			p[s] = p[original]
		}
	}
	if p[original] == "" {
		return p[result] == p[dest] || p[result] == p[updated]
	}
	want, ok := choose(p[original], p[dest], p[updated])
	return !ok || p[result] == want || want == mixed
}

// lines refuses a line of the result that no input has, blanks around it
// aside, unless it is made of tokens that the inputs have: scalars, keys,
// anchors, tags and comments.
func (c *checker) lines() *Refusal {
	novel := c.novelLines()
	if len(novel) == 0 {
		return nil
	}
	have := map[uint64]bool{}
	for _, v := range inputs {
		c.tokens(v, func(_ text.Span, token []byte) { have[maphash.Bytes(seed, token)] = true })
	}
	var bad *Refusal
	c.tokens(result, func(at text.Span, token []byte) {
		if bad == nil && !have[maphash.Bytes(seed, token)] && overlaps(novel, at) {
			bad = c.placeOf(result, at.Start).refuse("line", "line %d of the result stands in no input: %q is new",
				c.files[result].Position(at.Start).Line, token)
		}
	})
	return bad
}

func overlaps(spans []text.Span, s text.Span) bool {
	return within(spans, text.Span{Start: s.Start, End: s.Start})
}

// novelLines returns the lines of the result that stand in no input, those of
// a person aside.
func (c *checker) novelLines() []text.Span {
	open := map[uint64]bool{}
	f := follower{rest: c.files[dest].Bytes()}
	c.resultLines(func(line []byte, _ text.Span) {
		if !f.passes(line) {
			open[lineSum(line)] = true
		}
	})
	for _, v := range [...]version{updated, original, dest} {
		for line := range bytes.Lines(c.files[v].Bytes()) {
			if len(open) == 0 {
				return nil
			}
			delete(open, lineSum(line))
		}
	}
	var novel []text.Span
	c.resultLines(func(line []byte, at text.Span) {
		if open[lineSum(line)] {
			novel = append(novel, at)
		}
	})
	return novel
}

// resultLines calls f for every line of the result that no person wrote.
func (c *checker) resultLines(f func(line []byte, at text.Span)) {
	start := 0
	for line := range bytes.Lines(c.files[result].Bytes()) {
		at := text.Span{Start: start, End: start + len(line)}
		start = at.End
		if !within(c.opened[result], at) {
			f(line, at)
		}
	}
}

func lineSum(line []byte) uint64 { return maphash.Bytes(seed, bytes.TrimSpace(line)) }

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
