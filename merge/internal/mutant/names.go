package mutant

import (
	"bytes"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// newNameMutation returns a mutation of anchors or aliases. namesOf is anchorsOf or aliasesOf, and i is an
// index of its result.
func newNameMutation(title string, namesOf func(*file) []name, apply func(f *file, i int) []byte) mutation {
	return mutation{
		name:        title,
		countPlaces: func(f *file) int { return len(namesOf(f)) },
		line:        func(f *file, i int) int { return f.lineOf(namesOf(f)[i].span.Start) },
		apply:       apply,
	}
}

func anchorsOf(f *file) []name { return f.anchors }
func aliasesOf(f *file) []name { return f.aliases }

var nameMutations = []mutation{
	newNameMutation("rename the anchor", anchorsOf, func(f *file, i int) []byte {
		return f.replace([]text.Span{f.anchors[i].span}, "z"+f.anchors[i].name)
	}),
	newNameMutation("rename the anchor and its aliases", anchorsOf, func(f *file, i int) []byte {
		a := f.anchors[i]
		spans, texts := []text.Span{a.span}, []string{"z" + a.name}
		for _, l := range f.aliases {
			if l.doc == a.doc && l.name == a.name && l.span.Start > a.span.Start {
				spans, texts = append(spans, l.span), append(texts, "z"+a.name)
			}
		}
		return f.replace(spans, texts...)
	}),
	newNameMutation("swap with the next anchor", anchorsOf, func(f *file, i int) []byte {
		if i+1 >= len(f.anchors) || f.anchors[i].name == f.anchors[i+1].name {
			return nil
		}
		a, b := f.anchors[i], f.anchors[i+1]
		return f.replace([]text.Span{a.span, b.span}, b.name, a.name)
	}),
	newNameMutation("mean another anchor", aliasesOf, func(f *file, i int) []byte {
		for _, a := range f.anchors {
			if l := f.aliases[i]; a.doc == l.doc && a.name != l.name && a.span.Start < l.span.Start {
				return f.replace([]text.Span{l.span}, a.name)
			}
		}
		return nil
	}),
	newNameMutation("anchor again before the alias", aliasesOf, func(f *file, i int) []byte {
		l := f.aliases[i]
		start := 1 + bytes.LastIndexByte(f.src[:l.span.Start], '\n')
		line := string(f.src[start:])
		blanks := line[:len(line)-len(strings.TrimLeft(line, " "))]
		return f.insert(start, blanks+"captured: &"+l.name+" 1\n")
	}),
}

// newCommentMutation returns a mutation of comments. i is an index of f.comments.
func newCommentMutation(name string, apply func(f *file, i int) []byte) mutation {
	return mutation{
		name:        name,
		countPlaces: func(f *file) int { return len(f.comments) },
		line:        func(f *file, i int) int { return f.lineOf(f.comments[i].Start) },
		apply:       apply,
	}
}

var commentMutations = []mutation{
	newCommentMutation("lose the comment", func(f *file, i int) []byte { return f.replace([]text.Span{f.removableSpan(i)}, "") }),
	newCommentMutation("double the comment", func(f *file, i int) []byte {
		return f.insert(f.removableSpan(i).End, f.textOf(f.removableSpan(i)))
	}),
	newCommentMutation("lose a word of the comment", func(f *file, i int) []byte {
		words := strings.Fields(f.textOf(f.comments[i]))
		return f.replace([]text.Span{f.comments[i]}, strings.Join(words[:len(words)-1], " ")+"#")
	}),
	newCommentMutation("swap with the next comment", func(f *file, i int) []byte {
		if i+1 >= len(f.comments) {
			return nil
		}
		a, b := f.comments[i], f.comments[i+1]
		return f.replace([]text.Span{a, b}, f.textOf(b), f.textOf(a))
	}),
	newCommentMutation("hand the comment to the next line", func(f *file, i int) []byte {
		c := f.removableSpan(i)
		end := bytes.IndexByte(f.src[min(c.End+1, len(f.src)):], '\n')
		if f.hasOwnLine(i) || end < 0 {
			return nil
		}
		target := c.End + 1 + end // the end of the next line
		return f.replace([]text.Span{c, {Start: target, End: target}}, "", f.textOf(c))
	}),
	newCommentMutation("put the comment on a line of its own", func(f *file, i int) []byte {
		if f.hasOwnLine(i) {
			return nil
		}
		c := f.removableSpan(i)
		start := f.lineStart(c.Start)
		return f.replace([]text.Span{{Start: start, End: start}, c}, f.textOf(f.comments[i])+"\n", "")
	}),
}

// lineStart returns the offset of the start of the line at an offset.
func (f *file) lineStart(offset int) int { return 1 + bytes.LastIndexByte(f.src[:offset], '\n') }

// hasOwnLine reports whether comment i is alone on its line.
func (f *file) hasOwnLine(i int) bool {
	c := f.comments[i]
	return len(bytes.TrimLeft(f.src[f.lineStart(c.Start):c.Start], " \t\ufeff")) == 0
}

// removableSpan returns the span to delete for comment i: its whole line if it is alone on it, otherwise the
// comment and the spaces and tabs before it.
func (f *file) removableSpan(i int) text.Span {
	c := f.comments[i]
	if f.hasOwnLine(i) {
		c.Start = f.lineStart(c.Start)
		if end := bytes.IndexByte(f.src[c.End:], '\n'); end >= 0 {
			c.End += end + 1
		}
		return c
	}
	c.Start = len(bytes.TrimRight(f.src[:c.Start], " \t"))
	return c
}
