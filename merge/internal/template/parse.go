// Package template reads YAML in which a template engine has its say: Go's
// templates, as Helm's charts have them, and Jinja.
//
// It takes a file, and gives its tree, with spans on the file's own bytes. An
// action within a key or a scalar is part of it, opaque text. A line of nothing
// but actions is a directive line: it stands where a comment could stand, and
// moves as one does. The blocks around an entry (if, else, range, ...) are its
// guard.
//
// What it cannot read it refuses, and says why: a block that cuts through most of
// the file, one that is not closed, actions that leave no YAML behind.
//
// Facts are what a file says beside its tree: the guards of its entries and its directive
// lines.
package template

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"text/template/parse"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Reading is a template with its tree and its blocks.
type Reading struct {
	// Stream is the tree. The value of a key or scalar with actions is its text, quotes and all, and its tag
	// that of a string. Of keys that stand several times in a mapping, under different guards, those behind
	// the first have their guard in their value.
	Stream     *syntax.Stream
	data       []byte
	lang       *language
	actions    []action
	directives []line
	nest       *nest
	printing   []int                    // in which columns the actions print
	columns    map[int]int              // of the first lines of the blocks
	owners     map[int]*syntax.Node     // the collections that hold the entries of blocks, nil for a root
	keys       map[*syntax.Entry]string // as they stand, of those that have their guard in their value
	closed     map[int]bool             // the blocks that are read as text, since they cut through entries
	unbalanced error                    // why the blocks do not nest
	bad        int                      // the block that err is about
	err        error
	facts      *Facts // nil until Facts computes them
}

// Read reads a template. Its error is always a *syntax.Error. The blocks need not be balanced: see Unbalanced.
func Read(f *text.File) (*Reading, error) {
	r := &Reading{data: f.Bytes(), lang: languageOf(f.Bytes())}
	if r.lang == nil {
		r.lang = golang
	}
	var err error
	if r.actions, err = r.lang.actions(r.data); err != nil {
		return nil, err
	}
	if r.nest, r.unbalanced = nested(r.data, r.actions); r.nest.deep >= 0 {
		return nil, fail(r.data, r.actions[r.nest.deep].Start, fmt.Sprintf("blocks nest deeper than %d levels", maxNested))
	}
	all := linesOf(r.data, r.actions)
	m := newMasker(r.data, all, r.actions, r.nest, nil)
	var closed map[int]bool
	r.columns, closed = m.survey()
	torn := 0
	for range mostClosed {
		if len(closed) > 0 {
			spans := r.spans(closed)
			lines := 0
			for _, s := range spans {
				lines += bytes.Count(r.data[s.Start:s.End], []byte("\n"))
			}
			if 2*lines > bytes.Count(r.data, []byte("\n")) { // most of the file
				return nil, fail(r.data, spans[0].Start, "a block cuts through an entry")
			}
			m = newMasker(r.data, all, r.actions, r.nest, spans)
		}
		bad, err := r.tree(f, m)
		if err == nil {
			r.closed = closed
			return r, nil
		}
		if bad == unreadable && torn < maxTorn {
			bad, torn = r.culprit(m.masked, all, err), torn+1
		}
		if bad < 0 || closed[bad] {
			return nil, err
		}
		closed[bad] = true
	}
	return nil, fail(r.data, 0, "too many blocks cut through entries")
}

// Unbalanced is why the blocks of r do not nest, or nil.
func (r *Reading) Unbalanced() error { return r.unbalanced }

const (
	mostClosed = 16
	noBlock    = -1
	unreadable = -2 // it is no YAML
)

// HasGuards reports whether an entry of r stands in a block.
func (r *Reading) HasGuards() bool { return len(r.owners) > 0 }

// tree reads r by a mask. Where a block cuts through an entry it says which; where
// there is no YAML, that there is none.
func (r *Reading) tree(f *text.File, m *masker) (bad int, err error) {
	r.printing = m.places
	// Where the comment that stands for a directive line starts says what it belongs to. What opens a block belongs
	// to the entry below, what closes it to the entry above; what prints belongs where it prints to.
	places := slices.Clone(m.places)
	for opening, column := range r.columns {
		b := r.nest.blocks[opening]
		for _, a := range b {
			places[a] = underneath
		}
		places[b[len(b)-1]] = column
	}
	r.directives = m.comments(places)
	leads := map[int]bool{}
	for _, d := range r.directives {
		for _, a := range r.actions[d.first:d.last] {
			leads[d.Start] = a.kind == opens || a.kind == divides || a.kind == output && leads[d.Start]
		}
	}
	if r.Stream, err = syntax.ParseAs(f, m.masked, leads); err != nil {
		return unreadable, err
	}
	r.keys, r.owners, r.bad, r.err = map[*syntax.Entry]string{}, map[int]*syntax.Node{}, noBlock, nil
	for _, d := range r.Stream.Docs {
		r.node(d.Root, nil, true)
	}
	if r.err != nil {
		return r.bad, r.err
	}
	return noBlock, nil
}

// node reads n, the value of an entry in the frame around.
func (r *Reading) node(n *syntax.Node, around *frame, root bool) {
	if r.err != nil {
		return
	}
	if n.Kind == syntax.Scalar || n.Kind == syntax.Alias {
		r.scalar(n)
		return
	}
	if n.Style == syntax.Flow {
		r.whole(n.Content, "a line of actions stands within brackets")
	}
	held := n
	if root {
		held = nil
	}
	guarded := false
	for _, e := range n.Entries {
		in := r.at(e.Start)
		guarded = guarded || in != around
		if in != nil {
			all := in.levels(nil)
			e.Guard = &syntax.Guard{Levels: all, Outer: len(all) - len(in.levels(around))}
		}
		r.guarded(e, in, around, held)
		if e.Key != nil {
			r.scalar(e.Key)
		}
		r.node(e.Value, in, false)
	}
	if n.Kind == syntax.Mapping && guarded {
		r.doubled(n)
	}
}

// scalar gives a scalar with actions its value.
func (r *Reading) scalar(n *syntax.Node) {
	lines := n.Content
	if n.IsBlockScalar() {
		lines = n.Lines
	}
	r.whole(lines, "a line of actions stands within a value")
	if bytes.Equal(r.Stream.Masked[n.Content.Start:n.Content.End], r.data[n.Content.Start:n.Content.End]) {
		return
	}
	n.Value = string(r.data[lines.Start:lines.End])
	n.Tag = "!!str"
}

// whole fails where a line that was masked as a comment stands in s, which is
// one value.
func (r *Reading) whole(s text.Span, msg string) {
	i := sort.Search(len(r.directives), func(i int) bool { return r.directives[i].End > s.Start })
	if i < len(r.directives) && r.directives[i].Start > s.Start && r.directives[i].Start < s.End {
		r.fail(r.directives[i].Start, msg)
	}
}

// guarded holds that the blocks around e hold whole entries of one collection
// each, and all their actions stand on lines of their own.
func (r *Reading) guarded(e *syntax.Entry, in, around *frame, held *syntax.Node) {
	if !around.holds(in) {
		r.cut(around.block, "a block ends within the entry around")
		return
	}
	for f := in; f != around; f = f.up {
		switch of, known := r.owners[f.block]; {
		case known && of != held:
			r.cut(f.block, "a block holds parts of several entries")
			return
		case known:
			continue
		}
		r.owners[f.block] = held
		for _, a := range r.nest.blocks[f.block] {
			i := sort.Search(len(r.directives), func(i int) bool { return r.directives[i].last > a })
			if i == len(r.directives) || r.directives[i].first > a {
				r.fail(r.actions[a].Start, "a block around entries starts or ends within a line")
			}
		}
	}
}

// doubled tells the keys of m apart that differ in their guards alone: by where these
// part from that of the first, as far as it tells them apart.
func (r *Reading) doubled(m *syntax.Node) {
	first := map[string]*frame{}
	for _, e := range m.Entries {
		key, in := e.Key.Value, r.at(e.Start)
		f, ok := first[key]
		if ok && f.beyond(nil) != in.beyond(nil) {
			r.keys[e] = key
			e.Key.Value = key + " {{ " + in.from(f) + " }}"
			if _, taken := first[e.Key.Value]; taken {
				e.Key.Value = key + " {{ " + in.beyond(nil) + " }}"
			}
		}
		if _, ok := first[e.Key.Value]; !ok {
			first[e.Key.Value] = in
		}
	}
}

// cut fails because of a block that cuts through entries.
func (r *Reading) cut(block int, msg string) {
	if r.err == nil && r.unbalanced == nil {
		r.bad, r.err = block, fail(r.data, r.actions[block].Start, msg)
	}
}

func (r *Reading) fail(off int, msg string) {
	if r.err == nil {
		r.err = fail(r.data, off, msg)
	}
}

// spans are the lines of the blocks, the outer ones alone, in order.
func (r *Reading) spans(blocks map[int]bool) []text.Span {
	var all []text.Span
	for b := range blocks {
		all = append(all, r.block(b))
	}
	slices.SortFunc(all, func(a, b text.Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	end := 0
	return slices.DeleteFunc(all, func(s text.Span) bool {
		inner := s.End <= end
		end = max(end, s.End)
		return inner
	})
}

// block is the lines of a block.
func (r *Reading) block(opening int) text.Span {
	of := r.nest.blocks[opening]
	start := bytes.LastIndexByte(r.data[:r.actions[opening].Start], '\n') + 1
	return text.Span{Start: start, End: breakAfter(r.data, r.actions[of[len(of)-1]].End-1)}
}

// CutAlike returns an error if a block that both sides changed is text in one version, since
// it cuts through an entry there, and holds entries in another. What the other side changed
// in these could not be told from what the text says:
//
//	{{ if x }}        {{ if x }}
//	b: 1              b: 1
//	{{ end }}x        {{ end }}
func CutAlike(versions [3]*Reading) error {
	cuts := map[string]bool{} // what opens a block that is text
	for _, r := range versions {
		for opening := range r.closed {
			cuts[r.actions[opening].said] = true
		}
	}
	for _, said := range slices.Sorted(maps.Keys(cuts)) {
		var cut [3]int      // how many of the blocks that it opens are text
		var lines [3][]byte // of all of them
		for i, v := range versions {
			end := 0
			for opening, b := range v.nest.blocks {
				if b == nil || v.actions[opening].said != said {
					continue
				}
				if v.closed[opening] {
					cut[i]++
				}
				if s := v.block(opening); s.Start >= end { // not within another
					lines[i] = append(lines[i], v.data[s.Start:s.End]...)
					end = s.End
				}
			}
		}
		alike := cut[0] == cut[1] && cut[0] == cut[2]
		bothChanged := !bytes.Equal(lines[0], lines[1]) && !bytes.Equal(lines[0], lines[2]) && !bytes.Equal(lines[1], lines[2])
		if !alike && bothChanged && len(lines[0]) > 0 && len(lines[1]) > 0 && len(lines[2]) > 0 {
			return fmt.Errorf("the block %s cuts through an entry in one version alone", said)
		}
	}
	return nil
}

// CutAnew returns an error that names a block of the result which cuts through an entry, where no version has a block of
// the same words that does: the result is then no YAML, or holds an entry where no version has one. It returns nil if
// there is no such block.
//
//	  a: 1
//	{{ if .x }}    in the versions b stands beside a, or a in another column
//	b: 1
//	{{ end }}
func CutAnew(versions [3]*Reading, result *Reading) error {
	cuts := map[string]bool{}
	for _, r := range versions {
		for opening := range r.closed {
			cuts[r.actions[opening].said] = true
		}
	}
	for _, opening := range slices.Sorted(maps.Keys(result.closed)) {
		if a := result.actions[opening]; !cuts[a.said] {
			return fail(result.data, a.Start, "the block "+a.said+" cuts through an entry, which it does in no version")
		}
	}
	return nil
}

// mostTorn bounds the size of files that are looked at for what makes them no YAML,
// and maxTorn how often: it takes a parse for each halving.
const (
	mostTorn = 256 << 10
	maxTorn  = 4
)

// culprit is the block because of which masked is no YAML: the innermost one around
// the first line with which it is none, else the last one above. It is noBlock
// where there is none, or the file is large. The parser's err names that line, or one above it.
func (r *Reading) culprit(masked []byte, lines []line, err error) int {
	if len(masked) > mostTorn {
		return noBlock
	}
	torn := func(i int) bool {
		_, err := syntax.Parse(text.New(masked[:lines[i].End]))
		return err != nil
	}
	i := 0
	if e := (*syntax.Error)(nil); errors.As(err, &e) {
		at := text.New(masked).LineOffset(max(1, e.Line))
		i = min(sort.Search(len(lines), func(i int) bool { return lines[i].End > at }), len(lines)-1)
	}
	if i < len(lines) && !torn(i) {
		i += sort.Search(len(lines)-i, func(k int) bool { return torn(i + k) })
	}
	if i == len(lines) {
		return noBlock
	}
	if f := r.at(lines[i].Start); f != nil {
		return f.block
	}
	for opening, b := range slices.Backward(r.nest.blocks) {
		if b == nil {
			continue
		}
		last := r.actions[b[len(b)-1]]
		if last.End <= lines[i].Start && bytes.IndexByte(r.data[r.actions[opening].Start:last.End], '\n') >= 0 {
			return opening
		}
	}
	return noBlock
}

// Torn returns why a result is no template any more, in a file of actions, wherever these
// stand: an action without its end, a block that is not closed, an else without an if. It
// is nil where that is so of a version too.
func Torn(versions [3][]byte, result []byte) error {
	l := languageOf(result)
	if l == nil {
		return nil
	}
	err := l.torn(result)
	if err != nil && slices.ContainsFunc(versions[:], func(b []byte) bool { return l.torn(b) != nil }) {
		return nil
	}
	return err
}

// torn returns why data is no template; of one in Go, functions are not looked up.
func (l *language) torn(data []byte) error {
	all, err := l.actions(data)
	if err == nil {
		_, err = nested(data, all)
	}
	if err == nil {
		t := parse.New("file")
		t.Mode = parse.SkipFuncCheck
		_, err = t.Parse(string(data), "", "", map[string]*parse.Tree{})
	}
	return err
}
