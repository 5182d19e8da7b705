package referee

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// remarks checks comments: those of dest and the new ones of updated stand, if
// what they belong to does, and the result has no others.
func (k *overrider) remarks(streams [versions]*syntax.Stream) *Refusal {
	var count, standing [versions]map[uint64]int
	var texts []remark
	for v, s := range streams {
		count[v], standing[v] = map[uint64]int{}, map[uint64]int{}
		slices.SortFunc(k.gone[v], func(a, b text.Span) int { return a.Start - b.Start })
		gone := union(k.gone[v])
		for _, doc := range readRemarks(s, nil) {
			for _, r := range doc {
				count[v][r.sum]++
				if !within(gone, text.Span{Start: r.off, End: r.off + len(r.text)}) {
					standing[v][r.sum]++
				}
				texts = append(texts, r)
			}
		}
	}
	for _, r := range texts {
		o, d, u, got := count[original][r.sum], count[dest][r.sum], count[updated][r.sum], count[result][r.sum]
		switch {
		case got == 0 && standing[dest][r.sum] > 0 && (o == 0 || u > 0):
			return &Refusal{Rule: "comment", Detail: "dest's " + string(r.text) + " is lost", Subject: string(r.text)}
		case got == 0 && standing[updated][r.sum] > 0 && (o == 0 || d > 0):
			return &Refusal{Rule: "comment", Detail: "updated's " + string(r.text) + " is lost", Subject: string(r.text)}
		case got > d+u:
			return &Refusal{Rule: "comment", Detail: string(r.text) + " stands more often than in the inputs", Subject: string(r.text)}
		}
	}
	return nil
}

// union joins sorted spans that overlap.
func union(spans []text.Span) []text.Span {
	var out []text.Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}
