package verify

import (
	"cmp"
	"maps"
	"slices"

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
	for _, k := range matches {
		if bad := cmp.Or(g.checkUnwrappedAndDeleted(k), g.checkGuard(k)); bad != nil {
			return bad
		}
	}
	return nil
}

// checkGuard returns a violation if member k is in other template blocks in the result than expected (see checkGuards).
// It compares how often each branch, such as "if .a / else", is around k.
func (g *guardContext) checkGuard(k *match) *Violation {
	if k.nodes[result] == nil || k.hasMasked || g.maker == byLines && g.mayContinueDeleted(k) {
		return nil
	}
	counts, inConflict := g.countBlocksAround(k)
	if inConflict && g.maker == byPerson {
		return nil // the person may have decided the conditions
	}
	for _, branch := range slices.Sorted(maps.Keys(counts)) {
		if bad := g.checkBlockCount(k, branch, counts[branch]); bad != nil {
			return bad
		}
	}
	return nil
}

// mayContinueDeleted reports whether k, which the base lacks, may be a member of the base under a new name: the result
// lacks that member, and k has most of its leaves. It returns true if there are too many members to compare, or if no
// input contains k.
func (g *guardContext) mayContinueDeleted(k *match) bool {
	switch {
	case k.nodes[base] != nil:
		return false
	case k.nodes.presentIn() == inResult || len(g.matches) > maxGuardsCompared:
		return true
	}
	return slices.ContainsFunc(g.matches, func(m *match) bool {
		return m.nodes[base] != nil && m.nodes[result] == nil && g.containsMostOf(k.nodes[result], m.nodes[base])
	})
}

// checkBlockCount returns a violation if the given branch, such as "if .a", is around member k of the result more or
// less often than is expected from the numbers in the versions (n) and the changes of both sides. A side that deleted k
// counts as unchanged.
func (g *guardContext) checkBlockCount(k *match, branch string, n versionCounts) *Violation {
	for _, s := range sides {
		if k.nodes[s] == nil {
			n[s] = n[base] // treat a deleted node as unchanged
		}
	}
	if k.nodes[base] == nil && k.nodes[ours] != nil && k.nodes[theirs] != nil && len(g.Conflicts) == 0 {
		return g.checkBlockCountOfBoth(k, branch, n)
	}
	change := cmp.Or(g.changeAround(k, ours, branch), g.changeAround(k, theirs, branch))
	if g.isBlockAddedAroundNeighbors(k, branch) {
		change = 1
	}
	return g.checkCountIn(n.expectedRange().plus(change), k, branch, n)
}

// checkBlockCountOfBoth is checkBlockCount for a member that both sides added. If they added it in different blocks, no
// result without a conflict is correct, unless the other side changed the blocks at that place.
func (g *guardContext) checkBlockCountOfBoth(k *match, branch string, n versionCounts) *Violation {
	fromOurs, fromTheirs := n[ours], n[theirs]
	if fromOurs != fromTheirs { // one side may have changed the condition of the block, removed it or put another one around it
		fromOurs += g.changeAround(k, ours, branch)
		fromTheirs += g.changeAround(k, theirs, branch)
	}
	if fromOurs != fromTheirs && !g.isBlockAddedAroundNeighbors(k, branch) {
		return k.nodes.newViolation(ruleGuard, "added by both: %s in ours, %s in theirs", describeNesting(branch, n[ours]), describeNesting(branch, n[theirs]))
	}
	want := max(fromOurs, fromTheirs)
	return g.checkCountIn(countRange{want, want}, k, branch, n)
}

// checkCountIn returns a violation if the number of blocks with the given branch around k in the result is outside of
// expected. In git's line merge, a number between those of the inputs is accepted. n are the numbers in the versions.
func (g *guardContext) checkCountIn(expected countRange, k *match, branch string, n versionCounts) *Violation {
	ofInputs := countRange{min(n[base], n[ours], n[theirs]), max(n[base], n[ours], n[theirs])}
	if expected.contains(n[result]) || g.maker == byLines && ofInputs.contains(n[result]) {
		return nil
	}
	return k.nodes.newViolation(ruleGuard, "%s", describeBlockCount(branch, n[result], expected.least))
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

// countBlocksAround returns how often each branch of a template block, such as "if .a / else", is around member k in
// each version. It includes branches that may be expected around k, with zeros (see branchesNear). A side that was not
// chosen in a conflict has the base's blocks there. inConflict reports whether a block around k starts in a conflict.
func (g *guardContext) countBlocksAround(k *match) (counts occurrenceCounts[string], inConflict bool) {
	counts = occurrenceCounts[string]{}
	for _, branch := range g.branchesNear(k) {
		counts[branch] = versionCounts{}
	}
	for v, n := range k.nodes {
		for _, l := range g.guardOf(n) {
			cut, _, touched := maskAt(g.masks[n.Version], text.Span{Start: l.Block, End: l.Block + 1})
			inConflict = inConflict || touched
			if !touched || version(v) == base {
				counts.add(version(v), l.Said)
			}
			if touched && version(v) == base && cut.CountsFor != base && k.nodes[cut.CountsFor] != nil {
				counts.add(cut.CountsFor, l.Said)
			}
		}
	}
	return counts, inConflict
}

// branchesNear returns the branches of blocks that may be expected around k, a member that a side added or put into a
// block, because the other side has them around a neighbor of k, or around a member of that block.
func (g *guardContext) branchesNear(k *match) (branches []string) {
	for _, s := range sides {
		var members []*match
		if near := g.neighbors(k, s); len(near) > 0 && k.nodes[s.Other()] == nil {
			members = append(members, near[0])
		}
		for _, l := range g.addedBranches(k, s) {
			if inside, _ := g.membersAround(s, l); len(inside) > 0 {
				members = append(members, inside[0])
			}
		}
		for _, m := range members {
			for _, l := range g.guardOf(m.nodes[s.Other()]) {
				branches = append(branches, l.Said)
			}
		}
	}
	return branches
}

// addedBranches returns the branches of template blocks around k in s that are not around k in the base.
func (g *guardContext) addedBranches(k *match, s version) []template.Level {
	inBase := g.guardOf(k.nodes[base])
	return slices.DeleteFunc(slices.Clone(g.guardOf(k.nodes[s])), func(l template.Level) bool {
		return indexOfCondition(inBase, l.Condition()) >= 0
	})
}

// checkUnwrappedAndDeleted returns a violation if one side removed a template block around member k, the other side
// deleted k with everything else in this block, and the result lacks k.
//
//	base           ours    theirs
//	{{ if .a }}
//	b: 1           b: 1                deleted by theirs, taken out of "if .a" by ours
//	{{ end }}
func (g *guardContext) checkUnwrappedAndDeleted(k *match) *Violation {
	isDeletedByOne := k.nodes[base] != nil && (k.nodes[ours] == nil) != (k.nodes[theirs] == nil)
	if !isDeletedByOne || k.nodes[result] != nil || k.hasMasked || g.isMoved(k) {
		return nil
	}
	s := ours
	if k.nodes[ours] == nil {
		s = theirs
	}
	for _, l := range g.guardOf(k.nodes[base]) {
		isUnwrapped := indexOfCondition(g.guardOf(k.nodes[s]), l.Condition()) < 0
		if isUnwrapped && !g.keepsMemberOf(s.Other(), l) {
			return k.nodes.newViolation(ruleDeletedAndChanged, "deleted by %s, taken out of %s by %s", s.Other(), quoteLine(l.Condition()), s)
		}
	}
	return nil
}

// keepsMemberOf reports whether side s kept a member of l, a template block of the base, or added an item, which may
// replace one.
func (g *guardContext) keepsMemberOf(s version, l template.Level) bool {
	return slices.ContainsFunc(g.matches, func(m *match) bool {
		b, n := m.nodes[base], m.nodes[s]
		switch {
		case n == nil:
			return false
		case b == nil:
			return n.KeyHash == 0 && n.Entry != nil
		}
		return slices.ContainsFunc(g.guardOf(b), func(x template.Level) bool { return x.Block == l.Block })
	})
}
