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

// checkGuard returns a violation if the result has member k in other template blocks than the edits of both sides give.
// If one side added k, the blocks that the other side put around its place are expected, too. Some members are not
// verified: those in a conflict, or with a block that starts in a conflict that a person resolved, and in git's line
// merge those that may be other members under a new name.
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

// expectedBlocks returns how many blocks with one branch, such as "if .a", the result may have around a member that is
// in n of them in the inputs. aroundOurs is how many more the other side put around the place where ours added or moved
// the member; aroundTheirs likewise. ok is false if both sides added the member, and no number is right.
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

// checkUnwrappedAndDeleted returns a violation if the result lacks member k because one side deleted k with everything
// in a template block around it, although the other side took k out of this block. It returns nil if k is in a
// conflict, or if a side moved k to another mapping.
//
//	base           ours    theirs
//	{{ if .a }}
//	b: 1           b: 1                deleted by theirs, taken out of "if .a" by ours
//	{{ end }}
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
