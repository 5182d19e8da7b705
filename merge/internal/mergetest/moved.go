package mergetest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// MovedMapping generates a merge in which one side moved a mapping to another place in the file, and both sides edited
// other parts of the mapping. The right merge has the edits of both sides at the new place. For example, with one of the
// groups of leaves:
//
//	base       ours          theirs     right merge
//	old:       size: 1       old:       size: 1
//	  k0: 1    deep:           k0: 2    deep:
//	size: 1      new:        size: 1      new:
//	               k0: 1                    k0: 2
func MovedMapping(seed int) Triple {
	c := newMovedCase(seed)
	var raw [3][]byte
	raw[three.Original] = c.write(0)
	raw[c.mover] = c.write(c.place, c.mover)
	raw[c.mover.Other()] = c.write(0, c.mover.Other())
	t := cleanTriple(raw, c.write(c.place, three.Dest, three.Updated))
	t.About = fmt.Sprintf("%s moved the mapping to place %d\n", three.Names[c.mover], c.place)
	return t
}

// A movedCase is the plan of a merge in which one side moved a mapping with groups of leaves, and both sides edited it.
// Each side edits other groups.
type movedCase struct {
	groups int
	place  int // an index in movedPlaces
	mover  three.Version
	edits  [3]map[int]int // by the version that made them: the edit of a leaf, an index in leafEdits
}

// movedPlaces are files with the mapping, at its old place and at new ones. {} is replaced by the lines of the mapping,
// at its indentation.
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

// newMovedCase returns the plan of a seed.
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

// write returns a file with the mapping at place, with the edits of the versions.
func (c movedCase) write(place int, by ...three.Version) []byte {
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
