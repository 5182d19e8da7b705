package facts

import (
	"strings"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// The words of a text are the facts below its lines: of a line, or a value, that both sides
// changed differently, the edits of both may give one result word by word. What both put
// between the same two words is one edit, if one put there all that the other did.

// Disputes reports whether two edits put different words at one place, none of which holds
// the other's.
func (e edit) Disputes(f edit) bool {
	for mine, yours := e.added, f.added; len(mine) > 0 && len(yours) > 0; {
		x, y := mine[0], yours[0]
		a, b := together(mine), together(yours)
		if !x.above(y) && !y.above(x) && !within(a, b) && !within(b, a) {
			return true
		}
		if x.above(y) || !y.above(x) && x.to <= y.to {
			mine = mine[len(a):]
		} else {
			yours = yours[len(b):]
		}
	}
	return false
}

// together are the words that stand where the first of all does.
func together(all []addition) (words []uint64) {
	for _, x := range all {
		if x.from != all[0].from || x.to != all[0].to {
			break
		}
		words = append(words, x.line)
	}
	return words
}

// within reports whether b has all of a, in its order.
func within(a, b []uint64) bool {
	for _, w := range b {
		if len(a) > 0 && a[0] == w {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// Words are the words of lines: letters and digits with what joins them, blanks, and
// each other character by itself.
func Words(lines *Node) *Node {
	all := &Node{Node: syntax.NewNode(syntax.Sequence, 0), V: lines.V, Partial: lines.Partial}
	for _, line := range lines.Kept {
		last := -1
		start := 0
		s := line.Value + "\n"
		cut := func(end int) {
			if end > start {
				k := line
				k.Data = Hash(s[start:end]) | 1
				all.Kept = append(all.Kept, k)
			}
			start = end
		}
		for i, r := range s {
			kind := wordKind(r)
			if kind != last || kind == 0 {
				cut(i)
			}
			last = kind
		}
		cut(len(s))
	}
	return all
}

// wordKind tells which runes stand together in a word; 0 is none.
func wordKind(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 1
	case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("_.+-", r):
		return 2
	}
	return 0
}
