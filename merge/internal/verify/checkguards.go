package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// maxGuardsCompared is the maximum number of members of a collection in which mayBeRenamed looks for one under another
// name.
const maxGuardsCompared = 1000

// checkGuards verifies the template blocks around the members of a collection. It returns a violation if a member lacks
// a block that a side put around it, or is in a block that a side removed (checkGuard). It also returns one if one side
// deleted a member with its block, and the other side took the member out of the block (checkUnwrappedAndDeleted).
// matches are the members.
//
//	base     ours           theirs    result
//	a: 1     {{ if .x }}    a: 2      a: 2      violation: not inside "if .x"
//	         a: 1
//	         {{ end }}
func (c *checker) checkGuards(matches []*match) *Violation {
	g := &guardContext{checker: c, matches: matches}
	for _, k := range matches {
		if bad := cmp.Or(g.checkUnwrappedAndDeleted(k), g.checkGuard(k)); bad != nil {
			return bad
		}
	}
	return nil
}

// checkGuard returns a violation if the result has member k inside too many or too few template blocks. For each
// branch, such as "if .x", the right number is that of the base, plus the blocks that the sides put around k or its
// place, minus those that they removed (expectedBlocks). In git's line merge, all numbers between those of the inputs
// are right, too.
//
//	base           ours    theirs         result
//	{{ if .x }}    a: 1    {{ if .x }}    {{ if .x }}
//	a: 1                   a: 2           a: 2           violation: ours removed "if .x"
//	{{ end }}              {{ end }}      {{ end }}
//
// If both sides added k inside of different blocks, it is a violation, except for blocks that a side put around the
// place where the other side added k. It returns nil if the result lacks k, or if k is in a conflict. It also returns
// nil if a person resolved a conflict in which a block around k starts, or if k may be another member under a new name
// in git's line merge (mayBeRenamed).
func (g *guardContext) checkGuard(k *match) *Violation {
	if k.nodes[result] == nil || k.hasMasked || g.maker == byLines && g.mayBeRenamed(k) {
		return nil
	}
	counts, inConflict := g.countBlocksAround(k)
	if inConflict && g.maker == byPerson {
		return nil // the person may have changed the conditions
	}
	around := [result]map[string]int32{ours: g.changesAround(k, ours), theirs: g.changesAround(k, theirs)}
	branches := slices.Collect(maps.Keys(counts))
	for _, changes := range around {
		branches = slices.AppendSeq(branches, maps.Keys(changes))
	}
	slices.Sort(branches)
	for _, branch := range slices.Compact(branches) {
		n := counts[branch]
		expected, ok := expectedBlocks(n, around[ours][branch], around[theirs][branch], k.nodes.isAddedByBoth() && !inConflict)
		// git's line merge may have any number between those of the inputs
		ofInputs := countRange{min(n[base], n[ours], n[theirs]), max(n[base], n[ours], n[theirs])}
		switch {
		case !ok:
			return k.nodes.newViolation(RuleGuard, "added by both: %s in ours, %s in theirs", describeNesting(branch, n[ours]), describeNesting(branch, n[theirs]))
		case !expected.contains(n[result]) && (g.maker != byLines || !ofInputs.contains(n[result])):
			return k.nodes.newViolation(RuleGuard, "%s", describeBlockCount(branch, n[result], expected.least))
		}
	}
	return nil
}

// mayBeRenamed reports whether k, which the base lacks, may be a member of the base under a new name, so that the
// blocks that it had are unknown. This is so if k contains most of a member of the base that the result lacks
// (containsMostOf). It also returns true if only the result has k, or if there are more than maxGuardsCompared members.
// It returns false if the base has k. k.nodes[result] must not be nil.
func (g *guardContext) mayBeRenamed(k *match) bool {
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

// expectedBlocks returns how many template blocks with one branch, such as "if .a", the result may have around a
// member. n has the numbers around the member in the inputs. A block also counts if one side put it around the place at
// which the other side added or moved the member: aroundOurs is the number of blocks that theirs added around the place
// in ours, and aroundTheirs the number that ours added around the place in theirs. They are negative for removed
// blocks; usually, one of them is 0.
//
//	base     ours     theirs
//	a: 1     a: 1     {{ if .a }}
//	c: 1     b: 1     a: 1
//	         c: 1     c: 1
//	                  {{ end }}      1 for b: n is 0, 0, 0, and aroundOurs is 1
//
// If both sides added the member, they must agree. ok is false if they do not:
//
//	isAddedByBoth   numbers of the sides   expected
//	false           any                    n.expectedRange, plus aroundOurs or, if that is 0, aroundTheirs
//	true            equal                  this number
//	true            different              n[ours]+aroundOurs; ok is false if n[theirs]+aroundTheirs differs
func expectedBlocks(n versionCounts, aroundOurs, aroundTheirs int32, isAddedByBoth bool) (expected countRange, ok bool) {
	if !isAddedByBoth {
		edits, around := n.expectedRange(), cmp.Or(aroundOurs, aroundTheirs)
		return countRange{edits.least + around, edits.most + around}, true
	}
	if n[ours] == n[theirs] {
		return countRange{n[ours], n[ours]}, true
	}
	atOurs, atTheirs := n[ours]+aroundOurs, n[theirs]+aroundTheirs // they may have added it at different places
	return countRange{atOurs, atOurs}, atOurs == atTheirs
}

// A guardContext contains the members of one collection, for the verification of the template blocks around them.
type guardContext struct {
	*checker
	matches []*match
	shared  [versions][]*match // of a side: the members that both sides contain, in its order; computed on first use
	// inBlock maps, for each side, the offset of a block to the members in it that all inputs contain; changes has the
	// results of changesIn. Both are computed on first use.
	inBlock [versions]map[int][]*match
	changes [versions]map[template.Level]map[string]int32
}

// countBlocksAround returns how often each template branch, such as "if .a / else", is around member k in each version:
// {"if .a": {1, 0, 1, 0}} if ours and the result took k out of {{ if .a }}. The number of the base is also that of a
// side that lacks k, and of a side that was not chosen in a conflict in which the block starts. inConflict reports
// whether any block around k starts in a conflict.
func (g *guardContext) countBlocksAround(k *match) (counts occurrenceCounts[string], inConflict bool) {
	counts = occurrenceCounts[string]{}
	for v, n := range k.nodes {
		for _, l := range g.guardOf(n) {
			state := maskAt(g.masks[n.Version], text.Span{Start: l.Block, End: l.Block + 1}).state
			inConflict = inConflict || state != outside
			if state == outside || version(v) == base {
				counts.add(version(v), l.Said)
			}
			for _, s := range sides {
				if version(v) == base && (state.countsFor(s) || k.nodes[s] == nil) {
					counts.add(s, l.Said)
				}
			}
		}
	}
	return counts, inConflict
}

// checkUnwrappedAndDeleted returns a violation if the result lacks member k although one side took k out of a template
// block, because the other side deleted the block with all members in it.
//
//	base           ours    theirs    result
//	{{ if .a }}
//	b: 1           b: 1                        violation: deleted by theirs, taken out of "if .a" by ours
//	{{ end }}
//
// It returns nil if the side that deleted k has another member of the block left, or added an item, which may replace
// one (keepsMemberOf). It also returns nil if k is in a conflict, or if a side moved k to another mapping.
func (g *guardContext) checkUnwrappedAndDeleted(k *match) *Violation {
	isDeletedByOne := slices.Contains([]presence{inBase | inOurs, inBase | inTheirs}, k.nodes.presentIn())
	if !isDeletedByOne || k.hasMasked || g.isMoved(k) {
		return nil
	}
	s := ours
	if k.nodes[ours] == nil {
		s = theirs
	}
	for _, l := range g.guardOf(k.nodes[base]) {
		isUnwrapped := indexOfCondition(g.guardOf(k.nodes[s]), l.Condition()) < 0
		if isUnwrapped && !g.keepsMemberOf(s.Other(), l) {
			return k.nodes.newViolation(RuleDeletedAndChanged, "deleted by %s, taken out of %s by %s", s.Other(), quoteLine(l.Condition()), s)
		}
	}
	return nil
}

// keepsMemberOf reports whether side s kept a member that the base has inside of block, a template block. It also
// returns true if s added an item to the collection, because the item may replace such a member.
func (g *guardContext) keepsMemberOf(s version, block template.Level) bool {
	return slices.ContainsFunc(g.matches, func(m *match) bool {
		b, n := m.nodes[base], m.nodes[s]
		switch {
		case n == nil:
			return false
		case b == nil:
			return n.KeyHash == 0 && n.Entry != nil
		}
		return slices.ContainsFunc(g.guardOf(b), func(x template.Level) bool { return x.Block == block.Block })
	})
}
