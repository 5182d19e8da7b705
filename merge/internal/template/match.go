package template

import (
	"cmp"
	"slices"
	"strings"
)

// A GuardedEntry is an entry of a collection for MatchBranches.
type GuardedEntry struct {
	Levels []Level // the branches of template blocks around the entry, within its collection
	Hash   uint64  // equal for entries with equal keys and values
}

// maxBranchesCompared is the maximum number of pairs of a branch of base and one of side, both with a text that the
// other version lacks. With more of them, MatchBranches returns nil, because it would take too long.
const maxBranchesCompared = 10000

// MatchBranches returns the branches of side that are branches of base under another text, because a side changed the
// condition of a block. Each is mapped to the text that the branch has in base. base and side are the entries of one
// collection in two versions, in file order. The other branches of side are not in the map, which is nil if it would be
// empty.
//
//	base                side                 result
//	{{ if .a }}         {{ if .b }}          "if .b" is "if .a"
//	kind: X             kind: X
//	{{ else }}          {{ else }}           "if .b / else" is "if .a / else"
//	kind: Y             kind: Y
//	{{ end }}           {{ end }}
//
// Branches with equal texts are the same. Of the others, the first matching rule applies:
//
//   - Their own actions are equal, apart from the word else: "if .a" and "if .b / else if .a".
//   - They are in the same block, and have more equal entries in common than either has with another branch.
//   - They are in the same block, and both are its first branch, or both its else.
//   - They are the only other branches of one block.
//
// Blocks are the same if they have a branch in common by the first rule or by an equal text. Otherwise they are the same
// if they have more equal entries in common than either has with another block. A branch that side added to a block with
// another condition is mapped to its text under the condition of base.
func MatchBranches(base, side []GuardedEntry) map[Level]string {
	m := branchMatcher{base: collectBranches(base), side: collectBranches(side)}
	m.matchByText()
	if n := len(m.base.unmatched()) * len(m.side.unmatched()); n == 0 || n > maxBranchesCompared {
		return nil
	}
	m.matchByAction()
	m.linkBlocks()
	for i, b := range m.base.blocks {
		if m.blocks[i] >= 0 {
			m.matchInBlock(b, m.side.blocks[m.blocks[i]])
		}
	}
	if len(m.names) == 0 {
		return nil
	}
	return m.names
}

// A branchContent is a branch of a block, with the hashes of the entries in it.
type branchContent struct {
	Level
	hashes    []uint64
	isMatched bool // whether the same branch of the other version is known
}

// A blockContent is a block with its branches that contain entries, in file order.
type blockContent struct {
	branches []*branchContent
	hashes   []uint64 // of the entries in all branches
}

// branchesOf are the blocks around the entries of a collection in one version.
type branchesOf struct {
	blocks []*blockContent
	texts  map[string]int // the index in blocks of the first block with a branch of this text
}

// collectBranches returns the blocks around entries, in file order. The branches in them are not matched.
func collectBranches(entries []GuardedEntry) branchesOf {
	all := branchesOf{texts: map[string]int{}}
	blocks, branches := map[int]int{}, map[Level]*branchContent{}
	for _, e := range entries {
		for _, l := range e.Levels {
			i, ok := blocks[l.Block]
			if !ok {
				i = len(all.blocks)
				blocks[l.Block], all.blocks = i, append(all.blocks, &blockContent{})
			}
			if branches[l] == nil {
				branches[l] = &branchContent{Level: l}
				all.blocks[i].branches = append(all.blocks[i].branches, branches[l])
				if _, ok := all.texts[l.Said]; !ok {
					all.texts[l.Said] = i
				}
			}
			branches[l].hashes = append(branches[l].hashes, e.Hash)
			all.blocks[i].hashes = append(all.blocks[i].hashes, e.Hash)
		}
	}
	return all
}

// unmatched returns the branches of all blocks that are not matched yet, in file order.
func (b branchesOf) unmatched() (all []*branchContent) {
	for _, block := range b.blocks {
		all = append(all, block.unmatched()...)
	}
	return all
}

// unmatched returns the branches of b that are not matched yet, in file order.
func (b *blockContent) unmatched() []*branchContent {
	return slices.DeleteFunc(slices.Clone(b.branches), func(x *branchContent) bool { return x.isMatched })
}

// A branchMatcher matches the branches of two versions of a collection.
type branchMatcher struct {
	base, side branchesOf
	blocks     []int            // for each block of base, the index of the same block of side, or -1
	names      map[Level]string // the result of MatchBranches
}

// matchByText marks the branches whose text both versions have as matched.
func (m *branchMatcher) matchByText() {
	mark := func(all, other branchesOf) {
		for _, b := range all.blocks {
			for _, x := range b.branches {
				_, x.isMatched = other.texts[x.Said]
			}
		}
	}
	mark(m.base, m.side)
	mark(m.side, m.base)
}

// match records that x of side is b of base.
func (m *branchMatcher) match(b, x *branchContent) {
	b.isMatched, x.isMatched = true, true
	m.rename(x.Level, b.Said)
}

// rename records that branch l of side has the given text in base.
func (m *branchMatcher) rename(l Level, text string) {
	if m.names == nil {
		m.names = map[Level]string{}
	}
	m.names[l] = text
}

// matchByAction matches branches whose own actions are equal, apart from the word else. A branch is left out if another
// unmatched branch of its version has the same action.
func (m *branchMatcher) matchByAction() {
	byAction := func(all []*branchContent) map[string]*branchContent {
		found := map[string]*branchContent{}
		for _, b := range all {
			action := ownAction(b.Level)
			if _, ok := found[action]; ok {
				b = nil
			}
			found[action] = b
		}
		return found
	}
	inBase := byAction(m.base.unmatched())
	for action, x := range byAction(m.side.unmatched()) {
		if b := inBase[action]; b != nil && x != nil && action != "" {
			m.match(b, x)
		}
	}
}

// ownAction returns the action that starts the branch l, without the word else: "if .b" for "if .a / else if .b". It
// returns "" for an else without a condition.
func ownAction(l Level) string {
	_, action, isDivided := strings.Cut(l.Said, branchSeparator)
	switch rest, isElse := strings.CutPrefix(action, "else"); {
	case !isDivided:
		return l.Said
	case isElse:
		return strings.TrimSpace(rest)
	}
	return strings.TrimPrefix(action, "el") // elif of Jinja
}

// linkBlocks sets m.blocks. A block of base and one of side are the same if they have a branch with one text, or
// matched branches. The others are the same if they have more equal entries in common than either has with another
// block; only blocks with branches that are not matched are compared.
func (m *branchMatcher) linkBlocks() {
	m.blocks = slices.Repeat([]int{-1}, len(m.base.blocks))
	isLinked := make([]bool, len(m.side.blocks))
	link := func(b, x int) {
		if m.blocks[b] < 0 && !isLinked[x] {
			m.blocks[b], isLinked[x] = x, true
		}
	}
	for x, block := range m.side.blocks {
		for _, branch := range block.branches {
			name := cmp.Or(m.names[branch.Level], branch.Said)
			if b, ok := m.base.texts[name]; ok {
				link(b, x)
			}
		}
	}
	var base, side []int // the blocks to compare
	for b, block := range m.base.blocks {
		if m.blocks[b] < 0 && len(block.unmatched()) > 0 {
			base = append(base, b)
		}
	}
	for x, block := range m.side.blocks {
		if !isLinked[x] && len(block.unmatched()) > 0 {
			side = append(side, x)
		}
	}
	for _, pair := range bestPairs(len(base), len(side), func(i, j int) int {
		return countEqual(m.base.blocks[base[i]].hashes, m.side.blocks[side[j]].hashes)
	}) {
		link(base[pair[0]], side[pair[1]])
	}
}

// matchInBlock matches the branches of b, a block of base, with those of x, the same block of side: by their entries,
// then else with else, the first branch with the first one, and the last remaining ones. If the blocks have different
// conditions, it records the branches that side added under the condition of base.
func (m *branchMatcher) matchInBlock(b, x *blockContent) {
	base, side := b.unmatched(), x.unmatched()
	for _, pair := range bestPairs(len(base), len(side), func(i, j int) int { return countEqual(base[i].hashes, side[j].hashes) }) {
		m.match(base[pair[0]], side[pair[1]])
	}
	isElse := func(b *branchContent) bool { return ownAction(b.Level) == "" }
	isFirst := func(b *branchContent) bool { return b.Said == b.Condition() }
	for _, kind := range []func(*branchContent) bool{isElse, isFirst} {
		base, side := b.unmatched(), x.unmatched()
		i, j := slices.IndexFunc(base, kind), slices.IndexFunc(side, kind)
		if i >= 0 && j >= 0 {
			m.match(base[i], side[j])
		}
	}
	if base, side := b.unmatched(), x.unmatched(); len(base) == 1 && len(side) == 1 {
		m.match(base[0], side[0])
	}
	condition, sideCondition := b.branches[0].Condition(), x.branches[0].Condition()
	for _, added := range x.unmatched() {
		if rest, ok := strings.CutPrefix(added.Said, sideCondition+branchSeparator); ok && condition != sideCondition {
			m.rename(added.Level, condition+branchSeparator+rest)
		}
	}
}

// countEqual returns how many hashes a and b have in common. Equal hashes count as often as both have them.
func countEqual(a, b []uint64) (n int) {
	counts := map[uint64]int{}
	for _, x := range a {
		counts[x]++
	}
	for _, x := range b {
		if counts[x] > 0 {
			counts[x]--
			n++
		}
	}
	return n
}

// bestPairs returns the pairs of i, less than n, and j, less than m, whose score is greater than 0 and higher than that
// of i with any other j, and of j with any other i. They are in the order of i.
func bestPairs(n, m int, score func(i, j int) int) (pairs [][2]int) {
	type best struct {
		score, other int
		isTied       bool
	}
	rows, columns := make([]best, n), make([]best, m)
	improve := func(b *best, score, other int) {
		if score > b.score {
			*b = best{score: score, other: other}
		} else if score == b.score {
			b.isTied = true
		}
	}
	for i := range n {
		for j := range m {
			x := score(i, j)
			improve(&rows[i], x, j)
			improve(&columns[j], x, i)
		}
	}
	for i, r := range rows {
		if r.score > 0 && !r.isTied && columns[r.other].other == i && !columns[r.other].isTied {
			pairs = append(pairs, [2]int{i, r.other})
		}
	}
	return pairs
}
