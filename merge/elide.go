package merge

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// An elision is three versions of a file without entries that all three have
// in lines that nobody changed. One entry, whose key occurs nowhere else,
// stands for each run of them, or one document for a run of documents.
//
// The merge of the short versions, with the runs put back, is the merge of the
// whole ones, for what is left out differs in no version, and nothing else is
// judged by it:
//
//   - The placeholders are fields of block mappings in all versions, as the
//     parser says, so that package elide's law holds.
//   - They are at the same path: the mappings above them pair with each other,
//     by keys that stand once. So none of these is renamed, removed, added or
//     moved, and nobody asks how much of it is equal to what.
//   - What is known by its fields keeps these: resources their kind, name,
//     namespace and apiVersion, items their scalars. Where the walk pairs items
//     by how alike they are, nothing is left out of lists at all.
//   - Whole documents are left out of streams only if they are resources of
//     which there is one; no conflict names a document by its number then.
//   - No other field of a mapping has a key of its runs.
//   - How blocks are indented in the runs counts where the layout of a version
//     is asked for.
//   - All lines of all versions end alike, with LF or CR LF, and so do those of
//     the placeholders: line ends keep their majority.
//
// Where any of this fails, or the short merge is not accepted at once, nothing
// is left out.
type elision struct {
	runs   []elide.Run
	parts  []diff3.Shared  // of each run
	src    []byte          // the original
	nl     string          // what its lines end with, and those of the others
	clean  bool            // the line merge is
	whole  bool            // whole documents are left out
	layout *page.Layout    // of the runs
	ids    map[uint64]bool // the hashes of the identities of the runs' resources
	short  [4][]byte       // the versions, and the line merge if it is clean
	starts [4][]int        // of the placeholders in them
}

const (
	// placeholder begins the keys of placeholders.
	placeholder = "..elided."
	// leastSize is how large an original has to be for an elision to pay.
	leastSize = 8 << 10
	// leastRun is the least size of a run.
	leastRun = 64
)

// staying are the fields that identify what they are in, or say what it is.
var staying = map[string]bool{
	"apiVersion": true, "kind": true, "metadata": true, "name": true, "namespace": true,
	"sops": true, "mac": true,
}

// short merges without what all versions have alike; false if that is not
// certain to be the same.
func (m *merger) short(cut shortcuts) (Result, bool) {
	size := len(m.in.Raw[three.Original])
	if cut.off || cut.whole || !cut.eager && size < leastSize || m.opts.Resolve != ResolveNone || m.opts.LineMerge != nil {
		return Result{}, false
	}
	lines := m.runLines()
	if m.ran.err != nil {
		return Result{}, false
	}
	e := m.elide(lines)
	if e == nil || !cut.eager && len(e.short[three.Original]) > size*3/4 {
		return Result{}, false
	}
	if m.opts.Markers != nil {
		m.opts.Markers = sync.OnceValue(m.opts.Markers)
	}
	res, ok := m.ofShort(e)
	if m.opts.Rules.known().Err() != nil {
		return Result{}, false
	}
	return res, ok
}

// runLines runs the line merge and remembers it.
func (m *merger) runLines() *diff3.Merged {
	lines, err := diff3.MergeShared(m.in.Raw[three.Original], m.in.Raw[three.Dest], m.in.Raw[three.Updated], diff3.Merge)
	m.ran = &lined{err: err}
	if err == nil {
		m.ran.bytes, m.ran.conflicts = lines.Bytes, lines.Conflicts
	}
	return lines
}

// elide makes the short versions; nil if there is nothing to leave out.
func (m *merger) elide(lines *diff3.Merged) *elision {
	nl := read.CommonBreak(m.in.Raw)
	if nl == "" {
		return nil
	}
	e := &elision{src: m.in.Raw[three.Original], nl: nl, clean: m.ran.conflicts == 0}
	i := 0
	for _, r := range m.find(lines) {
		if r.Resources == nil && len(r.Names) == 1 && r.End-r.Start < leastRun {
			continue
		}
		for s := lines.Shared; s[i].Original+s[i].Len < r.End; {
			i++
		}
		e.whole = e.whole || r.Resources != nil
		e.runs, e.parts = append(e.runs, r), append(e.parts, lines.Shared[i])
	}
	if len(e.runs) == 0 {
		return nil
	}
	for s, b := range m.in.Raw {
		e.shorten(s, b)
	}
	if e.clean {
		e.shorten(ofLines, m.ran.bytes)
	} else {
		e.layout = e.readLayout()
	}
	return e
}

// find finds what can be left out.
func (m *merger) find(lines *diff3.Merged) []elide.Run {
	parts := make([]text.Span, len(lines.Shared))
	for i, s := range lines.Shared {
		parts[i] = text.Span{Start: s.Original, End: s.Original + s.Len}
	}
	clean := lines.Conflicts == 0
	return elide.Find(elide.Source{Text: m.in.Raw[three.Original], Starts: lines.Starts, IDs: lines.IDs}, parts, elide.Options{
		Keep: staying, Items: clean && m.opts.Rules == nil, Unique: !clean,
	})
}

// ofLines is the index of the line merge in an elision.
const ofLines = 3

// shorten makes the short form of version s, which is b.
func (e *elision) shorten(s int, b []byte) {
	size := len(b)
	for _, r := range e.runs {
		size += r.Col + len(placeholder) + 40 - (r.End - r.Start)
	}
	out := make([]byte, 0, size)
	starts := make([]int, len(e.runs))
	at := 0
	for i, r := range e.runs {
		p := e.parts[i]
		start := r.Start - p.Original + [...]int{p.Original, p.Dest, p.Updated, p.Merged}[s]
		out = append(out, b[at:start]...)
		starts[i] = len(out)
		out = e.place(out, i)
		at = start + r.End - r.Start
	}
	e.short[s], e.starts[s] = append(out, b[at:]...), starts
}

// place appends the placeholder of run i.
func (e *elision) place(to []byte, i int) []byte {
	if e.runs[i].Resources != nil {
		to = append(append(append(to, "---"...), e.nl...), "kind: "+placeholder...)
		to = append(strconv.AppendInt(to, int64(i), 10), e.nl...)
		return append(append(to, "metadata: {name: x}"...), e.nl...)
	}
	to = append(append(to, text.Spaces(e.runs[i].Col)...), placeholder...)
	return append(append(strconv.AppendInt(to, int64(i), 10), ": x"...), e.nl...)
}

// ofShort merges the short versions.
func (m *merger) ofShort(e *elision) (Result, bool) {
	short := newMerger([3][]byte(e.short[:3]), m.opts)
	short.elided, short.lineConflicts = e, m.ran.conflicts
	short.in.Unify(false)
	if short.in.ParseDeep() != nil {
		return Result{}, false
	}
	var lines *lined
	var wg sync.WaitGroup
	if e.clean {
		wg.Go(func() {
			lines = &lined{}
			defer parallel.Guard(&lines.err)
			lines.stream, lines.refusal = proof.Parse(e.short[ofLines])
		})
	}
	err := short.in.ParseRest()
	wg.Wait()
	if err != nil || short.in.Template || tree.Encrypted(short.in.Streams[three.Dest]) || tree.Encrypted(short.in.Streams[three.Updated]) {
		return Result{}, false
	}
	streams := short.in.Proof[:]
	if e.clean {
		if lines.err != nil || lines.refusal != nil {
			return Result{}, false
		}
		streams = append(streams[:len(streams):len(streams)], lines.stream)
	}
	var res Result
	var merged, holds bool
	parallel.Do(
		func() {
			var failed error // then the whole files are merged
			defer parallel.Guard(&failed)
			res, merged = m.mergeShort(short, lines)
		},
		func() { holds = e.holds(streams) },
	)
	return res, merged && holds
}

// mergeShort merges the parsed short versions; lines is their line merge, if it
// is clean. That the elision holds is still to be seen.
func (m *merger) mergeShort(short *merger, lines *lined) (Result, bool) {
	if lines != nil {
		return Result{Bytes: m.ran.bytes, Method: ByLine}, short.proof.Check(lines.stream) == nil
	}
	res, err := short.structural()
	if err != nil || res.Method != Structural || !short.elided.restore(&res) {
		return Result{}, false
	}
	return res, true
}

// holds reports whether the placeholders are fields at the same path in all
// streams, and no doubled keys come of them.
func (e *elision) holds(streams []*syntax.Stream) bool {
	multi := false
	for _, st := range streams {
		multi = multi || len(st.Docs) > 1
	}
	if multi && !e.readIDs() {
		return false
	}
	var paths []uint64
	for i, st := range streams {
		f := finder{elision: e, multi: multi, items: e.clean, paths: make([]uint64, len(e.runs)), found: make([]bool, len(e.runs))}
		if !f.stream(st) {
			return false
		}
		if i == 0 {
			paths = f.paths
		}
		for j, p := range paths {
			if p != f.paths[j] {
				return false
			}
		}
	}
	return true
}

// restore puts the runs back into a result; false if one of them is not where
// it can be put back.
func (e *elision) restore(res *Result) bool {
	starts, ok := e.find(res.Bytes)
	if !ok {
		return false
	}
	if len(res.Conflicts)+len(res.Resolved) > 0 && !e.restoreConflicts(res, starts) {
		return false
	}
	res.Bytes = e.expand(res.Bytes, starts)
	return true
}

// restoreConflicts gives conflicts their lines; false if one of them is about
// what was left out.
func (e *elision) restoreConflicts(res *Result, starts []int) bool {
	var lines [3]func(int) int
	for s := range lines {
		lines[s] = e.lines(e.short[s], e.starts[s])
	}
	ofResult := e.lines(res.Bytes, starts)
	for _, cs := range [...][]Conflict{res.Conflicts, res.Resolved} {
		for i := range cs {
			c := &cs[i]
			if hasPlaceholder(c.Path) || e.whole && strings.HasPrefix(c.Path, "document ") || hasPlaceholder(c.Base.Text) || hasPlaceholder(c.Ours.Text) || hasPlaceholder(c.Theirs.Text) {
				return false
			}
			for s, v := range [...]*Version{&c.Base, &c.Ours, &c.Theirs} {
				v.Line = lines[s](v.Line)
			}
			c.Line = ofResult(c.Line)
		}
	}
	return true
}

func hasPlaceholder(s string) bool { return strings.Contains(s, placeholder) }

// find returns where the placeholders start in b, each of which must stand
// there once, in their order and column.
func (e *elision) find(b []byte) ([]int, bool) {
	starts := make([]int, len(e.runs))
	at := 0
	for i := range e.runs {
		want := e.place(nil, i)
		n := bytes.Index(b[at:], []byte(placeholder)) - bytes.Index(want, []byte(placeholder))
		start := at + n
		if n < 0 || start > 0 && b[start-1] != '\n' || !bytes.HasPrefix(b[start:], want) {
			return nil, false
		}
		starts[i], at = start, start+len(want)
	}
	return starts, !bytes.Contains(b[at:], []byte(placeholder))
}

// expand returns b with the runs where the placeholders start.
func (e *elision) expand(b []byte, starts []int) []byte {
	size := len(b)
	for _, r := range e.runs {
		size += r.End - r.Start
	}
	out := make([]byte, 0, size)
	at := 0
	for i, r := range e.runs {
		out = append(append(out, b[at:starts[i]]...), e.src[r.Start:r.End]...)
		at = starts[i] + len(e.place(nil, i))
	}
	return append(out, b[at:]...)
}

// lines returns what turns a line of a short text b into that of the whole one.
func (e *elision) lines(b []byte, starts []int) func(int) int {
	nl := []byte("\n")
	at, shift := make([]int, len(starts)), make([]int, len(starts)+1)
	line, from := 1, 0
	for i, start := range starts {
		line += bytes.Count(b[from:start], nl)
		at[i], from = line, start
		shift[i+1] = shift[i] + bytes.Count(e.src[e.runs[i].Start:e.runs[i].End], nl) - bytes.Count(e.place(nil, i), nl)
	}
	return func(n int) int {
		if n == 0 {
			return 0
		}
		return n + shift[sort.SearchInts(at, n)]
	}
}

// readLayout reads how the runs are indented.
func (e *elision) readLayout() *page.Layout {
	l := page.Layout{Mapping: page.Unseen, List: page.Unseen, Text: page.Unseen}
	for i := range e.runs {
		e.runs[i].Indents.Each(func(b elide.Block, by int) {
			page.See([...]*int{elide.Mapping: &l.Mapping, elide.List: &l.List, elide.Text: &l.Text}[b], by)
		})
	}
	return &l
}
