package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// What both sides made counts once. Of a side that has all that the other one made of the base,
// as after a squash merge, a pick, or a merge that comes again, nothing is left to merge: it is
// the result.
//
//	base    ours    theirs
//	- a     - a     - z
//	- c     - b     - a
//	        - c     - b
//	                - c
//
// Git aligns each side with the base alone, and so may put b there twice, or ask.

// remade is a side that is what a merge of the other one makes: by, a merge, takes out of it what the other one
// made, and merged with the rest of it, the other one gives that side again.
func (m *merger) remade(by func([3][]byte) ([]byte, bool)) (three.Side, bool) {
	if m.sealed || m.torn() {
		return 0, false
	}
	for _, s := range three.Sides {
		v := m.in.Raw
		if !m.has(v, s) {
			continue
		}
		rest, ok := by([3][]byte{v[s.Other()], v[three.Original], v[s]})
		if !ok || bytes.Equal(rest, v[s]) {
			continue
		}
		v[s] = rest
		if n := m.anew(v); n != nil && !m.repeated(n.in) {
			if b, ok := n.clean(); ok && bytes.Equal(b, m.in.Raw[s]) {
				return s, true
			}
		}
	}
	return 0, false
}

// has reports whether the side s of v has what the other one made: three in four of the lines that it put in, all of those that
// base has none of, or else all that the verifier asks for.
func (m *merger) has(v [3][]byte, s three.Side) bool {
	lacking, put, ok := diff3.Lacks(v[three.Original], v[s.Other()], v[s])
	return ok && (lacking*4 <= put || m.proof.Verify(v[s]) == nil)
}

// mostTorn is how many conflicts git's line merge of what was merged before has at most: a merge
// that comes again has a handful.
const mostTorn = 1000

// torn reports whether the versions have too little in common for one to be a merge of the other.
func (m *merger) torn() bool { return m.lines != nil && m.lines.conflicts > mostTorn }

// byLines takes one side's changes out of the other by the lines that they have in common.
func byLines(v [3][]byte) ([]byte, bool) {
	return diff3.Rest(v[three.Dest], v[three.Original], v[three.Updated])
}

// byRules does so by the options of m, but where the other side changed what the one took out.
func (m *merger) byRules(v [3][]byte) ([]byte, bool) {
	if diff3.Changes(v[three.Dest], v[three.Original], v[three.Updated]) {
		return nil, false
	}
	n := m.anew(v)
	if n == nil {
		return nil, false
	}
	return n.clean()
}

// anew is what merges v by the options of m, nil where it cannot.
func (m *merger) anew(v [3][]byte) *merger {
	n := newMerger(v, m.opts)
	n.opts.Resolve = ResolveNone
	if n.read() != nil {
		return nil
	}
	n.lines = n.readLines()
	return n
}

// clean is the merge of m, if nothing is in conflict or was decided.
func (m *merger) clean() ([]byte, bool) {
	o, err := m.unmade()
	return o.Bytes, err == nil && (o.Method != Delegated || o.page != nil) && len(o.Conflicts)+len(o.Resolved) == 0
}

// repeated reports whether a side of rest, which stands for one of m, has something more often than the
// versions of m, or a key or an identity twice: what one side deleted and the other changed.
func (m *merger) repeated(rest *read.Inputs) bool {
	for _, s := range three.Sides {
		if c := m.proof.Claim(rest.Streams[s]); verify.Sound(c) != nil || verify.Repeated(c) != nil {
			return true
		}
	}
	return false
}

// complete is the one side that has all lines that the other one made, and that the verifier takes for
// the merge. Where the merge by fields is not clean, it must not have changed what the other took out.
func (m *merger) complete(clean bool) (three.Side, bool) {
	if m.sealed || m.torn() {
		return 0, false
	}
	raw := m.in.Raw
	sides := slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Side) bool {
		return !diff3.Holds(raw[three.Original], raw[s.Other()], raw[s])
	})
	if len(sides) != 1 {
		return 0, false
	}
	s := sides[0]
	if !clean && diff3.Changes(raw[three.Original], raw[s.Other()], raw[s]) || m.proof.Verify(raw[s]) != nil {
		return 0, false
	}
	return s, true
}

// taken is the side s as the result.
func (m *merger) taken(s three.Side) outcome {
	res := Result{Bytes: m.in.Raw[s], Method: Trivial, LineConflicts: -1}
	if l := m.lines; l != nil && l.err == nil {
		if res.LineConflicts = l.conflicts; l.conflicts == 0 && bytes.Equal(l.bytes, res.Bytes) {
			res.Method = ByLine
		}
	}
	return outcome{Result: res}
}
