package template

import (
	"cmp"
	"slices"
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
	of   string // what opened the blocks that the line divides or closes
}

// facts are what a file has of blocks and directive lines.
type facts struct {
	*ledger
	of    [numOf]bag
	at    [numOf][]place // of each fact, in the order of the file
	lines []string       // the directive lines in their order
	// entries are those of the file in its order.
	entries []entry
	// hidden are the paths of keys in lines that merge as comments, wherever these
	// may belong.
	hidden map[string]bool
	// indents are the actions that indent what they print, as they say how far, with
	// the columns in which their lines stand; and after which entry.
	indents map[indent]int
	paths   map[string]bool // of the entries, once they are asked for
}

// An entry is one of a file, with the blocks around it.
type entry struct {
	*syntax.Entry
	up   int    // the entry that it is in
	in   *frame // the blocks around it
	path string // once it is asked for; those of documents have nothing else
}

// path is that of an entry, spelled as in a merge.
func (f *facts) path(i int) string {
	e := &f.entries[i]
	if e.path == "" && e.Entry != nil {
		e.path = below(f.path(e.up), e.Entry)
	}
	return e.path
}

// each goes over the entries with their paths.
func (f *facts) each(visit func(e *entry, path string) (more bool)) {
	for i := range f.entries {
		if e := &f.entries[i]; e.Entry != nil && !visit(e, f.path(i)) {
			return
		}
	}
}

// stands reports whether an entry of a path stands in the file.
func (f *facts) stands(path string) bool {
	if f.paths == nil {
		f.paths = make(map[string]bool, len(f.entries))
		f.each(func(_ *entry, path string) bool {
			f.paths[path] = true
			return true
		})
	}
	return f.paths[path]
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
	number int // of the fact
	off    int
}

func (f *facts) add(kind factKind, x fact, off int) {
	n := f.number(x)
	f.of[kind].add(n, 1)
	f.at[kind] = append(f.at[kind], place{n, off})
}

// within are the facts of a kind that stand in spans.
func (f *facts) within(kind factKind, spans []text.Span) (some []int) {
	for _, p := range f.at[kind] {
		if slices.ContainsFunc(spans, func(s text.Span) bool { return s.Start <= p.off && p.off < s.End }) {
			some = append(some, p.number)
		}
	}
	return some
}

// A ledger numbers facts, so that versions compare by numbers.
type ledger struct {
	numbers map[fact]int
	facts   []fact
}

const usualFacts = 64 // of a small chart

// number is that of x.
func (l *ledger) number(x fact) int {
	n, ok := l.numbers[x]
	if !ok {
		if l.numbers == nil {
			l.numbers = make(map[fact]int, usualFacts)
		}
		n = len(l.facts)
		l.numbers[x], l.facts = n, append(l.facts, x)
	}
	return n
}

// A bag counts facts, and remembers in which order they came.
type bag struct {
	counts []int // by the number of the fact, as far as there are any
	order  []int // those that are not 0, or were once
}

// count is how often the fact of a number is there.
func (b *bag) count(number int) int {
	if number < len(b.counts) {
		return b.counts[number]
	}
	return 0
}

func (b *bag) add(number, n int) {
	if more := number + 1 - len(b.counts); more > 0 {
		b.counts = append(b.counts, make([]int, more)...)
	}
	if b.counts[number] == 0 {
		b.order = append(b.order, number)
	}
	b.counts[number] += n
}

// less is b without some of its facts.
func (b bag) less(some []int) bag {
	if len(some) == 0 {
		return b
	}
	out := bag{counts: slices.Clone(b.counts), order: slices.Clip(b.order)}
	for _, n := range some {
		out.add(n, -1)
	}
	return out
}
