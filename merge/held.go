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
func (m *merger) remade(by func(three.Side) ([]byte, bool)) (three.Side, bool) {
	if m.sealed || m.torn() {
		return 0, false
	}
	for _, s := range three.Sides {
		if !m.has(s) {
			continue
		}
		v := m.in.Raw
		rest, ok := by(s)
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

// has reports whether the side s has what the other one made: three in four of the lines that it put in, all of those that
// base has none of, or else all that the verifier asks for.
func (m *merger) has(s three.Side) bool {
	lacking, put, ok := m.toward(s).Lacks()
	return ok && (lacking*4 <= put || m.proof.Verify(m.in.Raw[s]) == nil)
}

// toward are the versions as they came, with the side s as updated.
func (m *merger) toward(s three.Side) *diff3.Versions {
	if s == three.Dest {
		return m.raw.Swapped()
	}
	return m.raw
}

// mostTorn is how many conflicts git's line merge of what was merged before has at most: a merge
// that comes again has a handful.
const mostTorn = 1000

// torn reports whether the versions have too little in common for one to be a merge of the other, or
// that cannot be told by lines.
func (m *merger) torn() bool {
	return m.lines != nil && (m.lines.err != nil || m.lines.conflicts > mostTorn)
}

// byLines takes what the other side made out of s by the lines that they have in common.
func (m *merger) byLines(s three.Side) ([]byte, bool) { return m.toward(s).Rest() }

// byRules does so by the options of m, but where s changed what the other side took out.
func (m *merger) byRules(s three.Side) ([]byte, bool) {
	if m.toward(s).Changes() {
		return nil, false
	}
	v := m.in.Raw
	n := m.anew([3][]byte{v[s.Other()], v[three.Original], v[s]})
	if n == nil {
		return nil, false
	}
	return n.clean()
}

// anew is what merges v by the options of m, nil where it cannot.
func (m *merger) anew(v [3][]byte) *merger {
	n := newMerger(v, m.opts)
	n.opts.Resolve = ResolveNone
	n.in.Trees = slices.Clone(m.in.Trees)
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
	sides := slices.DeleteFunc(slices.Clone(three.Sides[:]), func(s three.Side) bool { return !m.toward(s).Holds() })
	if len(sides) != 1 {
		return 0, false
	}
	s := sides[0]
	if !clean && m.toward(s).Changes() || m.proof.Verify(m.in.Raw[s]) != nil {
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
