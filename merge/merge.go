package merge

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
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
		m := &merger{opts: opts, raw: raw, lineConflicts: -1}
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
	m := &merger{opts: opts, raw: raw, lineConflicts: -1}
	return m.run(cut)
}

// run merges by the default rules.
func (m *merger) run(cut shortcuts) (res Result, err error) {
	m.deep = cut.off
	if b, ok := equalInputs(m.raw); ok && !cut.off {
		return Result{Bytes: b, Method: Trivial, LineConflicts: -1}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			res, err = m.delegate(fmt.Sprintf("internal error: %v", p))
		}
	}()
	if reason := m.unfit(); reason != "" {
		return m.delegate(reason)
	}
	m.bumpTwice()
	defer func() { res.Resolved = append(res.Resolved, m.told()...) }()
	m.at("leave out")
	if res, ok := m.short(cut); ok {
		return res, nil
	}
	if err := m.parseDeep(); err != nil {
		return m.delegate(err.Error())
	}
	lines := m.startLines(!cut.off && m.opts.Resolve == ResolveNone)
	if err := m.parseRest(); err != nil {
		lines()
		return m.delegate(err.Error())
	}
	m.sealed = encrypted(m.streams[dest]) || encrypted(m.streams[updated])
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
	case bytes.Equal(v[dest], v[updated]), bytes.Equal(v[original], v[updated]):
		return v[dest], true
	case bytes.Equal(v[original], v[dest]):
		return v[updated], true
	}
	return nil, false
}

// merger is one merge on its way.
type merger struct {
	opts          Options
	raw           [3][]byte
	in            inputs
	streams       [3]*syntax.Stream // of the unified versions
	proof         [3]*syntax.Stream // of the versions as they came
	lineConflicts int
	refused       string
	deep          bool
	sealed        bool // SOPS encrypted a version
	destForm      bool // the file as a whole keeps dest's form
	elided        *elision
	ran           *lined // the line merge, if it ran before the rest
	proven        *page  // what became of the plan, once it is proven
	r             *renderer
	bumped        []bumped           // by both sides to one version: see bumped.go
	steps         int                // bytes proven so far: see steps.go
	maxSteps      int                // 0 means the usual bound
	enter         func(stage string) // of tests, called at each stage; else nil
}

const defaultMaxSize = 64 << 20

// unfit says why the inputs cannot be merged as YAML, before they are parsed.
func (m *merger) unfit() string {
	limit := m.opts.MaxSize
	if limit == 0 {
		limit = defaultMaxSize
	}
	for s, b := range m.raw {
		if len(b) > limit {
			return fmt.Sprintf("%s is larger than %d bytes", m.called(side(s)), limit)
		}
		if line := markerLine(b); line > 0 {
			if m.opts.Names[s] != "" {
				return fmt.Sprintf("%s:%d:1: a conflict marker: resolve the conflicts of this file first", m.opts.Names[s], line)
			}
			return fmt.Sprintf("%s has conflict markers at line %d", m.called(side(s)), line)
		}
	}
	return ""
}

// userNames are the names of the versions that users read.
var userNames = [3]string{"base", "ours", "theirs"}

// markerLine returns the line of the first opening marker of a file that has
// closing ones too, or 0.
func markerLine(b []byte) int {
	open := markerAt(b, "<<<<<<<")
	if open < 0 || markerAt(b, ">>>>>>>") < 0 {
		return 0
	}
	return 1 + bytes.Count(b[:open], []byte("\n"))
}

// markerAt returns where a line of b starts with a marker, or -1.
func markerAt(b []byte, marker string) int {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte(marker))
		if i < 0 {
			return -1
		}
		if at += i; at == 0 || b[at-1] == '\n' {
			return at
		}
		for at < len(b) && b[at] == marker[0] {
			at++
		}
	}
}

// parse reads the three versions.
func (m *merger) parse() error {
	if err := m.parseDeep(); err != nil {
		return err
	}
	return m.parseRest()
}

// parseDeep reads the versions up to the first that may be nested too deep, if
// there is one: where it is, nothing else has to be parsed, and every level
// costs the parser much.
func (m *merger) parseDeep() error {
	m.in = readInputs(m.raw)
	if m.destForm {
		m.in.form(dest)
	}
	for s, b := range m.in.data {
		if mayBeDeep(b) {
			return m.parseSides(side(s))
		}
	}
	return nil
}

// parseRest reads the versions that parseDeep left.
func (m *merger) parseRest() error { return m.parseSides(updated) }

// parseSides reads the versions up to last that are not read yet, side by side.
func (m *merger) parseSides(last side) error {
	var wg sync.WaitGroup
	var errs [3]error
	for s := range m.raw[:last+1] {
		if m.proof[s] == nil {
			wg.Go(func() { errs[s] = m.parseSide(side(s)) })
		}
	}
	wg.Wait()
	for s, err := range errs {
		if err != nil {
			return m.unreadable(side(s), err)
		}
	}
	return nil
}

// unreadable says where a version is no YAML: as people point at a place in a
// file, where the caller has named it.
func (m *merger) unreadable(s side, err error) error {
	if m.opts.Names[s] == "" {
		return fmt.Errorf("%s: %w", userNames[s], err)
	}
	return parseError(m.opts.Names[s], err)
}

// parseError is what is no YAML in a file of a name, with its place.
func parseError(name string, err error) error {
	if at, ok := errors.AsType[*syntax.Error](err); ok && at.Line > 0 {
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, max(at.Column, 1), at.Msg)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func (m *merger) parseSide(s side) (err error) {
	defer guard(&err)
	m.at("parse")
	if m.streams[s], err = syntax.Parse(text.New(m.in.data[s])); err != nil {
		return err
	}
	if err := checkDepth(m.streams[s]); err != nil {
		return err
	}
	if err := checkLineEnds(m.streams[s]); err != nil {
		return err
	}
	m.proof[s] = m.streams[s]
	if len(m.in.data[s]) != len(m.raw[s]) || !bytes.Equal(m.in.data[s], m.raw[s]) {
		m.proof[s], err = syntax.Parse(text.New(m.raw[s]))
	}
	return err
}

// guard makes a panic of a goroutine an error.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("internal error: %v", p)
	}
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
		defer guard(&l.err)
		m.at("line merge")
		if m.ran != nil {
			l.bytes, l.conflicts, l.err = m.ran.bytes, m.ran.conflicts, m.ran.err
		} else {
			l.bytes, l.conflicts, l.err = m.lineMerge(Markers{})
		}
		if l.err == nil && l.conflicts == 0 {
			l.stream, l.refusal = parseResult(l.bytes)
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
	refusal := l.refusal
	if refusal == nil {
		refusal = m.check(l.stream)
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
		return m.opts.LineMerge(m.raw[original], m.raw[dest], m.raw[updated], k)
	}
	opts := lineOptions(k, diff3.Merge)
	opts.Favor = favors[m.opts.Resolve]
	return diff3.MergeLines(m.raw[original], m.raw[dest], m.raw[updated], opts)
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
		res.Conflicts = append(res.Conflicts, Conflict{Kind: ConflictLine})
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

// called is what messages call a version.
func (m *merger) called(s side) string {
	if n := m.opts.Names[s]; n != "" {
		return n
	}
	return userNames[s]
}
