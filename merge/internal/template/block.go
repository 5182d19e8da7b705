package template

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

const branches = syntax.BranchSeparator

// A frame is the place of a branch of a block in the blocks around it; nil is
// outside of all.
type frame struct {
	up    *frame
	depth int // how many frames are around it
	block int // which block of the file, by the index of the action that opens it
	Level
}

// maxNested is how deep blocks may nest. That is far deeper than people do, and bounds what each level
// costs each entry.
const maxNested = 100

// A nest is how the blocks of a file nest.
type nest struct {
	// blocks are the actions that open, divide and close an if, a range or the like, by the one that opens it; nil for others.
	blocks [][]int
	// after are the frames in which the bytes behind each action stand.
	after []*frame
	deep  int // the first action that opens a block in more than maxNested others; -1 if none does
}

// nested reads the blocks of data. The error says which action has no other half;
// the nest is then as if that one were not there, or closed at the end.
func nested(data []byte, all []action) (n *nest, err error) {
	n = &nest{blocks: make([][]int, len(all)), after: make([]*frame, len(all)), deep: -1}
	var at *frame
	for i, a := range all {
		switch {
		case a.kind == opens:
			n.blocks[i] = []int{i}
			at = &frame{up: at, block: i, Level: Level{Said: a.said, Block: a.Start}}
			if at.up != nil {
				at.depth = at.up.depth + 1
			}
			if at.depth >= maxNested && n.deep < 0 {
				n.deep = i
			}
		case a.kind == output:
		case at == nil:
			if err == nil {
				err = fail(data, a.Start, "an "+a.word()+" without a block that it is of")
			}
		default:
			n.blocks[at.block] = append(n.blocks[at.block], i)
			if a.kind == divides {
				// It depends on the branches before it too, but says what opens the block and a alone: a branch
				// that is put between them changes the words of no other.
				at = &frame{at.up, at.depth, at.block, Level{Said: at.Condition() + branches + a.said, Block: at.Block}}
			} else {
				at = at.up
			}
		}
		n.after[i] = at
	}
	if at != nil && err == nil {
		open := all[at.block]
		err = fail(data, open.Start, "the "+open.word()+" is not closed")
	}
	return n, err
}

// holds reports whether f is g or around it.
func (f *frame) holds(g *frame) bool {
	for f != g && g != nil {
		g = g.up
	}
	return f == g
}

// beyond returns the blocks around f that are not around around, as text for people: "if .a > if .b".
func (f *frame) beyond(around *frame) string {
	var all []string
	for _, l := range f.levels(around) {
		all = append(all, l.Said)
	}
	return strings.Join(all, " > ")
}

// SharedBlock is the innermost block around two things of the guards a and b, "" if there is none:
// "if .x" of "if .x / else\nif .y" and "if .x".
func SharedBlock(a, b string) string {
	for a != "" && !InBlock(b, a) {
		a = a[:max(0, strings.LastIndex(a, "\n"), strings.LastIndex(a, branches))]
	}
	return a
}

// InBlock reports whether what has a guard stands in a block, or in any branch of it; "" is around all.
func InBlock(guard, block string) bool {
	rest, ok := strings.CutPrefix(guard, block)
	return ok && (block == "" || rest == "" || strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, branches))
}

// levels are the branches in which f is and around, which holds f, is not; the outer
// ones first.
func (f *frame) levels(around *frame) (all []Level) {
	for ; f != around && f != nil; f = f.up {
		all = append(all, f.Level)
	}
	slices.Reverse(all)
	return all
}

// from is the guard of f from where it parts from that of g: its branch, where both
// are of one block.
func (f *frame) from(g *frame) string {
	if f == nil {
		return ""
	}
	for up := f; up != nil; up = up.up {
		if !up.up.holds(g) {
			continue
		}
		for ; g != nil && g.up != up.up; g = g.up {
		}
		rest := f.beyond(up.up)
		if g != nil && g.block == up.block {
			if i := strings.LastIndex(up.Said, branches); i >= 0 {
				return rest[i+len(branches):]
			}
		}
		return rest
	}
	return f.beyond(nil)
}

// at is the frame in which off stands.
func (r *Reading) at(off int) *frame {
	i := sort.Search(len(r.actions), func(i int) bool { return r.actions[i].End > off })
	if i == 0 {
		return nil
	}
	return r.nest.after[i-1]
}

// HasBlocks reports whether a line has an action that opens, divides or closes a
// block.
func HasBlocks(line []byte) bool {
	return slices.ContainsFunc(actionsIn(line), func(a action) bool { return a.kind != output })
}

// Closes reports whether a line has actions, and all of them close blocks.
func Closes(line []byte) bool {
	all := actionsIn(line)
	return len(all) > 0 && !slices.ContainsFunc(all, func(a action) bool { return a.kind != closes })
}

// actionsIn are the actions of a line, none where it cannot be read.
func actionsIn(line []byte) []action {
	l := languageOf(line)
	if l == nil {
		return nil
	}
	all, err := l.actions(line)
	if err != nil {
		return nil
	}
	return all
}

// A Level is a branch of a block.
type Level = syntax.Level

// Exclude reports whether what stands under a and what stands under b never stand together, as
// far as their words tell: in two branches of one condition, under it and its negation, or in two templates of one file,
// since what a define holds stands where the template is included.
func Exclude(a, b []Level) bool {
	if defined(a) != defined(b) {
		return true
	}
	for _, x := range a {
		for _, y := range b {
			p, yes := splitNegation(x)
			q, also := splitNegation(y)
			if x.Said != y.Said && (x.Condition() == y.Condition() || p == q && yes != also) {
				return true
			}
		}
	}
	return false
}

// defined returns the condition of the define or macro among levels; "" if there is none.
func defined(levels []Level) string {
	for _, l := range levels {
		if c := l.Condition(); strings.HasPrefix(c, "define ") || strings.HasPrefix(c, "macro ") {
			return c
		}
	}
	return ""
}

// splitNegation returns the condition of l without a negation, and whether l is the branch in which it holds: ".a" and
// false for "if not .a" and for "if .a / else". For a level that is not the first or the last branch of a plain if, it
// returns Said and true.
func splitNegation(l Level) (condition string, holds bool) {
	word, condition, _ := strings.Cut(l.Condition(), " ")
	positive, negated := strings.CutPrefix(condition, "not ")
	branch := l.Said[len(l.Condition()):]
	if word != "if" || branch != "" && branch != branches+"else" {
		return l.Said, true
	}
	return positive, negated == (branch != "")
}

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
	// Guard are the blocks around a line that prints, the outer ones first.
	Guard []Level
	// Left says that a line prints left of all entries of its document.
	Left bool
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

// Facts are the contents of a template beside its tree and the guards of its entries.
type Facts struct {
	Lines []Line
	// Prints are the actions that say how far they indent, with the entries above.
	Prints map[Print]*syntax.Entry
	// Keys are those of fields of which a mapping has several, which their guards tell apart.
	Keys   map[*syntax.Entry]string
	Blocks []Block
}

// OwnActions returns the actions of the blocks around e that are not around the value that contains it, as in
// "{{ if .a }} {{ else }}"; "" if there are none.
func OwnActions(e *syntax.Entry) string {
	var all []string
	for _, level := range e.OwnLevels() {
		all = append(all, "{{ "+strings.ReplaceAll(level.Said, branches, " }} {{ ")+" }}")
	}
	return strings.Join(all, " ")
}

// Facts returns the facts of r, nil if r is nil. The first call computes them.
func (r *Reading) Facts() *Facts {
	switch {
	case r == nil:
		return nil
	case r.facts != nil:
		return r.facts
	}
	w := factWalk{r: r, f: &Facts{Prints: map[Print]*syntax.Entry{}, Keys: r.keys, Blocks: r.blocks()}}
	for _, d := range r.Stream.Docs {
		w.above, w.column = nil, max(d.Root.Indent, 0)
		w.node(d.Root)
		w.upTo(d.Span.End)
	}
	w.upTo(len(r.data))
	r.facts = w.f
	return r.facts
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
	column int           // of the entries of the document's root
}

func (w *factWalk) node(n *syntax.Node) {
	for _, e := range n.Entries {
		w.upTo(e.Start)
		w.above = e
		w.node(e.Value)
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
			l.Prints, l.Guard = w.r.actions[d.first].said, w.r.at(d.Start).levels(nil)
			column := w.r.printing[d.first]
			if column == natural {
				column = d.column
			}
			l.Left = column < w.column && l.Prints != ""
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

// Unpaired returns, for each of some parts of a file, the actions that open a block which the part does not close, or divide or
// close one which it does not open, a line each; and "..." for a part with an action that has no end there.
func Unpaired(file []byte, parts []text.Span) []string {
	all := make([]string, len(parts))
	if l := languageOf(file); l != nil {
		for i, p := range parts {
			all[i] = l.unpaired(file[p.Start:p.End])
		}
	}
	return all
}

func (l *language) unpaired(part []byte) string {
	all, err := l.actions(part)
	if err != nil {
		return "..."
	}
	var open, outer []string
	for _, a := range all {
		switch {
		case a.kind == output:
		case a.kind == opens:
			open = append(open, a.said)
		case len(open) == 0:
			outer = append(outer, a.said)
		case a.kind != divides:
			open = open[:len(open)-1]
		}
	}
	return strings.Join(append(outer, open...), "\n")
}
