package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A movedCase is a generated merge in which one side moved a mapping with groups of leaves, and both sides edited it. Each
// side edits other groups.
type movedCase struct {
	groups int
	place  int // an index in movedPlaces
	mover  three.Version
	edits  [3]map[int]int // by the version that made them: the edit of a leaf, an index in leafEdits
}

// movedPlaces are files with the mapping, at its old place and at new ones. {} is replaced by the lines of the mapping, at
// its indentation.
var movedPlaces = [...]string{
	"name: web\nspec:\n  old:\n    {}\n  size: 1\n  other:\n    a: 1\nlast: 1\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\n    old:\n      {}\nlast: 1\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\nmiddle:\n  deep:\n    new:\n      {}\nlast: 1\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\nlast: 1\nnew:\n      {}\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\n  versions:\n  - name: v1\n    schema:\n      {}\n    served: true\nlast: 1\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\n  steps:\n    - build\n    - with:\n        {}\nlast: 1\n",
}

// leafEdits are the ways to edit a leaf. Its name is replaced for %s.
var leafEdits = [...]string{"%s: 1\n", "%s: 2\n", "", "%s: 1\n%[1]sx: 3\n", "# about %s\n%[1]s: 1\n", "%s: 1 # one\n", "%s:\n  y: 1\n  z: 2\n", "%s: \"1\"\n", "%s: |\n  a\n\n  b\n"}

// leavesPerGroup is the number of leaves in each group of the mapping.
const leavesPerGroup = 4

func newMovedCase(seed int) movedCase {
	g := rand.New(rand.NewPCG(uint64(seed), 11))
	c := movedCase{groups: 6 + g.IntN(4), place: 1 + g.IntN(len(movedPlaces)-1), mover: three.Sides[g.IntN(2)]}
	order := g.Perm(c.groups)
	for i, s := range three.Sides {
		c.edits[s] = map[int]int{}
		n := 1 + g.IntN(3)
		if s == c.mover {
			n = g.IntN(3)
		}
		for range n {
			c.edits[s][order[i]*leavesPerGroup+g.IntN(leavesPerGroup)] = 1 + g.IntN(len(leafEdits)-1)
		}
	}
	return c
}

// render returns a file with the mapping at place, with the edits of the versions.
func (c movedCase) render(place int, by ...three.Version) []byte {
	before, after, _ := strings.Cut(movedPlaces[place], "{}")
	indent := before[strings.LastIndexByte(before, '\n')+1:]
	var b strings.Builder
	for group := range c.groups {
		fmt.Fprintf(&b, "g%d:\n", group)
		for i := range leavesPerGroup {
			edit := 0
			for _, s := range by {
				edit += c.edits[s][group*leavesPerGroup+i]
			}
			if leafEdits[edit] == "" {
				continue
			}
			for line := range strings.Lines(fmt.Sprintf(leafEdits[edit], fmt.Sprintf("k%d%d", group, i))) {
				if line != "\n" {
					line = "  " + line
				}
				b.WriteString(line)
			}
		}
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for i := range lines {
		if lines[i] != "" && i > 0 {
			lines[i] = indent + lines[i]
		}
	}
	return []byte(before + strings.Join(lines, "\n") + after)
}

// TestMoved checks that the edits of one side follow a mapping to the place to which the other side moved it, byte for byte,
// in both orders of the sides, and that the law of merging again holds.
func TestMoved(t *testing.T) {
	for seed := range 300 {
		c := newMovedCase(seed)
		var raw [3][]byte
		raw[three.Original] = c.render(0)
		raw[c.mover] = c.render(c.place, c.mover)
		raw[c.mover.Other()] = c.render(0, c.mover.Other())
		want := c.render(c.place, three.Dest, three.Updated)
		res, err := Merge(raw[three.Original], raw[three.Dest], raw[three.Updated], Options{})
		if err != nil {
			t.Fatal(err)
		}
		if string(res.Bytes) != string(want) {
			t.Errorf("seed %d, place %d: %v %s\n%s\nwant:\n%s", seed, c.place, res.Followed, res.Refused, res.Bytes, want)
			continue
		}
		if broken := remerged(t, raw, Options{}); broken != "" {
			t.Errorf("seed %d, place %d, mover %v: merged again: %s", seed, c.place, c.mover, broken)
		}
	}
}
