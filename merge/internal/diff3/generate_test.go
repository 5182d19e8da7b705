package diff3

import (
	"bytes"
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// A triple is the three versions of a text.
type triple struct{ original, dest, updated []byte }

// randomTriples returns n different triples of small manifests. They are the same in each call.
func randomTriples(n int) []triple {
	r := rand.New(rand.NewSource(1))
	all := make([]triple, n)
	for i := range all {
		original := randomLines(r)
		all[i] = triple{
			[]byte(strings.Join(original, "")),
			[]byte(strings.Join(editRandomly(r, original), "")),
			[]byte(strings.Join(editRandomly(r, original), "")),
		}
	}
	return all
}

// randomHardTriples returns n triples of large texts with so many edits that the diff
// does not always find the best split. They are the same in each call.
func randomHardTriples(n int) []triple {
	all := make([]triple, n)
	for i := range all {
		h := hardTexts{rand.New(rand.NewSource(int64(i))), 1 + i%7, 1 << (i % 9)}
		blocks := make([][]string, 80)
		if i%12 == 11 {
			blocks = make([][]string, 700) // large enough for the search to look for snakes
		}
		for j := range blocks {
			blocks[j] = h.randomBlock(20 << (i % 3))
		}
		all[i] = triple{h.joinBlocks(blocks), h.joinBlocks(h.editBlocks(blocks)), h.joinBlocks(h.editBlocks(blocks))}
	}
	return all
}

// A hardTexts value generates texts. Of eight lines, uniqueEighths are unique, and the
// others are chosen from a number of frequent lines.
type hardTexts struct {
	*rand.Rand
	uniqueEighths, frequentLines int
}

func (h hardTexts) randomLine() string {
	if h.Intn(8) >= h.uniqueEighths {
		return fmt.Sprintf("frequent %d\n", h.Intn(h.frequentLines))
	}
	return fmt.Sprintf("unique %d\n", h.Int())
}

func (h hardTexts) randomBlock(n int) []string {
	block := make([]string, n)
	for i := range block {
		block[i] = h.randomLine()
	}
	return block
}

// editBlocks returns a copy of blocks. In the copy, some blocks are edited, some have
// other unique lines, and some have moved.
func (h hardTexts) editBlocks(blocks [][]string) [][]string {
	changed := slices.Clone(blocks)
	for i, block := range changed {
		switch h.Intn(8) {
		case 0:
			changed[i] = editRandomly(h.Rand, block)
		case 1:
			changed[i] = h.replaceUniqueLines(block)
		case 2:
			j := h.Intn(len(blocks))
			changed[i], changed[j] = changed[j], changed[i]
		}
	}
	return changed
}

func (h hardTexts) replaceUniqueLines(block []string) []string {
	block = slices.Clone(block)
	for i, line := range block {
		if strings.HasPrefix(line, "unique") {
			block[i] = fmt.Sprintf("unique %d\n", h.Int())
		}
	}
	return block
}

func (h hardTexts) joinBlocks(blocks [][]string) []byte {
	return []byte(strings.Join(slices.Concat(blocks...), ""))
}

// randomLines returns lines of which many occur more than once.
func randomLines(r *rand.Rand) []string {
	lines := bytes.SplitAfter(manifests(64<<r.Intn(7)), lf)
	var all []string
	for _, line := range lines[:len(lines)-1] {
		all = append(all, string(line))
	}
	if r.Intn(8) == 0 {
		for i := range all {
			all[i] = strings.TrimSuffix(all[i], "\n") + "\r\n"
		}
	}
	return all
}

// editRandomly returns a copy of lines with some edits.
func editRandomly(r *rand.Rand, lines []string) []string {
	for range 1 + r.Intn(1+r.Intn(12)) {
		i := r.Intn(len(lines) + 1)
		j := min(i+1+r.Intn(4), len(lines))
		block, to := lines[i:j], r.Intn(len(lines)+1)
		switch r.Intn(7) {
		case 0: // delete
			lines = splice(lines, i, j)
		case 1: // replace
			lines = splice(lines, i, j, fmt.Sprintf("  new: %d\n", r.Intn(3)))
		case 2: // insert
			lines = splice(lines, i, i, fmt.Sprintf("  new: %d\n", r.Intn(3)))
		case 3: // insert a common line
			lines = splice(lines, i, i, []string{"\n", "\n", "  env:\n", "# --\n"}[r.Intn(4)])
		case 4: // copy
			lines = splice(lines, to, to, block...)
		case 5: // move
			lines = splice(lines, i, j)
			to = min(to, len(lines))
			lines = splice(lines, to, to, block...)
		case 6: // indent
			for ; i < j; i++ {
				lines = splice(lines, i, i+1, "  "+lines[i])
			}
		}
	}
	if len(lines) > 0 && r.Intn(8) == 0 {
		n := len(lines) - 1
		lines = splice(lines, n, n+1, strings.TrimSuffix(lines[n], "\n"))
	}
	return lines
}

// splice returns a copy of lines in which lines[i:j] are replaced.
func splice(lines []string, i, j int, with ...string) []string {
	var all []string
	return append(append(append(all, lines[:i]...), with...), lines[j:]...)
}
