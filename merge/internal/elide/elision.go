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
//     by keys that stand once, and the items by a name that no other item
//     beside them has, or by their place in a list that is as long in all. So
//     none of these is renamed, removed, added or moved, and nobody asks how much of
//     it is equal to what.
//   - What is known by its fields keeps these: resources their kind, name,
//     namespace and apiVersion, items of lists all that is no block. Where a team's rules say
//     which items are one, nothing is left out of them, and items never are.
//   - Whole documents are left out of streams only if they are resources of
//     which there is one; no conflict names a document by its number then.
//   - No other field of a mapping has a key of its runs; where there are conflicts, no two of
//     its runs have one.
//   - The short versions indent their blocks alike, so that nobody asks how the runs do.
//   - All lines of all versions end alike, with LF or CR LF, and so do those of
//     the placeholders: line ends keep their majority.
//
// A run for which this fails stays. Where others fail then, or the short merge is not accepted
// at once, nothing is left out.
type Elision struct {
	runs  []run
	parts []diff3.Shared
	whole [4][]byte // the versions, and the line merge
	nl    string    // what its lines end with, and those of the others
	lists bool      // there are runs in items of lists
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
// nil if there is nothing to leave out. Ruled says that a team has rules about lists.
func Shorten(raw [3][]byte, lines *diff3.Merged, ruled bool) *Elision {
	e := &Elision{whole: [4][]byte{raw[0], raw[1], raw[2], lines.Bytes}, parts: lines.Shared, nl: read.CommonBreak(raw), Clean: lines.Conflicts == 0}
	for _, b := range raw {
		if e.nl == "" || bytes.Contains(b, []byte(Placeholder)) {
			return nil
		}
	}
	parts := make([]text.Span, len(lines.Shared))
	for i, s := range lines.Shared {
		parts[i] = text.Span{Start: s.Original, End: s.Original + s.Len}
	}
	e.lists = !ruled
	return e.of(slices.DeleteFunc(find(raw[0], e.nl, parts, e.lists), func(r run) bool { return r.Len() < leastRun }))
}

// of is an elision like e that leaves out these runs; nil if there are none.
func (e *Elision) of(runs []run) *Elision {
	if len(runs) == 0 {
		return nil
	}
	n := &Elision{runs: runs, whole: e.whole, parts: e.parts, nl: e.nl, lists: e.lists, Clean: e.Clean}
	for s, b := range n.whole {
		if s < Lines || n.Clean {
			n.shorten(s, b)
		}
	}
	return n
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
		whole = append(append(whole, b[at:start]...), e.whole[0][run.Start:run.End]...)
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
		shift[i+1] = shift[i] + bytes.Count(e.whole[0][e.runs[i].Start:e.runs[i].End], nl) - strings.Count(e.placeholder(i), "\n")
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

// Placed is e without the runs for which it does not hold in the trees of the short versions, and of the line merge
// if that is clean: every placeholder is a field of a block mapping, or a document, at the same path in all, and
// doubles nothing. It is e itself if it holds, and nil if nothing is left. The streams are those of e.Short.
func (e *Elision) Placed(streams []*syntax.Stream) *Elision {
	docs, ok := e.documents(streams)
	if !ok {
		return nil
	}
	wrong := e.misplaced(docs, text.Span{End: len(e.runs)})
	if len(wrong) == 0 {
		return e
	}
	stays := make([]bool, len(e.runs))
	for _, w := range wrong {
		for i := w.Start; i < w.End; i++ {
			stays[i] = true
		}
	}
	var left []run
	for i, r := range e.runs {
		if !stays[i] {
			left = append(left, r)
		}
	}
	return e.of(left)
}

// documents are the documents of the streams; false if a resource that was left out stands there as well.
func (e *Elision) documents(streams []*syntax.Stream) ([][]part, bool) {
	ids := map[string]bool{}
	for _, r := range e.runs {
		for _, id := range r.resources {
			if ids[id] {
				return nil, false
			}
			ids[id] = true
		}
	}
	multi := slices.ContainsFunc(streams, func(st *syntax.Stream) bool { return len(st.Docs) > 1 })
	docs := make([][]part, len(streams))
	for s, st := range streams {
		times := map[string]int{}
		for _, d := range st.Docs {
			times[schema.Identity(d.Root)]++
		}
		for _, d := range st.Docs {
			p := part{name: schema.Identity(d.Root), runs: e.within(s, d.Root.Span), node: d.Root}
			if ids[p.name] {
				return nil, false
			}
			switch i, ok := e.run(d.Root.ScalarAt("kind")); {
			case ok && e.runs[i].resources != nil:
				p.runs, p.node = text.Span{Start: i, End: i + 1}, nil
			case !multi:
				p.name = "document"
			case times[p.name] > 1:
				p.name = ""
			}
			docs[s] = append(docs[s], p)
		}
	}
	return docs, true
}

// A part is an entry or a document of one version.
type part struct {
	name  string       // what no other beside it has, as its key; empty if it has none
	place string       // of an item: which of how many
	runs  text.Span    // whose placeholders stand in it
	node  *syntax.Node // its value; nil if it is a placeholder
}

// is reports whether p and q are one part of two versions, in which the same placeholders stand.
func (p part) is(q part) bool {
	named := q.name == p.name && p.name != ""
	placed := q.place == p.place && p.place != ""
	return (named || placed) && q.runs == p.runs && (q.node == nil) == (p.node == nil)
}

// misplaced are those of runs whose placeholders do not stand at the same paths below the parts of each version.
func (e *Elision) misplaced(versions [][]part, runs text.Span) (wrong []text.Span) {
	for s, parts := range versions {
		versions[s] = slices.DeleteFunc(parts, func(p part) bool { return p.runs.Empty() })
	}
	at := runs.Start
	for _, p := range versions[0] {
		if p.runs.Start != at {
			return []text.Span{runs}
		}
		at = p.runs.End
		same, nodes := true, make([]*syntax.Node, len(versions))
		for s, parts := range versions {
			i, found := slices.BinarySearchFunc(parts, at, func(q part, at int) int { return q.runs.End - at })
			if same = same && found && p.is(parts[i]); same {
				nodes[s] = parts[i].node
			}
		}
		switch {
		case !same:
			wrong = append(wrong, p.runs)
		case p.node != nil:
			wrong = append(wrong, e.below(nodes, p.runs)...)
		}
	}
	if at != runs.End {
		return []text.Span{runs}
	}
	return wrong
}

// below are those of runs whose placeholders do not stand at the same paths in the nodes, one of each
// version, or a key of which stands there twice.
func (e *Elision) below(nodes []*syntax.Node, runs text.Span) (wrong []text.Span) {
	versions, keys := make([][]part, len(nodes)), map[string]bool{}
	for s, n := range nodes {
		parts, ok := e.entries(s, n)
		if !ok {
			return []text.Span{runs}
		}
		versions[s] = parts
		for _, f := range n.Entries {
			if f.Key != nil {
				keys[f.Key.Value] = true
			}
		}
	}
	for _, p := range versions[0] {
		if p.node == nil && !e.apart(e.runs[p.runs.Start], keys) {
			wrong = append(wrong, p.runs)
		}
	}
	return append(wrong, e.misplaced(versions, runs)...)
}

// apart reports whether run r has none of the keys; where there are conflicts, it adds its own.
func (e *Elision) apart(r run, keys map[string]bool) bool {
	for l := range bytes.Lines(e.whole[0][r.Start:r.End]) {
		if l = bytes.TrimRight(l, "\r\n"); indent(l) != r.col || len(l) == r.col {
			continue
		}
		switch key, n := readKey(l[r.col:]); {
		case n == 0:
		case keys[string(key)]:
			return false
		case !e.Clean:
			keys[string(key)] = true
		}
	}
	return true
}

// entries are those of v in version s; false if nothing can be left out of it.
func (e *Elision) entries(s int, v *syntax.Node) ([]part, bool) {
	if v.Anchor != "" || v.Kind == syntax.Sequence && !e.lists {
		return nil, false
	}
	parts, times := make([]part, len(v.Entries)), make(map[string]int, len(v.Entries))
	for i, f := range v.Entries {
		p := part{runs: e.within(s, f.Span), node: f.Value}
		if f.Key == nil {
			p.name, p.place = syntax.NameOf(f.Value), strconv.Itoa(i)+"/"+strconv.Itoa(len(v.Entries))
			times[p.name]++
		} else {
			p.name = f.FieldKey()
			if times[f.Key.Value]++; times[f.Key.Value] > 1 || f.IsMergeKey() {
				return nil, false
			}
			if i, ok := e.run(f.Key.Value); ok {
				if e.runs[i].resources != nil || v.Style != syntax.Block {
					return nil, false
				}
				p.node = nil
			}
		}
		parts[i] = p
	}
	for i := range parts {
		if p := &parts[i]; p.place != "" && times[p.name] > 1 {
			p.name = ""
		}
	}
	return parts, true
}

// run is the run for which s stands.
func (e *Elision) run(s string) (int, bool) {
	n, ok := strings.CutPrefix(s, Placeholder)
	i, err := strconv.Atoi(n)
	return i, ok && err == nil && i < len(e.runs)
}

// within are the runs whose placeholders stand in a span of version s.
func (e *Elision) within(s int, in text.Span) text.Span {
	return text.Span{Start: sort.SearchInts(e.starts[s], in.Start), End: sort.SearchInts(e.starts[s], in.End)}
}
