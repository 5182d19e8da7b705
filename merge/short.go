package merge

import (
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// mostElisions is how often what was left out wrongly is put back before the files are
// merged whole.
const mostElisions = 3

// leastSize is how large a base has to be for an elision to pay.
const leastSize = 1 << 10

// short merges without what all versions have alike; false if that is not
// certain to be the same.
func (m *merger) short() (outcome, bool) {
	size := len(m.in.Raw[three.Original])
	if m.cut.off || m.cut.whole || !m.cut.eager && size < leastSize || m.opts.Resolve != ResolveNone || m.opts.LineMerge != nil {
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
	e := elide.Shorten(m.in.Raw, lines)
	for range mostElisions {
		if e == nil || !m.cut.eager && len(e.Short[three.Original]) > size*3/4 {
			break
		}
		s, misplaced, ok := m.without(e)
		if !ok {
			break
		}
		if len(misplaced) == 0 {
			return s.restored(m.lines.bytes)
		}
		e = e.Without(misplaced, m.in.Raw, lines)
	}
	return outcome{}, false
}

// without returns what merges the short versions of e, and what in these does not stand for
// anything in the whole ones; false if nobody can tell.
func (m *merger) without(e *elide.Elision) (s *merger, misplaced map[int]bool, ok bool) {
	s = newMerger([3][]byte(e.Short[:elide.Lines]), m.opts)
	s.elided, s.proof.Once, s.in.Reader = e, true, m.in.Reader
	s.lines = &lined{bytes: e.Short[elide.Lines], conflicts: m.lines.conflicts}
	if s.read() != nil || s.sealed || s.in.Template {
		return nil, nil, false
	}
	streams := s.in.Proof[:]
	if e.Clean {
		if s.lines.stream == nil {
			return nil, nil, false
		}
		streams = append(streams[:len(streams):len(streams)], s.lines.stream)
	}
	misplaced, ok = e.Misplaced(streams, m.proof.Rules, m.proof.Rules.Lists(m.opts.Path), m.opts.Path)
	return s, misplaced, ok
}

// restored merges the short versions, and puts back what they lack; whole is the line merge
// of the whole ones.
func (m *merger) restored(whole []byte) (o outcome, ok bool) {
	e := m.elided
	var err error // then the whole files are merged
	func() {
		defer parallel.Guard(&err)
		o, err = m.merged()
	}()
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
	whole, ok := e.Restore(res.Bytes)
	if !ok {
		return false
	}
	for _, f := range res.Followed {
		if e.About(f.From) || e.About(f.To) {
			return false
		}
	}
	res.Bytes = whole.Bytes
	for _, cs := range [...][]Conflict{res.Conflicts, res.Resolved} {
		for i := range cs {
			c := &cs[i]
			if slices.ContainsFunc([]string{c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text}, e.About) {
				return false
			}
			for s, v := range [...]*Version{&c.Base, &c.Ours, &c.Theirs} {
				v.Line = whole.Line(s, v.Line)
			}
			c.Line = whole.Line(elide.Lines, c.Line)
		}
	}
	return true
}
