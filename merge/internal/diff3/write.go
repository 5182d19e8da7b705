package diff3

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// refineConflicts changes the conflicts in m.hunks as the conflict style requires. It is about lines that both sides
// have in common:
//
//	merge    they no longer belong to a conflict, unless they are few (see canJoin)
//	zdiff3   they are removed from the start and the end of a conflict
//	diff3    nothing changes
func (m *lineMerge) refineConflicts() {
	switch m.Markers.Style {
	case text.StyleMerge:
		m.splitConflicts()
		m.joinConflicts()
	case text.StyleZdiff3:
		m.trimConflicts()
	}
}

// splitConflicts replaces each conflict in m.hunks with the parts in which its two sides differ, for style merge. The
// parts have no lines of the original, which this style does not write. A conflict in which a side has no lines remains
// as it is.
func (m *lineMerge) splitConflicts() {
	hunks := m.hunks
	m.hunks = make([]hunk, 0, len(hunks))
	for _, h := range hunks {
		if !h.isConflict() || h.dest.Empty() || h.updated.Empty() {
			m.hunks = append(m.hunks, h)
			continue
		}
		dest, updated := m.sideClasses(h)
		differing := patchesBetween(matchItems(dest, updated, m.As.algorithm()), len(dest), len(updated))
		if len(differing) == 0 { // both sides are equal
			h.favor = FavorOurs
			m.hunks = append(m.hunks, h)
		}
		for _, p := range differing {
			m.hunks = append(m.hunks, hunk{
				dest:    Range{h.dest.Start + p.replaced.Start, h.dest.Start + p.replaced.End},
				updated: Range{h.updated.Start + p.replacement.Start, h.updated.Start + p.replacement.End},
			})
		}
	}
}

// joinConflicts joins neighboring conflicts in m.hunks that are close to each other (see canJoin). The lines between
// them become a part of the conflict in both sides. The range of the original is then wrong. This has no effect,
// because only style merge joins conflicts, and it does not write the original.
func (m *lineMerge) joinConflicts() {
	joined := m.hunks[:0]
	for _, h := range m.hunks {
		if n := len(joined) - 1; n >= 0 && m.canJoin(joined[n], h) {
			joined[n].dest.End, joined[n].updated.End = h.dest.End, h.updated.End
			continue
		}
		joined = append(joined, h)
	}
	m.hunks = joined
}

// canJoin reports whether the neighboring hunks a and b are both conflicts, and so close that they become one. This is
// so if fewer than minCommonLines lines of dest are between them. For `git merge-file`, it is also so if the lines
// between them have no ASCII letter or digit.
func (m *lineMerge) canJoin(a, b hunk) bool {
	if !a.isConflict() || !b.isConflict() {
		return false
	}
	gap := Range{a.dest.End, b.dest.Start}
	return gap.Len() < minCommonLines || m.As == MergeFile && !bytes.ContainsFunc(m.dest.text(gap), isAlphanumeric)
}

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// trimConflicts removes the lines that both sides have in common from the start and the end of each conflict, for style
// zdiff3. The range of the original does not change. A conflict whose sides are equal remains a conflict, in which both
// sides are empty.
func (m *lineMerge) trimConflicts() {
	for i := range m.hunks {
		h := &m.hunks[i]
		if !h.isConflict() {
			continue
		}
		head, tail := commonAffixes(m.sideClasses(*h))
		h.dest = Range{h.dest.Start + head, h.dest.End - tail}
		h.updated = Range{h.updated.Start + head, h.updated.End - tail}
	}
}

// sideClasses returns the classes of the lines of h in dest and in updated: numbers that are equal for equal lines.
func (m *lineMerge) sideClasses(h hunk) (dest, updated []int32) {
	return m.dest.classes[h.dest.Start:h.dest.End], m.updated.classes[h.updated.Start:h.updated.End]
}

// A writer writes a merged text.
type writer struct {
	*lineMerge
	out       []byte
	copies    []Copy // the sources of out, up to its first conflict
	nextLine  int    // the first line of dest that is not written yet
	conflicts int
}

// write returns the merged text as a copy, and the number of conflicts that are marked in it, which is 0 if m.Favor
// resolves them. It does not change m.
func (m *lineMerge) write() ([]byte, int) {
	size := len(m.dest.data) + max(0, len(m.updated.data)-len(m.original.data)) // an estimate for a merge without conflicts
	w := writer{lineMerge: m, out: make([]byte, 0, size)}
	for _, h := range m.hunks {
		if h.isConflict() {
			h.favor = m.Favor
		}
		w.writeHunk(h)
	}
	w.copyDestTo(m.dest.len())
	return w.out, w.conflicts
}

// copyDestTo writes the lines of dest from nextLine up to line i, excluding it.
func (w *writer) copyDestTo(i int) {
	w.copyLines(w.dest, Range{w.nextLine, i})
	w.nextLine = i
}

// copyLines writes the lines r of side, which is w.dest or w.updated.
func (w *writer) copyLines(side *lines, r Range) {
	if !r.Empty() {
		w.out = append(w.out, side.text(r)...)
		w.copies = append(w.copies, Copy{side.byteRange(r), side == w.updated})
	}
}

// writeHunk writes the lines of dest up to the hunk h, and then h. h.favor says what is written for it: the lines of
// one side, those of both, or all with conflict markers.
func (w *writer) writeHunk(h hunk) {
	w.copyDestTo(h.dest.Start)
	switch h.favor {
	case FavorNone:
		w.writeConflict(h)
	case FavorOurs:
		w.copyDestTo(h.dest.End)
	case FavorTheirs:
		w.copyLines(w.updated, h.updated)
	case FavorUnion:
		ours := w.dest.text(h.dest)
		w.out = append(w.out, ours...)
		if len(ours) > 0 && !bytes.HasSuffix(ours, lf) {
			w.out = append(w.out, w.lineBreak(h)...)
		}
		w.out = append(w.out, w.updated.text(h.updated)...)
	}
	w.nextLine = h.dest.End
}

// writeConflict writes the hunk h with conflict markers: its lines of dest, of the original and of updated, as far as
// the style of w.Markers shows them. It increments w.conflicts.
func (w *writer) writeConflict(h hunk) {
	w.conflicts++
	c := text.Conflict{
		Markers: w.Markers, Break: w.lineBreak(h),
		Base: w.original.text(h.original), Ours: w.dest.text(h.dest), Theirs: w.updated.text(h.updated),
	}
	w.out = c.Append(w.out)
}

// lineBreak returns the line break of the markers around the hunk h, as git chooses it. It depends on the first line of
// the original, and on the line before h in dest and in updated; at the start of a side, its first line counts.
//
//	original's first line    line before h            result
//	CR LF                    CR LF, or none           CR LF
//	CR LF                    LF in at least one       LF
//	LF, or none              any, even CR LF          LF
func (w *writer) lineBreak(h hunk) []byte {
	mayBeCRLF := func(side *lines, r Range) bool { return side.endingOf(max(r.Start-1, 0)) != lfEnding }
	if w.original.endingOf(0) == crlfEnding && mayBeCRLF(w.dest, h.dest) && mayBeCRLF(w.updated, h.updated) {
		return crlf
	}
	return lf
}

// A MergeSummary describes a line merge without its conflict markers: the number of conflicts, and the lines that
// neither side changed.
type MergeSummary struct {
	Conflicts int
	Bytes     []byte        // the merged text, if there are no conflicts
	Shared    []SharedLines // the lines that neither side changed, in order
}

// SharedLines are consecutive lines that neither side changed. Original, Dest and Updated
// are their offsets in bytes in the three versions. Len is their length in bytes.
type SharedLines struct {
	Original, Dest, Updated int
	// Merged is their offset in bytes in the merged text. It is valid only if there are no
	// conflicts.
	Merged int
	Len    int
}

// Summarize merges the versions by lines, as the git command as does, but writes no markers. The summary has the number
// of conflicts, the lines that neither side changed and, if there are no conflicts, the merged text. It fails if a
// version is binary (ErrBinary) or too large (ErrTooLarge).
func (v *Versions) Summarize(as As) (*MergeSummary, error) {
	m, err := v.findHunks(Options{As: as})
	if err != nil {
		return nil, err
	}
	summary := &MergeSummary{Shared: m.sharedLines()}
	for _, h := range m.hunks {
		if h.isConflict() {
			summary.Conflicts++
		}
	}
	if summary.Conflicts == 0 {
		summary.Bytes, _ = m.write()
	}
	return summary, nil
}

// sharedLines returns the lines that neither side changed, in order, with their place in the three versions and in the
// merged text. If there are conflicts, the place in the merged text (Merged) has no meaning.
func (m *lineMerge) sharedLines() []SharedLines {
	all := make([]SharedLines, 0, len(m.unchanged))
	hunks := m.hunks
	growth := 0 // the number of bytes by which the merged text is longer than dest up to here
	for _, c := range m.unchanged {
		s := SharedLines{
			Original: int(m.original.starts[c.Original.Start]),
			Dest:     int(m.dest.starts[c.Dest.Start]),
			Updated:  int(m.updated.starts[c.Updated.Start]),
			Len:      len(m.original.text(c.Original)),
		}
		for len(hunks) > 0 && hunks[0].dest.End <= c.Dest.Start {
			if h := hunks[0]; h.favor == FavorTheirs { // updated's text replaces dest's
				growth += len(m.updated.text(h.updated)) - len(m.dest.text(h.dest))
			}
			hunks = hunks[1:]
		}
		s.Merged = s.Dest + growth
		all = append(all, s)
	}
	return all
}

// A Part is a part of a line merge: text or a conflict. Copies are the sources of the text.
type Part struct {
	Text     []byte
	Copies   []Copy
	Conflict *Conflict // nil for text
}

// A Copy is a range of bytes that were copied from dest or updated.
type Copy struct {
	Range
	IsUpdated bool
}

// A Conflict is a conflict of a line merge. If a style splits a conflict into several, or
// joins several into one, there is only one Conflict for all of them. It includes the lines
// between them, and so it has a base in every style.
type Conflict struct {
	Original, Dest, Updated Range         // in bytes; they consist of whole lines
	Marked                  [3]MarkedText // by style
}

// MarkedText is a Conflict as MergeLines writes it in one style: text with one or more
// marked conflicts.
type MarkedText struct {
	Text           []byte
	OpeningMarkers []int // the offsets in Text of the opening markers
}

// Parts merges the versions by lines, as git does. It returns the result as a list of texts and conflicts, so that each
// conflict can be decided by itself. With each conflict written as its Marked text in the style of opts, the list is
// the result of Merge without Favor. It fails with ErrBinary or ErrTooLarge. The style must be known.
func (v *Versions) Parts(opts Options) ([]Part, error) {
	diff3Opts := opts
	diff3Opts.Markers.Style = text.StyleDiff3 // this style leaves the conflicts as collectHunks finds them
	m, err := v.findHunks(diff3Opts)
	if err != nil {
		return nil, err
	}
	w := writer{lineMerge: m}
	var parts []Part
	// conflicts that style merge joins become one Conflict, so that all styles have the same ones
	for _, group := range groupHunks(m.hunks, m.withStyle(text.StyleMerge, m.hunks).hunks) {
		first, last := group[0], group[len(group)-1]
		if !first.isConflict() {
			w.writeHunk(first)
			continue
		}
		whole := first
		whole.extendTo(last)
		c := m.newConflict(whole, group)
		if len(c.Marked[opts.Markers.Style].OpeningMarkers) == 0 {
			continue // both sides are equal, so it is no conflict in this style
		}
		w.copyDestTo(whole.dest.Start)
		parts = append(w.appendText(parts), Part{Conflict: c})
		w.nextLine = whole.dest.End
	}
	w.copyDestTo(m.dest.len())
	return w.appendText(parts), nil
}

// appendText appends the text that was written since the last call to parts, if there is any.
func (w *writer) appendText(parts []Part) []Part {
	if len(w.out) > 0 {
		parts = append(parts, Part{Text: w.out, Copies: w.copies})
	}
	w.out, w.copies = nil, nil
	return parts
}

// newConflict returns a conflict that is the same in all styles, with its text in each. hunks are conflicts of style
// diff3, from which the texts of the other styles are made. whole is the range of lines from the first one to the last
// one of hunks.
func (m *lineMerge) newConflict(whole hunk, hunks []hunk) *Conflict {
	c := &Conflict{Original: m.original.byteRange(whole.original), Dest: m.dest.byteRange(whole.dest), Updated: m.updated.byteRange(whole.updated)}
	for style := range c.Marked {
		c.Marked[style] = m.markConflicts(whole, hunks, text.Style(style))
	}
	return c
}

// groupHunks divides the hunks of style diff3 into groups, in order, so that each group becomes one Conflict in all
// styles. joined are the hunks of style merge, which can join conflicts: neighboring conflicts that are within one of
// its conflicts form a group. Each other hunk is a group of its own.
func groupHunks(hunks, joined []hunk) (groups [][]hunk) {
	start := 0
	for next := 1; next <= len(hunks); next++ {
		if next < len(hunks) && areJoined(hunks[next-1], hunks[next], joined) {
			continue
		}
		groups = append(groups, hunks[start:next])
		start = next
	}
	return groups
}

// areJoined reports whether style merge joins the neighboring hunks a and b of style diff3: both are conflicts, and one
// conflict in joined includes them and all lines between them. joined are the hunks of style merge, in order.
func areJoined(a, b hunk, joined []hunk) bool {
	if !a.isConflict() || !b.isConflict() {
		return false
	}
	i, _ := slices.BinarySearchFunc(joined, b.dest.Start, func(h hunk, line int) int { return h.dest.End - line })
	return i < len(joined) && joined[i].isConflict() && joined[i].spans(a, b)
}

// withStyle returns a copy of m with only the given hunks, and with their conflicts split, joined or trimmed as the
// style requires.
func (m *lineMerge) withStyle(style text.Style, hunks []hunk) *lineMerge {
	styled := *m
	styled.hunks, styled.Markers.Style = slices.Clone(hunks), style
	styled.refineConflicts()
	return &styled
}

// markConflicts returns the lines of whole as they are written in the given style, and the offsets of the opening
// markers in this text. conflicts are the conflicts in whole as style diff3 has them; for the other styles, they are
// split, joined or trimmed. m is not changed, and m.Favor has no effect.
func (m *lineMerge) markConflicts(whole hunk, conflicts []hunk, style text.Style) (marked MarkedText) {
	styled := m.withStyle(style, conflicts)
	w := writer{lineMerge: styled, nextLine: whole.dest.Start}
	for _, h := range styled.hunks {
		w.copyDestTo(h.dest.Start)
		if h.isConflict() {
			marked.OpeningMarkers = append(marked.OpeningMarkers, len(w.out))
		}
		w.writeHunk(h)
	}
	w.copyDestTo(whole.dest.End)
	marked.Text = w.out
	return marked
}

// spans reports whether h includes all lines between a and b, in dest and in updated. b must come after a.
func (h hunk) spans(a, b hunk) bool {
	return h.dest.Start <= a.dest.End && b.dest.Start <= h.dest.End &&
		h.updated.Start <= a.updated.End && b.updated.Start <= h.updated.End
}

// extendTo moves the end of h to the end of b, which must come after h.
func (h *hunk) extendTo(b hunk) {
	h.original.End, h.dest.End, h.updated.End = b.original.End, b.dest.End, b.updated.End
}

// byteRange returns the offsets in bytes of the lines of r.
func (l *lines) byteRange(r Range) Range { return Range{int(l.starts[r.Start]), int(l.starts[r.End])} }
