package verify

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A template has facts in addition to its tree: the guards of entries, which are merged like their values, and the
// lines with directives, which are merged like comments. A block is identified by its condition, not by its position.

// isTemplate reports whether the versions are templates.
func (c *checker) isTemplate() bool { return c.facts[result] != nil }

// guardOf returns the guard of n, an entry or a line of a text: the blocks around it that are not around its parent,
// with the conditions that they have in the base.
func (c *checker) guardOf(n *Node) []template.Level {
	switch {
	case n == nil:
		return nil
	case n.Entry == nil:
		return c.nodeGuards[n.Node]
	case !c.isTemplate():
		return nil
	}
	return withBaseConditions(n.Entry.OwnLevels(), c.baseConditions[n.Version])
}

// withBaseConditions returns levels with the conditions of the base. conditions maps the offset of a block to its
// condition there. It does not modify levels.
func withBaseConditions(levels []template.Level, baseConditions map[int]string) []template.Level {
	if len(baseConditions) == 0 {
		return levels
	}
	levels = slices.Clone(levels)
	for i, l := range levels {
		if condition, ok := baseConditions[l.Block]; ok {
			levels[i].Said = l.Called(condition)
		}
	}
	return levels
}

// withGuard returns a function that identifies the members of q by id. If a version has several members with an id,
// it adds the condition of the innermost block, and then the whole guard. For other files than templates it returns
// id.
func (c *checker) withGuard(q nodeVersions, id func(*Node) uint64) func(*Node) uint64 {
	if !c.isTemplate() {
		return id
	}
	byInnermost := q.disambiguate(false, id, func(n *Node) uint64 {
		if g := c.guardOf(n); len(g) > 0 {
			return Hash(g[len(g)-1].Said)
		}
		return Hash("")
	})
	return q.disambiguate(false, byInnermost, func(n *Node) uint64 { return Hash(guardText(c.guardOf(n))) })
}

// A blockIndex has the blocks of a version. Blocks are identified by their offsets.
type blockIndex struct {
	levelsAt   map[uint64][]template.Level // blocks around each address or hash that occurs once
	conditions map[int]string              // the condition of each block
	parentOf   map[int]int                 // the block around each block
	seen       map[uint64]bool             // all addresses and hashes
}

// newBlockIndex returns an empty index.
func newBlockIndex() blockIndex {
	return blockIndex{map[uint64][]template.Level{}, map[int]string{}, map[int]int{}, map[uint64]bool{}}
}

// add adds a fact that has the given address, and the blocks around it.
func (b blockIndex) add(id uint64, levels []template.Level) {
	for i, l := range levels {
		b.conditions[l.Block] = l.Condition()
		if i > 0 {
			b.parentOf[l.Block] = levels[i-1].Block
		}
	}
	b.levelsAt[id] = levels
	if b.seen[id] {
		delete(b.levelsAt, id)
	}
	b.seen[id] = true
}

// pairBlocks maps the blocks of a version to the blocks of the base. Two blocks match if the same facts are in the
// same branch of both, under the same number of blocks, and none of these facts is in another block. Of the remaining
// blocks, those with equal and unique conditions match, and then those around matching blocks. otherConditions are
// additional conditions for the blocks of the base.
func (b blockIndex) pairBlocks(base blockIndex, otherConditions map[int][]string) map[int]int {
	toBase, fromBase, isAmbiguous := map[int]int{}, map[int]int{}, map[int]bool{}
	for addr, baseLevels := range base.levelsAt {
		levels := b.levelsAt[addr]
		for i := 0; i < len(baseLevels) && len(baseLevels) == len(levels); i++ {
			if baseLevels[i].Called("") != levels[i].Called("") {
				continue
			}
			x, y := levels[i].Block, baseLevels[i].Block
			if first, known := toBase[x]; known && first != y {
				isAmbiguous[x] = true
			}
			if first, known := fromBase[y]; known && first != x {
				isAmbiguous[x], isAmbiguous[first] = true, true
			}
			toBase[x], fromBase[y] = y, x
		}
	}
	unpaired, baseBlocks := map[string][]int{}, map[string][]int{}
	for x, name := range b.conditions {
		if _, ok := toBase[x]; !ok {
			unpaired[name] = append(unpaired[name], x)
		}
	}
	for y, name := range base.conditions {
		if _, ok := fromBase[y]; !ok {
			for _, name := range append([]string{name}, otherConditions[y]...) {
				baseBlocks[name] = append(baseBlocks[name], y)
			}
		}
	}
	for name, x := range unpaired {
		if y := baseBlocks[name]; len(x) == 1 && len(y) == 1 {
			toBase[x[0]], fromBase[y[0]] = y[0], x[0]
		}
	}
	for _, x := range slices.Backward(slices.Sorted(maps.Keys(toBase))) {
		if isAmbiguous[x] {
			continue
		}
		outer, inside := b.parentOf[x]
		baseOuter, baseInside := base.parentOf[toBase[x]]
		_, paired := toBase[outer]
		if _, used := fromBase[baseOuter]; inside && baseInside && !paired && !used {
			toBase[outer], fromBase[baseOuter] = baseOuter, outer
		}
	}
	maps.DeleteFunc(toBase, func(x, _ int) bool { return isAmbiguous[x] })
	return toBase
}

// baseConditionsByBlock returns, for each version, the conditions in the base of the blocks with a changed condition. A
// block of the result counts only if a side has the changed condition, too.
func baseConditionsByBlock(blocks [versions]blockIndex) (conditions [versions]map[int]string) {
	baseBlocks, sideConditions := blocks[base], map[int][]string{} // conditions in the sides
	for _, v := range [...]version{ours, theirs, result} {
		to := blocks[v].pairBlocks(baseBlocks, sideConditions)
		conditions[v] = map[int]string{}
		for x, y := range to {
			condition, baseCondition := blocks[v].conditions[x], baseBlocks.conditions[y]
			if condition == baseCondition || v == result && !slices.Contains(sideConditions[y], condition) {
				continue
			}
			conditions[v][x] = baseCondition
			if v != result && !slices.Contains(sideConditions[y], condition) {
				sideConditions[y] = append(sideConditions[y], condition)
			}
		}
	}
	return conditions
}

// findBaseConditions returns the conditions in the base of all blocks of the template that a version calls
// differently. It returns no maps if the base has no guards. Facts without a guard are only indexed if the base has a
// guard at their address.
func (c *checker) findBaseConditions() (conditions [versions]map[int]string) {
	isGuarded := map[uint64]bool{}
	c.docs[base].Walk(func(n *Node) {
		if n.Entry != nil && len(n.Entry.OwnLevels()) > 0 {
			isGuarded[n.Addr], isGuarded[syntax.CombineHashes(n.Addr, n.Data)] = true, true
		}
	})
	if len(isGuarded) == 0 {
		return conditions
	}
	var blocks [versions]blockIndex
	for v := range versions {
		blocks[v] = newBlockIndex()
		note := func(addr uint64, levels []template.Level) {
			if len(levels) > 0 || isGuarded[addr] {
				blocks[v].add(addr, levels)
			}
		}
		c.docs[v].Walk(func(n *Node) {
			if n.Entry == nil {
				note(n.Addr, nil)
				return
			}
			levels := n.Entry.OwnLevels()
			note(n.Addr, levels)
			note(syntax.CombineHashes(n.Addr, n.Data), levels)
		})
	}
	return baseConditionsByBlock(blocks)
}

// checkActions verifies which lines a template prints, and where.
func (c *checker) checkActions() *Violation {
	if !c.isTemplate() {
		return nil
	}
	return cmp.Or(c.checkBlockCounts(), c.checkOutputGuards(), c.checkColumns(), c.checkTextBlocks(), c.checkActionOrder())
}

// checkBlockCounts returns a violation if the result has a block more often than each input.
func (c *checker) checkBlockCounts() *Violation {
	blocks := countsByFact[string]{}
	for v, f := range c.facts {
		for _, b := range f.RepeatedBlocks {
			blocks.add(version(v), b.Said)
		}
	}
	for _, b := range c.facts[result].RepeatedBlocks {
		if !blocks[b.Said].exceedsInputs() {
			continue
		}
		line, _, _ := strings.Cut(b.Said, "}}")
		return c.nodesAt(result, b.Start).newViolation(ruleAction, "the block %s}} stands %d times, more often than in each version", line, blocks[b.Said][result])
	}
	return nil
}

// checkOutputLines returns a violation if a line that prints occurs more often than in each input, and either more often
// below the same entry than in each input, or more often than the edits of both sides allow. It also returns a
// violation if a line prints to the left of all entries of its document, and does so in no input. Lines in conflicts
// are counted.
func (c *checker) checkOutputLines() *Violation {
	type line struct {
		addr uint64 // 0 for the whole file
		text string
	}
	counts := countsByFact[line]{}
	lineBelow := func(v version, l template.Line) line {
		addr := uint64(1)
		if l.Above != nil {
			addr, _ = c.addressAt(v, l.Above.Start)
		}
		return line{addr, l.Output}
	}
	printsLeft := map[string]bool{} // texts that an input prints left of all entries
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if version(v) != result {
				printsLeft[l.Output] = printsLeft[l.Output] || l.IsLeftOfEntries
			}
			if l.Output != "" {
				counts.add(version(v), line{0, l.Output})
				counts.add(version(v), lineBelow(version(v), l))
			}
		}
	}
	for _, l := range c.facts[result].Lines {
		n := counts[line{0, l.Output}]
		if l.IsLeftOfEntries && !printsLeft[l.Output] {
			return c.newViolationAt(ruleAction, l.Above, l.Text, "%q prints left of all entries, as in no version", l.Output)
		}
		if l.Output == "" || !n.exceedsInputs() {
			continue
		}
		if _, most := n.expectedRange(); n[result] > most || counts[lineBelow(result, l)].exceedsInputs() {
			return c.newViolationAt(ruleDuplicate, l.Above, l.Text, "%q prints more often than in each version", l.Output)
		}
	}
	return nil
}

// checkOutputGuards returns a violation if a line that prints has another guard than the edits of both sides give it,
// otherwise nil. If one side added the line and the other side changed the blocks around its neighbors, the line is
// expected to have that change. Lines that a version contains several times and lines in a conflict are ignored.
//
//	base                  ours                  result
//	p: 1                  {{ if .f }}           {{ if .f }}
//	{{ include "x" . }}   p: 1                  p: 1
//	                      {{ include "x" . }}   {{ end }}
//	                      {{ end }}             {{ include "x" . }}    violation
func (c *checker) checkOutputGuards() *Violation {
	if !c.isTemplate() || !slices.ContainsFunc(c.facts[result].Lines, func(l template.Line) bool { return l.Output != "" }) {
		return nil
	}
	printed := map[*syntax.Node]*template.Line{}
	var lists nodeVersions
	for v := range versions {
		lists[v] = c.listEntriesAndOutputs(v, printed)
	}
	g := &guardContext{checker: c, matches: slices.DeleteFunc(c.match(lists, pairing{ID: dataOf}), func(k *match) bool { return k.hasSeveral() })}
	for _, k := range g.matches {
		if k.nodes[result] == nil || printed[k.nodes[result].Node] == nil || k.nodes[ours] == nil && k.nodes[theirs] == nil || k.nodes.hasNode(func(n *Node) bool { return n.Partial }) {
			continue
		}
		if b := k.nodes[base]; b != nil && (k.nodes[ours] == nil || k.nodes[theirs] == nil) {
			continue
		}
		counts, isPartial := g.countBlocksAround(k)
		for _, branch := range slices.Sorted(maps.Keys(counts)) {
			least, most := g.expectedBlockCount(k, branch, counts[branch])
			if n := counts[branch][result]; !isPartial && (n < least || n > most) {
				l := printed[k.nodes[result].Node]
				return c.newViolationAt(ruleAction, l.Above, l.Text, "%q stands under %q %d times, not %d times", l.Output, branch, n, least)
			}
		}
	}
	return nil
}

// expectedBlockCount returns how often the block guard must be around k, a line that prints, at least and at most. n are
// its numbers of occurrences.
func (g *guardContext) expectedBlockCount(k *match, branch string, n versionCounts) (least, most int32) {
	switch {
	case k.nodes[base] != nil:
		return n.expectedRange()
	case k.nodes[ours] != nil && k.nodes[theirs] != nil:
		return min(n[ours], n[theirs]), max(n[ours], n[theirs])
	}
	s := k.nodes.anyNode().Version
	least, most = n[s], n[s]
	for i, m := range g.neighbors(k, s) {
		counts, _ := g.countBlocksAround(m)
		change := int32(0)
		if near := counts[branch]; m.nodes[base] != nil {
			change, _ = near.expectedRange()
			change -= near[s]
		}
		if i == 0 {
			least, most = n[s]+change, n[s]+change
		}
		least, most = min(least, n[s]+change), max(most, n[s]+change)
	}
	return max(least, 0), most
}

// listEntriesAndOutputs returns the entries of v and its lines that print as one list, in the order of the file. It adds the
// blocks around each to c.nodeGuards, and the lines to printed.
func (c *checker) listEntriesAndOutputs(v version, printed map[*syntax.Node]*template.Line) *Node {
	list := &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: v}
	add := func(at text.Span, hash uint64, levels []template.Level) *syntax.Node {
		n := Node{Node: syntax.NewNode(syntax.Scalar, 0), Version: v, Data: hash}
		n.Span = at
		_, _, n.Partial = maskAt(c.masks[v], at)
		c.nodeGuards[n.Node] = levels
		list.Children = append(list.Children, n)
		return n.Node
	}
	var visit func(n *Node, addr uint64, around []template.Level)
	visit = func(n *Node, addr uint64, around []template.Level) {
		for i := range n.Children {
			k := &n.Children[i]
			at, levels := c.addressBelow(k, addr), slices.Concat(around, c.guardOf(k))
			if k.Entry != nil {
				add(text.Span{Start: k.Entry.Start, End: k.Entry.Start + 1}, at|1, levels)
			}
			visit(k, at, levels)
		}
	}
	visit(c.docs[v], 0, nil)
	for i := range c.facts[v].Lines {
		if l := &c.facts[v].Lines[i]; l.Output != "" {
			printed[add(l.Span, Hash(l.Output)&^1, withBaseConditions(l.Guard, c.baseConditions[v]))] = l
		}
	}
	slices.SortStableFunc(list.Children, func(a, b Node) int { return a.Span.Start - b.Span.Start })
	return list
}

// checkColumns returns a violation if an action with a fixed indentation, such as "indent 4", is in a column where no
// input has it. It would print to the wrong place.
func (c *checker) checkColumns() *Violation {
	f := c.facts
	for _, x := range slices.SortedFunc(maps.Keys(f[result].IndentedOutputs), template.IndentedOutput.Compare) {
		if !slices.ContainsFunc(f[:result], func(f *template.Facts) bool { _, has := f.IndentedOutputs[x]; return has }) {
			return c.newViolationAt(ruleAction, f[result].IndentedOutputs[x], "", "%q prints where it does in no version", x.Action)
		}
	}
	return nil
}

// checkTextBlocks returns a violation if a block that is merged as lines is below another entry than in the inputs,
// or contains a mapping key that is also next to it, and no input has that.
func (c *checker) checkTextBlocks() *Violation {
	isKnown, isRepeated := map[uint64]bool{}, map[uint64]bool{} // found in the inputs
	var repeated *syntax.Entry
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if l.Key == "" || l.Above == nil {
				continue
			}
			addr, key := uint64(0), Hash("="+l.Key)
			for n := range c.docs[v].NodesAt(l.Above.Start) {
				if n != c.docs[v] {
					addr = c.addressBelow(n, addr)
				}
				for i := range n.Children {
					switch at := syntax.CombineHashes(addr, key); {
					case n.Children[i].KeyHash != key:
					case version(v) != result:
						isRepeated[at] = true
					case !isRepeated[at] && (repeated == nil || n.Children[i].Entry.Start < repeated.Start):
						repeated = n.Children[i].Entry
					}
				}
			}
			here := syntax.CombineHashes(addr, Hash(l.Text))
			if version(v) == result && !isKnown[here] {
				return c.newViolationAt(ruleAction, l.Above, "", "%q stands below another entry than in the versions", l.Text)
			}
			isKnown[here] = true
		}
	}
	if repeated != nil {
		return c.newViolationAt(ruleAction, repeated, "", "it stands in a block of lines too")
	}
	return nil
}

// checkActionOrder returns a violation if lines with directives are in another order than in a side, and the other
// side did not change that order. Files with conflicts are not checked.
func (c *checker) checkActionOrder() *Violation {
	if len(c.Conflicts) > 0 {
		return nil
	}
	var lines nodeVersions
	for v, f := range c.facts {
		lines[v] = &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: version(v)}
		for _, l := range f.Lines {
			lines[v].Children = append(lines[v].Children, Node{Node: syntax.NewNode(syntax.Scalar, 0), Version: version(v), Data: Hash(l.Text)})
		}
	}
	if checkOrder(c.match(lines, pairing{ID: ByValue}), false) == nil {
		return nil
	}
	return nodeVersions{}.newViolation(ruleAction, "the lines of actions stand in another order than in the versions")
}

// newViolationAt returns a violation of rule r at entry e of the result. e may be nil. line is the subject of the
// violation.
func (c *checker) newViolationAt(r rule, e *syntax.Entry, line, format string, a ...any) *Violation {
	var q nodeVersions
	if e != nil {
		q = c.nodesAt(result, e.Start)
	}
	violation := q.newViolation(r, format, a...)
	violation.Subject = line
	return violation
}

// maxGuardsCompared is the maximum number of members of a collection for which checkGuards searches the original of
// an added member.
const maxGuardsCompared = 1000

// checkGuards verifies the guards of matches, the members of a collection. Each block around a member is a fact. If
// the other side put a block around both neighbors of an added member, the member must be in that block, too. In line
// merges, added members are ignored if they may continue a node that only the base has, or if there are more than
// maxGuardsCompared members.
func (c *checker) checkGuards(matches []*match) *Violation {
	g := &guardContext{checker: c, matches: matches}
	// in a line merge, a new node may continue a node that only the base has
	isUncertain := func(k *match) bool {
		return k.nodes[base] == nil && (k.nodes.presentIn() == inResult || len(matches) > maxGuardsCompared || slices.ContainsFunc(matches, func(m *match) bool {
			return m.nodes[base] != nil && m.nodes[result] == nil && c.containsMostOf(k.nodes[result], m.nodes[base])
		}))
	}
	for _, k := range matches {
		if k.nodes[result] == nil || k.hasMasked || !c.demands(ruleGuardMissing) && isUncertain(k) {
			continue
		}
		counts, inConflict := g.countBlocksAround(k)
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
			if bothAdded && n[ours] != n[theirs] && !g.isBlockAddedAroundNeighbors(k, branch) {
				return k.nodes.newViolation(ruleGuard, "ours added it under %q %d times, theirs %d times", branch, n[ours], n[theirs])
			}
			least, most := n.expectedRange()
			switch {
			case bothAdded:
				least, most = max(n[ours], n[theirs]), max(n[ours], n[theirs])
			case g.isBlockAddedAroundNeighbors(k, branch):
				least, most = least+1, most+1
			default:
				change := g.changeAround(k, branch)
				least, most = least+change, most+change
			}
			violated := ruleGuard
			if n[result] <= max(n[base], n[ours], n[theirs]) {
				violated = ruleGuardMissing
			}
			if c.demands(violated) && (n[result] < least || n[result] > most) {
				return k.nodes.newViolation(violated, "under %q %d times, not %d times", branch, n[result], least)
			}
		}
	}
	return nil
}

// A guardContext has the members of a collection for the verification of their guards.
type guardContext struct {
	*checker
	matches []*match
	shared  [versions][]*match // of a side: the members that both sides have, in its order
	// inBlock are, for each block of a side, its members that all inputs have. They are computed on first use.
	inBlock [versions]map[int][]*match
	changes map[blockChange]int32 // results of changeAround
}

// countBlocksAround returns how often each block is around k in each version. It also has the blocks around neighbors of an
// added member, with a count of 0. inConflict reports whether a block is in a conflict. Such a block counts as in the
// chosen side, and the other side counts as the base.
func (g *guardContext) countBlocksAround(k *match) (counts countsByFact[string], inConflict bool) {
	counts = countsByFact[string]{}
	for _, s := range sides {
		if near := g.neighbors(k, s); len(near) > 0 && k.nodes[s.Other()] == nil {
			for _, l := range g.guardOf(near[0].nodes[s.Other()]) {
				counts[l.Said] = versionCounts{}
			}
		}
		for _, l := range g.guardOf(k.nodes[s]) {
			if in := g.membersInBlock(s, l.Block); k.nodes[base] == nil && len(in) > 0 {
				for _, l := range g.guardOf(in[0].nodes[s.Other()]) {
					counts[l.Said] = versionCounts{}
				}
			}
		}
	}
	for v, n := range k.nodes {
		for _, l := range g.guardOf(n) {
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

// neighbors returns the members before and after k that both sides have. At an end of the collection it returns the
// first and the last such member. It returns nil if s did not add k, or if there are no two such members.
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

// isBlockAddedAroundNeighbors reports whether a side added k, and the other side put the block guard around both its neighbors.
func (g *guardContext) isBlockAddedAroundNeighbors(k *match, branch string) bool {
	return slices.ContainsFunc(sides[:], func(s version) bool {
		near := g.neighbors(k, s)
		return len(near) == 2 && g.hasAddedBlockAround(near, s.Other(), branch)
	})
}

// membersInBlock returns the members in a block of s that all inputs have, and that are in a block with the same
// condition in the base. block is the offset of the block in s.
func (g *guardContext) membersInBlock(s version, block int) []*match {
	if g.inBlock[s] == nil {
		g.inBlock[s] = map[int][]*match{}
		for _, m := range g.matches {
			if m.nodes[base] == nil || m.nodes[s] == nil || m.nodes[s.Other()] == nil {
				continue
			}
			for _, l := range g.guardOf(m.nodes[s]) {
				if indexOfCondition(g.guardOf(m.nodes[base]), l.Condition()) >= 0 {
					g.inBlock[s][l.Block] = append(g.inBlock[s][l.Block], m)
				}
			}
		}
	}
	return g.inBlock[s][block]
}

// indexOfCondition returns the index of the first level with a condition, or -1.
func indexOfCondition(guard []template.Level, condition string) int {
	return slices.IndexFunc(guard, func(l template.Level) bool { return l.Condition() == condition })
}

// A blockChange is a key of the cache for changeAround: whether the other side added or removed the block text around
// a block of side.
type blockChange struct {
	side  version
	block int
	text  string
}

// changeAround returns 1 if a side added k within a block, and the other side put the block guard around that block.
// It returns -1 if the other side removed the block guard from there, otherwise 0. An edit of all members of a block
// also applies to k.
//
//	base        ours          theirs
//	{{ if x }}  {{ if y }}    {{ if x }}
//	b: 1        {{ if x }}    b: 1
//	{{ end }}   b: 1          c: 2         1 for c and "if y"
//	            {{ end }}     {{ end }}
//	            {{ end }}
func (g *guardContext) changeAround(k *match, branch string) int32 {
	if k.nodes[base] != nil {
		return 0
	}
	condition := template.Level{Said: branch}.Condition()
	for _, s := range sides {
		for _, l := range g.guardOf(k.nodes[s]) {
			at := blockChange{s, l.Block, branch}
			change, known := g.changes[at]
			if !known {
				change = g.changeOfBlock(s, l, condition)
				if g.changes == nil {
					g.changes = map[blockChange]int32{}
				}
				g.changes[at] = change
			}
			if change != 0 {
				return change
			}
		}
	}
	return 0
}

// changeOfBlock returns 1 if the other side of s put a block with a condition around all members of block l of s, -1
// if it removed such a block from all of them, and otherwise 0.
func (g *guardContext) changeOfBlock(s version, block template.Level, condition string) int32 {
	members := g.membersInBlock(s, block.Block)
	wrapped, unwrapped := len(members) > 0, len(members) > 0
	for _, m := range members {
		baseIndex, sideIndex := indexOfCondition(g.guardOf(m.nodes[base]), condition), indexOfCondition(g.guardOf(m.nodes[s]), condition)
		other := g.guardOf(m.nodes[s.Other()])
		otherIndex := indexOfCondition(other, condition)
		wrapped = wrapped && baseIndex < 0 && sideIndex < 0 && otherIndex >= 0 && otherIndex < indexOfCondition(other, block.Condition())
		unwrapped = unwrapped && baseIndex >= 0 && sideIndex >= 0 && otherIndex < 0
	}
	switch {
	case wrapped:
		return 1
	case unwrapped:
		return -1
	}
	return 0
}

// hasAddedBlockAround reports whether t has one block guard around all members in near, and the base and the other side have no
// branch of it around any of them.
func (c *checker) hasAddedBlockAround(members []*match, side version, branch string) bool {
	block, condition := -1, template.Level{Said: branch}.Condition()
	for _, m := range members {
		for _, v := range [...]version{base, side.Other()} {
			if slices.ContainsFunc(c.guardOf(m.nodes[v]), func(l template.Level) bool { return l.Condition() == condition }) {
				return false
			}
		}
		i := slices.IndexFunc(c.guardOf(m.nodes[side]), func(l template.Level) bool { return l.Said == branch })
		if i < 0 || block >= 0 && c.guardOf(m.nodes[side])[i].Block != block {
			return false
		}
		block = c.guardOf(m.nodes[side])[i].Block
	}
	return true
}
