package diff3

import (
	"bytes"
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// A triple is the input of a merge.
type triple struct{ original, dest, updated []byte }

// triples returns n different merges of small manifests, always the same.
func triples(n int) []triple {
	r := rand.New(rand.NewSource(1))
	all := make([]triple, n)
	for i := range all {
		original := randomLines(r)
		all[i] = triple{
			[]byte(strings.Join(original, "")),
			[]byte(strings.Join(change(r, original), "")),
			[]byte(strings.Join(change(r, original), "")),
		}
	}
	return all
}

// hardTriples returns n large merges with so much changed that a diff gives
// up finding the best.
func hardTriples(n int) []triple {
	all := make([]triple, n)
	for i := range all {
		h := hard{rand.New(rand.NewSource(int64(i))), 1 + i%7, 1 << (i % 9)}
		blocks := make([][]string, 80)
		if i%12 == 11 {
			blocks = make([][]string, 700) // large enough for the search to look for snakes
		}
		for j := range blocks {
			blocks[j] = h.block(20 << (i % 3))
		}
		all[i] = triple{h.join(blocks), h.join(h.change(blocks)), h.join(h.change(blocks))}
	}
	return all
}

// hard makes texts in which some eighths of the lines are unique and the
// others are among a number of frequent ones.
type hard struct {
	*rand.Rand
	eighths, frequent int
}

func (h hard) line() string {
	if h.Intn(8) >= h.eighths {
		return fmt.Sprintf("frequent %d\n", h.Intn(h.frequent))
	}
	return fmt.Sprintf("unique %d\n", h.Int())
}

func (h hard) block(n int) []string {
	block := make([]string, n)
	for i := range block {
		block[i] = h.line()
	}
	return block
}

// change edits some blocks, replaces the unique lines of others, and moves
// others.
func (h hard) change(blocks [][]string) [][]string {
	changed := slices.Clone(blocks)
	for i, block := range changed {
		switch h.Intn(8) {
		case 0:
			changed[i] = change(h.Rand, block)
		case 1:
			changed[i] = h.replace(block)
		case 2:
			j := h.Intn(len(blocks))
			changed[i], changed[j] = changed[j], changed[i]
		}
	}
	return changed
}

func (h hard) replace(block []string) []string {
	block = slices.Clone(block)
	for i, line := range block {
		if strings.HasPrefix(line, "unique") {
			block[i] = fmt.Sprintf("unique %d\n", h.Int())
		}
	}
	return block
}

func (h hard) join(blocks [][]string) []byte {
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

// change returns lines with some edits.
func change(r *rand.Rand, lines []string) []string {
	for range 1 + r.Intn(1+r.Intn(12)) {
		i := r.Intn(len(lines) + 1)
		j := min(i+1+r.Intn(4), len(lines))
		some, to := lines[i:j], r.Intn(len(lines)+1)
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
			lines = splice(lines, to, to, some...)
		case 5: // move
			lines = splice(lines, i, j)
			to = min(to, len(lines))
			lines = splice(lines, to, to, some...)
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

// splice returns a copy of lines with lines[i:j] replaced.
func splice(lines []string, i, j int, with ...string) []string {
	var all []string
	return append(append(append(all, lines[:i]...), with...), lines[j:]...)
}
