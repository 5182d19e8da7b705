package mutant

import (
	"bytes"
	"strings"
)

// onLines makes a way from a function of all lines and the index of one, which
// returns the lines that stand there instead, of how many, nil where it does
// not apply.
func onLines(name string, do func(ls []string, i int) (with []string, of int)) way {
	return way{
		name:   name,
		places: func(f *file) int { return len(f.lines) },
		line:   func(_ *file, i int) int { return i + 1 },
		do: func(f *file, i int) []byte {
			ls := make([]string, len(f.lines))
			for j, l := range f.lines {
				ls[j] = string(l)
			}
			with, of := do(ls, i)
			if of == 0 {
				return nil
			}
			out := append(bytes.Join(f.lines[:i], nil), strings.Join(with, "")...)
			return append(out, bytes.Join(f.lines[i+of:], nil)...)
		},
	}
}

// onLine makes a way from a function of a line without its break, which returns
// the same where it does not apply.
func onLine(name string, change func(string) string) way {
	return onLines(name, func(ls []string, i int) ([]string, int) {
		body := strings.TrimRight(ls[i], "\r\n")
		changed := change(body)
		if changed == body {
			return nil, 0
		}
		return []string{changed + ls[i][len(body):]}, 1
	})
}

func substitute(name, old, with string) way {
	return onLine(name, func(l string) string { return strings.Replace(l, old, with, 1) })
}

// cutField returns what stands before and behind the colon of a line.
func cutField(line string) (key, value string, ok bool) { return strings.Cut(line, ": ") }

var lineWays = []way{
	onLines("drop the line", func(ls []string, i int) ([]string, int) { return nil, 1 }),
	onLines("double the line", func(ls []string, i int) ([]string, int) { return []string{ls[i], ls[i]}, 1 }),
	onLines("swap with the next", func(ls []string, i int) ([]string, int) {
		if i+1 >= len(ls) {
			return nil, 0
		}
		return []string{ls[i+1], ls[i]}, 2
	}),
	onLines("swap values with the next", func(ls []string, i int) ([]string, int) {
		if i+1 >= len(ls) {
			return nil, 0
		}
		k1, v1, ok1 := strings.Cut(ls[i], ":")
		k2, v2, ok2 := strings.Cut(ls[i+1], ":")
		if !ok1 || !ok2 {
			return nil, 0
		}
		return []string{k1 + ":" + v2, k2 + ":" + v1}, 2
	}),
	onLines("move to the end", func(ls []string, i int) ([]string, int) {
		return append(append([]string{}, ls[i+1:]...), ls[i]), len(ls) - i
	}),
	onLines("end in another break", func(ls []string, i int) ([]string, int) {
		if body, ok := strings.CutSuffix(ls[i], "\r\n"); ok {
			return []string{body + "\n"}, 1
		}
		return []string{strings.TrimSuffix(ls[i], "\n") + "\r\n"}, 1
	}),
	onLine("indent", func(l string) string { return "  " + l }),
	onLine("dedent", func(l string) string { return strings.TrimPrefix(l, "  ") }),
	onLine("drop the value", func(l string) string {
		if k, _, ok := cutField(l); ok {
			return k + ":"
		}
		return l
	}),
	onLine("change the last word", func(l string) string { return l + "x" }),
	onLine("add a comment", func(l string) string { return l + " # new" }),
	onLine("quote the value", func(l string) string {
		if k, v, ok := cutField(l); ok {
			return k + ": \"" + v + "\""
		}
		return l
	}),
	onLine("quote the key", func(l string) string {
		k, v, ok := strings.Cut(l, ":")
		if word := strings.TrimLeft(k, " -"); ok && word != "" {
			return k[:len(k)-len(word)] + "'" + word + "':" + v
		}
		return l
	}),
	substitute("rename the key", ":", "_:"),
	substitute("drop the anchor", "&x ", ""),
	substitute("make the alias a string", "*", "x"),
	substitute("strip", "|", "|-"),
	substitute("keep", "|", "|+"),
	substitute("fold", "|", ">"),
	substitute("make it literal", ">", "|"),
	substitute("tag", ": ", ": !t "),
	substitute("space", ": ", ":  "),
	substitute("another digit", "1", "7"),
	substitute("another document", "---", "---\n---"),
	onLines("another document below", func(ls []string, i int) ([]string, int) { return []string{ls[i], "---\n"}, 1 }),
}
