package template

import (
	"slices"
	"sort"
	"strings"
)

const (
	levels   = " > " // between the blocks of a guard, outer ones first
	branches = " / " // between the branches of a block
)

// A frame is the place of a branch of a block in the blocks around it; nil is
// outside of all.
type frame struct {
	up    *frame
	depth int // how many frames are around it
	block int // which block of the file, by the index of the action that opens it
	Level
}

// maxNested is how deep blocks may nest. That is far deeper than people do, and bounds what each level
// costs each entry.
const maxNested = 100

// A nest is how the blocks of a file nest.
type nest struct {
	// blocks are the actions that open, divide and close an if, a range or the like, by the one that opens it; nil for others.
	blocks [][]int
	// after are the frames in which the bytes behind each action stand.
	after []*frame
	deep  int // the first action that opens a block in more than maxNested others; -1 if none does
}

// nested reads the blocks of data. The error says which action has no other half;
// the nest is then as if that one were not there, or closed at the end.
func nested(data []byte, all []action) (n *nest, err error) {
	n = &nest{blocks: make([][]int, len(all)), after: make([]*frame, len(all)), deep: -1}
	var at *frame
	for i, a := range all {
		switch {
		case a.kind == opens:
			n.blocks[i] = []int{i}
			at = &frame{up: at, block: i, Level: Level{a.said, a.Start}}
			if at.up != nil {
				at.depth = at.up.depth + 1
			}
			if at.depth >= maxNested && n.deep < 0 {
				n.deep = i
			}
		case a.kind == output:
		case at == nil:
			if err == nil {
				err = fail(data, a.Start, "an "+a.word()+" without a block that it is of")
			}
		default:
			n.blocks[at.block] = append(n.blocks[at.block], i)
			if a.kind == divides {
				// It depends on the branches before it too, but says what opens the block and a alone: a branch
				// that is put between them changes the words of no other.
				at = &frame{at.up, at.depth, at.block, Level{at.Condition() + branches + a.said, at.Block}}
			} else {
				at = at.up
			}
		}
		n.after[i] = at
	}
	if at != nil && err == nil {
		open := all[at.block]
		err = fail(data, open.Start, "the "+open.word()+" is not closed")
	}
	return n, err
}

// holds reports whether f is g or around it.
func (f *frame) holds(g *frame) bool {
	for f != g && g != nil {
		g = g.up
	}
	return f == g
}

// beyond is the guard of f as far as it is not that of around, which holds f.
func (f *frame) beyond(around *frame) string {
	var all []string
	for _, l := range f.levels(around) {
		all = append(all, l.Said)
	}
	return strings.Join(all, levels)
}

// levels are the branches in which f is and around, which holds f, is not; the outer
// ones first.
func (f *frame) levels(around *frame) (all []Level) {
	for ; f != around && f != nil; f = f.up {
		all = append(all, f.Level)
	}
	slices.Reverse(all)
	return all
}

// from is the guard of f from where it parts from that of g: its branch, where both
// are of one block.
func (f *frame) from(g *frame) string {
	if f == nil {
		return ""
	}
	for up := f; up != nil; up = up.up {
		if !up.up.holds(g) {
			continue
		}
		for ; g != nil && g.up != up.up; g = g.up {
		}
		rest := f.beyond(up.up)
		if g != nil && g.block == up.block {
			if i := strings.LastIndex(up.Said, branches); i >= 0 {
				return rest[i+len(branches):]
			}
		}
		return rest
	}
	return f.text()
}

// text is the guard for people, "" outside of all blocks.
func (f *frame) text() string { return f.beyond(nil) }

// at is the frame in which off stands.
func (r *Reading) at(off int) *frame {
	i := sort.Search(len(r.actions), func(i int) bool { return r.actions[i].End > off })
	if i == 0 {
		return nil
	}
	return r.nest.after[i-1]
}

// HasBlocks reports whether a line has an action that opens, divides or closes a
// block.
func HasBlocks(line []byte) bool {
	return slices.ContainsFunc(actionsIn(line), func(a action) bool { return a.kind != output })
}

// Closes reports whether a line has actions, and all of them close blocks.
func Closes(line []byte) bool {
	all := actionsIn(line)
	return len(all) > 0 && !slices.ContainsFunc(all, func(a action) bool { return a.kind != closes })
}

// actionsIn are the actions of a line, none where it cannot be read.
func actionsIn(line []byte) []action {
	l := languageOf(line)
	if l == nil {
		return nil
	}
	all, err := l.actions(line)
	if err != nil {
		return nil
	}
	return all
}

// A Level is a block around an entry that is not around what the entry is in, and the branch of
// it in which the entry stands.
type Level struct {
	// Said is what the branch depends on: "if .a", "if .a / else".
	Said string
	// Block is where the block starts, which tells it from others of its file.
	Block int
}

// Condition is what opens the block.
func (l Level) Condition() string {
	first, _, _ := strings.Cut(l.Said, branches)
	return first
}

// Called is what l says once its block has another condition.
func (l Level) Called(condition string) string {
	_, rest, divided := strings.Cut(l.Said, branches)
	if divided {
		return condition + branches + rest
	}
	return condition
}

// Exclude reports whether what stands under a and what stands under b never stand together, as
// far as their words tell: in two branches of one condition, or under it and its negation.
func Exclude(a, b []Level) bool {
	for _, x := range a {
		for _, y := range b {
			p, yes := x.holds()
			q, also := y.holds()
			if x.Said != y.Said && (x.Condition() == y.Condition() || p == q && yes != also) {
				return true
			}
		}
	}
	return false
}

// holds is the condition of l without its negation, and whether it is to hold.
func (l Level) holds() (condition string, yes bool) {
	word, condition, _ := strings.Cut(l.Condition(), " ")
	positive, negated := strings.CutPrefix(condition, "not ")
	branch := l.Said[len(l.Condition()):]
	if word != "if" || branch != "" && branch != branches+"else" {
		return l.Said, true
	}
	return positive, negated == (branch != "")
}
