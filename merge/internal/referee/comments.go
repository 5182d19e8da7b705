package referee

import (
	"bytes"
	"hash/maphash"
	"slices"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A remark is where a comment, a directive or a document's end stands: what
// data does not tell. There can be as many as lines.
type remark struct{ text.Span }

// in is the text of r in f.
func (r remark) in(f *text.File) []byte { return bytes.TrimRight(f.Slice(r.Span), " \t\r\n") }

// readRemarks returns the remarks of every document of s.
func readRemarks(s *syntax.Stream) [][]remark {
	all := make([][]remark, max(1, len(s.Docs)))
	var of []remark // of all documents
	start, doc := 0, 0
	s.EachComment(func(c syntax.Comment) {
		if s.Masked != nil && s.File.Bytes()[c.Span.Start] != '#' {
			return // a line of actions, of which the law of templates knows
		}
		if of == nil {
			of = make([]remark, 0, s.MostComments())
		}
		if c.Doc != doc {
			start, doc = len(of), c.Doc
		}
		of = append(of, remark{c.Span})
		all[doc] = of[start:len(of):len(of)]
	})
	for i, d := range s.Docs {
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			at := part.Start
			for line := range bytes.Lines(s.File.Slice(part)) {
				if bytes.HasPrefix(line, []byte("%")) || bytes.HasPrefix(line, []byte("...")) {
					all[i] = append(all[i], remark{text.Span{Start: at, End: at + len(line)}})
				}
				at += len(line)
			}
		}
	}
	return all
}

// remarkIn is the text of r, which is of v.
func (c *checker) remarkIn(v version, r remark) []byte { return r.in(c.files[v]) }

func (c *checker) sumOfRemark(v version, r remark) uint64 {
	return maphash.Bytes(seed, c.remarkIn(v, r))
}

// sumAndColumn is the sum of r with the column that it has.
func (c *checker) sumAndColumn(v version, r remark) uint64 {
	return mix(c.sumOfRemark(v, r), uint64(r.Start-c.files[v].LineStart(r.Start)))
}

// isOpen reports whether r is a comment in an open range.
func (c *checker) isOpen(v version, r remark) bool {
	return within(c.opened[v], r.Span) && c.streams[v].StartsComment(r.Start)
}

// checkRemarks refuses a result in which a remark does not stand as often as
// in the original, plus what both sides added or removed. A side that removed
// one and added the same elsewhere hides that from the other's count; then the
// remarks of each column have to hold on their own.
func (c *checker) checkRemarks(m [versions][]remark) *Refusal {
	same := func(a, b version) bool {
		return slices.EqualFunc(m[a], m[b], func(x, y remark) bool {
			return !c.isOpen(a, x) && !c.isOpen(b, y) && bytes.Equal(c.remarkIn(a, x), c.remarkIn(b, y))
		})
	}
	if same(dest, result) && (same(original, updated) || same(dest, updated)) || same(original, dest) && same(updated, result) {
		return nil
	}
	if r := c.keptRemarks(m); r != nil {
		return r
	}
	r := c.countRemarks(m, c.sumOfRemark)
	if r != nil && c.countRemarks(m, c.sumAndColumn) == nil {
		return nil
	}
	return r
}

// A tally counts a remark: in all versions, outside open ranges, and as often
// as both sides added it at the same place (a bare # or a rule of them tells no
// places apart).
type tally struct {
	all, outside [versions]int
	joint        int
}

func (c *checker) tallies(m [versions][]remark, key func(version, remark) uint64) map[uint64]*tally {
	counts := map[uint64]*tally{}
	at := map[uint64]*[versions]int{}
	for i, rs := range m {
		v, last := version(i), uint64(0)
		for _, r := range rs {
			k := key(v, r)
			if counts[k] == nil {
				counts[k] = &tally{}
			}
			counts[k].all[v]++
			if !c.isOpen(v, r) {
				counts[k].outside[v]++
			}
			if bytes.ContainsFunc(c.remarkIn(v, r), unicode.IsLetter) {
				where := mix(c.spot(v, last, r), k)
				n := at[where]
				if n == nil {
					n = &[versions]int{}
					at[where] = n
				}
				n[v]++
				if v == updated && n[updated] > n[original] && n[updated] <= n[dest] {
					counts[k].joint++
				}
			}
			last = c.sumOfRemark(v, r)
		}
	}
	return counts
}

// spot tells the place of a remark: by the one before it or, where that is the
// same or there is none, by the entry that it stands at, if the original has
// that: what both sides added may be ordered as each likes.
func (c *checker) spot(v version, last uint64, r remark) uint64 {
	if last != 0 && last != c.sumOfRemark(v, r) {
		return last
	}
	p := c.placeOf(v, r.Start)
	if c.nodeAt(original, p) == nil {
		return last
	}
	return maphash.String(seed, p.String())
}

// countRemarks checks the counts of all keys. In open ranges a remark may
// follow the taken side or be merged; what a person wrote is not counted.
func (c *checker) countRemarks(m [versions][]remark, key func(version, remark) uint64) *Refusal {
	counts := c.tallies(m, key)
	for i, rs := range m {
		v := version(i)
		for _, r := range rs {
			said := string(c.remarkIn(v, r))
			if c.waivers.hasComment(said) {
				continue
			}
			n := counts[key(v, r)]
			least, most := between(n.all)
			l, h := between(n.outside)
			least, most = min(least, l), max(least, most-n.joint, h-n.joint)
			if got := n.outside[result]; got < least || got > most {
				refusal := c.placeOf(v, r.Start).refuse("comment", "expected %q %d times, found it %d times", said, least, got)
				refusal.Subject = said
				return refusal
			}
		}
	}
	return nil
}
