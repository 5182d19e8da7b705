package elide

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// manyLines is from how many lines on two halves side by side take less time
// than the whole.
const manyLines = 8192

// findHalves is Find with one document more or less on either side of a ---
// near the middle: nothing that stands before such a line says how to read what
// follows it. It reports false if there is no such line in the parts.
func findHalves(src Source, parts []text.Span, opts Options) ([]Run, bool) {
	p, middle := border(src, parts)
	if p < 0 {
		return nil, false
	}
	start, end := int(src.Starts[middle]), int(src.Starts[middle+1])
	head := append(slices.Clone(parts[:p]), text.Span{Start: parts[p].Start, End: end})
	tail := slices.Clone(parts[p:])
	tail[0].Start = start

	var runs, rest []Run
	parallel.Do(
		func() { runs = find(src, 0, head, opts) },
		func() { rest = find(src, middle, tail, opts) },
	)
	return joined(runs, rest), true
}

// border returns a line with nothing but --- on it, not far behind the middle of
// src, and the part that it stands in; -1 if there is none.
func border(src Source, parts []text.Span) (part, line int) {
	lines := len(src.Starts) - 1
	line = lines / 2
	for p := range parts {
		for ; line < lines*3/4 && int(src.Starts[line+1]) <= parts[p].End; line++ {
			start, end := int(src.Starts[line]), int(src.Starts[line+1])
			if start >= parts[p].Start && string(src.Text[start:end]) == "---\n" {
				return p, line
			}
		}
	}
	return -1, 0
}

// joined returns the runs of two halves. Resources on either side of the border
// are one run.
func joined(runs, rest []Run) []Run {
	if len(runs) == 0 || len(rest) == 0 {
		return append(runs, rest...)
	}
	last, first := &runs[len(runs)-1], &rest[0]
	if last.Resources != nil && first.Resources != nil && last.End == first.Start {
		last.End = first.End
		last.Indents.add(&first.Indents)
		last.Resources = append(last.Resources, first.Resources...)
		rest = rest[1:]
	}
	return append(runs, rest...)
}
