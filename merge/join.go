package merge

import "bytes"

// A hunkOf is a hunk of a conflict.
type hunkOf struct {
	clash *marked
	hunk
}

// join marks hunks that touch as one, as git does: they are mostly one change to
// people (a version and its checksum), and whoever reads them wants to see the
// lines of a side together. Each conflict stays a question of its own.
func (w *markers) join(run []hunkOf) {
	var alt [3][]byte
	for _, c := range run {
		for s, b := range c.alt {
			alt[s] = append(alt[s], b...)
		}
	}
	if len(run) < 2 || bytes.Equal(alt[dest], alt[updated]) {
		for _, c := range run {
			w.hunk([]hunkOf{c}, c.hunk)
		}
		return
	}
	for _, h := range hunks(alt, w.Style) {
		if h.same {
			w.text(h.alt[dest])
			continue
		}
		w.hunk(within(run, h), h)
	}
}

// within returns what stands of run, joined, in the hunk h.
func within(run []hunkOf, h hunk) []hunkOf {
	var in []hunkOf
	var at [3]int // the line at which each starts in its version
	for _, c := range run {
		part, found := hunkOf{clash: c.clash}, false
		for s, b := range c.alt {
			lines := countLines(b)
			from := max(at[s], h.skip[s])
			to := max(from, min(at[s]+lines, h.skip[s]+countLines(h.alt[s])))
			part.skip[s] = c.skip[s] + from - at[s]
			part.alt[s] = cutLines(h.alt[s], from-h.skip[s], to-h.skip[s])
			found = found || to > from
			at[s] += lines
		}
		if found {
			in = append(in, part)
		}
	}
	return in
}

func countLines(b []byte) int {
	n := 0
	for range bytes.Lines(b) {
		n++
	}
	return n
}

// cutLines is the lines of b from from up to to.
func cutLines(b []byte, from, to int) []byte {
	n, start, end := 0, 0, 0
	for l := range bytes.Lines(b) {
		if n < from {
			start += len(l)
		}
		if n < to {
			end += len(l)
		}
		n++
	}
	return b[start:max(start, end)]
}
