package mutant

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An entry is a field or an item of a block collection.
type entry struct {
	*syntax.Entry
	doc int
	in  *syntax.Node // the collection
	i   int          // its index there
	up  *entry       // the entry whose value the collection is, nil at a root
}

func (e *entry) next() *syntax.Entry {
	if e.i+1 >= len(e.in.Entries) {
		return nil
	}
	return e.in.Entries[e.i+1]
}

func (e *entry) holds(n *syntax.Node) bool { return e.Span.Contains(n.Span) }

func onEntry(name string, do func(f *file, e *entry) []byte) way {
	return way{
		name:   name,
		places: func(f *file) int { return len(f.entries) },
		line:   func(f *file, i int) int { return f.lineOf(f.entries[i].Start) },
		do: func(f *file, i int) []byte {
			if f.entries[i].Inline {
				return nil // it shares its line with what it is in
			}
			return do(f, &f.entries[i])
		},
	}
}

var entryWays = []way{
	onEntry("drop the entry", func(f *file, e *entry) []byte { return f.splice([]text.Span{e.Span}, "") }),
	onEntry("double the entry", func(f *file, e *entry) []byte { return f.insert(e.Span.End, f.text(e.Span)) }),
	onEntry("double the key", func(f *file, e *entry) []byte {
		if e.Key == nil {
			return nil
		}
		return f.insert(e.Span.End, strings.Repeat(" ", e.in.Indent)+f.text(e.Key.Span)+": doubled\n")
	}),
	onEntry("swap with the next entry", func(f *file, e *entry) []byte {
		n := e.next()
		if n == nil {
			return nil
		}
		return f.splice([]text.Span{e.Span, n.Span}, f.text(n.Span), f.text(e.Span))
	}),
	onEntry("swap the values with the next entry", func(f *file, e *entry) []byte {
		n := e.next()
		if n == nil {
			return nil
		}
		a, b := e.Value.Span, n.Value.Span
		if e.Value.Style == syntax.Block || n.Value.Style == syntax.Block || f.text(a) == f.text(b) {
			return nil
		}
		return f.splice([]text.Span{a, b}, f.text(b), f.text(a))
	}),
	onEntry("move to the end of its collection", func(f *file, e *entry) []byte {
		if e.i+2 >= len(e.in.Entries) {
			return nil // two entries swap
		}
		return f.move(e, e.in)
	}),
	onEntry("move into the entry above", func(f *file, e *entry) []byte {
		if e.i == 0 {
			return nil
		}
		return f.move(e, e.in.Entries[e.i-1].Value)
	}),
	onEntry("move out", func(f *file, e *entry) []byte {
		if e.up == nil {
			return nil
		}
		return f.move(e, e.up.in)
	}),
	onEntry("move under another parent", func(f *file, e *entry) []byte { return f.move(e, f.another(e)) }),
	onEntry("copy under another parent", func(f *file, e *entry) []byte {
		to := f.another(e)
		if to == nil {
			return nil
		}
		return f.insert(to.Tail.Start, reindent(f.text(e.Span), e.in.Indent, to.Indent))
	}),
}

// another returns the next collection behind e that could hold it: one of the
// same kind, in the same document or a later one.
func (f *file) another(e *entry) *syntax.Node {
	for i := range f.entries {
		o := &f.entries[i]
		if o.Start > e.Span.End && o.in != e.in && o.in.Kind == e.in.Kind && !e.holds(o.in) {
			return o.in
		}
	}
	return nil
}

// move puts e at the end of the block collection to, nil if it is none of the
// kind that e is in.
func (f *file) move(e *entry, to *syntax.Node) []byte {
	if to == nil || to.Style != syntax.Block || to.Kind != e.in.Kind || e.holds(to) {
		return nil
	}
	at := text.Span{Start: to.Tail.Start, End: to.Tail.Start}
	moved := reindent(f.text(e.Span), e.in.Indent, to.Indent)
	if at.Start <= e.Span.Start {
		return f.splice([]text.Span{at, e.Span}, moved, "")
	}
	return f.splice([]text.Span{e.Span, at}, "", moved)
}

func (f *file) insert(at int, s string) []byte {
	return f.splice([]text.Span{{Start: at, End: at}}, s)
}

// reindent moves lines from one column to another.
func reindent(lines string, from, to int) string {
	var b strings.Builder
	for l := range strings.Lines(lines) {
		if rest, ok := strings.CutPrefix(l, strings.Repeat(" ", from)); ok && strings.TrimSpace(l) != "" {
			l = strings.Repeat(" ", to) + rest
		}
		b.WriteString(l)
	}
	return b.String()
}
