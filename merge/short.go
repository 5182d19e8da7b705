package merge

import (
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// shortest merges the versions without what all have alike, or whole where that is not certain to be the same.
func (m *merger) shortest() (outcome, error) {
	if o, ok := m.short(leastSize, mostLeft); ok {
		return o, nil
	}
	return m.whole()
}

// leastSize is how large a base has to be for an elision to pay.
const leastSize = 1 << 10

// mostLeft is how much of a base, in quarters, may be left by an elision that pays: where the line merge is clean, and
// where it has conflicts, for which a short merge is refused more often.
var mostLeft = [...]int{3, 2}

// short merges without what all versions have alike, a base of the least size or more, of which so much is left; false if that is not
// certain to be the same.
func (m *merger) short(least int, left [2]int) (outcome, bool) {
	size := len(m.in.Raw[three.Original])
	if size < least || m.opts.Resolve != ResolveNone {
		return outcome{}, false
	}
	lines, err := m.raw.Shared(diff3.Merge)
	m.lines = &lined{err: err}
	if err != nil {
		return outcome{}, false
	}
	m.lines.bytes, m.lines.conflicts = lines.Bytes, lines.Conflicts
	if m.opts.Markers != nil {
		m.opts.Markers = sync.OnceValue(m.opts.Markers)
	}
	e, most := elide.Shorten(m.in.Raw, lines, m.proof.Rules.Lists(m.opts.Path)), size*left[min(lines.Conflicts, 1)]/4
	s := m.without(e, most)
	if s != nil && s.elided != e { // once: each time costs what the short versions are long
		e = s.elided
		s = m.without(e, most)
	}
	if s == nil || s.elided != e {
		return outcome{}, false
	}
	layout := s.in.Streams[three.Original].Layout()
	for _, st := range s.in.Streams {
		if !e.Clean && st.Layout() != layout {
			return outcome{}, false
		}
	}
	return s.restored(m.lines.bytes)
}

// without is what merges the short versions of e, of which the original's has at most so many bytes, with e as it is placed in
// their trees; nil if there is nothing to leave out.
func (m *merger) without(e *elide.Elision, most int) *merger {
	if e == nil || len(e.Short[three.Original]) > most {
		return nil
	}
	s := newMerger([3][]byte(e.Short[:elide.Lines]), m.opts)
	s.lines = &lined{bytes: e.Short[elide.Lines], conflicts: m.lines.conflicts}
	if s.read() != nil || s.sealed || s.in.Template {
		return nil
	}
	s.lines = s.readLines()
	streams := s.in.Streams[:]
	if e.Clean {
		streams = append(streams[:len(streams):len(streams)], s.lines.stream)
	}
	if slices.Contains(streams, nil) {
		return nil
	}
	s.elided = e.Placed(streams)
	return s
}

// restored merges the short versions, and puts back what they lack; whole is the line merge
// of the whole ones.
func (m *merger) restored(whole []byte) (o outcome, ok bool) {
	e := m.elided
	o, err := guarded(m.merged)
	switch {
	case err != nil || e.Clean != (o.Method == ByLine), m.witness != nil && m.witness.Asked:
		return o, false
	case e.Clean:
		o.Bytes = whole
		return o, true
	}
	return o, restore(&o.Result, e)
}

// restore puts what was left out back into a result; false if something that it
// tells is about that.
func restore(res *Result, e *elide.Elision) bool {
	whole, line, ok := e.Restore(res.Bytes)
	if !ok {
		return false
	}
	for _, f := range res.Followed {
		if e.About(f.From) || e.About(f.To) {
			return false
		}
	}
	res.Bytes = whole
	for _, cs := range [...][]Conflict{res.Conflicts, res.Resolved} {
		for i := range cs {
			c := &cs[i]
			if slices.ContainsFunc([]string{c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text}, e.About) {
				return false
			}
			for s, v := range [...]*Version{&c.Base, &c.Ours, &c.Theirs} {
				v.Line = line(s, v.Line)
			}
			c.Line = line(elide.Lines, c.Line)
		}
	}
	return true
}
