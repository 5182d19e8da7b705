package merge

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/walk"
)

// Merge merges the changes original→dest and original→updated of a YAML file.
//
// The result is decided by the first row that holds: two equal inputs give
// the third; a line merge that is clean and right is taken as it is; else the
// merge by resource and field, clean or with markers around what both sides
// changed differently. What cannot be merged as YAML is left to the line
// merge, and Result.Reason says why. The error is not nil only where even
// the line merge failed.
func Merge(original, dest, updated []byte, opts Options) (Result, error) {
	raw := [3][]byte{original, dest, updated}
	if opts.RuleSet == DefaultRules {
		return merge(raw, opts, shortcuts{})
	}
	res, err := overriding(raw, opts, ruleSets[opts.RuleSet])
	if err != nil {
		m := newMerger(raw, opts)
		return m.delegate(err.Error())
	}
	return res, nil
}

// shortcuts switches off what only saves work: equal inputs, the line merge,
// and equal bytes within the walk. Tests hold the laws without them.
type shortcuts struct {
	off   bool
	whole bool // leave nothing out of what is parsed
	eager bool // leave out what can be, whether it pays or not
}

func merge(raw [3][]byte, opts Options, cut shortcuts) (Result, error) {
	m := newMerger(raw, opts)
	return m.run(cut)
}

// run merges by the default rules.
func (m *merger) run(cut shortcuts) (res Result, err error) {
	m.deep = cut.off
	if b, ok := equalInputs(m.in.Raw); ok && !cut.off {
		return Result{Bytes: b, Method: Trivial, LineConflicts: -1}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			res, err = m.delegate(fmt.Sprintf("internal error: %v", p))
		}
	}()
	if reason := m.in.Unfit(m.opts.MaxSize); reason != "" {
		return m.delegate(reason)
	}
	m.bump()
	defer func() { res.Resolved = append(res.Resolved, m.told()...) }()
	m.in.At("leave out")
	if res, ok := m.short(cut); ok {
		return res, nil
	}
	m.in.Unify(false)
	if err := m.in.ParseDeep(); err != nil {
		return m.delegate(err.Error())
	}
	lines := m.startLines(!cut.off && m.opts.Resolve == ResolveNone)
	if err := m.in.ParseRest(); err != nil {
		lines()
		return m.delegate(err.Error())
	}
	m.sealed = tree.Encrypted(m.in.Streams[three.Dest]) || tree.Encrypted(m.in.Streams[three.Updated])
	if b, ok := m.byLine(lines()); ok {
		res = Result{Bytes: b, Method: ByLine, LineConflicts: 0}
	} else if res, err = m.structural(); err != nil {
		return res, err
	}
	if bad := m.opts.Rules.known().Err(); bad != nil {
		return m.delegate(bad.Error())
	}
	return res, nil
}

// equalInputs returns the result where two versions are the same bytes.
func equalInputs(v [3][]byte) ([]byte, bool) {
	switch {
	case bytes.Equal(v[three.Dest], v[three.Updated]), bytes.Equal(v[three.Original], v[three.Updated]):
		return v[three.Dest], true
	case bytes.Equal(v[three.Original], v[three.Dest]):
		return v[three.Updated], true
	}
	return nil, false
}

// merger is one merge on its way.
type merger struct {
	opts          Options
	in            *read.Inputs
	proof         *proof.Prover
	lineConflicts int
	refused       string
	deep          bool
	sealed        bool // SOPS encrypted a version
	elided        *elision
	ran           *lined     // the line merge, if it ran before the rest
	proven        *page.Page // what became of the plan, once it is proven
	r             *page.Renderer
	united        []walk.United  // lists that policies decided on the way
	bumped        []bump.Version // by both sides to one version
}

// newMerger prepares a merge.
func newMerger(raw [3][]byte, opts Options) *merger {
	in := &read.Inputs{Raw: raw, Names: opts.Names}
	return &merger{opts: opts, in: in, proof: &proof.Prover{In: in, File: opts.Path, Rules: opts.Rules.known()}, lineConflicts: -1}
}

// lined is a line merge with its tree.
type lined struct {
	bytes     []byte
	conflicts int
	err       error
	refusal   *referee.Refusal // why it does not parse
	stream    *syntax.Stream
}

// startLines runs the line merge beside the parsing of the inputs; the result
// is to be waited for.
func (m *merger) startLines(on bool) func() *lined {
	if !on {
		return func() *lined { return nil }
	}
	var l lined
	var wg sync.WaitGroup
	wg.Go(func() {
		defer parallel.Guard(&l.err)
		m.in.At("line merge")
		if m.ran != nil {
			l.bytes, l.conflicts, l.err = m.ran.bytes, m.ran.conflicts, m.ran.err
		} else {
			l.bytes, l.conflicts, l.err = m.lineMerge(Markers{})
		}
		if l.err == nil && l.conflicts == 0 {
			l.stream, l.refusal = proof.Parse(l.bytes)
		}
	})
	return func() *lined { wg.Wait(); return &l }
}

// byLine returns the line merge's bytes if they are clean and right.
func (m *merger) byLine(l *lined) ([]byte, bool) {
	if l == nil || l.err != nil {
		return nil, false
	}
	m.lineConflicts = l.conflicts
	if l.conflicts > 0 || m.sealed {
		return nil, false
	}
	if m.in.Template {
		l.stream, l.refusal = m.proof.Parse(l.bytes)
	}
	refusal := l.refusal
	if refusal == nil {
		refusal = m.proof.Check(l.stream)
	}
	if refusal != nil {
		m.refused = refusal.Error()
		return nil, false
	}
	return l.bytes, true
}

// lineMerge runs the line merge of the options, or this library's own.
func (m *merger) lineMerge(k Markers) ([]byte, int, error) {
	if m.opts.LineMerge != nil {
		return m.opts.LineMerge(m.in.Raw[three.Original], m.in.Raw[three.Dest], m.in.Raw[three.Updated], k)
	}
	opts := diff3.Options{Markers: lineMarkers(k), As: diff3.Merge, Favor: favors[m.opts.Resolve]}
	return diff3.MergeLines(m.in.Raw[three.Original], m.in.Raw[three.Dest], m.in.Raw[three.Updated], opts)
}

var favors = [...]diff3.Favor{
	ResolveNone: diff3.FavorNone, ResolveOurs: diff3.FavorOurs, ResolveTheirs: diff3.FavorTheirs, ResolveUnion: diff3.FavorUnion,
}

// delegate takes the line merge's result as it is.
func (m *merger) delegate(reason string) (Result, error) {
	k := m.markers()
	b, conflicts, err := m.lineMerge(k)
	if err != nil {
		return Result{}, err
	}
	res := Result{Bytes: b, Method: Delegated, Reason: reason, LineConflicts: conflicts}
	for i := 0; i < conflicts; i++ {
		res.Conflicts = append(res.Conflicts, Conflict{Kind: plan.ConflictLine})
	}
	markLines(&res, k.Size)
	return res, nil
}

// markLines finds the lines of the opening markers of a line merge.
func markLines(res *Result, size int) {
	open := append(bytes.Repeat([]byte("<"), size), ' ')
	i, line := 0, 1
	for b := res.Bytes; len(b) > 0 && i < len(res.Conflicts); line++ {
		if bytes.HasPrefix(b, open) || bytes.HasPrefix(b, append(open[:size:size], '\n')) {
			res.Conflicts[i].Line = line
			i++
		}
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			return
		}
		b = b[end+1:]
	}
}

func (m *merger) markers() Markers {
	k := Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
	if m.opts.Markers != nil {
		k = m.opts.Markers()
	}
	if k.Size <= 0 {
		k.Size = 7
	}
	return k
}
