package engine

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// elisionBounds are the conditions under which a merge without the parts that all versions share is faster.
type elisionBounds struct {
	minBaseSize int // minimum size of the base in bytes
	// maxQuarters is how much of the base may remain, in quarters. The first value applies if the line merge is
	// clean. The second applies if it has conflicts; then a merge of the shortened versions is discarded more often.
	maxQuarters [2]int
}

// defaultElision are the conditions that Merge uses.
var defaultElision = elisionBounds{minBaseSize: 1 << 10, maxQuarters: [...]int{3, 2}}

// mergeElided merges shortened versions, without the parts that all versions share, and restores these parts in the
// result. It reports false if m.elision is nil, if Options.Resolve is set, if shortening would not be faster, or if the
// result might differ from that of the complete versions. m.lines may have the line merge then.
func (m *merger) mergeElided(ways []way) (outcome, bool) {
	if m.elision == nil {
		return outcome{}, false
	}
	size := len(m.in.Raw[three.Original])
	if size < m.elision.minBaseSize || m.opts.Resolve != ResolveNone {
		return outcome{}, false
	}
	lines, err := m.raw.Shared(diff3.Merge)
	m.lines = &lineResult{err: err}
	if err != nil {
		return outcome{}, false
	}
	m.lines.bytes, m.lines.conflicts = lines.Bytes, lines.Conflicts
	e, most := elide.Shorten(m.in.Raw, lines, m.proof.Rules.MayAffectLists(m.opts.Path)), size*m.elision.maxQuarters[min(lines.Conflicts, 1)]/4
	short, placed := m.newElidedMerger(e, most)
	if short != nil && placed != e { // try only once more, because this parses the shortened versions again
		e = placed
		short, placed = m.newElidedMerger(e, most)
	}
	if short == nil || placed != e {
		return outcome{}, false
	}
	layout := short.in.Streams[three.Original].Layout()
	for _, st := range short.in.Streams {
		if !e.Clean && st.Layout() != layout {
			return outcome{}, false
		}
	}
	return short.mergeAndRestore(ways, e, m.lines.bytes)
}

// newElidedMerger returns a parsed merger of the shortened versions of e, and e without the runs that are not at the
// same place in all of them (see elide.Elision.WithoutMisplaced). It returns nil, nil if the shortened original has
// more than maxSize bytes, or if the shortened versions cannot be merged in place of the complete ones.
func (m *merger) newElidedMerger(e *elide.Elision, maxSize int) (*merger, *elide.Elision) {
	if e == nil || len(e.Shortened[three.Original]) > maxSize {
		return nil, nil
	}
	s := newMerger([3][]byte(e.Shortened[:elide.LineMerge]), m.opts)
	s.lines = &lineResult{bytes: e.Shortened[elide.LineMerge], conflicts: m.lines.conflicts}
	if s.parse() != nil || s.encrypted || s.in.Language == read.Template && (!e.Clean || e.HasRun(template.MayHaveActions)) {
		return nil, nil
	}
	streams := s.in.Streams[:]
	if e.Clean {
		if b, _, err := s.runLineMerge(text.Markers{}); err != nil || !bytes.Equal(b, s.lines.bytes) {
			return nil, nil // the line merge of the shortened versions aligns other lines
		}
		streams = append(streams[:len(streams):len(streams)], s.proof.ParseResult(s.lines.bytes))
	}
	if slices.Contains(streams, nil) {
		return nil, nil
	}
	s.placeholder = elide.Placeholder
	return s, e.WithoutMisplaced(streams)
}

// mergeAndRestore merges the shortened versions of m by ways, and restores the parts that e elided. wholeLineMerge is
// the line merge of the complete versions, which is the result if e.Clean.
//
// It reports false if the complete versions might have another result:
//
//   - the line merge of the complete versions is clean, and the result here is not by line, or the reverse
//   - the result is that of a line merge with conflicts
//   - verification refused a clean result
//   - matching depended on lines that may be elided
//   - a combined reference mentions an elided part
func (m *merger) mergeAndRestore(ways []way, e *elide.Elision, wholeLineMerge []byte) (o outcome, ok bool) {
	o, err := m.tryWaysAndRecover(ways)
	switch {
	case err != nil || e.Clean != (o.Method == ByLine), o.Method == Delegated, o.Refused != "", m.planWalker != nil && m.planWalker.Lines.MayDependOnElided,
		slices.ContainsFunc(o.Combined, func(c Combination) bool { return e.Mentions(c.Path) || e.Mentions(c.Value) }):
		return o, false
	case e.Clean:
		o.Bytes = wholeLineMerge
		return o, true
	}
	if render := o.Render; render != nil {
		o.Render = func(k text.Markers) ([]byte, []Conflict) {
			var other Result
			other.Bytes, other.Conflicts = render(k)
			restoreElided(&other, e) // it succeeds, because it does with the markers of the options
			return other.Bytes, other.Conflicts
		}
	}
	return o, restoreElided(&o.Result, e)
}

// restoreElided restores the elided parts in res, and corrects its line numbers. It returns false if it cannot, or if
// a conflict or a rename mentions an elided part.
func restoreElided(res *Result, e *elide.Elision) bool {
	whole, line, ok := e.Restore(res.Bytes)
	if !ok {
		return false
	}
	for _, f := range res.Followed {
		if e.Mentions(f.From) || e.Mentions(f.To) {
			return false
		}
	}
	res.Bytes = whole
	for _, cs := range [...][]Conflict{res.Conflicts, res.Resolved} {
		for i := range cs {
			c := &cs[i]
			if slices.ContainsFunc([]string{c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text}, e.Mentions) {
				return false
			}
			for s, v := range [...]*Version{&c.Base, &c.Ours, &c.Theirs} {
				v.Line = line(s, v.Line)
			}
			c.Line = line(elide.LineMerge, c.Line)
		}
	}
	return true
}
