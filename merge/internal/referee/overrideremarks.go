package referee

import (
	"hash/maphash"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// remarks checks comments: those of dest and the new ones of updated stand, if
// what they belong to does, and the result has no others.
func (k *overrider) remarks(streams [versions]*syntax.Stream) *Refusal {
	var count, standing [versions]map[uint64]int
	var texts [][]byte
	for v, s := range streams {
		count[v], standing[v] = map[uint64]int{}, map[uint64]int{}
		slices.SortFunc(k.gone[v], func(a, b text.Span) int { return a.Start - b.Start })
		gone := union(k.gone[v])
		for _, doc := range readRemarks(s) {
			for _, r := range doc {
				said := r.in(s.File)
				sum := maphash.Bytes(seed, said)
				count[v][sum]++
				if !within(gone, text.Span{Start: r.Start, End: r.Start + len(said)}) {
					standing[v][sum]++
				}
				texts = append(texts, said)
			}
		}
	}
	for _, said := range texts {
		sum := maphash.Bytes(seed, said)
		o, d, u, got := count[original][sum], count[dest][sum], count[updated][sum], count[result][sum]
		switch {
		case got == 0 && standing[dest][sum] > 0 && (o == 0 || u > 0):
			return &Refusal{Rule: "comment", Detail: "dest's " + string(said) + " is lost", Subject: string(said)}
		case got == 0 && standing[updated][sum] > 0 && (o == 0 || d > 0):
			return &Refusal{Rule: "comment", Detail: "updated's " + string(said) + " is lost", Subject: string(said)}
		case got > d+u:
			return &Refusal{Rule: "comment", Detail: string(said) + " stands more often than in the inputs", Subject: string(said)}
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
