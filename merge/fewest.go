package merge

import (
	"bytes"
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/law"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// byLine is why the line merge stands though the merge by field was proven.
const byLine = "that leaves fewer lines in conflict"

// fewest is o, or the line merge where that leaves people fewer lines to read in
// conflict, and nothing is wrong with it outside of these: that of git merge, or
// of git merge-file, which finds other common lines. So no file is worse than
// git's.
func (m *merger) fewest(o outcome) (outcome, error) {
	if m.cut.fields || len(o.Conflicts) == 0 || m.lines == nil || m.lines.err != nil || m.sealed {
		return o, nil
	}
	k, raw := m.markers(), m.in.Raw
	least := linesInConflict(o.Bytes, k.Size)
	for _, as := range [...]diff3.As{diff3.Merge, diff3.MergeFile} {
		opts := diff3.Options{Markers: lineMarkers(k), As: as}
		b, conflicts, err := diff3.MergeLines(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
		n := linesInConflict(b, k.Size)
		if err != nil || n >= least || m.flawedOutside(as) {
			continue
		}
		if m.elided != nil {
			return o, errors.New(byLine)
		}
		least, o = n, m.byLines(b, conflicts, byLine)
	}
	return o, nil
}

// flawedOutside reports whether something is wrong with a line merge outside of
// its conflicts.
func (m *merger) flawedOutside(as diff3.As) bool {
	if m.in.Template {
		return m.torn(as)
	}
	data := m.in.Data
	parts, err := diff3.Parts(data[three.Original], data[three.Dest], data[three.Updated], diff3.Options{As: as})
	if err != nil {
		return true
	}
	p := page.OfLines(data, parts)
	if len(p.Conflicts()) > 0 {
		return m.proof.Defect(p) != nil
	}
	st, r := proof.Parse(m.in.Reader, p.Choose(three.Dest))
	if r == nil {
		r = law.Defect(m.proof.Claim(st))
	}
	return r != nil
}

// torn reports whether something is wrong with the line merge of templates, as they
// came, outside of its conflicts: it is, whichever side is taken at these. Sides
// that its conflicts cut out of blocks are no templates, and tell nothing.
func (m *merger) torn(as diff3.As) bool {
	raw := m.in.Raw
	parts, err := diff3.Parts(raw[three.Original], raw[three.Dest], raw[three.Updated], diff3.Options{As: as})
	if err != nil {
		return true
	}
	p := page.OfLines(raw, parts)
	torn := len(p.Conflicts()) == 0
	for _, s := range three.Sides {
		r := m.proof.Template(p.Choose(s))
		if r == nil {
			return false
		}
		torn = torn || r.Rule == "doubled"
	}
	return torn
}

// linesInConflict counts the lines of both sides between the markers of a file.
func linesInConflict(b []byte, size int) int {
	marker := func(line []byte, c byte) bool {
		return len(line) >= size && bytes.Count(line[:size], []byte{c}) == size && (len(line) == size || line[size] != c)
	}
	n, side := 0, false
	for line := range bytes.Lines(b) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case marker(line, '<'), marker(line, '='):
			side = true
		case marker(line, '|'), marker(line, '>'):
			side = false
		case side:
			n++
		}
	}
	return n
}
