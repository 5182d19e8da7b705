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

// neighbors returns the two members between which s added member k, or nil: the closest ones that both sides contain.
// If all of these are before k, or all after it, they are the first and the last; an only document is returned twice.
func (g *guardContext) neighbors(k *match, s version) []*match {
	if k.nodes[s] == nil || k.nodes[base] != nil {
		return nil
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
	switch {
	case i > 0 && len(after) > 0:
		return []*match{before[i-1], after[0]}
	case i > 1:
		return []*match{before[0], before[i-1]}
	case len(after) > 1:
		return []*match{after[0], after[len(after)-1]}
	case len(shared) == 1 && k.nodes[s].Entry == nil && k.nodes[s].reader != nil: // documents, but not lines
		return []*match{shared[0], shared[0]}
	}
	return nil
}

// changesAround returns which blocks the other side put around the place where s added or moved member k, or removed
// there: for each branch, how many more blocks are expected around k, or fewer if the number is negative.
//
//	base     ours     theirs
//	a: 1     a: 1     {{ if .a }}
//	c: 1     b: 1     a: 1
//	         c: 1     c: 1
//	                  {{ end }}      "if .a": 1 for b, which ours added
func (g *guardContext) changesAround(k *match, s version) map[string]int32 {
	changes := map[string]int32{}
	for _, l := range g.guardOf(k.nodes[s]) {
		if indexOfCondition(g.guardOf(k.nodes[base]), l.Condition()) >= 0 {
			continue // s did not put k into this block
		}
		for branch, n := range g.changesIn(s, l) {
			changes[branch] = cmp.Or(changes[branch], n) // the outermost change decides
		}
	}
	if near := g.neighbors(k, s); near != nil { // a new block around both neighbors is around k, too
		for _, l := range g.addedBlocks(near[0], s.Other()) {
			if slices.Contains(g.addedBlocks(near[1], s.Other()), l) {
				changes[l.Said] = 1
			}
		}
	}
	return changes
}

// addedBlocks returns the branches that s newly put around member m: their condition is neither in the base nor in the
// other side around m. It returns nil if s has no more blocks there than the base, and may only have changed a
// condition.
func (g *guardContext) addedBlocks(m *match, s version) []template.Level {
	inBase, inOther, inSide := g.guardOf(m.nodes[base]), g.guardOf(m.nodes[s.Other()]), g.guardOf(m.nodes[s])
	if len(inSide) <= len(inBase) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(inSide), func(l template.Level) bool {
		return indexOfCondition(inBase, l.Condition()) >= 0 || indexOfCondition(inOther, l.Condition()) >= 0
	})
}

// changesIn returns how many blocks the other side added around l, a branch of a block of s, by their branch; removed
// blocks count negative. Only those around all members in l or, without any, in its block count. The result must not
// be changed.
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
	if isInBranch { // otherwise the members in other branches of the block count
		members = inBranch
	}
	common := map[string]int32{}
	for i, m := range members {
		changes := map[string]int32{}
		for _, x := range g.blocksAround(m, s.Other(), l, isInBranch) {
			changes[x.Said]++
		}
		for _, x := range g.blocksAround(m, base, l, isInBranch) {
			changes[x.Said]--
		}
		if i == 0 {
			common = changes // those of the other members can only reduce it
		}
		maps.DeleteFunc(common, func(branch string, n int32) bool { return changes[branch] != n })
	}
	g.changes[s][l] = common
	return common
}

// findMembersOfBlocks records in g.inBlock, for changesIn, which members each template block of s contains: of those
// that all inputs contain, the ones that the base has in a block with the same condition.
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

// blocksAround returns the blocks that v has around l, a branch of a block, the outermost first and l last. m is in l
// or, without isInBranch, in another branch. If the base has m in "if .y > if .x / else", which is l:
//
//	v has m in                       result
//	if .y > if .x / else > if .z     if .y > if .x / else
//	if .y > if .w                    the same; v changed the condition
//	if .y                            the same; v removed the block
func (g *guardContext) blocksAround(m *match, v version, l template.Level, isInBranch bool) []template.Level {
	inBase, guard := g.guardOf(m.nodes[base]), g.guardOf(m.nodes[v])
	atBase, i := indexOfCondition(inBase, l.Condition()), indexOfCondition(guard, l.Condition())
	isReplaced := i < 0 && atBase >= 0 && len(guard) >= len(inBase) // v changed the condition
	isRemoved := i < 0 && !isReplaced                               // or m is from the base, because of a conflict
	switch {
	case isReplaced:
		i = atBase
	case isRemoved && (isInBranch || atBase < 0):
		return guard
	case isRemoved: // members of one branch without the block say nothing about another branch
		guard, i = inBase, atBase
	}
	guard = slices.Clone(guard[:i+1])
	// the branch of l, unless v wrote a new branch or condition around m, a member in l
	if !isInBranch || !isReplaced && g.isBranchOfBase(guard[i].Said) {
		guard[i].Said = guard[i].Condition() + elseOf(l)
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
