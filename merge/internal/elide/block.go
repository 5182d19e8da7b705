package elide

import "sort"

// Block is what the value of a field can be that is indented below it.
type Block uint8

// The blocks.
const (
	Mapping Block = iota
	List
	Text
)

// A blockAt is a block that is indented by so many columns from the line at
// start on.
type blockAt struct {
	start, by int32
	Block
}

// saw notes a block that is the value of the field in f.
func (s *scanner) saw(f *frame, b Block, col int32) {
	s.blocks = append(s.blocks, blockAt{f.start, col - f.col, b})
}

// Indents calls see for the blocks of r, one of the runs, that are values of
// fields, with the columns by which they are indented.
func (f *Found) Indents(r Run, see func(b Block, by int)) {
	i := sort.Search(len(f.blocks), func(i int) bool { return int(f.blocks[i].start) >= r.Start })
	for ; i < len(f.blocks) && int(f.blocks[i].start) < r.End; i++ {
		see(f.blocks[i].Block, int(f.blocks[i].by))
	}
}
