package referee

import (
	"bytes"
	"hash/maphash"
	"slices"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A remark is a comment, a directive or a document's end: what data does not
// tell.
type remark struct {
	sum  uint64
	text []byte
	off  int  // where it stands
	col  int  // its column
	open bool // it stands in an open range
}

func newRemark(f *text.File, s text.Span, open bool) remark {
	b := bytes.TrimRight(f.Slice(s), " \t\r\n")
	return remark{maphash.Bytes(seed, b), b, s.Start, s.Start - f.LineStart(s.Start), open}
}

// readRemarks returns the remarks of every document of s.
func readRemarks(s *syntax.Stream, open []text.Span) [][]remark {
	all := make([][]remark, max(1, len(s.Docs)))
	comments := s.Comments()
	for rest := comments; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Doc == rest[0].Doc {
			n++
		}
		all[rest[0].Doc], rest = make([]remark, 0, n), rest[n:]
	}
	for _, c := range comments {
		all[c.Doc] = append(all[c.Doc], newRemark(s.File, c.Span, within(open, c.Span)))
	}
	for i, d := range s.Docs {
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			at := part.Start
			for line := range bytes.Lines(s.File.Slice(part)) {
				if bytes.HasPrefix(line, []byte("%")) || bytes.HasPrefix(line, []byte("...")) {
					all[i] = append(all[i], newRemark(s.File, text.Span{Start: at, End: at + len(line)}, false))
				}
				at += len(line)
			}
		}
	}
	return all
}

// checkRemarks refuses a result in which a remark does not stand as often as
// in the original, plus what both sides added or removed. A side that removed
// one and added the same elsewhere hides that from the other's count; then the
// remarks of each column have to hold on their own.
func (c *checker) checkRemarks(m [versions][]remark) *Refusal {
	same := func(a, b version) bool {
		return slices.EqualFunc(m[a], m[b], func(x, y remark) bool { return x.sum == y.sum && !x.open && !y.open })
	}
	if same(dest, result) && (same(original, updated) || same(dest, updated)) || same(original, dest) && same(updated, result) {
		return nil
	}
	if r := c.keptRemarks(m); r != nil {
		return r
	}
	r := c.countRemarks(m, func(r remark) uint64 { return r.sum })
	if r != nil && c.countRemarks(m, func(r remark) uint64 { return mix(r.sum, uint64(r.col)) }) == nil {
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

func (c *checker) tallies(m [versions][]remark, key func(remark) uint64) map[uint64]*tally {
	counts := map[uint64]*tally{}
	at := map[uint64]*[versions]int{}
	for v, rs := range m {
		last := uint64(0)
		for _, r := range rs {
			k := key(r)
			if counts[k] == nil {
				counts[k] = &tally{}
			}
			counts[k].all[v]++
			if !r.open {
				counts[k].outside[v]++
			}
			if bytes.ContainsFunc(r.text, unicode.IsLetter) {
				where := mix(c.spot(version(v), last, r), k)
				n := at[where]
				if n == nil {
					n = &[versions]int{}
					at[where] = n
				}
				n[v]++
				if v == int(updated) && n[updated] > n[original] && n[updated] <= n[dest] {
					counts[k].joint++
				}
			}
			last = r.sum
		}
	}
	return counts
}

// spot tells the place of a remark: by the one before it or, where that is the
// same or there is none, by the entry that it stands at, if the original has
// that: what both sides added may be ordered as each likes.
func (c *checker) spot(v version, last uint64, r remark) uint64 {
	if last != 0 && last != r.sum {
		return last
	}
	p := c.placeOf(v, r.off)
	if c.nodeAt(original, p) == nil {
		return last
	}
	return maphash.String(seed, p.String())
}

// countRemarks checks the counts of all keys. In open ranges a remark may
// follow the taken side or be merged; what a person wrote is not counted.
func (c *checker) countRemarks(m [versions][]remark, key func(remark) uint64) *Refusal {
	counts := c.tallies(m, key)
	for v, rs := range m {
		for _, r := range rs {
			if c.waivers.hasComment(string(r.text)) {
				continue
			}
			n := counts[key(r)]
			least, most := between(n.all)
			l, h := between(n.outside)
			least, most = min(least, l), max(least, most-n.joint, h-n.joint)
			if got := n.outside[result]; got < least || got > most {
				refusal := c.placeOf(version(v), r.off).refuse("comment", "expected %q %d times, found it %d times", r.text, least, got)
				refusal.Subject = string(r.text)
				return refusal
			}
		}
	}
	return nil
}
