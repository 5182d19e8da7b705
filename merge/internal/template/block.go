package template

import "strings"

// A frame is the place of a branch of a block in the blocks around it; nil is
// outside of all.
type frame struct {
	up    *frame
	block int    // which block of the file, by the index of the action that opens it
	guard string // what the branch depends on, with what is around it
}

// A block is an if, a range or the like from its first action to its end.
type block struct {
	actions []int // those that open, divide and close it
}

// A nest is how the blocks of a file nest.
type nest struct {
	blocks map[int]*block // by the index of the action that opens them
	// after are the frames in which the bytes behind each action stand.
	after []*frame
}

// nested reads the blocks of data. The error says which action has no other half.
func nested(data []byte, all []action) (*nest, error) {
	n := &nest{blocks: map[int]*block{}, after: make([]*frame, len(all))}
	var at *frame
	for i, a := range all {
		switch {
		case a.kind == opens:
			n.blocks[i] = &block{actions: []int{i}}
			at = &frame{up: at, block: i, guard: at.within(a.said)}
		case a.kind != output && at == nil:
			return nil, fail(data, a.Start, "an "+a.word()+" without a block that it is of")
		case a.kind == divides:
			n.blocks[at.block].actions = append(n.blocks[at.block].actions, i)
			at = &frame{up: at.up, block: at.block, guard: at.guard + " / " + a.said}
		case a.kind == closes:
			n.blocks[at.block].actions = append(n.blocks[at.block].actions, i)
			at = at.up
		}
		n.after[i] = at
	}
	if at != nil {
		open := all[at.block]
		return nil, fail(data, open.Start, "the "+open.word()+" is not closed")
	}
	return n, nil
}

// within is a guard inside of f.
func (f *frame) within(guard string) string {
	if f == nil {
		return guard
	}
	return f.guard + " > " + guard
}

// holds reports whether f is g or around it.
func (f *frame) holds(g *frame) bool {
	for f != g && g != nil {
		g = g.up
	}
	return f == g
}

// text is the guard for people, "" outside of all blocks.
func (f *frame) text() string {
	if f == nil {
		return ""
	}
	return f.guard
}

func (a action) word() string {
	word, _, _ := strings.Cut(a.said, " ")
	return word
}
