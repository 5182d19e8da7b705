package template

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Line is a directive line.
type Line struct {
	text.Span
	Said string // what stands there, blanks made one
	Of   string // what opened the blocks that it divides or closes
	// Prints is its action, if it is one that prints; else "".
	Prints string
	Above  *syntax.Entry // the last entry above; nil if there is none
	// Within says that Above has no value of its own, so that what the line prints is that.
	Within bool
	// Key is that of a field, if it is one in a block that merges as lines; else "".
	Key string
}

// A Print is an action that says how far it indents, in the column of its line.
type Print struct {
	Said   string
	Column int
}

// Compare orders prints by column, then by what they say.
func (x Print) Compare(y Print) int {
	return cmp.Or(x.Column-y.Column, strings.Compare(x.Said, y.Said))
}

// Facts are what a template says beside its tree.
type Facts struct {
	// Guards are the blocks around each entry, the outer ones first, of entries that have some.
	Guards map[*syntax.Entry][]Level
	Lines  []Line
	// Prints are the actions that say how far they indent, with the entries above.
	Prints map[Print]*syntax.Entry
	// Keys are those of fields of which a mapping has several, which their guards tell apart.
	Keys   map[*syntax.Entry]string
	Blocks []Block
}

// Guard is what the blocks around e say, as in {{ if .a }} {{ else }}; "" where it has none of its own.
func (f *Facts) Guard(e *syntax.Entry) string {
	var all []string
	for _, level := range f.Guards[e] {
		all = append(all, "{{ "+strings.ReplaceAll(level.Said, branches, " }} {{ ")+" }}")
	}
	return strings.Join(all, " ")
}

// Facts returns those of r.
func (r *Reading) Facts() *Facts {
	w := factWalk{r: r, f: &Facts{Guards: map[*syntax.Entry][]Level{}, Prints: map[Print]*syntax.Entry{}, Keys: r.keys, Blocks: r.blocks()}}
	for _, d := range r.Stream.Docs {
		w.above = nil
		w.node(d.Root, nil)
	}
	w.upTo(len(r.data))
	return w.f
}

// Within are the blocks of a text, the part of data at whole, around each of its lines; nil where
// there is none. What is around the text is not said.
func Within(data []byte, whole text.Span, lines []text.Span) [][]Level {
	b := data[whole.Start:whole.End]
	if !HasBlocks(b) {
		return nil
	}
	r := &Reading{data: b, actions: actionsIn(b)}
	r.nest, _ = nested(b, r.actions)
	all := make([][]Level, len(lines))
	for i, l := range lines {
		all[i] = r.at(l.Start - whole.Start).levels(nil)
	}
	return all
}

// A factWalk goes over a file from its start to its end.
type factWalk struct {
	r      *Reading
	f      *Facts
	next   int           // the first directive line that is not passed
	action int           // and the first action
	above  *syntax.Entry // the last entry
}

func (w *factWalk) node(n *syntax.Node, around *frame) {
	for _, e := range n.Entries {
		w.upTo(e.Start)
		in := w.r.at(e.Start)
		if all := in.levels(around); len(all) > 0 {
			w.f.Guards[e] = all
		}
		w.above = e
		w.node(e.Value, in)
	}
}

// upTo goes over the actions and the directive lines that stand before off.
func (w *factWalk) upTo(off int) {
	for ; w.action < len(w.r.actions) && w.r.actions[w.action].Start < off; w.action++ {
		if a := w.r.actions[w.action]; w.r.printing[w.action] != natural {
			before := w.r.data[bytes.LastIndexByte(w.r.data[:a.Start], '\n')+1 : a.Start]
			x := Print{a.said, len(before) - len(bytes.TrimLeft(before, " "))}
			if _, ok := w.f.Prints[x]; !ok {
				w.f.Prints[x] = w.above
			}
		}
	}
	for ; w.next < len(w.r.directives) && w.r.directives[w.next].Start < off; w.next++ {
		d := w.r.directives[w.next]
		l := Line{Span: d.Span, Said: squeezed(w.r.data[d.Start:d.End]), Above: w.above}
		for i := d.first; i < d.last; i++ {
			if k := w.r.actions[i].kind; (k == divides || k == closes) && i > 0 && w.r.nest.after[i-1] != nil {
				l.Of += w.r.actions[w.r.nest.after[i-1].block].said + "\n"
			}
		}
		if d.last == d.first+1 && w.r.actions[d.first].kind == output {
			l.Prints = w.r.actions[d.first].said
		}
		l.Within = w.above != nil && w.above.Value.Content.Empty() && !d.remark && l.Prints != ""
		if d.use == asClosed && d.shape == content {
			if key, _, ok := strings.Cut(strings.TrimLeft(l.Said, "- "), ":"); ok && !strings.ContainsAny(key, " {}") {
				l.Key = strings.Trim(key, `"'`)
			}
		}
		w.f.Lines = append(w.f.Lines, l)
	}
}

// A Block is what a block that stands on several lines says, and where it starts.
type Block struct {
	Said string
	Off  int
}

// blocks are those of which several start alike.
func (r *Reading) blocks() (all []Block) {
	starts := map[string]int{}
	for opening, b := range r.nest.blocks {
		if b != nil {
			starts[r.actions[opening].said]++
		}
	}
	for opening, b := range r.nest.blocks {
		a := r.actions[opening]
		if b == nil || starts[a.said] < 2 {
			continue
		}
		if s := r.data[a.Start:r.actions[b[len(b)-1]].End]; len(s) < mostBlock && bytes.IndexByte(s, '\n') >= 0 {
			all = append(all, Block{squeezed(s), a.Start})
		}
	}
	return all
}

// mostBlock bounds the blocks that are compared as a whole: nested ones would cost
// their depth.
const mostBlock = 4 << 10
