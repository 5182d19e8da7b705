package template

import (
	"cmp"
	"slices"
	"strings"
)

// A GuardedEntry is a field of a mapping or an item of a list, with the template branches around it. It is the input of
// MatchBranches.
type GuardedEntry struct {
	Levels []Level // the branches of template blocks around the entry, within its collection
	Hash   uint64  // of the content: entries with equal hashes count as equal
}

// maxBranchesCompared is the maximum number of pairs of a branch of base and one of side, both with a text that the
// other version lacks. With more of them, MatchBranches returns nil, because it would take too long.
const maxBranchesCompared = 10000

// MatchBranches returns the template branches of side whose condition side changed, each with its text in base. It
// includes branches that side added to a block with a changed condition. base and side are the entries of one mapping
// or list in two versions, in file order. Branches without entries are not found. The result is nil if there are none,
// or too many to compare.
//
//	base          side          result
//	{{ if .a }}   {{ if .b }}   "if .b": "if .a"
//	kind: X       kind: X
//	{{ else }}    {{ else }}    "if .b / else": "if .a / else"
//	kind: Y       kind: Y
//	{{ end }}     {{ end }}
func MatchBranches(base, side []GuardedEntry) map[Level]string {
	m := branchMatcher{base: collectBlocks(base), side: collectBlocks(side)}
	m.matchByText()
	if n := len(m.base.unmatched()) * len(m.side.unmatched()); n == 0 || n > maxBranchesCompared {
		return nil
	}
	m.matchByAction()
	m.linkBlocks()
	for i, b := range m.base.blocks {
		if m.sideBlocks[i] >= 0 {
			m.matchInBlock(b, m.side.blocks[m.sideBlocks[i]])
		}
	}
	if len(m.baseTexts) == 0 {
		return nil
	}
	return m.baseTexts
}

// A branchContent is a branch of a template block, with the hashes of the entries in it.
type branchContent struct {
	Level
	hashes    []uint64
	isMatched bool // whether the same branch of the other version is known
}

// A blockContent is a template block with its branches that contain entries, in file order.
type blockContent struct {
	branches []*branchContent
	hashes   []uint64 // of the entries in all branches
}

// versionBlocks are the template blocks around the entries of a mapping or list in one version.
type versionBlocks struct {
	blocks      []*blockContent
	blockByText map[string]int // the index in blocks of the first block with a branch of this text
}

// collectBlocks returns the template blocks around entries, in file order. Branches without entries are left out, and
// the others are not matched yet.
func collectBlocks(entries []GuardedEntry) versionBlocks {
	all := versionBlocks{blockByText: map[string]int{}}
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
				if _, ok := all.blockByText[l.Said]; !ok {
					all.blockByText[l.Said] = i
				}
			}
			branches[l].hashes = append(branches[l].hashes, e.Hash)
			all.blocks[i].hashes = append(all.blocks[i].hashes, e.Hash)
		}
	}
	return all
}

// unmatched returns the branches of all blocks for which the same branch of the other version is not known yet, in file
// order. It returns nil if there are none.
func (b versionBlocks) unmatched() (all []*branchContent) {
	for _, block := range b.blocks {
		all = append(all, block.unmatched()...)
	}
	return all
}

// unmatched returns the branches of b for which the same branch of the other version is not known yet, in file order.
// The result is empty if there are none. b is unchanged.
func (b *blockContent) unmatched() []*branchContent {
	return slices.DeleteFunc(slices.Clone(b.branches), func(x *branchContent) bool { return x.isMatched })
}

// A branchMatcher finds the same branches of template blocks in two versions of a mapping or list.
type branchMatcher struct {
	base, side versionBlocks
	sideBlocks []int            // for each block of base, the index of the same block of side, or -1
	baseTexts  map[Level]string // the result of MatchBranches
}

// matchByText marks the branches whose text, such as "if .a / else", both versions have as matched. It adds nothing to
// m.baseTexts, because these branches have the same text.
func (m *branchMatcher) matchByText() {
	mark := func(all, other versionBlocks) {
		for _, b := range all.blocks {
			for _, x := range b.branches {
				_, x.isMatched = other.blockByText[x.Said]
			}
		}
	}
	mark(m.base, m.side)
	mark(m.side, m.base)
}

// recordMatch records that x of side and b of base are the same branch: it marks both as matched, and sets the text of
// b for x in m.baseTexts.
func (m *branchMatcher) recordMatch(b, x *branchContent) {
	b.isMatched, x.isMatched = true, true
	m.recordText(x.Level, b.Said)
}

// recordText records in m.baseTexts that branch l of side has the given text in base.
func (m *branchMatcher) recordText(l Level, text string) {
	if m.baseTexts == nil {
		m.baseTexts = map[Level]string{}
	}
	m.baseTexts[l] = text
}

// matchByAction records the branches that start with the same action, apart from the word else, as the same: "if .a" of
// base and "if .b / else if .a" of side. Only branches that are not matched yet are compared, and only those whose
// action is unique among them. An else without a condition is left out.
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
			m.recordMatch(b, x)
		}
	}
}

// ownAction returns the action that starts the branch l, without the word else. It returns "" for an else without a
// condition. elif of Jinja counts as if:
//
//	if .a                   "if .a"
//	if .a / else if .b      "if .b"
//	if .a / else            ""
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

// linkBlocks sets m.sideBlocks: it finds the same block of side for each block of base, if there is one. Two blocks are
// the same if they have a branch with the same text or branches that are matched, or else if they have more equal
// entries in common than either has with another block.
func (m *branchMatcher) linkBlocks() {
	m.sideBlocks = slices.Repeat([]int{-1}, len(m.base.blocks))
	isLinked := make([]bool, len(m.side.blocks))
	link := func(b, x int) {
		if m.sideBlocks[b] < 0 && !isLinked[x] {
			m.sideBlocks[b], isLinked[x] = x, true
		}
	}
	for x, block := range m.side.blocks {
		for _, branch := range block.branches {
			name := cmp.Or(m.baseTexts[branch.Level], branch.Said)
			if b, ok := m.base.blockByText[name]; ok {
				link(b, x)
			}
		}
	}
	var base, side []int // the blocks to compare
	for b, block := range m.base.blocks {
		if m.sideBlocks[b] < 0 && len(block.unmatched()) > 0 {
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

// matchInBlock records which branches of b, a block of base, and of x, the same block of side, are the same. Only
// branches that are not matched yet are compared. If the blocks have different conditions, a remaining branch of x was
// added by side; its text in base gets the condition of b: "if .a / else if .c" for "if .b / else if .c".
func (m *branchMatcher) matchInBlock(b, x *blockContent) {
	base, side := b.unmatched(), x.unmatched()
	for _, pair := range bestPairs(len(base), len(side), func(i, j int) int { return countEqual(base[i].hashes, side[j].hashes) }) {
		m.recordMatch(base[pair[0]], side[pair[1]])
	}
	isElse := func(b *branchContent) bool { return ownAction(b.Level) == "" }
	isFirst := func(b *branchContent) bool { return b.Said == b.Condition() }
	// both are an else without a condition, or the first branch of the block
	for _, kind := range []func(*branchContent) bool{isElse, isFirst} {
		base, side := b.unmatched(), x.unmatched()
		i, j := slices.IndexFunc(base, kind), slices.IndexFunc(side, kind)
		if i >= 0 && j >= 0 {
			m.recordMatch(base[i], side[j])
		}
	}
	// the only ones that remain
	if base, side := b.unmatched(), x.unmatched(); len(base) == 1 && len(side) == 1 {
		m.recordMatch(base[0], side[0])
	}
	condition, sideCondition := b.branches[0].Condition(), x.branches[0].Condition()
	for _, added := range x.unmatched() {
		if rest, ok := strings.CutPrefix(added.Said, sideCondition+branchSeparator); ok && condition != sideCondition {
			m.recordText(added.Level, condition+branchSeparator+rest)
		}
	}
}

// countEqual returns how many hashes a and b have in common. A hash that both contain several times counts as often as
// the one with fewer has it: 1, 1, 2 and 1, 1, 1 give 2.
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

// bestPairs returns the pairs of an i, less than n, and a j, less than m, that are clearly the best for each other:
// their score is greater than 0, and higher than that of i with any other j, and of j with any other i. The pairs are
// in the order of i.
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
