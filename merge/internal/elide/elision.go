package elide

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// An Elision is three versions of a file without entries that all three have
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
//     by how alike they are, nothing is left out of them.
//   - Items are left out of a list only if every version of it is known by the names of
//     its items, each of which stands once, so that what is left out pairs with itself,
//     and what stands between is in the same order as before. An item with its name
//     stands for them.
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
type Elision struct {
	runs  []Run
	parts []diff3.Shared // of each run
	src   []byte         // the original
	nl    string         // what its lines end with, and those of the others
	// Clean says that the line merge is.
	Clean bool
	whole bool // whole documents are left out
	// Layout is how blocks are indented in the runs; nil if the line merge is clean.
	Layout *tree.Layout
	ids    map[uint64]bool // the hashes of the identities of the runs' resources
	// Short are the versions without the runs, and the line merge if it is clean.
	Short  [4][]byte
	starts [4][]int // of the placeholders in them
}

const (
	// Placeholder begins the keys of placeholders.
	Placeholder = "..elided."
	// leastRun is the least size of a run.
	leastRun = 64
)

// staying are the fields that identify what they are in, or say what it is.
var staying = map[string]bool{
	"apiVersion": true, "kind": true, "metadata": true, "name": true, "namespace": true,
	"sops": true, "mac": true,
}

// Shorten leaves out of three versions what a line merge of them has in common;
// nil if there is nothing to leave out.
func Shorten(raw [3][]byte, lines *diff3.Merged) *Elision {
	nl := read.CommonBreak(raw)
	if nl == "" {
		return nil
	}
	e := &Elision{src: raw[0], nl: nl, Clean: lines.Conflicts == 0}
	i := 0
	for _, r := range Runs(raw[0], lines) {
		if r.Resources == nil && len(r.Names) == 1 && r.End-r.Start < leastRun {
			continue
		}
		for s := lines.Shared; s[i].Original+s[i].Len < r.End; {
			i++
		}
		e.add(r, lines.Shared[i])
	}
	return e.made(raw, lines)
}

// Runs finds what can be left out of the original.
func Runs(original []byte, lines *diff3.Merged) []Run {
	parts := make([]text.Span, len(lines.Shared))
	for i, s := range lines.Shared {
		parts[i] = text.Span{Start: s.Original, End: s.Original + s.Len}
	}
	return Find(Source{Text: original, Starts: lines.Starts, IDs: lines.IDs}, parts, Options{
		Keep: staying, Unique: lines.Conflicts > 0,
	})
}

// Lines is the index of the line merge in Short.
const Lines = 3

// shorten makes the short form of version s, which is b.
func (e *Elision) shorten(s int, b []byte) {
	size := len(b)
	for _, r := range e.runs {
		size += r.Col + len(Placeholder) + 40 - (r.End - r.Start)
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
	e.Short[s], e.starts[s] = append(out, b[at:]...), starts
}

// place appends the placeholder of run i.
func (e *Elision) place(to []byte, i int) []byte {
	if e.runs[i].Resources != nil {
		to = append(append(append(to, "---"...), e.nl...), "kind: "+Placeholder...)
		to = append(strconv.AppendInt(to, int64(i), 10), e.nl...)
		return append(append(to, "metadata: {name: x}"...), e.nl...)
	}
	to = append(to, text.Spaces(e.runs[i].Col)...)
	if e.runs[i].Items {
		to = append(append(to, "- name: "+Placeholder...), strconv.Itoa(i)...)
		return append(to, e.nl...)
	}
	to = append(to, Placeholder...)
	return append(append(strconv.AppendInt(to, int64(i), 10), ": x"...), e.nl...)
}

// Misplaced returns which placeholders are not fields or items at the same path in all
// streams, by the rules for the lists of a file, or would double a key; none where the
// elision holds. Where the rules are a team's about lists, items without names are never sure to
// be the same. It reports false if nobody can tell.
func (e *Elision) Misplaced(streams []*syntax.Stream, rules *schema.Rules, ruled bool, file string) (runs map[int]bool, ok bool) {
	multi := false
	for _, st := range streams {
		multi = multi || len(st.Docs) > 1
	}
	if multi && !e.readIDs() {
		return nil, false
	}
	runs = map[int]bool{}
	var paths []uint64
	for i, st := range streams {
		f := finder{e: e, multi: multi, ruled: ruled, rules: rules, file: file, at: placeholders(st.File.Bytes()),
			paths: make([]uint64, len(e.runs)), found: make([]bool, len(e.runs)), bad: runs}
		if !f.stream(st) {
			return nil, false
		}
		if i == 0 {
			paths = f.paths
		}
		for j, p := range paths {
			if !f.found[j] || p != f.paths[j] {
				runs[j] = true
			}
		}
	}
	return runs, true
}

// Without returns the elision of all runs but some; nil if there are no others.
func (e *Elision) Without(runs map[int]bool, raw [3][]byte, lines *diff3.Merged) *Elision {
	x := &Elision{src: e.src, nl: e.nl, Clean: e.Clean}
	for i, r := range e.runs {
		if !runs[i] {
			x.add(r, e.parts[i])
		}
	}
	return x.made(raw, lines)
}

// add adds a run, which stands in a part.
func (e *Elision) add(r Run, in diff3.Shared) {
	e.whole = e.whole || r.Resources != nil
	e.runs, e.parts = append(e.runs, r), append(e.parts, in)
}

// made makes the short versions; nil if there are no runs.
func (e *Elision) made(raw [3][]byte, lines *diff3.Merged) *Elision {
	if len(e.runs) == 0 {
		return nil
	}
	for s, b := range raw {
		e.shorten(s, b)
	}
	if e.Clean {
		e.shorten(Lines, lines.Bytes)
	} else {
		e.Layout = e.readLayout()
	}
	return e
}

// Restored is a short text with the runs put back.
type Restored struct {
	Bytes []byte
	lines [4]func(int) int // of the versions and the text
}

// Restore puts the runs back into a short text; false if one of them is not where
// it can be put back.
func (e *Elision) Restore(b []byte) (*Restored, bool) {
	starts, ok := e.find(b)
	if !ok {
		return nil, false
	}
	r := &Restored{Bytes: e.expand(b, starts)}
	for s := range e.Short[:Lines] {
		r.lines[s] = e.lines(e.Short[s], e.starts[s])
	}
	r.lines[Lines] = e.lines(b, starts)
	return r, true
}

// Line is the line of version s, or of the text itself, that is line n of the
// short one; 0 is none.
func (r *Restored) Line(s, n int) int { return r.lines[s](n) }

// About reports whether a path or a text of the short versions says something of
// what was left out.
func (e *Elision) About(s string) bool {
	return hasPlaceholder(s) || e.whole && strings.HasPrefix(s, "document ")
}

func hasPlaceholder(s string) bool { return strings.Contains(s, Placeholder) }

// find returns where the placeholders start in b, each of which must stand
// there once, in their order and column.
func (e *Elision) find(b []byte) ([]int, bool) {
	starts := make([]int, len(e.runs))
	at := 0
	for i := range e.runs {
		want := e.place(nil, i)
		n := bytes.Index(b[at:], []byte(Placeholder)) - bytes.Index(want, []byte(Placeholder))
		start := at + n
		if n < 0 || start > 0 && b[start-1] != '\n' || !bytes.HasPrefix(b[start:], want) {
			return nil, false
		}
		starts[i], at = start, start+len(want)
	}
	return starts, !bytes.Contains(b[at:], []byte(Placeholder))
}

// expand returns b with the runs where the placeholders start.
func (e *Elision) expand(b []byte, starts []int) []byte {
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
func (e *Elision) lines(b []byte, starts []int) func(int) int {
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
func (e *Elision) readLayout() *tree.Layout {
	l := tree.NoLayout()
	for i := range e.runs {
		e.runs[i].Indents.Each(func(b Block, by int) {
			tree.See([...]*int{Mapping: &l.Mapping, List: &l.List, Text: &l.Text}[b], by)
		})
	}
	return &l
}
