package verify

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
)

// If a version contains two equal entries, each side may delete a different one. A line merge then contains neither,
// though each side keeps one:
//
//	base   ours   theirs   line merge
//	- a    - b    - a      - b
//	- b    - a    - b
//	- a
//
// Where the order matters, a person has to decide which one to keep. The same holds if each side adds a copy of an
// entry at another place. A repeated line may also be deleted together with its neighbors, like the "fi" of an "if". So
// a deleted run of entries is ignored if the side no longer contains one of them.

// An alignment has the members of base, ours and theirs, such as the items of a list or the lines of a text, and which
// members of each side git's diff aligns with which of the base.
type alignment struct {
	members [versions][]*Node
	hashes  [versions][]uint64        // the ids of the members
	aligned [versions][]alignedMember // of a side: its members
	edits   [versions][]sideEdit      // of a side: its differences from the base, in order
	// of a side: its member that is aligned with each member of the base, or nil
	counterparts [versions][]*Node
}

// An alignedMember is a member of a side.
type alignedMember struct {
	hash  uint64
	index int // of the member of the base that it is aligned with, or -1 if the side added it
}

// A sideEdit is a difference between a side and the base: members of the base that the side lacks, or members that it
// has in their place, or both.
type sideEdit struct {
	base, side   diff3.Range // indexes of members
	above, below int         // numbers of aligned members directly above and below
}

// isAddition reports whether e only adds members.
func (e sideEdit) isAddition() bool { return e.base.Empty() }

// isReplacement reports whether e replaces members of the base by others.
func (e sideEdit) isReplacement() bool { return !e.base.Empty() && !e.side.Empty() }

// align returns the alignment of members, the members of a collection in each version. Members with the same id are
// equal. Those of the result are not used.
func align(members [versions][]*Node, id func(*Node) uint64) *alignment {
	a := &alignment{members: members}
	for v := range result {
		a.hashes[v] = hashesOf(members[v], id)
	}
	for _, s := range sides {
		a.counterparts[s] = make([]*Node, len(members[base]))
		for _, hash := range a.hashes[s] {
			a.aligned[s] = append(a.aligned[s], alignedMember{hash, -1})
		}
		last, end := diff3.Run{}, diff3.Run{A: len(members[base]), B: len(members[s])}
		for _, r := range append(diff3.Match(a.hashes[base], a.hashes[s]), end) {
			for i := range r.Len {
				a.aligned[s][r.B+i].index, a.counterparts[s][r.A+i] = r.A+i, members[s][r.B+i]
			}
			e := sideEdit{diff3.Range{Start: last.A + last.Len, End: r.A}, diff3.Range{Start: last.B + last.Len, End: r.B}, last.Len, r.Len}
			if last = r; !e.base.Empty() || !e.side.Empty() {
				a.edits[s] = append(a.edits[s], e)
			}
		}
	}
	return a
}

// hashesOf returns the ids of nodes, in the same order.
func hashesOf(nodes []*Node, id func(*Node) uint64) (hashes []uint64) {
	for _, n := range nodes {
		hashes = append(hashes, id(n))
	}
	return hashes
}

// checkSplitDuplicates returns a violation if it is unknown which of several equal members a side deleted, or where it
// added a copy, and the merge depends on it. Members with id 0 equal no other.
//
//	base   ours   theirs
//	- a    - b    - a
//	- b    - a    - b
//	- a                     violation: which a should remain?
func (a *alignment) checkSplitDuplicates() *Violation {
	if n := a.findSliding(); n != nil {
		return nodeVersions{base: n}.splitDuplicateViolation()
	}
	for _, s := range sides {
		if i := a.findDeletedApart(s); i >= 0 {
			q := nodeVersions{base: a.members[base][i]}
			q[s.Other()] = a.counterparts[s.Other()][i]
			return q.splitDuplicateViolation()
		}
	}
	if n := a.findCopyAddedApart(); n != nil {
		return nodeVersions{ours: n}.splitDuplicateViolation()
	}
	return nil
}

// findDeletedApart returns the index of a member of the base that s deleted, while the other side kept it and deleted
// an equal one, which s kept. It returns -1 if there is none. Blank lines are ignored, and so are members that s
// deleted together with one that it has nowhere else.
func (a *alignment) findDeletedApart(s version) int {
	isGone := func(x uint64) bool { return x == 0 || !slices.Contains(a.hashes[s], x) }
	for _, e := range a.edits[s] {
		if slices.ContainsFunc(a.hashes[base][e.base.Start:e.base.End], isGone) {
			continue
		}
		for i := e.base.Start; i < e.base.End; i++ {
			isKept := a.counterparts[s.Other()][i] != nil
			if isKept && a.members[base][i].isNonBlank() && a.hasDeletedEqual(s.Other(), i, e.isReplacement()) {
				return i
			}
		}
	}
	return -1
}

// hasDeletedEqual reports whether s deleted a member of the base that equals member i, and the other side kept the
// deleted one. If isReplaced is true, because the other side replaced member i, members that s replaced do not count:
// it is known then which of the two each side meant.
func (a *alignment) hasDeletedEqual(s version, i int, isReplaced bool) bool {
	for _, e := range a.edits[s] {
		if isReplaced && e.isReplacement() {
			continue
		}
		for j := e.base.Start; j < e.base.End; j++ {
			if a.hashes[base][j] == a.hashes[base][i] && a.counterparts[s.Other()][j] != nil {
				return true
			}
		}
	}
	return false
}

// An addedCopy is a copy of a member of the base that a side added.
type addedCopy struct {
	node      *Node
	hash      uint64
	low, high int // the first and the last index in the base before which it may have been added
}

// findCopyAddedApart returns the first member of ours that is a new copy of a member of the base, if theirs added an
// equal copy only at other places, so that it is unknown whether the two are one. Otherwise, and for lines of a text,
// it returns nil.
func (a *alignment) findCopyAddedApart() *Node {
	byTheirs := map[uint64][]addedCopy{}
	for _, y := range a.addedCopies(theirs) {
		byTheirs[y.hash] = append(byTheirs[y.hash], y)
	}
	for _, x := range a.addedCopies(ours) {
		mayBeSame := func(y addedCopy) bool { return x.low <= y.high && y.low <= x.high }
		equal := byTheirs[x.hash]
		if len(equal) > 0 && !x.node.isTextLine() && !slices.ContainsFunc(equal, mayBeSame) {
			return x.node
		}
	}
	return nil
}

// addedCopies returns the copies of members of the base that s added, in order. Copies that s added together with
// anything else are left out.
func (a *alignment) addedCopies(s version) (copies []addedCopy) {
	counts := occurrenceCounts[uint64]{}
	for _, v := range [...]version{base, s} {
		for _, hash := range a.hashes[v] {
			counts.add(v, hash)
		}
	}
	isNoCopy := func(hash uint64) bool {
		return hash == 0 || counts[hash][base] == 0 || counts[hash][s] <= counts[hash][base]
	}
	for _, e := range a.edits[s] {
		added := a.hashes[s][e.side.Start:e.side.End]
		if slices.ContainsFunc(added, isNoCopy) {
			continue
		}
		up, down := a.slide(s, e)
		for i, hash := range added {
			copies = append(copies, addedCopy{a.members[s][e.side.Start+i], hash, e.base.Start - up, e.base.End + down})
		}
	}
	return copies
}

// slide returns by how many members the ones that edit e of s added or, if it added none, deleted can move up and down,
// so that the base and the side remain the same: down by one if the member below equals the first of them, and likewise
// up. They do not slide over members with id 0.
func (a *alignment) slide(s version, e sideEdit) (up, down int) {
	all, run := a.hashes[s], e.side
	if run.Empty() {
		all, run = a.hashes[base], e.base
	}
	areEqual := func(i, j int) bool { return all[i] == all[j] && all[i] != 0 }
	for up < e.above && areEqual(run.Start-up-1, run.End-up-1) {
		up++
	}
	for down < e.below && areEqual(run.Start+down, run.End+down) {
		down++
	}
	return up, down
}

// findSliding returns a member of the base if a side deleted or added members, it is unknown at which of several places
// with equal members, and the merge depends on the place, because the other side changed members there. Otherwise it
// returns nil.
//
//	base    ours    theirs
//	--set   --set   --set     ours deleted entries 1 and 2, or 2 and 3;
//	a       b       a         theirs deleted 3 and 4: nothing or "--set" remains
//	--set
//	b
func (a *alignment) findSliding() *Node {
	// lines such as fi belong to the block above them in every place
	isOwnEntry := func(n *Node) bool { return !n.isTextLine() || !isBlockLine(n.Value) }
	for _, s := range sides {
		for _, e := range a.edits[s] {
			if e.isReplacement() { // cannot slide
				continue
			}
			up, down := a.slide(s, e)
			low := e.base.Start - up
			if slices.ContainsFunc(a.members[base][low:low+up+down], isOwnEntry) && a.dependsOnPlace(s, e, up, down) {
				return a.members[base][low]
			}
		}
	}
	return nil
}

// dependsOnPlace reports whether the merge of e, an edit of s that adds or deletes members, with the changes of the
// other side differs if e is made up to up members further up, or down members further down. It returns false if the
// other side made the same edit.
func (a *alignment) dependsOnPlace(s version, e sideEdit, up, down int) bool {
	low, high := e.base.Start-up, e.base.End+down
	own, other := a.membersBetween(s, low, high), a.membersBetween(s.Other(), low, high)
	merge := func(place int) []alignedMember { // the members of the other side, with the edit made at low+place
		if e.isAddition() {
			at := slices.IndexFunc(other, func(x alignedMember) bool { return place == 0 || x.index >= low+place })
			if at < 0 {
				at = len(other)
			}
			return slices.Insert(slices.Clone(other), at, own[place:place+e.side.Len()]...)
		}
		isDeleted := func(x alignedMember) bool { return x.index >= low+place && x.index < low+place+e.base.Len() }
		return slices.DeleteFunc(slices.Clone(other), isDeleted)
	}
	ofOther := slices.Clone(other)
	if !e.isAddition() {
		ofOther = slices.DeleteFunc(ofOther, func(x alignedMember) bool { return x.index < 0 })
	}
	if slices.Equal(own, ofOther) {
		return false
	}
	first := merge(0)
	for place := 1; place <= up+down; place++ {
		if !slices.EqualFunc(merge(place), first, func(x, y alignedMember) bool { return x.hash == y.hash }) {
			return true
		}
	}
	return false
}

// membersBetween returns the members that s has in place of the members low to high-1 of the base. Those that it added
// directly below are included, those directly above are not. The result must not be changed.
func (a *alignment) membersBetween(s version, low, high int) []alignedMember {
	from, to := 0, len(a.aligned[s])
	for i, x := range a.aligned[s] {
		switch {
		case x.index < 0: // added
		case x.index < low:
			from = i + 1
		case x.index == low:
			from = i
		case x.index >= high:
			to = min(to, i)
		}
	}
	return a.aligned[s][from:to]
}

// splitDuplicateViolation returns the violation that it is unknown which of several entries equal to q a side deleted
// or added.
func (q nodeVersions) splitDuplicateViolation() *Violation {
	return q.newViolation(RuleSplitDuplicate, "it is unknown which copy of %s a side deleted or added", q.anyNode().Summary())
}

// isTextLine reports whether n is a line of a text, not an entry or a document.
func (n *Node) isTextLine() bool { return n.reader == nil }

// isNonBlank reports whether n is an entry or a document, or a line of a text that is not blank.
func (n *Node) isNonBlank() bool { return !n.isTextLine() || strings.TrimSpace(n.Value) != "" }
