package merge

import (
	"bytes"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// elisionBounds says when leaving out what all versions share pays.
type elisionBounds struct {
	minBaseSize int // bytes of the base, at least
	// maxQuarters is how much of the base, in quarters, may be left: if the line merge is clean, and
	// if it has conflicts, for which an elided merge is refused more often.
	maxQuarters [2]int
}

var defaultElision = elisionBounds{minBaseSize: 1 << 10, maxQuarters: [...]int{3, 2}}

// mergeElided merges the versions in these ways without what all versions share, and puts that back. It reports false if m elides
// nothing, if that does not pay, or if the result is not certain to be that of the whole versions.
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
	if m.opts.Markers != nil {
		m.opts.Markers = sync.OnceValue(m.opts.Markers)
	}
	e, most := elide.Shorten(m.in.Raw, lines, m.proof.Rules.MayAffectLists(m.opts.Path)), size*m.elision.maxQuarters[min(lines.Conflicts, 1)]/4
	s, placed := m.newElidedMerger(e, most)
	if s != nil && placed != e { // once: each time costs what the short versions are long
		e = placed
		s, placed = m.newElidedMerger(e, most)
	}
	if s == nil || placed != e {
		return outcome{}, false
	}
	layout := s.in.Streams[three.Original].Layout()
	for _, st := range s.in.Streams {
		if !e.Clean && st.Layout() != layout {
			return outcome{}, false
		}
	}
	return s.mergeAndRestore(ways, e, m.lines.bytes)
}

// newElidedMerger is what merges the short versions of e, of which the original's has at most so many bytes, with e as it is placed in
// their trees; nil if there is nothing to leave out.
func (m *merger) newElidedMerger(e *elide.Elision, most int) (*merger, *elide.Elision) {
	if e == nil || len(e.Shortened[three.Original]) > most {
		return nil, nil
	}
	s := newMerger([3][]byte(e.Shortened[:elide.LineMerge]), m.opts)
	s.lines = &lineResult{bytes: e.Shortened[elide.LineMerge], conflicts: m.lines.conflicts}
	if s.parse() != nil || s.encrypted || s.in.Language == read.Template {
		return nil, nil
	}
	streams := s.in.Streams[:]
	if e.Clean {
		if b, _, err := s.runLineMerge(Markers{}); err != nil || !bytes.Equal(b, s.lines.bytes) {
			return nil, nil // it aligns other lines
		}
		streams = append(streams[:len(streams):len(streams)], s.lines.stream)
	}
	if slices.Contains(streams, nil) {
		return nil, nil
	}
	s.placeholder = elide.Placeholder
	return s, e.WithoutMisplaced(streams)
}

// mergeAndRestore merges the elided versions in these ways, and puts back what e left out; whole is the line merge of the whole versions. It
// reports false if the whole versions might merge otherwise: the elided ones merge in another way, a match
// was looked up by lines, verification refused something, git's page has fewer lines in conflict, or a combined reference
// concerns an elided part or names a document by its number.
func (m *merger) mergeAndRestore(ways []way, e *elide.Elision, whole []byte) (o outcome, ok bool) {
	o, err := m.tryWaysAndRecover(ways)
	switch {
	case err != nil || e.Clean != (o.Method == ByLine), o.Method == Delegated, o.Refused != "", m.planWalker != nil && m.planWalker.Lines.MayDependOnElided,
		slices.ContainsFunc(o.Combined, func(c Combination) bool { return e.Mentions(c.Path) || e.Mentions(c.Value) }):
		return o, false
	case e.Clean:
		o.Bytes = whole
		return o, true
	}
	return o, restoreElided(&o.Result, e)
}

// restoreElided puts what was left out back into a result; false if something that it
// tells is about that.
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
