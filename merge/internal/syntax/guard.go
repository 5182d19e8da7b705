package syntax

import "strings"

// A Guard is the template blocks around an entry. A nil Guard is outside of all blocks. In this example, the Guard of b
// has the levels "if .x" and "if .y / else", and OwnLevels of b is the second one:
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

// OwnLevels returns the levels of e's Guard that are inside of the value that contains e. It returns nil if there are none,
// or if e is nil.
func (e *Entry) OwnLevels() []Level {
	if e == nil || e.Guard == nil {
		return nil
	}
	return e.Guard.Levels[e.Guard.Outer:]
}

// String returns the levels of g, one line per level. It is empty for nil.
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

// A Level is a branch of a template block.
type Level struct {
	// Said is the actions that lead to the branch, without delimiters: "if .a", or "if .a / else" for another branch
	// than the first one. The branches between the first one and this one are not mentioned.
	Said string
	// Block is the offset of the action that opens the block. It tells blocks of one file with equal actions apart.
	Block int
}

// BranchSeparator separates the actions in Level.Said.
const BranchSeparator = " / "

// Condition returns the action that opens the block: "if .a" for "if .a / else".
func (l Level) Condition() string {
	first, _, _ := strings.Cut(l.Said, BranchSeparator)
	return first
}
