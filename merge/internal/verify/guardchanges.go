package verify

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// If one side adds an entry, and the other side changes the template blocks around that place, the change applies to the
// new entry, too. This file finds such changes: a new block around the neighbors of the entry, or a change of a block
// that the entry is in.

// neighbors returns the two members next to k, a member that s added, among those that both sides contain: the last one
// before k and the first one after k, in the order of s. If k is before or after all of them, it returns the first and
// the last one. It returns nil if there are fewer than two, or if s did not add k.
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
	}
	return nil
}

// isBlockAddedAroundNeighbors reports whether one side added k, and the other side put a new template block around both
// neighbors of k, which are then in the given branch of it, such as "if .a". The block is then expected around k, too.
//
//	base     ours     theirs
//	a: 1     a: 1     {{ if .a }}
//	c: 1     b: 1     a: 1
//	         c: 1     c: 1
//	                  {{ end }}      true for b and "if .a"
func (g *guardContext) isBlockAddedAroundNeighbors(k *match, branch string) bool {
	return slices.ContainsFunc(sides[:], func(s version) bool {
		near := g.neighbors(k, s)
		return len(near) == 2 && g.hasAddedBlockAround(near, s.Other(), branch)
	})
}

// hasAddedBlockAround reports whether side put one new template block around all of members, so that they are in the
// given branch of it, such as "if .a" or "if .a / else". A block of which side only changed the condition is not new.
//
//	base     side
//	a: 1     {{ if .x }}
//	b: 1     a: 1
//	         b: 1
//	         {{ end }}      true for the members a and b and the branch "if .x"
func (c *checker) hasAddedBlockAround(members []*match, side version, branch string) bool {
	condition := template.Level{Said: branch}.Condition()
	block := -1 // the one around the members so far
	for _, m := range members {
		inBase, inOther, inSide := c.guardOf(m.nodes[base]), c.guardOf(m.nodes[side.Other()]), c.guardOf(m.nodes[side])
		isKnown := indexOfCondition(inBase, condition) >= 0 || indexOfCondition(inOther, condition) >= 0
		i := slices.IndexFunc(inSide, func(l template.Level) bool { return l.Said == branch })
		isReplaced := len(inSide) <= len(inBase) // side only changed a condition
		if isKnown || isReplaced || i < 0 || block >= 0 && inSide[i].Block != block {
			return false
		}
		block = inSide[i].Block
	}
	return true
}

// membersAround returns the members in branch l of a template block of side s that all inputs contain, if they are also
// inside of a block with this opening action in the base. If there are none, isBlock is true, and it returns such
// members, if any, in all branches of the block of l. The result must not be changed.
func (g *guardContext) membersAround(s version, l template.Level) (members []*match, isBlock bool) {
	if g.inBlock[s] == nil {
		g.inBlock[s] = map[template.Level][]*match{}
		for _, m := range g.matches {
			if m.nodes[base] == nil || m.nodes[s] == nil || m.nodes[s.Other()] == nil {
				continue
			}
			for _, l := range g.guardOf(m.nodes[s]) {
				if indexOfCondition(g.guardOf(m.nodes[base]), l.Condition()) >= 0 {
					for _, key := range [...]template.Level{l, {Block: l.Block}} {
						g.inBlock[s][key] = append(g.inBlock[s][key], m)
					}
				}
			}
		}
	}
	if members = g.inBlock[s][l]; len(members) > 0 {
		return members, false
	}
	return g.inBlock[s][template.Level{Block: l.Block}], true
}

// A branchChangeKey is a key of the cache of changeOfBranch: how the side other than side changed the blocks with a
// branch of this text, such as "if .a / else", around the members of branch.
type branchChangeKey struct {
	side   version
	branch template.Level
	text   string
}

// changeAround returns by how much the number of blocks with the given branch around k is expected to change, because
// the other side changed a block into which s put k, a new or an old member: 1, -1 or 0. The outermost change decides.
// For example, theirs added c to the block {{ if x }}, and ours put {{ if y }} around this block. The result is 1 for c
// and "if y".
func (g *guardContext) changeAround(k *match, s version, branch string) int32 {
	for _, l := range g.addedBranches(k, s) {
		at := branchChangeKey{s, l, branch}
		change, known := g.changes[at]
		if !known {
			change = g.changeOfBranch(s, l, branch)
			if g.changes == nil {
				g.changes = map[branchChangeKey]int32{}
			}
			g.changes[at] = change
		}
		if change != 0 {
			return change
		}
	}
	return 0
}

// changeOfBranch returns how the side other than s changed the template blocks around the entries in l, a branch of a
// block of s. text is the branch to look for, such as "if .a / else":
//
//	1     it put a new block with this branch around all of them, or replaced l by this branch
//	-1    it removed the block of this branch from all of them, or replaced this branch
//	0     otherwise
//
// Only entries that all inputs contain show this (see membersAround).
func (g *guardContext) changeOfBranch(s version, l template.Level, text string) int32 {
	members, isOtherBranch := g.membersAround(s, l)
	isPut, isRemoved := len(members) > 0, len(members) > 0
	for _, m := range members {
		c := branchChange{
			base: g.guardOf(m.nodes[base]), side: g.guardOf(m.nodes[s]), other: g.guardOf(m.nodes[s.Other()]),
			around: l, branch: template.Level{Said: text}, isOtherBranch: isOtherBranch,
		}
		c.isReplaced = g.replacesAround(c)
		isPut, isRemoved = isPut && c.isPut(), isRemoved && c.isRemoved()
	}
	switch {
	case isPut:
		return 1
	case isRemoved:
		return -1
	}
	return 0
}

// A branchChange is what one member of a collection shows about a change of the blocks around it: whether a side put it
// into a branch, or removed the block of that branch.
type branchChange struct {
	base, side, other []template.Level // the guards of the member; other is that of the side whose change is in question
	around            template.Level   // a branch in side, with the entries that the change is about
	branch            template.Level   // the branch in question
	// isOtherBranch is whether the member is in another branch of the block of around. Only conditions can be compared
	// then: if the side changed the condition of one branch, it changed that of the others, too.
	isOtherBranch bool
	isReplaced    bool // the side replaced around by another branch
}

// isSame reports whether l is the branch in question.
func (c branchChange) isSame(l template.Level) bool {
	return l.Condition() == c.branch.Condition() && (c.isOtherBranch || l.Said == c.branch.Said)
}

// isPut reports whether the side newly put the member into the branch, in place of around or outside of it.
func (c branchChange) isPut() bool {
	at := slices.IndexFunc(c.other, c.isSame)
	isKnown := slices.ContainsFunc(c.base, c.isSame) || slices.ContainsFunc(c.side, c.isSame)
	return at >= 0 && !isKnown && (c.isReplaced || at < indexOfCondition(c.other, c.around.Condition()))
}

// isRemoved reports whether the side took the member out of the block of the branch, or replaced the branch.
func (c branchChange) isRemoved() bool {
	condition := c.branch.Condition()
	wasInBlock := indexOfCondition(c.base, condition) >= 0 && slices.ContainsFunc(c.side, c.isSame)
	isGone := indexOfCondition(c.other, condition) < 0 || c.isReplaced && c.branch.Said == c.around.Said
	// the members of one branch, without their condition, say nothing about another branch
	isUnwrapped := c.isOtherBranch && len(c.other) < len(c.base)
	return wasInBlock && isGone && !isUnwrapped
}

// replacesAround reports whether the side replaced the branch around the member by the branch in question: it changed
// the condition of the block, or an else of the block into one that the base lacks.
func (g *guardContext) replacesAround(c branchChange) bool {
	i := indexOfCondition(c.other, c.around.Condition())
	if i < 0 { // it changed the condition; if only other branches have members, an else is assumed to be the same
		return !c.isOtherBranch || elseOf(c.branch) == elseOf(c.around)
	}
	return !c.isOtherBranch && c.branch.Condition() == c.around.Condition() && !g.isBranchOfBase(c.other[i].Said)
}

// isBranchOfBase reports whether a member of the collection is in a branch with this text, such as "if .a / else", in
// the base.
func (g *guardContext) isBranchOfBase(text string) bool {
	return slices.ContainsFunc(g.matches, func(m *match) bool {
		return slices.ContainsFunc(g.guardOf(m.nodes[base]), func(l template.Level) bool { return l.Said == text })
	})
}
