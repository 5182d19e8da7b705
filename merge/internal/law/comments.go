package law

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A comment belongs to an entry, as one of the lines above it, behind it or
// below it; each such slot merges by lines. Which entry that is may change with
// its neighbours, though nobody touched the comment: what its slot does not
// explain, its text in the whole file has to.

// A remark is where a comment stands, and what it says.
type remark struct {
	slot, said uint64
	v          version
	at         text.Span
	behind     bool // it stands behind something on its line
}

// counts are how often a thing stands in each version.
type counts [versions]int

// between reports whether the result has what the edits of both sides make of
// the original: where both did the same, at least once and at most as often as
// both did.
func (n counts) between(exact bool) bool {
	d, u, r := n[dest]-n[original], n[updated]-n[original], n[result]-n[original]
	switch {
	case d >= 0 && u >= 0 && exact:
		return r == max(d, u)
	case d >= 0 && u >= 0:
		return r >= max(d, u) && r <= d+u
	case d <= 0 && u <= 0:
		return r <= min(d, u) && r >= d+u
	}
	return r == d+u
}

// comments holds all comments to the law.
func (c *checker) comments() *Refusal {
	var all []remark
	for v := range versions {
		all = append(all, c.remarks(v)...)
	}
	slots := map[[2]uint64]counts{}
	whole := map[uint64]counts{}
	for _, r := range all {
		k := [2]uint64{r.slot, r.said}
		n, w := slots[k], whole[r.said]
		n[r.v]++
		w[r.v]++
		slots[k], whole[r.said] = n, w
	}
	told := c.waived()
	for _, r := range all {
		if told[r.said] {
			continue
		}
		if (r.behind || !slots[[2]uint64{r.slot, r.said}].between(true)) && !whole[r.said].between(false) {
			told[r.said] = true
			if x := c.judge(c.refuseComment(all, r, whole[r.said])); x != nil {
				return x
			}
		}
	}
	return nil
}

// waived are the comments that stood in conflict, if a person decided that.
func (c *checker) waived() map[uint64]bool {
	said := map[uint64]bool{}
	for v := range c.streams {
		for _, x := range c.commentsOf(version(v)) {
			if _, _, open := cutAt(c.cuts[v], x.Span); open && c.person {
				said[linesSum(c.files[v].Slice(x.Span))] = true
			}
		}
	}
	return said
}

func (c *checker) refuseComment(all []remark, bad remark, n counts) *Refusal {
	said := string(bytes.TrimSpace(c.files[bad.v].Slice(bad.at)))
	x := quad{}.refuse("comment", "base has %q %d times, ours %d, theirs %d, the result %d", said, n[original], n[dest], n[updated], n[result])
	x.Subject = said
	for _, r := range all {
		if r.said == bad.said && r.slot == bad.slot && x.At[r.v].Empty() {
			x.At[r.v] = r.at
		}
	}
	return x
}

// remarks returns the comments of v, and those of the original that count as its.
func (c *checker) remarks(v version) []remark {
	all := append(c.remarksOf(v, original), c.framing(v)...)
	if len(c.cuts[original]) > 0 && (v == dest || v == updated) {
		all = append(all, c.remarksOf(original, v)...)
	}
	return all
}

// commentsOf are the comments of v; of a template, without the lines of actions,
// of which the law of templates knows.
func (c *checker) commentsOf(v version) []syntax.Comment {
	all, s := c.streams[v].Comments(), c.streams[v]
	if s.Masked == nil {
		return all
	}
	return slices.DeleteFunc(all, func(x syntax.Comment) bool { return s.File.Bytes()[x.Span.Start] != '#' })
}

// remarksOf returns the comments of v; if they are lent, only those of the
// original that count for a side.
func (c *checker) remarksOf(v, lent version) []remark {
	var all []remark
	for _, x := range c.commentsOf(v) {
		k, _, open := cutAt(c.cuts[v], x.Span)
		if lent != original && !(open && k.lent == lent) || lent == original && open && k.lent == original {
			continue
		}
		said := linesSum(c.files[v].Slice(x.Span))
		all = append(all, remark{slot: c.slot(v, x), said: said, v: cmp.Or(lent, v), at: x.Span, behind: c.behind(v, x.Span)})
	}
	return all
}

// framing are the directives of a version's documents and their end markers,
// which merge as comments do.
func (c *checker) framing(v version) (all []remark) {
	f := c.files[v]
	for i, d := range c.streams[v].Docs {
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			for at := part.Start; at < part.End; at = f.LineEnd(at) {
				line := f.Slice(text.Span{Start: at, End: f.LineEnd(at)})
				if at == f.LineStart(at) && (line[0] == '%' || bytes.HasPrefix(line, []byte("..."))) {
					all = append(all, remark{slot: mix(c.docs[v].kids[i].addr, 6), said: linesSum(line), v: v, at: text.Span{Start: at, End: at + len(line)}})
				}
			}
		}
	}
	return all
}

// behind reports whether something stands before a comment on its line.
func (c *checker) behind(v version, at text.Span) bool {
	f := c.files[v]
	return len(bytes.TrimSpace(f.Slice(text.Span{Start: f.LineStart(at.Start), End: at.Start}))) > 0
}

// slot is where a comment stands: the entry that it belongs to, and whether it
// is above, behind or below it.
func (c *checker) slot(v version, x syntax.Comment) uint64 {
	n := &c.docs[v].kids[x.Doc]
	for {
		i, ok := slices.BinarySearchFunc(n.kids, x.Span.Start, func(k node, at int) int {
			switch {
			case k.entry.Span.End <= at:
				return -1
			case k.entry.Span.Start > at:
				return 1
			}
			return 0
		})
		if !ok {
			break
		}
		n = &n.kids[i]
	}
	e := n.entry
	switch {
	case e == nil:
		return mix(n.addr, 1)
	case e.Lead.Contains(x.Span):
		return mix(n.addr, 2)
	case e.Foot.Contains(x.Span):
		return mix(n.addr, 3)
	case n.Tail.Contains(x.Span):
		return mix(n.addr, 4)
	}
	return mix(n.addr, 5)
}
