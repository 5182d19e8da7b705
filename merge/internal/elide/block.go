package elide

// Block is what the value of a field can be that is indented below it.
type Block uint8

// The blocks.
const (
	Mapping Block = iota
	List
	Text
)

// Indents says by how many columns blocks are indented that are values of
// fields.
type Indents [Text + 1]extent

// An extent is the least and the greatest of some numbers, plus one; 0 if there
// are none.
type extent struct{ least, most int32 }

// Each calls see for each kind of block, with the least and the greatest number
// of columns, where there are any.
func (in *Indents) Each(see func(b Block, by int)) {
	for b, x := range in {
		if x.most > 0 {
			see(Block(b), int(x.least)-1)
			see(Block(b), int(x.most)-1)
		}
	}
}

// saw adds a block that is indented by so many columns.
func (in *Indents) saw(b Block, by int32) { in[b].add(extent{by + 1, by + 1}) }

func (in *Indents) add(others *Indents) {
	for b := range in {
		in[b].add(others[b])
	}
}

func (x *extent) add(y extent) {
	switch {
	case y.most == 0:
	case x.most == 0:
		*x = y
	default:
		x.least, x.most = min(x.least, y.least), max(x.most, y.most)
	}
}
