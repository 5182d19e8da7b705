package mutant

import (
	"bytes"
	"strings"
)

// newLinesMutation returns a mutation of successive lines. change gets all lines, with their line breaks, and
// the index of the first line to change. It returns the replacement for the next count lines; count is 0 if the
// mutation does not fit the line.
func newLinesMutation(name string, change func(lines []string, i int) (replacement []string, count int)) mutation {
	return mutation{
		name:        name,
		countPlaces: func(f *file) int { return len(f.lines) },
		line:        func(_ *file, i int) int { return i + 1 },
		apply: func(f *file, i int) []byte {
			lines := make([]string, len(f.lines))
			for j, l := range f.lines {
				lines[j] = string(l)
			}
			replacement, count := change(lines, i)
			if count == 0 {
				return nil
			}
			out := append(bytes.Join(f.lines[:i], nil), strings.Join(replacement, "")...)
			return append(out, bytes.Join(f.lines[i+count:], nil)...)
		},
	}
}

// newLineMutation returns a mutation of a single line. change gets the line without its line break and returns
// the new line. It returns its argument if the mutation does not fit the line.
func newLineMutation(name string, change func(string) string) mutation {
	return newLinesMutation(name, func(lines []string, i int) ([]string, int) {
		body := strings.TrimRight(lines[i], "\r\n")
		changed := change(body)
		if changed == body {
			return nil, 0
		}
		return []string{changed + lines[i][len(body):]}, 1
	})
}

// newSubstitution returns a mutation that replaces the first occurrence of old in a line by replacement.
func newSubstitution(name, old, replacement string) mutation {
	return newLineMutation(name, func(l string) string { return strings.Replace(l, old, replacement, 1) })
}

// cutField returns the parts of a line before and after its first ": ". ok is false if there is none.
func cutField(line string) (key, value string, ok bool) { return strings.Cut(line, ": ") }

var lineMutations = []mutation{
	newLinesMutation("drop the line", func(lines []string, i int) ([]string, int) { return nil, 1 }),
	newLinesMutation("double the line", func(lines []string, i int) ([]string, int) { return []string{lines[i], lines[i]}, 1 }),
	newLinesMutation("swap with the next", func(lines []string, i int) ([]string, int) {
		if i+1 >= len(lines) {
			return nil, 0
		}
		return []string{lines[i+1], lines[i]}, 2
	}),
	newLinesMutation("swap values with the next", func(lines []string, i int) ([]string, int) {
		if i+1 >= len(lines) {
			return nil, 0
		}
		k1, v1, ok1 := strings.Cut(lines[i], ":")
		k2, v2, ok2 := strings.Cut(lines[i+1], ":")
		if !ok1 || !ok2 {
			return nil, 0
		}
		return []string{k1 + ":" + v2, k2 + ":" + v1}, 2
	}),
	newLinesMutation("move to the end", func(lines []string, i int) ([]string, int) {
		return append(append([]string{}, lines[i+1:]...), lines[i]), len(lines) - i
	}),
	newLineMutation("indent", func(l string) string { return "  " + l }),
	newLineMutation("dedent", func(l string) string { return strings.TrimPrefix(l, "  ") }),
	newLineMutation("drop the value", func(l string) string {
		if k, _, ok := cutField(l); ok {
			return k + ":"
		}
		return l
	}),
	newLineMutation("change the last word", func(l string) string { return l + "x" }),
	newLineMutation("add a comment", func(l string) string { return l + " # new" }),
	newLineMutation("quote the value", func(l string) string {
		if k, v, ok := cutField(l); ok {
			return k + ": \"" + v + "\""
		}
		return l
	}),
	newLineMutation("quote the key", func(l string) string {
		k, v, ok := strings.Cut(l, ":")
		if word := strings.TrimLeft(k, " -"); ok && word != "" {
			return k[:len(k)-len(word)] + "'" + word + "':" + v
		}
		return l
	}),
	newSubstitution("rename the key", ":", "_:"),
	newSubstitution("drop the anchor", "&x ", ""),
	newSubstitution("make the alias a string", "*", "x"),
	newSubstitution("strip", "|", "|-"),
	newSubstitution("keep", "|", "|+"),
	newSubstitution("fold", "|", ">"),
	newSubstitution("make it literal", ">", "|"),
	newSubstitution("tag", ": ", ": !t "),
	newSubstitution("another digit", "1", "7"),
	newSubstitution("another document", "---", "---\n---"),
	newLinesMutation("another document below", func(lines []string, i int) ([]string, int) { return []string{lines[i], "---\n"}, 1 }),
}
