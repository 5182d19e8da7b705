package mutant

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// directiveLine matches a line with only the action that begins, continues or ends a template block, of Go or
// Jinja. Its first submatch is the keyword of the action.
var directiveLine = regexp.MustCompile(`^\s*(?:\{\{-?|\{%-?) *(if|with|range|for|else|elif|end|endif|endfor|define|block)\b *(.*?) *(?:-?\}\}|-?%\})\s*$`)

// A templateBlock has the indices of the directive lines of a template block: the line that begins it, those
// with "else" or "elif", and the line that ends it.
type templateBlock struct{ lines []int }

// EachGuardMutant calls f with copies of the template b in which the guard of one template block is changed or lost.
// They need not be valid templates. mutation names the change, and line is that of a directive line of the block, from
// 1.
//
//	b               "negate the guard" at 1   "lose the guard" at 1
//	{{ if .a }}     {{ if not .a }}           x: 1
//	x: 1            x: 1
//	{{ end }}       {{ end }}
func EachGuardMutant(b []byte, f func(mutation string, line int, mutated []byte)) {
	lines := slices.Collect(strings.Lines(string(b)))
	call := func(mutation string, line int, mutated []string) {
		if s := strings.Join(mutated, ""); s != string(b) {
			f(mutation, line+1, []byte(s))
		}
	}
	for _, block := range findBlocks(lines) {
		first, last := block.lines[0], block.lines[len(block.lines)-1]
		without := func(indices ...int) []string {
			out := slices.Clone(lines)
			for _, i := range indices {
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
			call("negate the guard", first, with(first, strings.Replace(lines[first], "if ", "if not ", 1)))
		}
		call("another guard", first, with(first, strings.Replace(lines[first], ".", ".other.", 1)))
		call("lose the guard", first, without(block.lines...))
		for _, i := range block.lines[1 : len(block.lines)-1] {
			call("lose the else", i, without(i))
		}
		if last+1 < len(lines) && isContent(lines[last+1]) {
			call("guard one more", last, slices.Concat(lines[:last], []string{lines[last+1], lines[last]}, lines[last+2:]))
		}
		if len(block.lines) == 3 {
			middle := block.lines[1]
			call("swap the branches", first, slices.Concat(
				lines[:first+1], lines[middle+1:last], lines[middle:middle+1], lines[first+1:middle], lines[last:]))
		}
	}
}

// isContent reports whether line is not blank and starts neither with a comment nor with an action or a flow
// mapping.
func isContent(line string) bool {
	s := strings.TrimSpace(line)
	return s != "" && !strings.HasPrefix(s, "#") && !strings.HasPrefix(s, "{")
}

// findBlocks returns the template blocks that begin and end with directive lines, in the order of their ends.
func findBlocks(lines []string) (blocks []templateBlock) {
	var open []templateBlock
	for i, l := range lines {
		m := directiveLine.FindSubmatch(bytes.TrimSpace([]byte(l)))
		if m == nil {
			continue
		}
		switch keyword := string(m[1]); {
		case keyword == "else" || keyword == "elif":
			if n := len(open); n > 0 {
				open[n-1].lines = append(open[n-1].lines, i)
			}
		case strings.HasPrefix(keyword, "end"):
			if n := len(open); n > 0 {
				blocks = append(blocks, templateBlock{append(open[n-1].lines, i)})
				open = open[:n-1]
			}
		default:
			open = append(open, templateBlock{[]int{i}})
		}
	}
	return blocks
}
