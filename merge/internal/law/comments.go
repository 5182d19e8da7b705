package law

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A comment belongs to an entry, and how often it stands there is what both sides make
// of the original. Which entry that is may change with its neighbours, though nobody
// touched the comment: what its entry does not explain, the whole file has to.

// A remark is a comment, a directive or the end marker of a document.
type remark struct {
	said uint64
	home uint64  // where it stands: its entry; 0 behind something on its line
	v    version // whose it is
	in   version // where it stands: that, or the original, which counts for a side
	at   text.Span
	open bool           // it stands in conflict
	acts *template.Line // that it is; else nil
}

// counts are how often a thing stands in each version.
type counts [versions]int32

// merged are how often a thing stands, at least and at most, where each side did to the
// original what it did: what both did counts once, or once for each.
func (n counts) merged() (least, most int32) {
	o, d, u := n[original], n[dest]-n[original], n[updated]-n[original]
	switch {
	case d > 0 && u > 0:
		return o + max(d, u), o + d + u
	case d < 0 && u < 0:
		return o + d + u, o + min(d, u)
	}
	return o + d + u, o + d + u
}

// between reports whether the result has what the edits of both sides make of
// the original; exactly, if what both added is one thing.
func (n counts) between(exact bool) bool {
	least, most := n.merged()
	if exact && most > n[original] {
		most = least
	}
	return n[result] >= least && n[result] <= most
}

// gone reports whether all versions have a thing once, and the result has it not.
func (n counts) gone() bool { return n == counts{1, 1, 1, 0} }

// A tally is how often a thing stands in each version, with what is in conflict
// and without.
type tally struct {
	all, standing counts
	told          bool
}

// comments holds all comments to the law.
func (c *checker) comments() *Refusal {
	all, by := c.remarks()
	homes := map[[2]uint64]counts{}
	for _, r := range all {
		if r.open {
			by[r.said].told = by[r.said].told || c.person
			continue
		}
		n := homes[[2]uint64{r.home, r.said}]
		n[r.v]++
		homes[[2]uint64{r.home, r.said}] = n
	}
	for _, r := range all {
		n := by[r.said]
		right := n.standing.between(false) || r.home != 0 && r.acts == nil && homes[[2]uint64{r.home, r.said}].between(true)
		if n.told || right && !n.all.gone() {
			continue
		}
		n.told = true
		if x := c.judge(c.refuseComment(all, r, n.standing)); x != nil {
			return x
		}
	}
	return nil
}

// refuseComment says that bad stands n times.
func (c *checker) refuseComment(all []remark, bad remark, n counts) *Refusal {
	if bad.acts != nil {
		least, _ := n.merged()
		x := c.refuseAt(nil, bad.acts.Said, "%q stands %d times, not %d times", bad.acts.Said, n[result], least)
		if bad.acts.Of != "" && bad.acts.Above != nil { // many lines say the same
			x = c.above(bad, x.Detail)
		}
		return x
	}
	said := string(bytes.TrimSpace(c.files[bad.in].Slice(bad.at)))
	x := quad{}.refuse("comment", "base has %q %d times, ours %d, theirs %d, the result %d", said, n[original], n[dest], n[updated], n[result])
	x.Subject = said
	for _, r := range all {
		if r.said == bad.said && r.home == bad.home && x.At[r.in].Empty() {
			x.At[r.in] = r.at
		}
	}
	return x
}

// above refuses what is about a directive line, at the entry above it.
func (c *checker) above(bad remark, detail string) *Refusal {
	return c.standing(c.home(bad.in, bad.acts.Above.Start)).refuse("template", "%s", detail)
}

// remarks returns the remarks of all versions, and how often each stands.
func (c *checker) remarks() (all []remark, by map[uint64]*tally) {
	by = map[uint64]*tally{}
	for v := range versions {
		c.eachRemark(v, func(at text.Span, acts *template.Line) {
			b := c.files[v].Slice(at)
			k, _, open := cutAt(c.cuts[v], at)
			open = open && (b[0] == '#' || acts != nil) // documents are not told by their markers
			r := remark{said: linesSum(b), acts: acts, v: v, in: v, at: at, open: open && k.lent == original}
			if acts != nil {
				r.said = mix(hash(acts.Said), hash(acts.Of))
			}
			if line := c.files[v].LineStart(at.Start); len(bytes.TrimSpace(c.files[v].Slice(text.Span{Start: line, End: at.Start}))) == 0 {
				r.home = c.home(v, at.Start) | 1
			}
			if by[r.said] == nil {
				by[r.said] = &tally{}
			}
			n := by[r.said]
			n.all[v]++
			if !r.open {
				n.standing[v]++
			}
			if all = append(all, r); open && !r.open {
				r.v = k.lent
				n.standing[r.v]++
				all = append(all, r)
			}
		})
	}
	return all, by
}

// down are n and what is in it, down to the smallest that holds the offset at.
func (n *node) down(at int) func(yield func(*node) bool) {
	return func(yield func(*node) bool) {
		for ok := true; ok && yield(n); {
			kids, i := n.kids(), 0
			i, ok = slices.BinarySearchFunc(kids, at, func(k node, at int) int {
				switch {
				case k.whole().End <= at:
					return -1
				case k.whole().Start > at:
					return 1
				}
				return 0
			})
			if ok {
				n = &kids[i]
			}
		}
	}
}

// eachRemark calls f with the comments of v, with the directives and the end markers of its
// documents, and with the directive lines of a template.
func (c *checker) eachRemark(v version, f func(text.Span, *template.Line)) {
	s, file := c.streams[v], c.files[v]
	for _, x := range s.Comments() {
		if s.Masked == nil || file.Bytes()[x.Span.Start] == '#' {
			f(x.Span, nil)
		}
	}
	if c.isTemplate() {
		for i := range c.facts[v].Lines {
			f(c.facts[v].Lines[i].Span, &c.facts[v].Lines[i])
		}
	}
	for _, d := range s.Docs {
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			for at := part.Start; at < part.End; at = file.LineEnd(at) {
				line := text.Span{Start: at, End: file.LineEnd(at)}
				if b := file.Slice(line); at == file.LineStart(at) && (b[0] == '%' || bytes.HasPrefix(b, []byte("..."))) {
					f(line, nil)
				}
			}
		}
	}
}
