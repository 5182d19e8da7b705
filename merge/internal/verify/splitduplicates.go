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

// An alignment has the members of a collection or text in base, ours and theirs, and which members of each side git's
// diff aligns with which of the base.
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

// align returns an alignment of the members of a collection in base, ours and theirs: which members of each side git's
// diff takes for members of the base, and where each side added or deleted others. id returns the id of a member;
// members with the same id are equal. members[result] is not used.
func align(members [versions][]*Node, id func(*Node) uint64) *alignment {
	a := &alignment{members: members}
	for v := range result {
		for _, n := range members[v] {
			a.hashes[v] = append(a.hashes[v], id(n))
		}
	}
	for _, s := range sides {
		a.counterparts[s] = make([]*Node, len(members[base]))
		for _, hash := range a.hashes[s] {
			a.aligned[s] = append(a.aligned[s], alignedMember{hash, -1})
		}
		// the aligned runs and, so that the last edit is found, an empty one at the end
		runs := append(diff3.Match(a.hashes[base], a.hashes[s]), diff3.Run{A: len(members[base]), B: len(members[s])})
		above := diff3.Run{}
		for _, below := range runs {
			for i := range below.Len {
				a.aligned[s][below.B+i].index = below.A + i
				a.counterparts[s][below.A+i] = members[s][below.B+i]
			}
			inBase, inSide := diff3.Range{Start: above.A + above.Len, End: below.A}, diff3.Range{Start: above.B + above.Len, End: below.B}
			if !inBase.Empty() || !inSide.Empty() {
				a.edits[s] = append(a.edits[s], sideEdit{inBase, inSide, above.Len, below.Len})
			}
			above = below
		}
	}
	return a
}

// checkSplitDuplicates returns a violation if it is unknown which of several equal members a side deleted, or where it
// added a copy, and merges of the possible edits differ. Members with id 0 equal no other.
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

// findDeletedApart finds a member of the base that only s deleted, while the other side deleted only an equal member,
// so that both sides may mean the same one. It returns the index of the member in the base, or -1. Edits of s are left
// out if they also delete a member that s has nowhere else, because this shows their place. Blank lines are ignored.
//
//	base       s       other side    result
//	a, b, a    b, a    a, b          0
func (a *alignment) findDeletedApart(s version) int {
	isGone := func(x uint64) bool { return x == 0 || !slices.Contains(a.hashes[s], x) }
	for _, e := range a.edits[s] {
		if slices.ContainsFunc(a.hashes[base][e.base.Start:e.base.End], isGone) {
			continue // the member that s has nowhere else shows the place of the edit
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

// hasDeletedEqual reports whether s deleted a member of the base that equals member i and that the other side kept, so
// that both sides may mean the same member. If the other side replaced member i (isReplaced), members that s replaced
// do not count, because the replacements show which member each side meant.
//
//	base       s       other side    i    result
//	a, b, a    b, a    a, b          2    true: s deleted the first a
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

// findCopyAddedApart finds copies of a member of the base that both sides added, but at different places, so that it is
// unknown whether they mean one copy. It returns the copy in ours, or nil if there is none. If a copy can have been
// added at several places, none of these may be a place of an equal copy in theirs. Lines of a text are ignored.
//
//	base       ours          theirs        result
//	a, b, c    a, b, a, c    a, b, c, a    the second a of ours
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

// addedCopies returns the copies of members of the base that s added, in order, each with the places where s may have
// added it. One edit can add several copies. If it also adds a member that is no copy, all of its copies are left out,
// because this member shows at which place s added them. A member that s only moved is no copy.
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

// slide returns by how many members edit e of s can move up and down so that the base and the side remain the same. For
// example, either of two equal members may be the added one. Members with id 0 equal no other.
//
//	base    side       edit                  result
//	a, b    a, a, b    adds the second a     up 1, down 0
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
// returns nil. Edits that can only move over lines such as fi are ignored.
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
			passed := a.members[base][low : low+up+down] // the members over which the edit can move
			if slices.ContainsFunc(passed, isOwnEntry) && a.dependsOnPlace(s, e, up, down) {
				return passed[0]
			}
		}
	}
	return nil
}

// dependsOnPlace reports whether the place of e, an edit of s that adds or deletes members, makes a difference when it
// is merged with the changes of the other side. The possible places are from maxUp members above e to maxDown members
// below it (see slide). It returns false if the other side made the same edit.
//
//	base    ours    theirs
//	a, a    a       a, x, a    true: with the first a deleted, the merge is x, a, otherwise a, x
func (a *alignment) dependsOnPlace(s version, e sideEdit, maxUp, maxDown int) bool {
	low, high := e.base.Start-maxUp, e.base.End+maxDown
	own, other := a.membersBetween(s, low, high), a.membersBetween(s.Other(), low, high)
	// mergeAt returns the members of the other side, with the edit of s made at this offset from low
	mergeAt := func(offset int) []alignedMember {
		at := low + offset // in the base
		if !e.isAddition() {
			isDeleted := func(x alignedMember) bool { return x.index >= at && x.index < at+e.base.Len() }
			return slices.DeleteFunc(slices.Clone(other), isDeleted)
		}
		// in own [a, a], with one a in the base, either the first or the second a is the added one
		added := own[offset : offset+e.side.Len()]
		// above the member of the base or, at the first place, above everything that the other side has
		i := slices.IndexFunc(other, func(x alignedMember) bool { return offset == 0 || x.index >= at })
		if i < 0 {
			i = len(other)
		}
		return slices.Insert(slices.Clone(other), i, added...)
	}
	ofOther := slices.Clone(other)
	if !e.isAddition() { // what the other side added is not a part of the same deletion
		ofOther = slices.DeleteFunc(ofOther, func(x alignedMember) bool { return x.index < 0 })
	}
	if slices.Equal(own, ofOther) {
		return false
	}
	first := mergeAt(0)
	for offset := 1; offset <= maxUp+maxDown; offset++ {
		if !slices.EqualFunc(mergeAt(offset), first, func(x, y alignedMember) bool { return x.hash == y.hash }) {
			return true
		}
	}
	return false
}

// membersBetween returns the members that s has in place of the members of the base from low to high-1. It includes
// members that s added directly below them. It includes those added directly above them only if s deleted member low.
// The result must not be changed.
//
//	base       s                low, high    result
//	a, b, c    a, x, b, y, c    1, 2         b, y
//	a, b, c    a, x, c          1, 2         x
func (a *alignment) membersBetween(s version, low, high int) []alignedMember {
	from, to := 0, len(a.aligned[s])
	for i, x := range a.aligned[s] {
		switch {
		case x.index < 0: // added
		case x.index < low:
			from = i + 1
		case x.index == low:
			from = i // without what s added above it
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
