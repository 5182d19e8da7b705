package page

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A hunkOf is a hunk of a conflict.
type hunkOf struct {
	clash *Conflict
	hunk
}

// join marks hunks that touch as one, as git does: they are mostly one change to
// people (a version and its checksum), and whoever reads them wants to see the
// lines of a side together. Each conflict stays a question of its own.
func (w *Marked) join(run []hunkOf) {
	var alt [3][]byte
	for _, c := range run {
		for s, b := range c.alt {
			alt[s] = append(alt[s], b...)
		}
	}
	if len(run) < 2 || bytes.Equal(alt[three.Dest], alt[three.Updated]) {
		for _, c := range run {
			w.hunk([]hunkOf{c}, c.hunk)
		}
		return
	}
	joined := newJoined(run)
	for _, h := range hunks(alt, w.Style, [3][]int{}) {
		if h.same {
			w.text(h.alt[three.Dest])
			continue
		}
		w.hunk(joined.within(h), h)
	}
}

// joined is a run of hunks as one, and the line at which each starts in each
// version, the end of the last one included.
type joined struct {
	run []hunkOf
	at  [][3]int
}

func newJoined(run []hunkOf) *joined {
	j := &joined{run: run, at: make([][3]int, len(run)+1)}
	for i, c := range run {
		for s, b := range c.alt {
			j.at[i+1][s] = j.at[i][s] + len(lineEnds(b))
		}
	}
	return j
}

// within returns what stands of the run in the hunk h. What ends before h is not
// looked at again.
func (j *joined) within(h hunk) []hunkOf {
	var in []hunkOf
	var ends [3][]int
	end := h.skip
	for s, b := range h.alt {
		ends[s] = lineEnds(b)
		end[s] += len(ends[s])
	}
	for len(j.run) > 0 && !ahead(j.at[1], h.skip) {
		j.run, j.at = j.run[1:], j.at[1:]
	}
	for i, c := range j.run {
		if !ahead(end, j.at[i]) {
			break
		}
		part, found := hunkOf{clash: c.clash}, false
		for s := range c.alt {
			from := max(j.at[i][s], h.skip[s])
			to := max(from, min(j.at[i+1][s], end[s]))
			part.skip[s] = c.skip[s] + from - j.at[i][s]
			part.alt[s] = cutLines(h.alt[s], ends[s], from-h.skip[s], to-h.skip[s])
			found = found || to > from
		}
		if found {
			in = append(in, part)
		}
	}
	return in
}

// ahead reports whether a is further than b in a version.
func ahead(a, b [3]int) bool {
	return a[three.Original] > b[three.Original] || a[three.Dest] > b[three.Dest] || a[three.Updated] > b[three.Updated]
}

// lineEnds returns where each line of b ends.
func lineEnds(b []byte) []int {
	var ends []int
	end := 0
	for l := range bytes.Lines(b) {
		end += len(l)
		ends = append(ends, end)
	}
	return ends
}

// cutLines is the lines of b, which end at ends, from from up to to.
func cutLines(b []byte, ends []int, from, to int) []byte {
	offset := func(line int) int {
		switch {
		case line <= 0 || len(ends) == 0:
			return 0
		case line > len(ends):
			return ends[len(ends)-1]
		}
		return ends[line-1]
	}
	start := offset(from)
	return b[start:max(start, offset(to))]
}
