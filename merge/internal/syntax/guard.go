package syntax

import "strings"

// A Guard is the template blocks around an entry, such as {{ if .x }} ... {{ end }}. A nil Guard is outside of all
// blocks. In this example, the Guard of b has the levels "if .x" and "if .y / else", and OwnLevels of b is the second
// one:
//
//	{{ if .x }}
//	a:
//	{{ if .y }}
//	{{ else }}
//	  b: 1
//	{{ end }}
//	{{ end }}
type Guard struct {
	Levels []Level // the branches that the entry is in, the outermost one first
	Outer  int     // the number of Levels that the entry whose value contains this entry is in, too
}

// OwnLevels returns the template blocks around e, such as "if .a", that are not also around the whole value that
// contains e. The outermost block is first. It returns nil if e is nil or outside of all blocks.
func (e *Entry) OwnLevels() []Level {
	if e == nil || e.Guard == nil {
		return nil
	}
	return e.Guard.Levels[e.Guard.Outer:]
}

// String returns the actions that lead to the entries in g, one line for each template block, with the outermost block
// first: "if .x\nif .y / else". It returns "" if g is nil.
func (g *Guard) String() string {
	if g == nil {
		return ""
	}
	lines := make([]string, len(g.Levels))
	for i, l := range g.Levels {
		lines[i] = l.Said
	}
	return strings.Join(lines, "\n")
}

// A Level is a branch of a template block: the part from {{ if .a }} to {{ else }}, or from there to {{ end }}.
type Level struct {
	// Said is the actions that lead to the branch, without delimiters: "if .a", or "if .a / else" for another branch
	// than the first one. The branches between the first one and this one are not mentioned.
	Said string
	// Block is the offset of the action that opens the block. It tells blocks of one file with equal actions apart.
	Block int
	// Start is the byte offset in the file of the action that starts the branch: {{ if .a }}, or an {{ else }}.
	Start int
}

// BranchSeparator separates the actions in Level.Said.
const BranchSeparator = " / "

// Condition returns the action that opens the block: "if .a" for "if .a / else".
func (l Level) Condition() string {
	first, _, _ := strings.Cut(l.Said, BranchSeparator)
	return first
}
