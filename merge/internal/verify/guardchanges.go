package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// If one side adds an entry, and the other side changes the template blocks around that place, the change applies to
// the new entry, too. This file finds such changes: a new block around the neighbors of the entry, or a change of a
// block that the entry is in.

// neighbors returns the two members between which s added member k, or nil and nil: the closest ones that both sides
// contain. If s added k at an end, or for an only document, they are:
//
//	members of both sides    k is          result
//	a, b, c                  after c       a, c: the first and the last
//	a                        after a       nil, nil
//	a, an only document      after a       a, a
func (g *guardContext) neighbors(k *match, s version) (x, y *match) {
	if k.nodes[s] == nil || k.nodes[base] != nil {
		return nil, nil
	}
	if g.shared[s] == nil {
		g.shared[s] = slices.DeleteFunc(slices.Clone(g.matches), func(m *match) bool { return m.nodes[s] == nil || m.nodes[s.Other()] == nil })
		slices.SortStableFunc(g.shared[s], func(a, b *match) int { return cmp.Compare(a.index[s], b.index[s]) })
	}
	shared := g.shared[s]
	i, _ := slices.BinarySearchFunc(shared, k.index[s], func(m *match, at int32) int { return cmp.Compare(m.index[s], at) })
	before, after := shared[:i], shared[i:]
	if len(after) > 0 && after[0] == k {
		after = after[1:]
	}
	isDocument := k.nodes[s].Entry == nil && k.nodes[s].reader != nil // and not a line
	switch others := slices.Concat(before, after); {
	case len(before) > 0 && len(after) > 0:
		return before[i-1], after[0]
	case len(others) > 1:
		return others[0], others[len(others)-1]
	case len(shared) == 1 && isDocument:
		return shared[0], shared[0]
	}
	return nil, nil
}

// changesAround returns which template blocks are expected around member k in addition to those in s, because the other
// side changed the blocks at the place where s added or moved k. The map has the number of blocks for each branch. It
// is negative if the other side removed some.
//
//	base     ours     theirs
//	a: 1     a: 1     {{ if .a }}
//	c: 1     b: 1     a: 1
//	         c: 1     c: 1
//	                  {{ end }}      "if .a": 1 for b, which ours added
func (g *guardContext) changesAround(k *match, s version) map[string]int32 {
	changes := map[string]int32{}
	// 1. changes of the blocks into which s put k
	for _, l := range g.guardOf(k.nodes[s]) {
		if indexOfCondition(g.guardOf(k.nodes[base]), l.Condition()) >= 0 {
			continue // it was in this block before
		}
		for branch, n := range g.changesIn(s, l) {
			changes[branch] = cmp.Or(changes[branch], n) // the outermost change decides
		}
	}
	// 2. new blocks around both neighbors of k
	if x, y := g.neighbors(k, s); x != nil {
		for _, l := range g.addedBlocks(x, s.Other()) {
			if slices.Contains(g.addedBlocks(y, s.Other()), l) {
				changes[l.Said] = 1
			}
		}
	}
	return changes
}

// addedBlocks returns the branches that s newly put around member m, the outermost first: those of blocks whose
// conditions are around m neither in the base nor in the other side. It returns nil if s has no more blocks around m
// than the base, because s may only have changed a condition.
func (g *guardContext) addedBlocks(m *match, s version) []template.Level {
	inBase, inOther, inSide := g.guardOf(m.nodes[base]), g.guardOf(m.nodes[s.Other()]), g.guardOf(m.nodes[s])
	if len(inSide) <= len(inBase) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(inSide), func(l template.Level) bool {
		return indexOfCondition(inBase, l.Condition()) >= 0 || indexOfCondition(inOther, l.Condition()) >= 0
	})
}

// changesIn returns how the other side changed the blocks around l, a branch of a block of s: for each branch, how many
// blocks it added around every member in l, or removed, as a negative number. If l has no members, those in the other
// branches of its block are compared. The result must not be changed.
//
//	base          s             other side
//	{{ if .x }}   {{ if .x }}   {{ if .y }}
//	a: 1          b: 1          {{ if .x }}
//	{{ end }}     a: 1          a: 1
//	              {{ end }}     {{ end }}
//	                            {{ end }}     "if .y": 1
func (g *guardContext) changesIn(s version, l template.Level) map[string]int32 {
	if g.inBlock[s] == nil {
		g.findMembersOfBlocks(s)
	}
	if known := g.changes[s][l]; known != nil {
		return known
	}
	members := g.inBlock[s][l.Block]
	inBranch := slices.DeleteFunc(slices.Clone(members), func(m *match) bool { return !slices.Contains(g.guardOf(m.nodes[s]), l) })
	isInBranch := len(inBranch) > 0
	if isInBranch {
		members = inBranch
	}
	common := map[string]int32{} // the changes around all members so far
	for i, m := range members {
		changes := map[string]int32{}
		for _, x := range g.blocksAround(m, s.Other(), l, isInBranch) {
			changes[x.Said]++
		}
		for _, x := range g.blocksAround(m, base, l, isInBranch) {
			changes[x.Said]--
		}
		if i == 0 {
			common = changes
		}
		maps.DeleteFunc(common, func(branch string, n int32) bool { return changes[branch] != n })
	}
	g.changes[s][l] = common
	return common
}

// findMembersOfBlocks sets g.inBlock[s], which maps the offset of each template block of side s to the members in it.
// changesIn compares the blocks around these members to find how the other side changed the place. So a member is left
// out if an input lacks it, or if the base does not have it in a block with the same condition, because s put it into
// the block. Earlier results of changesIn for s are forgotten.
func (g *guardContext) findMembersOfBlocks(s version) {
	g.inBlock[s], g.changes[s] = map[int][]*match{}, map[template.Level]map[string]int32{}
	for _, m := range g.matches {
		if slices.Contains(m.nodes[:result], nil) {
			continue
		}
		for _, l := range g.guardOf(m.nodes[s]) {
			if indexOfCondition(g.guardOf(m.nodes[base]), l.Condition()) >= 0 {
				g.inBlock[s][l.Block] = append(g.inBlock[s][l.Block], m)
			}
		}
	}
}

// blocksAround returns the blocks that v has around l, a branch of a block, the outermost first and l last. changesIn
// compares them between versions. m is a member that the base has in the block of l; isInBranch is whether it is in l
// itself. The blocks around m in v show which are around l. If the base has m in "if .y > if .x / else", which is l:
//
//	v has m in                       result
//	if .y > if .x / else > if .z     if .y > if .x / else
//	if .y > if .w                    if .y > if .w; v changed the condition
//	if .y                            if .y; v removed the block
func (g *guardContext) blocksAround(m *match, v version, l template.Level, isInBranch bool) []template.Level {
	inBase, guard := g.guardOf(m.nodes[base]), g.guardOf(m.nodes[v])
	atBase, at := indexOfCondition(inBase, l.Condition()), indexOfCondition(guard, l.Condition())
	isKept := at >= 0
	switch {
	case isKept:
		guard = guard[:at+1]
	case atBase >= 0 && len(guard) >= len(inBase): // v changed the condition
		guard = guard[:atBase+1]
	case atBase < 0 || isInBranch: // v removed the block, or m is from the base because of a conflict
		return guard
	default: // v removed another branch, which says nothing about l
		guard = inBase[:atBase+1]
	}
	guard = slices.Clone(guard)
	// the branch of l, unless v wrote a new branch or condition around m, a member in l
	if last := &guard[len(guard)-1]; !isInBranch || isKept && g.isBranchOfBase(last.Said) {
		last.Said = last.Condition() + elseOf(l)
	}
	return guard
}

// isBranchOfBase reports whether a member of the collection is in a branch with this text, such as "if .a / else", in
// the base.
func (g *guardContext) isBranchOfBase(text string) bool {
	return slices.ContainsFunc(g.matches, func(m *match) bool {
		return slices.ContainsFunc(g.guardOf(m.nodes[base]), func(l template.Level) bool { return l.Said == text })
	})
}
