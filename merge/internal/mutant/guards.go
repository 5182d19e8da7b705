package mutant

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// guardLine is a line of nothing but an action of a block, in Go's language or Jinja.
var guardLine = regexp.MustCompile(`^\s*(?:\{\{-?|\{%-?) *(if|with|range|for|else|elif|end|endif|endfor|define|block)\b *(.*?) *(?:-?\}\}|-?%\})\s*$`)

// A guarded is a block of a template: the lines of its actions, from the one that opens
// it to the one that ends it.
type guarded struct{ at []int }

// Guards calls f with every way to spoil the guards of a template: what is spoilt may be
// no template any more.
func Guards(b []byte, f func(way string, line int, spoilt []byte)) {
	lines := slices.Collect(strings.Lines(string(b)))
	tell := func(way string, line int, spoilt []string) {
		if s := strings.Join(spoilt, ""); s != string(b) {
			f(way, line+1, []byte(s))
		}
	}
	for _, g := range blocksOf(lines) {
		first, last := g.at[0], g.at[len(g.at)-1]
		without := func(at ...int) []string {
			out := slices.Clone(lines)
			for _, i := range at {
				out[i] = ""
			}
			return out
		}
		with := func(i int, line string) []string {
			out := slices.Clone(lines)
			out[i] = line
			return out
		}
		if strings.Contains(lines[first], "if ") {
			tell("negate the guard", first, with(first, strings.Replace(lines[first], "if ", "if not ", 1)))
		}
		tell("another guard", first, with(first, strings.Replace(lines[first], ".", ".other.", 1)))
		tell("lose the guard", first, without(g.at...))
		for _, i := range g.at[1 : len(g.at)-1] {
			tell("lose the else", i, without(i))
		}
		if last+1 < len(lines) && said(lines[last+1]) {
			tell("guard one more", last, slices.Concat(lines[:last], []string{lines[last+1], lines[last]}, lines[last+2:]))
		}
		if len(g.at) == 3 {
			middle := g.at[1]
			tell("swap the branches", first, slices.Concat(
				lines[:first+1], lines[middle+1:last], lines[middle:middle+1], lines[first+1:middle], lines[last:]))
		}
	}
}

// said reports whether a line is no action, no comment and not blank.
func said(line string) bool {
	s := strings.TrimSpace(line)
	return s != "" && !strings.HasPrefix(s, "#") && !strings.HasPrefix(s, "{")
}

// blocksOf finds the blocks of a template whose actions have lines of their own.
func blocksOf(lines []string) (all []guarded) {
	var open []guarded
	for i, l := range lines {
		m := guardLine.FindSubmatch(bytes.TrimSpace([]byte(l)))
		if m == nil {
			continue
		}
		switch word := string(m[1]); {
		case word == "else" || word == "elif":
			if n := len(open); n > 0 {
				open[n-1].at = append(open[n-1].at, i)
			}
		case strings.HasPrefix(word, "end"):
			if n := len(open); n > 0 {
				all = append(all, guarded{append(open[n-1].at, i)})
				open = open[:n-1]
			}
		default:
			open = append(open, guarded{[]int{i}})
		}
	}
	return all
}
