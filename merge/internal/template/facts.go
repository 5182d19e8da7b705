package template

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A factKind is what a fact is about.
type factKind int

const (
	guards factKind = iota // an entry has a guard
	lines                  // a directive line stands in the file
	prints                 // a directive line prints into an entry without another value
	numOf
)

var kinds = [...]factKind{guards, lines, prints}

// A fact is something that a version of a file has, perhaps several times.
type fact struct {
	path string // of the entry
	said string // the guard, or the directive line
}

// facts are what a file has of blocks and directive lines.
type facts struct {
	of    [numOf]bag
	at    [numOf][]place // of each fact, in the order of the file
	lines []string       // the directive lines in their order
	// entries are those of the file in its order, with all the blocks around them.
	entries []place
	// hidden are the paths of keys in lines that merge as comments, wherever these
	// may belong.
	hidden map[string]bool
	// indents are the actions that indent what they print, as they say how far, with
	// the columns in which their lines stand; and after which entry, by its path.
	indents map[indent]string
}

// An indent is an action that indents what it prints, on a line of a column.
type indent struct {
	said   string
	column int
}

func (x indent) compare(y indent) int {
	return cmp.Or(x.column-y.column, strings.Compare(x.said, y.said))
}

// A place is where a fact stands.
type place struct {
	fact
	off int
}

func (f *facts) add(kind factKind, x fact, off int) {
	f.of[kind].add(x, 1)
	f.at[kind] = append(f.at[kind], place{x, off})
}

// within are the facts of a kind that stand in spans.
func (f *facts) within(kind factKind, spans []text.Span) (some []fact) {
	for _, p := range f.at[kind] {
		if slices.ContainsFunc(spans, func(s text.Span) bool { return s.Start <= p.off && p.off < s.End }) {
			some = append(some, p.fact)
		}
	}
	return some
}

// A bag counts facts, and remembers in which order they came.
type bag struct {
	count map[fact]int
	order []fact
}

func (b *bag) add(f fact, n int) {
	if b.count == nil {
		b.count = map[fact]int{}
	}
	if _, ok := b.count[f]; !ok {
		b.order = append(b.order, f)
	}
	b.count[f] += n
}

// less is b without some of its facts.
func (b bag) less(some []fact) bag {
	if len(some) == 0 {
		return b
	}
	out := bag{count: maps.Clone(b.count), order: slices.Clone(b.order)}
	for _, f := range some {
		out.add(f, -1)
	}
	return out
}

// facts returns those of r.
func (r *Reading) facts() *facts {
	f := &facts{hidden: map[string]bool{}, indents: map[indent]string{}}
	w := factWalk{r: r, f: f}
	for i, d := range r.Stream.Docs {
		w.node(d.Root, r.document(i, d), nil)
	}
	w.upTo(len(r.data))
	return f
}

// A factWalk goes over a file from its start to its end.
type factWalk struct {
	r      *Reading
	f      *facts
	next   int // the first directive line that is not passed
	action int // and the first action
	// The last entry, and whether it has no value of its own.
	path   string
	empty  bool
	within []string // the paths of the collections around it
	above  []string // and of those around what comes next
}

// upTo goes over the directive lines that stand before off.
func (w *factWalk) upTo(off int) {
	w.indentsUpTo(off)
	for w.next < len(w.r.directives) && w.r.directives[w.next].Start < off {
		d := w.r.directives[w.next]
		said := w.r.said(d)
		w.f.lines = append(w.f.lines, said)
		w.f.add(lines, fact{said: said}, d.Start)
		if w.empty && !d.remark && w.r.prints(d) {
			w.f.add(prints, fact{w.path, said}, d.Start)
		}
		if d.use == asClosed && d.shape == content {
			w.hides(said)
		}
		w.next++
	}
}

// indentsUpTo goes over the actions that stand before off.
func (w *factWalk) indentsUpTo(off int) {
	for ; w.action < len(w.r.actions) && w.r.actions[w.action].Start < off; w.action++ {
		if a := w.r.actions[w.action]; w.r.printing[w.action] != natural {
			line := w.r.data[bytes.LastIndexByte(w.r.data[:a.Start], '\n')+1 : a.Start]
			x := indent{a.said, len(line) - len(bytes.TrimLeft(line, " "))}
			if _, ok := w.f.indents[x]; !ok {
				w.f.indents[x] = w.path
			}
		}
	}
}

// prints reports whether a directive line is one action that prints.
func (r *Reading) prints(d line) bool {
	return d.last == d.first+1 && r.actions[d.first].kind == output && r.actions[d.first].said != ""
}

// hides notes the key of a line that merges as a comment.
func (w *factWalk) hides(said string) {
	key, _, ok := strings.Cut(strings.TrimLeft(said, "- "), ":")
	if !ok || strings.ContainsAny(key, " {}") {
		return
	}
	key = strings.Trim(key, `"'`)
	for _, path := range append(w.within, w.path) {
		w.f.hidden[field(path, key)] = true
	}
}

// doubled are the paths of the entries that stand in lines that merge as comments
// too.
func (f *facts) doubled() map[string]bool {
	if len(f.hidden) == 0 {
		return nil
	}
	all := map[string]bool{}
	for _, e := range f.entries {
		if f.hidden[e.path] {
			all[e.path] = true
		}
	}
	return all
}

func (w *factWalk) node(n *syntax.Node, path string, around *frame) {
	w.above = append(w.above, path)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	for _, e := range n.Entries {
		p := below(path, e)
		w.upTo(e.Start)
		in := w.r.at(e.Start)
		w.f.entries = append(w.f.entries, place{fact{p, in.text()}, e.Start})
		if in != around {
			w.f.add(guards, fact{p, in.beyond(around)}, e.Start)
		}
		w.path, w.empty = p, e.Value.Content.Empty()
		w.within = append(w.within[:0], w.above...)
		w.node(e.Value, p, in)
	}
}

// said is a directive line, blanks made one.
func (r *Reading) said(d line) string {
	return string(bytes.Join(bytes.Fields(r.data[d.Start:d.End]), []byte(" ")))
}

// document is what paths in a document start with, as in a merge: nothing in a
// file of one.
func (r *Reading) document(i int, d *syntax.Document) string {
	if len(r.Stream.Docs) < 2 {
		return ""
	}
	kind, name := scalarAt(d.Root, "kind"), ""
	if m := d.Field("metadata"); m != nil {
		name = scalarAt(m.Value, "name")
	}
	if kind == "" || name == "" {
		return "document " + strconv.Itoa(i+1) + ": "
	}
	return kind + "/" + name + ": "
}

func scalarAt(n *syntax.Node, field string) string {
	if e := n.Field(field); e != nil && e.Value.Kind == syntax.Scalar {
		return e.Value.Value
	}
	return ""
}

// below is the path of an entry below path, spelled as a merge does it. Items are
// known by their name alone; others cannot be told apart.
func below(path string, e *syntax.Entry) string {
	if e.Key == nil {
		if name := scalarAt(e.Value, "name"); name != "" {
			return path + "[name=" + name + "]"
		}
		return path + "[]"
	}
	return field(path, e.Key.Value)
}

// field is the path of a field of what has a path.
func field(path, field string) string {
	if field == "" || strings.ContainsFunc(field, func(c rune) bool { return c < ' ' || c == 0x7f || strings.ContainsRune(`. []"=,:`, c) }) {
		field = strconv.Quote(field)
	}
	if path == "" || strings.HasSuffix(path, ": ") {
		return path + field
	}
	return path + "." + field
}

// blockTexts counts the blocks that stand on several lines by their texts, blanks
// made one.
func (r *Reading) blockTexts() map[string]blockText {
	if r.texts != nil {
		return r.texts
	}
	all := map[string]blockText{}
	for opening, a := range r.actions {
		b := r.nest.blocks[opening]
		if b == nil {
			continue
		}
		from, to := a.Start, r.actions[b.actions[len(b.actions)-1]].End
		if to-from < mostBlock && bytes.IndexByte(r.data[from:to], '\n') >= 0 {
			said := string(bytes.Join(bytes.Fields(r.data[from:to]), []byte(" ")))
			all[said] = blockText{all[said].count + 1, from}
		}
	}
	r.texts = all
	return all
}

// A blockText is how often a block stands in a file, and where last.
type blockText struct{ count, last int }

// mostBlock bounds the blocks that are compared as a whole: nested ones would cost
// their depth.
const mostBlock = 4 << 10
