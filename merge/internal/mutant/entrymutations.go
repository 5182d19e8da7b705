package mutant

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An entry is a field or an item of a block collection.
type entry struct {
	*syntax.Entry
	doc        int          // the index of the document
	collection *syntax.Node // the collection that has the entry
	index      int          // the index of the entry in the collection
	parent     *entry       // the entry whose value is the collection; nil if that is a root
}

// next returns the next entry of the collection, or nil if e is the last one.
func (e *entry) next() *syntax.Entry {
	if e.index+1 >= len(e.collection.Entries) {
		return nil
	}
	return e.collection.Entries[e.index+1]
}

// contains reports whether n is in e.
func (e *entry) contains(n *syntax.Node) bool { return e.Span.Contains(n.Span) }

// newEntryMutation returns a mutation of entries. apply is not called for an entry that shares its first line
// with other content, as in "- a: 1".
func newEntryMutation(name string, apply func(f *file, e *entry) []byte) mutation {
	return mutation{
		name:        name,
		countPlaces: func(f *file) int { return len(f.entries) },
		line:        func(f *file, i int) int { return f.lineOf(f.entries[i].Start) },
		apply: func(f *file, i int) []byte {
			if f.entries[i].Inline {
				return nil
			}
			return apply(f, &f.entries[i])
		},
	}
}

var entryMutations = []mutation{
	newEntryMutation("drop the entry", func(f *file, e *entry) []byte { return f.replace([]text.Span{e.Span}, "") }),
	newEntryMutation("double the entry", func(f *file, e *entry) []byte { return f.insert(e.Span.End, f.textOf(e.Span)) }),
	newEntryMutation("double the key", func(f *file, e *entry) []byte {
		if e.Key == nil {
			return nil
		}
		return f.insert(e.Span.End, strings.Repeat(" ", e.collection.Indent)+f.textOf(e.Key.Span)+": doubled\n")
	}),
	newEntryMutation("swap with the next entry", func(f *file, e *entry) []byte {
		n := e.next()
		if n == nil {
			return nil
		}
		return f.replace([]text.Span{e.Span, n.Span}, f.textOf(n.Span), f.textOf(e.Span))
	}),
	newEntryMutation("swap the values with the next entry", func(f *file, e *entry) []byte {
		n := e.next()
		if n == nil {
			return nil
		}
		a, b := e.Value.Span, n.Value.Span
		if e.Value.Style == syntax.Block || n.Value.Style == syntax.Block || f.textOf(a) == f.textOf(b) {
			return nil
		}
		return f.replace([]text.Span{a, b}, f.textOf(b), f.textOf(a))
	}),
	newEntryMutation("move to the end of its collection", func(f *file, e *entry) []byte {
		if e.index+2 >= len(e.collection.Entries) {
			return nil // already at the end, or the same as a swap with the next entry
		}
		return f.move(e, e.collection)
	}),
	newEntryMutation("move into the entry above", func(f *file, e *entry) []byte {
		if e.index == 0 {
			return nil
		}
		return f.move(e, e.collection.Entries[e.index-1].Value)
	}),
	newEntryMutation("move out", func(f *file, e *entry) []byte {
		if e.parent == nil {
			return nil
		}
		return f.move(e, e.parent.collection)
	}),
	newEntryMutation("move under another parent", func(f *file, e *entry) []byte { return f.move(e, f.collectionAfter(e)) }),
	newEntryMutation("copy under another parent", func(f *file, e *entry) []byte {
		to := f.collectionAfter(e)
		if to == nil {
			return nil
		}
		return f.insert(to.Tail.Start, reindent(f.textOf(e.Span), e.collection.Indent, to.Indent))
	}),
}

// collectionAfter returns another block collection of the same kind into which e can be moved, even one around e, or
// nil if there is none. It is that of the first suitable entry that starts after the end of e, but not exactly there:
//
//	a:
//	  b: 1   # for b, the mapping of a and c
//	  x: 1   # for x, the mapping of d
//	c:
//	  d: 2   # for d, nil
func (f *file) collectionAfter(e *entry) *syntax.Node {
	for i := range f.entries {
		later := &f.entries[i]
		if later.Start > e.Span.End && later.collection != e.collection && later.collection.Kind == e.collection.Kind && !e.contains(later.collection) {
			return later.collection
		}
	}
	return nil
}

// move returns the bytes of f with e moved to the end of the collection to and indented as it. It returns nil
// if to is nil, is in e, or is not a block collection of the same kind as the collection of e.
func (f *file) move(e *entry, to *syntax.Node) []byte {
	if to == nil || to.Style != syntax.Block || to.Kind != e.collection.Kind || e.contains(to) {
		return nil
	}
	target := text.Span{Start: to.Tail.Start, End: to.Tail.Start}
	lines := reindent(f.textOf(e.Span), e.collection.Indent, to.Indent)
	if target.Start <= e.Span.Start {
		return f.replace([]text.Span{target, e.Span}, lines, "")
	}
	return f.replace([]text.Span{e.Span, target}, "", lines)
}

// insert returns the bytes of f with s inserted at an offset.
func (f *file) insert(offset int, s string) []byte {
	return f.replace([]text.Span{{Start: offset, End: offset}}, s)
}

// reindent returns lines with an indentation of to spaces in place of from spaces. Lines that are indented
// less, and blank lines, do not change.
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
