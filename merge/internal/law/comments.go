package law

import (
	"bytes"
	"slices"

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
	open bool // it stands in conflict
}

// counts are how often a thing stands in each version.
type counts [versions]int32

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
		right := n.standing.between(false) || r.home != 0 && homes[[2]uint64{r.home, r.said}].between(true)
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

// remarks returns the remarks of all versions, and how often each stands.
func (c *checker) remarks() (all []remark, by map[uint64]*tally) {
	by = map[uint64]*tally{}
	for v := range versions {
		c.eachRemark(v, func(at text.Span) {
			b := c.files[v].Slice(at)
			k, _, open := cutAt(c.cuts[v], at)
			open = open && b[0] == '#' // documents are not told by their markers
			r := remark{said: linesSum(b), v: v, in: v, at: at, open: open && k.lent == original}
			if line := c.files[v].LineStart(at.Start); len(bytes.TrimSpace(c.files[v].Slice(text.Span{Start: line, End: at.Start}))) == 0 {
				r.home = c.docs[v].around(at.Start).addr | 1
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

// around is the smallest entry in n that holds the offset at.
func (n *node) around(at int) *node {
	kids := n.kids()
	i, ok := slices.BinarySearchFunc(kids, at, func(k node, at int) int {
		switch {
		case k.whole().End <= at:
			return -1
		case k.whole().Start > at:
			return 1
		}
		return 0
	})
	if !ok {
		return n
	}
	return kids[i].around(at)
}

// eachRemark calls f with the comments of v, and with the directives and the end
// markers of its documents. Of a template it leaves out the lines of actions, of
// which the law of templates knows.
func (c *checker) eachRemark(v version, f func(text.Span)) {
	s, file := c.streams[v], c.files[v]
	for _, x := range s.Comments() {
		if s.Masked == nil || file.Bytes()[x.Span.Start] == '#' {
			f(x.Span)
		}
	}
	for _, d := range s.Docs {
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			for at := part.Start; at < part.End; at = file.LineEnd(at) {
				line := text.Span{Start: at, End: file.LineEnd(at)}
				if b := file.Slice(line); at == file.LineStart(at) && (b[0] == '%' || bytes.HasPrefix(b, []byte("..."))) {
					f(line)
				}
			}
		}
	}
}
