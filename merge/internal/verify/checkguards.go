package verify

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// maxGuardsCompared is the maximum number of members of a collection for which checkGuards compares an added member of
// a line merge with the members that the result lacks.
const maxGuardsCompared = 1000

// checkGuards returns a violation if a member of a collection is in other template blocks than the edits of both sides
// give it. matches are the members in all versions: fields, items, or lines of a text. Members in a conflict, and
// blocks around the whole collection, do not count.
//
//	base     ours           theirs    result
//	a: 1     {{ if .x }}    a: 2      a: 2      violation: ours put "if .x" around a
//	         a: 1
//	         {{ end }}
//
// If one side added a member, the blocks that the other side put around its neighbors, or around the block that
// contains it, are expected around the member, too.
func (c *checker) checkGuards(matches []*match) *Violation {
	g := &guardContext{checker: c, matches: matches}
	// in a line merge, a new node may continue a node that only the base has
	isUncertain := func(k *match) bool {
		return k.nodes[base] == nil && (k.nodes.presentIn() == inResult || len(matches) > maxGuardsCompared || slices.ContainsFunc(matches, func(m *match) bool {
			return m.nodes[base] != nil && m.nodes[result] == nil && c.containsMostOf(k.nodes[result], m.nodes[base])
		}))
	}
	for _, k := range matches {
		if s, condition := g.findUnwrappedAndDeleted(k); condition != "" {
			return k.nodes.newViolation(ruleDeletedAndChanged, "deleted by %s, taken out of %s by %s", s.Other(), quoteLine(condition), s)
		}
		if k.nodes[result] == nil || k.hasMasked || !c.demands(ruleGuardMissing) && isUncertain(k) {
			continue
		}
		counts, inConflict := g.countBlocksAround(k)
		// the person may have decided the conditions
		if inConflict && c.maker == byPerson {
			continue
		}
		for _, branch := range slices.Sorted(maps.Keys(counts)) {
			n := counts[branch]
			for _, s := range sides {
				if k.nodes[s] == nil {
					n[s] = n[base] // treat a deleted node as unchanged
				}
			}
			bothAdded := k.nodes[base] == nil && k.nodes[ours] != nil && k.nodes[theirs] != nil && len(c.Conflicts) == 0
			fromOurs, fromTheirs := n[ours], n[theirs]
			// one side may have changed the condition of the block, removed it or put another one around it
			if bothAdded && fromOurs != fromTheirs {
				fromOurs, fromTheirs = fromOurs+g.changeAroundSide(k, ours, branch), fromTheirs+g.changeAroundSide(k, theirs, branch)
			}
			// added in different blocks: no result without a conflict is correct
			if bothAdded && fromOurs != fromTheirs && !g.isBlockAddedAroundNeighbors(k, branch) {
				return k.nodes.newViolation(ruleGuard, "added by both: %s in ours, %s in theirs", describeNesting(branch, n[ours]), describeNesting(branch, n[theirs]))
			}
			least, most := n.expectedRange()
			switch {
			case bothAdded:
				least, most = max(fromOurs, fromTheirs), max(fromOurs, fromTheirs)
			case g.isBlockAddedAroundNeighbors(k, branch):
				least, most = least+1, most+1
			default:
				change := g.changeAround(k, branch)
				least, most = least+change, most+change
			}
			violated := ruleGuard
			if n[result] >= min(n[base], n[ours], n[theirs]) && n[result] <= max(n[base], n[ours], n[theirs]) {
				violated = ruleGuardMissing
			}
			if c.demands(violated) && (n[result] < least || n[result] > most) {
				return k.nodes.newViolation(violated, "%s", describeBlockCount(branch, n[result], least))
			}
		}
	}
	return nil
}

// A guardContext contains the members of one collection, for the verification of the template blocks around them.
type guardContext struct {
	*checker
	matches []*match
	shared  [versions][]*match // of a side: the members that both sides contain, in its order; computed on first use
	// inBlock maps, for each side, a branch of a template block to the members in it that all inputs contain. A Level with
	// only the offset of a block (Block) has the members in all branches of the block. It is computed on first use.
	inBlock [versions]map[template.Level][]*match
	changes map[branchChangeKey]int32 // results of changeOfBranch
}

// countBlocksAround returns how often each branch of a template block, such as "if .a / else", is around k, a member of
// the collection, in each version. A block of a side that starts in a conflict is not counted; one of the base in a
// conflict is also counted for the side that was not chosen. If one side lacks k, counts also has, with zeros, the
// branches that this side has around a neighbor of k or, if the base lacks k too, around a member of a block that
// contains k, because they may be expected around k. inConflict reports whether a block around k starts in a conflict.
func (g *guardContext) countBlocksAround(k *match) (counts occurrenceCounts[string], inConflict bool) {
	counts = occurrenceCounts[string]{}
	for _, s := range sides {
		if near := g.neighbors(k, s); len(near) > 0 && k.nodes[s.Other()] == nil {
			for _, l := range g.guardOf(near[0].nodes[s.Other()]) {
				counts[l.Said] = versionCounts{}
			}
		}
		for _, l := range g.guardOf(k.nodes[s]) {
			if in, _ := g.membersAround(s, l); k.nodes[base] == nil && len(in) > 0 {
				for _, l := range g.guardOf(in[0].nodes[s.Other()]) {
					counts[l.Said] = versionCounts{}
				}
			}
		}
	}
	for v, n := range k.nodes {
		for _, l := range g.guardOf(n) {
			// in a conflict, the side that was not chosen has the blocks of the base
			cut, _, touched := maskAt(g.masks[n.Version], text.Span{Start: l.Block, End: l.Block + 1})
			inConflict = inConflict || touched
			if v := version(v); !touched || v == base || v == result {
				counts.add(v, l.Said)
			}
			if touched && version(v) == base && cut.CountsFor != base && k.nodes[cut.CountsFor] != nil {
				counts.add(cut.CountsFor, l.Said)
			}
		}
	}
	return counts, inConflict
}

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
	block, condition := -1, template.Level{Said: branch}.Condition()
	for _, m := range members {
		for _, v := range [...]version{base, side.Other()} {
			if slices.ContainsFunc(c.guardOf(m.nodes[v]), func(l template.Level) bool { return l.Condition() == condition }) {
				return false // not new, or added by both sides
			}
		}
		levels := c.guardOf(m.nodes[side])
		i := slices.IndexFunc(levels, func(l template.Level) bool { return l.Said == branch })
		// in no more blocks than in the base: side only changed a condition
		isReplaced := m.nodes[base] != nil && len(levels) <= len(c.guardOf(m.nodes[base]))
		if i < 0 || isReplaced || block >= 0 && levels[i].Block != block {
			return false
		}
		block = levels[i].Block
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

// findUnwrappedAndDeleted returns the side that removed the template block with the given condition around k, if the
// other side deleted k with everything else in this block, and the result lacks k. condition is "" if there is no such
// block.
//
//	base           ours    theirs
//	{{ if .a }}
//	b: 1           b: 1                ours, "if .a"
//	{{ end }}
func (g *guardContext) findUnwrappedAndDeleted(k *match) (s version, condition string) {
	if k.nodes[base] == nil || k.nodes[result] != nil || k.hasMasked || g.isMoved(k) || (k.nodes[ours] == nil) == (k.nodes[theirs] == nil) {
		return s, ""
	}
	s = ours
	if k.nodes[ours] == nil {
		s = theirs
	}
	for _, l := range g.guardOf(k.nodes[base]) {
		// whether the other side kept a member of the block, or added an item, which may replace k
		isKept := func(m *match) bool {
			if n := m.nodes[s.Other()]; n == nil || m.nodes[base] == nil {
				return n != nil && n.KeyHash == 0 && n.Entry != nil
			}
			return slices.ContainsFunc(g.guardOf(m.nodes[base]), func(x template.Level) bool { return x.Block == l.Block })
		}
		if indexOfCondition(g.guardOf(k.nodes[s]), l.Condition()) < 0 && !slices.ContainsFunc(g.matches, isKept) {
			return s, l.Condition()
		}
	}
	return s, ""
}

// A branchChangeKey is a key of the cache of changeOfBranch: how the side other than side changed the blocks with a
// branch of this text, such as "if .a / else", around the members of branch.
type branchChangeKey struct {
	side   version
	branch template.Level
	text   string
}

// changeAround returns changeAroundSide for the side that added k. If both sides added k, the first result that is not
// 0 counts, that of ours first.
func (g *guardContext) changeAround(k *match, branch string) int32 {
	return cmp.Or(g.changeAroundSide(k, ours, branch), g.changeAroundSide(k, theirs, branch))
}

// changeAroundSide returns by how much the number of blocks with the given branch around k, a member that s added, is
// expected to change, because the other side changed one of the blocks that k is in: 1, -1 or 0. The outermost change
// decides. For example, theirs added c to the block {{ if x }}, and ours put {{ if y }} around this block. The result
// is 1 for c and "if y". It is 0 if s did not add k.
func (g *guardContext) changeAroundSide(k *match, s version, branch string) int32 {
	if k.nodes[base] != nil {
		return 0
	}
	for _, l := range g.guardOf(k.nodes[s]) {
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
	members, isBlock := g.membersAround(s, l)
	wrapped, unwrapped := len(members) > 0, len(members) > 0
	condition := template.Level{Said: text}.Condition()
	// without members in l, only the condition can be compared: if the other side changed that of another branch of the
	// block, it changed that of l, too
	isSameBranch := func(x template.Level) bool { return x.Condition() == condition && (isBlock || x.Said == text) }
	for _, m := range members {
		baseGuard, sideGuard, otherGuard := g.guardOf(m.nodes[base]), g.guardOf(m.nodes[s]), g.guardOf(m.nodes[s.Other()])
		outer, inner := slices.IndexFunc(otherGuard, isSameBranch), indexOfCondition(otherGuard, l.Condition())
		isKnown := slices.ContainsFunc(baseGuard, isSameBranch) || slices.ContainsFunc(sideGuard, isSameBranch)
		// the other side replaced an else of the block by one that the base lacks
		isReplaced := condition == l.Condition() && !isBlock && inner >= 0 && !g.isBranchOfBase(otherGuard[inner].Said)
		if inner < 0 { // replaced the condition; without members in l, it is unknown whether it also replaced an else
			isReplaced = !isBlock || strings.TrimPrefix(text, condition) == strings.TrimPrefix(l.Said, l.Condition())
		}
		wrapped = wrapped && !isKnown && outer >= 0 && (isReplaced || outer < inner)
		isRemoved := indexOfCondition(otherGuard, condition) < 0 || isReplaced && text == l.Said
		// the members of one branch, without their condition, say nothing about another branch
		if isBlock && len(otherGuard) < len(baseGuard) {
			isRemoved = false
		}
		unwrapped = unwrapped && indexOfCondition(baseGuard, condition) >= 0 && slices.ContainsFunc(sideGuard, isSameBranch) && isRemoved
	}
	switch {
	case wrapped:
		return 1
	case unwrapped:
		return -1
	}
	return 0
}

// isBranchOfBase reports whether a member of the collection is in a branch with this text, such as "if .a / else", in
// the base.
func (g *guardContext) isBranchOfBase(text string) bool {
	return slices.ContainsFunc(g.matches, func(m *match) bool {
		return slices.ContainsFunc(g.guardOf(m.nodes[base]), func(l template.Level) bool { return l.Said == text })
	})
}
