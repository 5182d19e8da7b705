package mergetest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// MovedMapping generates a merge in which one side moved a mapping to another place in the file, under the same key or
// another one. Both sides may edit fields in it. The right merge has all edits at the new place, and no conflict. The
// same seed always gives the same Triple.
//
//	base       ours         theirs     right merge
//	old:       deep:        old:       deep:
//	  k0: 1      new:         k0: 2      new:
//	               k0: 1                   k0: 2
func MovedMapping(seed int) Triple {
	c := newMovedCase(seed)
	var raw [3][]byte
	raw[three.Original] = c.writeVersion(0)
	raw[c.mover] = c.writeVersion(c.place, c.mover)
	raw[c.mover.Other()] = c.writeVersion(0, c.mover.Other())
	t := cleanTriple(raw, c.writeVersion(c.place, three.Dest, three.Updated))
	t.About = fmt.Sprintf("%s moved the mapping to place %d\n", three.Names[c.mover], c.place)
	return t
}

// A movedCase describes a merge in which one side, the mover, moved a mapping, and both sides edited it. The mapping
// consists of groups of four fields each, and the sides edit different groups.
type movedCase struct {
	groups int // the number of groups in the mapping
	place  int // the new place of the mapping, an index in movedPlaces
	mover  three.Version
	// edits has the edits of each side. It maps the number of a field (the first field of group i has the number
	// i*leavesPerGroup) to the index of its edit in leafEdits.
	edits [3]map[int]int
}

// movedPlaces are the files around the mapping. The first is that of base, and the others have the mapping at a new
// place. {} is replaced by the lines of the mapping, at its indentation.
var movedPlaces = [...]string{
	"name: web\nspec:\n  old:\n    {}\n  size: 1\n  other:\n    a: 1\nlast: 1\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\n    old:\n      {}\nlast: 1\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\nmiddle:\n  deep:\n    new:\n      {}\nlast: 1\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\nlast: 1\nnew:\n      {}\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\n  versions:\n  - name: v1\n    schema:\n      {}\n    served: true\nlast: 1\n",
	"name: web\nspec:\n  size: 1\n  other:\n    a: 1\n  steps:\n    - build\n    - with:\n        {}\nlast: 1\n",
}

// leafEdits are the lines of an edited field. Its key replaces %s. The first are the lines of a field that is not
// edited.
var leafEdits = [...]string{"%s: 1\n", "%s: 2\n", "", "%s: 1\n%[1]sx: 3\n", "# about %s\n%[1]s: 1\n", "%s: 1 # one\n", "%s:\n  y: 1\n  z: 2\n", "%s: \"1\"\n", "%s: |\n  a\n\n  b\n"}

// leavesPerGroup is the number of leaves in each group of the mapping.
const leavesPerGroup = 4

// newMovedCase returns a random movedCase. The same seed always gives the same one. The side that does not move the
// mapping makes one to three edits, and the mover makes up to two.
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

// writeVersion returns a file with the mapping at a place, an index in movedPlaces (0 is the old place). The mapping
// has the edits of the given sides: those of no side in base, and those of both sides in the right merge.
func (c movedCase) writeVersion(place int, editors ...three.Version) []byte {
	before, after, _ := strings.Cut(movedPlaces[place], "{}")
	indent := before[strings.LastIndexByte(before, '\n')+1:]
	var b strings.Builder
	for group := range c.groups {
		fmt.Fprintf(&b, "g%d:\n", group)
		for i := range leavesPerGroup {
			edit := 0
			for _, s := range editors {
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
