package template

import (
	"strconv"
	"strings"
)

// Where the comment that stands for a directive line starts says what it belongs
// to. What opens a block belongs to the entry below, what closes it to the
// entry above; what prints belongs where it prints to.

// printing returns the column in which each action wants its line to start, of
// those that print; natural is where it stands.
func printing(actions []action) []int {
	all := make([]int, len(actions))
	for i, a := range actions {
		all[i] = natural
		if a.kind == output {
			all[i] = printsAt(a.said)
		}
	}
	return all
}

// places is printing, and of those of blocks.
func (r *Reading) places(printing []int) []int {
	for opening, b := range r.nest.blocks {
		column, ok := r.columns[opening]
		if !ok {
			continue
		}
		for i, a := range b.actions {
			printing[a] = underneath
			if i == len(b.actions)-1 {
				printing[a] = column
			}
		}
	}
	return printing
}

const (
	natural    = -1
	underneath = -2 // no deeper than the next line
)

// printsAt is the column to which an action prints, by the last function that
// indents, natural if none does.
func printsAt(said string) int {
	if !strings.Contains(said, "indent") {
		return natural
	}
	words := strings.Fields(said)
	for i := len(words) - 2; i >= 0; i-- {
		if w := strings.TrimLeft(words[i], "("); w == "indent" || w == "nindent" {
			if n, err := strconv.Atoi(strings.TrimRight(words[i+1], ")")); err == nil && n >= 0 && n < 200 {
				return n
			}
			return natural
		}
	}
	return natural
}
