// Package elide leaves entries out of the three versions of a file that all of them have
// in lines that nobody changed, and puts them back into the merge of the rest. To parse and
// verify is nearly all of what a merge costs, and of most large files little is changed.
//
// Goals: the result of the whole merge, byte for byte; one pass over the lines of the base.
// Non-goals: to read YAML; to leave out all that could be.
//
// It reads a plain skeleton of lines, and knows one style of it: fields and items in block
// style whose values are scalars of one line, plain text on several, literals and folded
// text, and flow collections of scalars on one line. Every other line stays, and with it every entry
// that it stands in.
//
//	a: 1          # left out
//	b: &x {c: 1}  # stays, for its anchor
//	d:            # left out, with all that is in it
//	- e: |
//	    text
//	z: 1          # stays, as nothing follows that ends it
//
// Without it recorded merges take a seventh longer, and a stream of 1 MB twenty times as long. Each of its
// parts pays as well: without flow collections or documents that stream takes over ten times as long, without items of
// lists so does a CRD of 5 MB, without texts in quotes or merges with conflicts histories take a tenth longer, without
// literals the values of a chart five times as long.
//
// The law. Let a run be replaced by one entry `key: x` in its column, whose key
// occurs nowhere. If the shorter text parses, and that entry is a field of a
// block mapping, then the longer text parses too, and is the same tree but for
// the fields of the run in place of the one. For a run consists of complete
// entries, in one column: it has no anchors, aliases, tags, merge keys,
// directives, markers, tabs, nor text of several lines in quotes
// or in brackets. What follows it, comments aside, stands in its column or left
// of it, so that it continues nothing in the run. And comments between the two
// stand so that they belong to what is around the run whichever entry ends it.
package elide

import (
	"bytes"
	"hash/maphash"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
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
//     namespace and apiVersion, items of lists all that is no block. Where the line merge
//     does not say which items are one, nothing is left out of them, and items never are.
//   - Whole documents are left out of streams only if they are resources of
//     which there is one; no conflict names a document by its number then.
//   - No other field of a mapping has a key of its runs; where there are conflicts, no two of
//     its runs have one.
//   - The short versions indent their blocks alike, so that nobody asks how the runs do.
//   - All lines of all versions end alike, with LF or CR LF, and so do those of
//     the placeholders: line ends keep their majority.
//
// Where any of this fails, or the short merge is not accepted at once, nothing
// is left out.
type Elision struct {
	runs  []run
	parts []diff3.Shared
	src   []byte // the original
	nl    string // what its lines end with, and those of the others
	lists bool   // there are runs in items of lists
	// Clean says that the line merge is.
	Clean bool
	// Short are the versions without the runs, and the line merge if it is clean.
	Short  [4][]byte
	starts [4][]int // of the placeholders in them
}

const (
	// Placeholder begins the keys of placeholders.
	Placeholder = "..elided."
	// leastRun is the least size of a run.
	leastRun = 32
	// Lines is the index of the line merge in Short.
	Lines = 3
)

// Shorten leaves out of three versions what a line merge of them has in common;
// nil if there is nothing to leave out. Where the rules are a team's about lists, the line
// merge does not say which items are one.
func Shorten(raw [3][]byte, lines *diff3.Merged, ruled bool) *Elision {
	e := &Elision{src: raw[0], parts: lines.Shared, nl: read.CommonBreak(raw), Clean: lines.Conflicts == 0}
	for _, b := range raw {
		if e.nl == "" || bytes.Contains(b, []byte(Placeholder)) {
			return nil
		}
	}
	parts := make([]text.Span, len(lines.Shared))
	for i, s := range lines.Shared {
		parts[i] = text.Span{Start: s.Original, End: s.Original + s.Len}
	}
	e.lists = e.Clean && !ruled
	e.runs = slices.DeleteFunc(find(raw[0], e.nl, parts, e.lists), func(r run) bool {
		return r.Len() < leastRun
	})
	if len(e.runs) == 0 {
		return nil
	}
	for s, b := range raw {
		e.shorten(s, b)
	}
	if e.Clean {
		e.shorten(Lines, lines.Bytes)
	}
	return e
}

// shorten makes the short form of version s, which is b.
func (e *Elision) shorten(s int, b []byte) {
	var out []byte
	at := 0
	for i, r := range e.runs {
		p := e.parts[r.part]
		start := r.Start - p.Original + [...]int{p.Original, p.Dest, p.Updated, p.Merged}[s]
		out = append(out, b[at:start]...)
		e.starts[s] = append(e.starts[s], len(out))
		out = append(out, e.placeholder(i)...)
		at = start + r.Len()
	}
	e.Short[s] = append(out, b[at:]...)
}

// placeholder is what stands for run i.
func (e *Elision) placeholder(i int) string {
	r, name := e.runs[i], Placeholder+strconv.Itoa(i)
	if r.resources != nil {
		return "---" + e.nl + "kind: " + name + e.nl + "metadata: {name: x}" + e.nl
	}
	return strings.Repeat(" ", r.col) + name + ": x" + e.nl
}

// Restore puts the runs back into a short text b; false if one of them is not where
// it can be put back. Line is the line of version s, or of the text itself, that is line n of the
// short one; 0 is none.
func (e *Elision) Restore(b []byte) (whole []byte, line func(s, n int) int, ok bool) {
	size := len(b)
	for _, r := range e.runs {
		size += r.Len()
	}
	whole = make([]byte, 0, size)
	starts := make([]int, len(e.runs))
	at := 0
	for i, run := range e.runs {
		want := e.placeholder(i)
		n := bytes.Index(b[at:], []byte(want))
		start := at + n
		if n < 0 || start > 0 && b[start-1] != '\n' || bytes.Contains(b[at:start], []byte(Placeholder)) {
			return nil, nil, false
		}
		whole = append(append(whole, b[at:start]...), e.src[run.Start:run.End]...)
		starts[i], at = start, start+len(want)
	}
	whole = append(whole, b[at:]...)
	var lines [4]func(int) int
	for s := range e.Short[:Lines] {
		lines[s] = e.lines(e.Short[s], e.starts[s])
	}
	lines[Lines] = e.lines(b, starts)
	return whole, func(s, n int) int { return lines[s](n) }, !bytes.Contains(b[at:], []byte(Placeholder))
}

// lines returns what turns a line of a short text b into that of the whole one.
func (e *Elision) lines(b []byte, starts []int) func(int) int {
	nl := []byte("\n")
	at, shift := make([]int, len(starts)), make([]int, len(starts)+1)
	line, from := 1, 0
	for i, start := range starts {
		line += bytes.Count(b[from:start], nl)
		at[i], from = line, start
		shift[i+1] = shift[i] + bytes.Count(e.src[e.runs[i].Start:e.runs[i].End], nl) - strings.Count(e.placeholder(i), "\n")
	}
	return func(n int) int {
		if n == 0 {
			return 0
		}
		return n + shift[sort.SearchInts(at, n)]
	}
}

// About reports whether a path or a text of the short versions says something of
// what was left out.
func (e *Elision) About(s string) bool {
	whole := func(r run) bool { return r.resources != nil }
	return strings.Contains(s, Placeholder) || strings.HasPrefix(s, "document ") && slices.ContainsFunc(e.runs, whole)
}

// Placed reports whether the elision holds in the trees of the short versions, and of the
// line merge if that is clean: every placeholder is a field of a block mapping, or a document,
// at the same path in all, and doubles nothing. The streams are those of e.Short.
func (e *Elision) Placed(streams []*syntax.Stream) bool {
	f := finder{e: e, ids: map[string]bool{}, keys: map[string]map[string]bool{}}
	for _, r := range e.runs {
		for _, id := range r.resources {
			if f.ids[id] {
				return false
			}
			f.ids[id] = true
		}
	}
	f.multi = slices.ContainsFunc(streams, func(st *syntax.Stream) bool { return len(st.Docs) > 1 })
	var first []string
	for i, st := range streams {
		f.paths, f.at = make([]string, len(e.runs)), e.starts[i]
		if !f.stream(st) || slices.Contains(f.paths, "") || i > 0 && !slices.Equal(first, f.paths) {
			return false
		}
		first = f.paths
	}
	return f.apart()
}

// apart reports whether no key of a run stands elsewhere in its mapping and, where there are
// conflicts, no key twice in the runs of a mapping.
func (f *finder) apart() bool {
	seed, seen := maphash.MakeSeed(), map[string]map[uint64]bool{}
	for i, r := range f.e.runs {
		path := f.paths[i]
		if seen[path] == nil {
			seen[path] = map[uint64]bool{}
		}
		for l := range bytes.Lines(f.e.src[r.Start:r.End]) {
			if l = bytes.TrimRight(l, "\r\n"); indent(l) != r.col || len(l) == r.col || r.resources != nil {
				continue
			}
			key, n := readKey(l[r.col:])
			if n == 0 {
				continue
			}
			sum := maphash.Bytes(seed, key)
			if f.keys[path][string(key)] || seen[path][sum] {
				return false
			}
			if !f.e.Clean {
				seen[path][sum] = true
			}
		}
	}
	return true
}

// A finder looks for the placeholders of an elision in streams.
type finder struct {
	e     *Elision
	multi bool                       // one of the streams has several documents
	ids   map[string]bool            // of the resources of the runs
	at    []int                      // where placeholders stand in the stream at hand
	paths []string                   // of the placeholders in it, by run; empty while they were not found
	keys  map[string]map[string]bool // of the mappings at these paths, in all streams
}

// stream finds the placeholders of st; false if one stands where nothing can be left out.
func (f *finder) stream(st *syntax.Stream) bool {
	times := map[string]int{}
	for _, d := range st.Docs {
		times[schema.Identity(d.Root)]++
	}
	for _, d := range st.Docs {
		id := schema.Identity(d.Root)
		i, ok := f.run(d.Root.ScalarAt("kind"))
		if !f.multi {
			id = "document"
		}
		switch {
		case f.ids[id]:
			return false
		case ok && f.e.runs[i].resources != nil:
			f.paths[i] = id
		case !f.within(d.Root.Span):
		case id == "" || times[id] > 1 || !f.node(d.Root, id):
			return false
		}
	}
	return true
}

// run is the run for which s stands.
func (f *finder) run(s string) (int, bool) {
	n, ok := strings.CutPrefix(s, Placeholder)
	i, err := strconv.Atoi(n)
	return i, ok && err == nil && i < len(f.e.runs)
}

// node finds the placeholders within v, which is at a path; false if they cannot stand there.
func (f *finder) node(v *syntax.Node, path string) bool {
	if v.Anchor != "" || v.Kind == syntax.Sequence && !f.e.lists {
		return false
	}
	keys := make(map[string]bool, len(v.Entries))
	for i, e := range v.Entries {
		key, field := "", strconv.Itoa(i)+"/"+strconv.Itoa(len(v.Entries))
		if e.Key != nil {
			key, field = e.Key.Value, e.FieldKey()
			if keys[key] || e.MergeKey() {
				return false
			}
			keys[key] = true
		}
		switch i, ok := f.run(key); {
		case !f.within(e.Span):
		case !ok:
			if !f.node(e.Value, path+"\x00"+field) {
				return false
			}
		case f.paths[i] != "" || f.e.runs[i].resources != nil || v.Style != syntax.Block:
			return false
		default:
			f.paths[i] = path
		}
	}
	if f.keys[path] == nil {
		f.keys[path] = keys
	}
	maps.Copy(f.keys[path], keys)
	return true
}

// within reports whether a placeholder stands in s.
func (f *finder) within(s text.Span) bool {
	i := sort.SearchInts(f.at, s.Start)
	return i < len(f.at) && f.at[i] < s.End
}
