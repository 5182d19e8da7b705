package verify

import (
	"bytes"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A comment belongs to an entry, and how often it stands there is what both sides make
// of the base. Which entry that is may change with its neighbours, though nobody
// touched the comment: what its entry does not explain, the whole file has to.

// A remark is a comment, a directive or the end marker of a document.
type remark struct {
	said uint64
	home uint64  // where it stands: its entry
	v    version // whose it is
	in   version // where it stands: that, or the base, which counts for a side
	at   text.Span
	open bool           // it stands in conflict
	acts *template.Line // that it is; else nil
}

// A tally is how often a thing stands in each version, with what is in conflict
// and without.
type tally struct {
	all, standing counts
	told          bool
}

// again reports whether the result has what base has more often than base, and no side has.
//
//	base    ours    theirs    result
//	- a     - a     - a       - a
//	# c     # c     # c       # c
//	- b             - d       - d
//	                          # c
//
// One deep in what a side added came there with that, as where it moved a whole mapping, and is another one; deep counts these.
func again(n counts, deep func() int32) bool {
	return n[base] > 0 && n[result] > n[base] && max(n[ours], n[theirs]) <= n[base] && n[result]-deep() > n[base]
}

// deep is how often each remark of the result stands deep in what a side added.
func (c *checker) deep(all []remark) map[uint64]int32 {
	known, n := map[uint64]bool{0: true}, map[uint64]int32{}
	c.eachHome(base, func(_ *Node, home uint64) { known[home] = true })
	for _, r := range all {
		if _, in := c.home(r.in, r.at.Start); r.v == result && !known[in] {
			n[r.said]++
		}
	}
	return n
}

// comments verifies all comments.
func (c *checker) comments() *Violation {
	all, by := c.remarks()
	homes, deep := bag[[2]uint64]{}, sync.OnceValue(func() map[uint64]int32 { return c.deep(all) })
	for _, r := range all {
		if r.open {
			by[r.said].told = by[r.said].told || c.by == byPerson
			continue
		}
		homes.Add(r.v, [2]uint64{r.home, r.said})
	}
	for _, r := range all {
		n := by[r.said]
		right := n.standing.Between(false) || r.acts == nil && homes[[2]uint64{r.home, r.said}].Between(true)
		if n.told || right && !n.all.Gone() && !again(n.standing, func() int32 { return deep()[r.said] }) {
			continue
		}
		n.told = true
		if x := c.judge(c.commentViolation(all, r, n.standing)); x != nil {
			return x
		}
	}
	return nil
}

// remarksStand holds comments: those of ours and the new ones of theirs stand, if
// what they belong to does, and the result has no others.
func (c *checker) remarksStand(all []remark, by map[uint64]*tally) *Violation {
	for _, r := range all {
		n, stands := by[r.said].all, by[r.said].standing
		old := n[base] > 0
		kept := func(s version) bool { return stands[s] > 0 && (!old || n[s.Other()] > 0) }
		lost := n[result] == 0 && (kept(ours) || kept(theirs))
		if lost || n[result] > n[ours]+n[theirs] {
			return c.commentViolation(all, r, n)
		}
	}
	return nil
}

// commentViolation says that bad stands n times.
func (c *checker) commentViolation(all []remark, bad remark, n counts) *Violation {
	if l := bad.acts; l != nil {
		least, _ := n.Merged()
		x := c.violationAt(ruleAction, nil, l.Text, "%q stands %d times, not %d times", l.Text, n[result], least)
		if l.OpenedBy != "" && l.Above != nil { // many lines say the same: it is about the entry above
			x = c.at(bad.in, l.Above.Start).violation(ruleAction, "%s", x.Detail)
		}
		return x
	}
	said := string(bytes.TrimSpace(c.files[bad.in].Slice(bad.at)))
	x := quad{}.violation(ruleComment, "base has %q %d times, ours %d, theirs %d, the result %d", said, n[base], n[ours], n[theirs], n[result])
	x.Subject = said
	for _, r := range all {
		if r.said == bad.said && r.home == bad.home && x.At[r.in].Empty() {
			x.At[r.in] = r.at
		}
	}
	return x
}

// remarks returns the remarks of all versions, and how often each stands.
func (c *checker) remarks() (all []remark, by map[uint64]*tally) {
	by = map[uint64]*tally{}
	for v := range versions {
		c.eachRemark(v, func(at text.Span, acts *template.Line) {
			b := c.files[v].Slice(at)
			k, _, open := maskAt(c.masks[v], at)
			open = open && (b[0] != '%' && b[0] != '.' || acts != nil) // documents are not told by their markers
			r := remark{said: linesSum(b), acts: acts, v: v, in: v, at: at, open: open && k.For == base}
			if acts != nil {
				r.said = syntax.CombineHashes(Hash(acts.Text), Hash(acts.OpenedBy))
			}
			r.home, _ = c.home(v, at.Start)
			if by[r.said] == nil {
				by[r.said] = &tally{}
			}
			n := by[r.said]
			n.all[v]++
			if !r.open {
				n.standing[v]++
			}
			if all = append(all, r); open && !r.open {
				r.v = k.For
				n.standing[r.v]++
				all = append(all, r)
			}
		})
	}
	return all, by
}

// eachRemark calls f with the comments of v, with the directives and the end markers of its
// documents, and with the directive lines of a template.
func (c *checker) eachRemark(v version, f func(text.Span, *template.Line)) {
	s, file := c.streams[v], c.files[v]
	for _, x := range s.Comments() {
		if !c.isTemplate() || s.Masked == nil || file.Bytes()[x.Span.Start] == '#' {
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

// union sorts spans and joins those that overlap.
func union(spans []text.Span) (all []mask) {
	slices.SortFunc(spans, func(a, b text.Span) int { return a.Start - b.Start })
	for _, s := range spans {
		if n := len(all); n > 0 && s.Start <= all[n-1].End {
			all[n-1].End = max(all[n-1].End, s.End)
			continue
		}
		all = append(all, mask{Span: s})
	}
	return all
}
