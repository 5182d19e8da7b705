package merge

import (
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// leastSize is how large an original has to be for an elision to pay.
const leastSize = 1 << 10

// short merges without what all versions have alike; false if that is not
// certain to be the same.
func (m *merger) short() (outcome, bool) {
	size := len(m.in.Raw[three.Original])
	if m.cut.off || m.cut.whole || !m.cut.eager && size < leastSize || m.opts.Resolve != ResolveNone || m.opts.LineMerge != nil {
		return outcome{}, false
	}
	lines, err := diff3.MergeShared(m.in.Raw[three.Original], m.in.Raw[three.Dest], m.in.Raw[three.Updated], diff3.Merge)
	m.lines = &lined{err: err}
	if err != nil {
		return outcome{}, false
	}
	m.lines.bytes, m.lines.conflicts = lines.Bytes, lines.Conflicts
	e := elide.Shorten(m.in.Raw, lines, m.opts.Rules != nil)
	if e == nil || !m.cut.eager && len(e.Short[three.Original]) > size*3/4 {
		return outcome{}, false
	}
	if m.opts.Markers != nil {
		m.opts.Markers = sync.OnceValue(m.opts.Markers)
	}
	return m.elide(e)
}

// elide merges the short versions of e, and puts back what they lack.
func (m *merger) elide(e *elide.Elision) (o outcome, ok bool) {
	s := newMerger([3][]byte(e.Short[:elide.Lines]), m.opts)
	s.elided, s.proof.Once = e, true
	s.lines = &lined{bytes: e.Short[elide.Lines], conflicts: m.lines.conflicts}
	if s.read() != nil || s.sealed || s.in.Template {
		return outcome{}, false
	}
	streams := s.in.Proof[:]
	if e.Clean {
		if s.lines.stream == nil {
			return outcome{}, false
		}
		streams = append(streams[:len(streams):len(streams)], s.lines.stream)
	}
	var holds bool
	var err error // then the whole files are merged
	parallel.DoIf(s.in.Large(),
		func() {
			defer parallel.Guard(&err)
			o, err = s.merged()
		},
		func() { holds = e.Holds(streams) },
	)
	switch {
	case err != nil || !holds || e.Clean != (o.Method == ByLine), s.witness != nil && s.witness.Asked:
		return o, false
	case e.Clean:
		o.Bytes = m.lines.bytes
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
