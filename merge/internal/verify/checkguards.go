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

// checkGuards returns a violation if a member of a collection is in other template blocks than the edits of both sides
// give it, or if one side deleted a member that the other side took out of its block. matches are the fields, items,
// documents or lines of a text in all versions. Members in a conflict are ignored, and so are blocks around the whole
// collection.
//
//	base     ours           theirs    result
//	a: 1     {{ if .x }}    a: 2      a: 2      violation
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

// checkGuard returns a violation if member k is in other template blocks in the result than the edits of both sides
// give it: for a branch, such as "if .a / else", the number of blocks around k differs. A member that one side added is
// also expected in blocks that the other side put around its place (changesAround). It returns nil if the result lacks
// k, if k is in a conflict, or if git's line merge may contain k under another name.
func (g *guardContext) checkGuard(k *match) *Violation {
	if k.nodes[result] == nil || k.hasMasked || g.maker == byLines && g.mayBeRenamed(k) {
		return nil
	}
	counts, inConflict := g.countBlocksAround(k)
	if inConflict && g.maker == byPerson {
		return nil // the person may have decided the conditions
	}
	byOurs, byTheirs := g.changesAround(k, ours), g.changesAround(k, theirs)
	branches := slices.Concat(slices.Collect(maps.Keys(counts)), slices.Collect(maps.Keys(byOurs)), slices.Collect(maps.Keys(byTheirs)))
	slices.Sort(branches)
	for _, branch := range slices.Compact(branches) {
		if bad := g.checkBlockCount(k, branch, counts[branch], byOurs[branch], byTheirs[branch], inConflict); bad != nil {
			return bad
		}
	}
	return nil
}

// mayBeRenamed reports whether k, which the base lacks, may be a member of the base under a new name: the result lacks
// this member, and k has most of its contents. It also returns true if this is not known, because only the result
// contains k, or because there are too many members to compare. k.nodes[result] must not be nil.
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

// checkBlockCount returns a violation if the number of blocks with the given branch, such as "if .a", around member k
// is not the expected one. n are the numbers in the versions; atOurs and atTheirs are what changesAround returns for
// the branch. If inConflict is true, because a block around k starts in a conflict, the sides may have added k in
// different blocks.
func (g *guardContext) checkBlockCount(k *match, branch string, n versionCounts, atOurs, atTheirs int32, inConflict bool) *Violation {
	for _, s := range sides {
		if k.nodes[s] == nil {
			n[s] = n[base] // a side that deleted k did not change the blocks
		}
	}
	expected := n.expectedRange().plus(cmp.Or(atOurs, atTheirs))
	if k.nodes.isAddedByBoth() && !inConflict {
		switch {
		case n[ours] == n[theirs]:
			expected = countRange{n[ours], n[ours]}
		case n[ours]+atOurs == n[theirs]+atTheirs: // the sides added k at different places
			expected = countRange{n[ours] + atOurs, n[ours] + atOurs}
		default:
			return k.nodes.newViolation(RuleGuard, "added by both: %s in ours, %s in theirs", describeNesting(branch, n[ours]), describeNesting(branch, n[theirs]))
		}
	}
	// git's line merge may have any number between those of the inputs
	ofInputs := countRange{min(n[base], n[ours], n[theirs]), max(n[base], n[ours], n[theirs])}
	if expected.contains(n[result]) || g.maker == byLines && ofInputs.contains(n[result]) {
		return nil
	}
	return k.nodes.newViolation(RuleGuard, "%s", describeBlockCount(branch, n[result], expected.least))
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

// countBlocksAround returns how often each branch of a template block, such as "if .a / else", is around member k in
// each version. inConflict reports whether a block around k starts in a conflict; there, the side that was not chosen
// has the base's blocks.
func (g *guardContext) countBlocksAround(k *match) (counts occurrenceCounts[string], inConflict bool) {
	counts = occurrenceCounts[string]{}
	for v, n := range k.nodes {
		for _, l := range g.guardOf(n) {
			cut, _, touched := maskAt(g.masks[n.Version], text.Span{Start: l.Block, End: l.Block + 1})
			inConflict = inConflict || touched
			if !touched || version(v) == base {
				counts.add(version(v), l.Said)
			}
			if s := cut.CountsFor; version(v) == base && s != base && k.nodes[s] != nil {
				counts.add(s, l.Said)
			}
		}
	}
	return counts, inConflict
}

// checkUnwrappedAndDeleted returns a violation if the result lacks member k because one side deleted k with everything
// in a template block around it, although the other side took k out of this block. It returns nil if k is in a conflict
// or was moved.
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

// keepsMemberOf reports whether side s kept a member of l, a template block of the base. It also returns true if s
// added an item to the collection, because that item may replace a member of l.
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
