package referee

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A remark is a comment, a directive or a document's end: what data does not
// tell.
type remark struct {
	sum  uint64
	text []byte
}

func newRemark(b []byte) remark {
	b = bytes.TrimRight(b, " \t\r")
	return remark{maphashBytes(b), b}
}

// readRemarks returns the remarks of every document of s outside open ranges.
func readRemarks(s *syntax.Stream, open []text.Span) [][]remark {
	all := make([][]remark, max(1, len(s.Docs)))
	for _, c := range s.Comments() {
		if !within(open, c.Span) {
			all[c.Doc] = append(all[c.Doc], newRemark(s.File.Slice(c.Span)))
		}
	}
	for i, d := range s.Docs {
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			for line := range bytes.Lines(s.File.Slice(part)) {
				if bytes.HasPrefix(line, []byte("%")) || bytes.HasPrefix(line, []byte("...")) {
					all[i] = append(all[i], newRemark(bytes.TrimRight(line, "\r\n")))
				}
			}
		}
	}
	return all
}

// checkRemarks refuses a result in which a remark does not stand as often as
// in the original, plus what both sides added or removed.
func checkRemarks(at *place, m [versions][]remark) *Refusal {
	same := func(a, b version) bool {
		return slices.EqualFunc(m[a], m[b], func(x, y remark) bool { return x.sum == y.sum })
	}
	if same(dest, result) && (same(original, updated) || same(dest, updated)) || same(original, dest) && same(updated, result) {
		return nil
	}
	counts := map[uint64]*[versions]int{}
	for v, rs := range m {
		for _, r := range rs {
			if counts[r.sum] == nil {
				counts[r.sum] = &[versions]int{}
			}
			counts[r.sum][v]++
		}
	}
	for _, rs := range m {
		for _, r := range rs {
			n := *counts[r.sum]
			if least, most := between(n); n[result] < least || n[result] > most {
				return at.refuse("comment", "expected %q %d times, found it %d times", r.text, least, n[result])
			}
		}
	}
	return nil
}
