package mutant

import (
	"bytes"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

func onName(title string, of func(*file) []name, do func(f *file, i int) []byte) way {
	return way{
		name:   title,
		places: func(f *file) int { return len(of(f)) },
		line:   func(f *file, i int) int { return f.lineOf(of(f)[i].at.Start) },
		do:     do,
	}
}

func anchors(f *file) []name { return f.anchors }
func aliases(f *file) []name { return f.aliases }

var nameWays = []way{
	onName("rename the anchor", anchors, func(f *file, i int) []byte {
		return f.splice([]text.Span{f.anchors[i].at}, "z"+f.anchors[i].name)
	}),
	onName("rename the anchor and its aliases", anchors, func(f *file, i int) []byte {
		a := f.anchors[i]
		spans, with := []text.Span{a.at}, []string{"z" + a.name}
		for _, l := range f.aliases {
			if l.doc == a.doc && l.name == a.name && l.at.Start > a.at.Start {
				spans, with = append(spans, l.at), append(with, "z"+a.name)
			}
		}
		return f.splice(spans, with...)
	}),
	onName("swap with the next anchor", anchors, func(f *file, i int) []byte {
		if i+1 >= len(f.anchors) || f.anchors[i].name == f.anchors[i+1].name {
			return nil
		}
		a, b := f.anchors[i], f.anchors[i+1]
		return f.splice([]text.Span{a.at, b.at}, b.name, a.name)
	}),
	onName("mean another anchor", aliases, func(f *file, i int) []byte {
		for _, a := range f.anchors {
			if l := f.aliases[i]; a.doc == l.doc && a.name != l.name && a.at.Start < l.at.Start {
				return f.splice([]text.Span{l.at}, a.name)
			}
		}
		return nil
	}),
	onName("anchor again before the alias", aliases, func(f *file, i int) []byte {
		l := f.aliases[i]
		start := 1 + bytes.LastIndexByte(f.src[:l.at.Start], '\n')
		line := string(f.src[start:])
		blanks := line[:len(line)-len(strings.TrimLeft(line, " "))]
		return f.insert(start, blanks+"captured: &"+l.name+" 1\n")
	}),
}

func onComment(name string, do func(f *file, i int) []byte) way {
	return way{
		name:   name,
		places: func(f *file) int { return len(f.comments) },
		line:   func(f *file, i int) int { return f.lineOf(f.comments[i].Start) },
		do:     do,
	}
}

var commentWays = []way{
	onComment("lose the comment", func(f *file, i int) []byte { return f.splice([]text.Span{f.whole(i)}, "") }),
	onComment("double the comment", func(f *file, i int) []byte {
		return f.insert(f.whole(i).End, f.text(f.whole(i)))
	}),
	onComment("lose a word of the comment", func(f *file, i int) []byte {
		words := strings.Fields(f.text(f.comments[i]))
		return f.splice([]text.Span{f.comments[i]}, strings.Join(words[:len(words)-1], " ")+"#")
	}),
	onComment("swap with the next comment", func(f *file, i int) []byte {
		if i+1 >= len(f.comments) {
			return nil
		}
		a, b := f.comments[i], f.comments[i+1]
		return f.splice([]text.Span{a, b}, f.text(b), f.text(a))
	}),
	onComment("hand the comment to the next line", func(f *file, i int) []byte {
		c := f.whole(i)
		end := bytes.IndexByte(f.src[min(c.End+1, len(f.src)):], '\n')
		if f.owns(i) || end < 0 {
			return nil
		}
		at := c.End + 1 + end
		return f.splice([]text.Span{c, {Start: at, End: at}}, "", f.text(c))
	}),
	onComment("put the comment on a line of its own", func(f *file, i int) []byte {
		if f.owns(i) {
			return nil
		}
		c := f.whole(i)
		start := f.lineStart(c.Start)
		return f.splice([]text.Span{{Start: start, End: start}, c}, f.text(f.comments[i])+"\n", "")
	}),
}

func (f *file) lineStart(off int) int { return 1 + bytes.LastIndexByte(f.src[:off], '\n') }

// owns reports whether comment i has a line of its own.
func (f *file) owns(i int) bool {
	c := f.comments[i]
	return len(bytes.TrimLeft(f.src[f.lineStart(c.Start):c.Start], " \t\ufeff")) == 0
}

// whole is comment i with the line that is its own, or with the blanks before it.
func (f *file) whole(i int) text.Span {
	c := f.comments[i]
	if f.owns(i) {
		c.Start = f.lineStart(c.Start)
		if end := bytes.IndexByte(f.src[c.End:], '\n'); end >= 0 {
			c.End += end + 1
		}
		return c
	}
	c.Start = len(bytes.TrimRight(f.src[:c.Start], " \t"))
	return c
}
