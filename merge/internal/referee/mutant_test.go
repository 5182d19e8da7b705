package referee

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A mutation is one way to spoil a file at line i. It returns false where it
// does not apply.
type mutation struct {
	name string
	do   func(lines []string, i int) ([]string, bool)
}

func replaced(lines []string, i int, with ...string) []string {
	out := append([]string{}, lines[:i]...)
	return append(append(out, with...), lines[i+1:]...)
}

// onLine makes a mutation of one line from a function that returns what stands
// there instead, or the same where it does not apply.
func onLine(name string, f func(string) string) mutation {
	return mutation{name, func(lines []string, i int) ([]string, bool) {
		l := f(lines[i])
		return replaced(lines, i, l), l != lines[i]
	}}
}

func substitute(name, old, with string) mutation {
	return onLine(name, func(l string) string { return strings.Replace(l, old, with, 1) })
}

var mutations = []mutation{
	{"drop the line", func(ls []string, i int) ([]string, bool) { return replaced(ls, i), true }},
	{"double the line", func(ls []string, i int) ([]string, bool) { return replaced(ls, i, ls[i], ls[i]), true }},
	{"swap with the next", func(ls []string, i int) ([]string, bool) {
		if i+1 >= len(ls) || ls[i] == ls[i+1] {
			return nil, false
		}
		out := append([]string{}, ls...)
		out[i], out[i+1] = out[i+1], out[i]
		return out, true
	}},
	{"swap values with the next", func(ls []string, i int) ([]string, bool) {
		if i+1 >= len(ls) {
			return nil, false
		}
		k1, v1, ok1 := strings.Cut(ls[i], ":")
		k2, v2, ok2 := strings.Cut(ls[i+1], ":")
		out := append([]string{}, ls...)
		out[i], out[i+1] = k1+":"+v2, k2+":"+v1
		return out, ok1 && ok2 && v1 != v2
	}},
	{"move to the end", func(ls []string, i int) ([]string, bool) {
		if i+1 >= len(ls) {
			return nil, false
		}
		return append(replaced(ls, i), ls[i]), true
	}},
	onLine("indent", func(l string) string { return "  " + l }),
	onLine("dedent", func(l string) string { return strings.TrimPrefix(l, "  ") }),
	onLine("drop the value", func(l string) string {
		k, _, ok := strings.Cut(l, ": ")
		if !ok {
			return l
		}
		return k + ":\n"
	}),
	onLine("change the last word", func(l string) string { return strings.TrimRight(l, "\r\n") + "x\n" }),
	onLine("drop the comment", func(l string) string {
		if i := strings.Index(l, "#"); i >= 0 {
			return strings.TrimRight(l[:i], " ") + "\n"
		}
		return l
	}),
	onLine("add a comment", func(l string) string { return strings.TrimRight(l, "\r\n") + " # new\n" }),
	onLine("quote the value", func(l string) string {
		k, v, ok := strings.Cut(strings.TrimRight(l, "\r\n"), ": ")
		if !ok {
			return l
		}
		return k + ": \"" + v + "\"\n"
	}),
	onLine("quote the key", func(l string) string {
		k, v, ok := strings.Cut(l, ":")
		if word := strings.TrimLeft(k, " -"); ok && word != "" {
			return k[:len(k)-len(word)] + "'" + word + "':" + v
		}
		return l
	}),
	onLine("end in CRLF", func(l string) string { return strings.TrimRight(l, "\r\n") + "\r\n" }),
	onLine("rename the key", func(l string) string { return strings.Replace(l, ":", "_:", 1) }),
	substitute("rename the anchor", "&", "&z"),
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
}

// mutants calls f with every mutant of s that still parses.
func mutants(s string, f func(name string, m *syntax.Stream)) {
	lines := splitLines(s)
	for _, m := range mutations {
		for i := range lines {
			out, ok := m.do(lines, i)
			if !ok {
				continue
			}
			mutant := strings.Join(out, "")
			if st, err := syntax.Parse(text.New([]byte(mutant))); err == nil && mutant != s {
				f(fmt.Sprintf("%s, line %d", m.name, i+1), st)
			}
		}
	}
}

// open are the mutants that may be accepted, because they differ from the right
// result in something that the contract leaves open.
var open = map[string]string{
	"mapping added by both: swap with the next, line 3":            "the order of what both inserted",
	"mapping added by both: move to the end, line 3":               "the order of what both inserted",
	"null made a mapping by both: swap with the next, line 2":      "the order of what both inserted",
	"null made a mapping by both: move to the end, line 2":         "the order of what both inserted",
	"added to nothing by both: swap with the next, line 1":         "the order of what both inserted",
	"added to nothing by both: move to the end, line 1":            "the order of what both inserted",
	"keyed items added by both: swap with the next, line 3":        "the order of what both inserted",
	"keyed items added by both: swap values with the next, line 3": "the order of what both inserted",
	"keyed items added by both: move to the end, line 3":           "the order of what both inserted",
	"key requoted, value changed: space, line 1":                   "blanks in a line made of both sides'",
	"value and comment of one line: space, line 1":                 "blanks in a line made of both sides'",
	"folded lines: space, line 1":                                  "blanks in the first line of a text that both changed",
	"rename of a scalar in place: space, line 2":                   "blanks in a line made of both sides'",
	"renamed by both, edits of both: space, line 1":                "blanks in a line made of both sides'",
	"moved deep with the edit: space, line 4":                      "blanks beside an edit that moved",
	"moved below another key with the edit: indent, line 4":        "the indent of a new collection",
	"both append a document: indent, line 3":                       "the indent of a new collection",
	"both append a document: indent, line 5":                       "the indent of a new collection",
	"both append the same document: indent, line 3":                "the indent of a new collection",
	"flow mapping: indent, line 1":                                 "blanks before a document in flow style",
	"cycle: indent, line 1":                                        "blanks before a document in flow style",
	"comment added, value changed: swap with the next, line 1":     "where an own-line comment stands",
	"comment added, value changed: move to the end, line 1":        "where an own-line comment stands",
	"comment added, value changed: indent, line 1":                 "where an own-line comment stands",
}

// Whatever is done to a right result, it is refused.
func TestMutants(t *testing.T) {
	tried, survivors := 0, map[string]bool{}
	for _, m := range right {
		c := Claim{Original: parse(t, m.o), Dest: parse(t, m.d), Updated: parse(t, m.u)}
		mutants(m.r, func(name string, st *syntax.Stream) {
			tried++
			c.Result = st
			if Check(c) != nil {
				return
			}
			name = m.name + ": " + name
			survivors[name] = true
			if open[name] == "" {
				t.Errorf("survived: %s\n%s", name, st.File.Bytes())
			}
		})
	}
	for name := range open {
		if !survivors[name] {
			t.Errorf("no survivor any more: %s", name)
		}
	}
	t.Logf("%d mutants, %d survived", tried, len(survivors))
}
