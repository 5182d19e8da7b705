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
// Where the order matters, a person has to decide which one to keep. The same holds if each side adds a copy of an entry
// at another place. A repeated line may also be deleted together with its neighbors, like the "fi" of an "if". So a
// deleted run of entries is ignored if the side no longer contains one of them.

// checkSplitDuplicates returns a violation if it is unknown which of several equal members a side deleted, or where it
// added a copy, and the merge depends on it. members are the documents, the items of a list or the lines of a text in
// each version; the result is not used. Members with the same id are equal, unless it is 0.
//
//	base   ours   theirs
//	- a    - b    - a
//	- b    - a    - b
//	- a                     violation: which a should remain?
func checkSplitDuplicates(members [versions][]*Node, id func(*Node) uint64) *Violation {
	var hashes [versions][]uint64
	for v, all := range members {
		hashes[v] = hashesOf(all, id)
	}
	var runs [versions][]diff3.Run
	var counterparts [versions][]*Node // for each node of the base: the matching node of the side, or nil
	var isDeleted [versions][]bool     // for each node of the base: whether the side deleted it without a replacement
	for _, s := range sides {
		counterparts[s], isDeleted[s] = make([]*Node, len(hashes[base])), make([]bool, len(hashes[base]))
		runs[s] = diff3.Match(hashes[base], hashes[s])
		last := diff3.Run{}
		for _, r := range append(slices.Clip(runs[s]), diff3.Run{A: len(hashes[base]), B: len(hashes[s])}) {
			copy(counterparts[s][r.A:r.A+r.Len], members[s][r.B:])
			for i := last.A + last.Len; i < r.A; i++ {
				isDeleted[s][i] = last.B+last.Len == r.B
			}
			last = r
		}
	}
	// one side edited members between the places where the other may have deleted or added one
	if n := findSliding(members[base], hashes, runs); n != nil {
		return nodeVersions{base: n}.splitDuplicateViolation()
	}
	// each side deleted another one of equal members
	for _, s := range sides {
		for from, to := 0, 0; from < len(counterparts[s]); from = to + 1 {
			for to = from; to < len(counterparts[s]) && counterparts[s][to] == nil; to++ {
			}
			piece := hashes[base][from:to]
			if slices.ContainsFunc(piece, func(x uint64) bool { return x == 0 || !slices.Contains(hashes[s], x) }) {
				continue
			}
			for i, x := range piece {
				counterpart := counterparts[s.Other()][from+i]
				if counterpart == nil || !members[base][from+i].isNonBlank() {
					continue
				}
				for j, y := range hashes[base] {
					// if both sides replaced one, it is known which one each side meant
					areBothReplaced := !isDeleted[s][from+i] && !isDeleted[s.Other()][j]
					if y == x && counterparts[s][j] != nil && counterparts[s.Other()][j] == nil && !areBothReplaced {
						q := nodeVersions{base: members[base][from+i]}
						q[s.Other()] = counterpart
						return q.splitDuplicateViolation()
					}
				}
			}
		}
	}
	// each side added a copy at another place
	if n := findCopyAddedApart(members[ours], hashes, runs); n != nil {
		return nodeVersions{ours: n}.splitDuplicateViolation()
	}
	return nil
}

// hashesOf returns the ids of nodes, in the same order.
func hashesOf(nodes []*Node, id func(*Node) uint64) (hashes []uint64) {
	for _, n := range nodes {
		hashes = append(hashes, id(n))
	}
	return hashes
}

// findCopyAddedApart returns the first entry of ours that is a new copy of an entry of the base, if theirs added an
// equal copy only at other places, so that it is unknown whether the two are one. Otherwise, and for lines of a text,
// it returns nil. If other entries were added together with a copy, the copy is ignored. entries are the entries of
// ours; hashes and runs are as in findSliding.
func findCopyAddedApart(entries []*Node, hashes [versions][]uint64, runs [versions][]diff3.Run) *Node {
	counts := occurrenceCounts[uint64]{}
	for v, all := range hashes {
		for _, x := range all {
			counts.add(version(v), x)
		}
	}
	type place struct{ index, low, high int } // of a copy in the side, and where in the base it may have been added
	var copies [result]map[uint64][]place
	for _, s := range sides {
		copies[s] = map[uint64][]place{}
		last := diff3.Run{}
		isNoCopy := func(x uint64) bool { return x == 0 || counts[x][base] == 0 || counts[x][s] <= counts[x][base] }
		for _, r := range append(slices.Clip(runs[s]), diff3.Run{A: len(hashes[base]), B: len(hashes[s])}) {
			from := last.B + last.Len
			up, down := slide(hashes[s], from, r.B, last.Len, r.Len)
			if !slices.ContainsFunc(hashes[s][from:r.B], isNoCopy) {
				for i := from; i < r.B; i++ {
					copies[s][hashes[s][i]] = append(copies[s][hashes[s][i]], place{i, last.A + last.Len - up, r.A + down})
				}
			}
			last = r
		}
	}
	isElsewhere := func(x place, all []place) bool {
		return len(all) > 0 && !slices.ContainsFunc(all, func(y place) bool { return x.low <= y.high && y.low <= x.high })
	}
	first := len(entries)
	for x, all := range copies[ours] {
		for _, y := range all {
			if y.index < first && !entries[y.index].isTextLine() && isElsewhere(y, copies[theirs][x]) {
				first = y.index
			}
		}
	}
	if first == len(entries) {
		return nil
	}
	return entries[first]
}

// slide returns by how many entries the run all[from:end] can move up and down so that all without the run is the same:
// down by one if the entry below equals its first one, and likewise up. An empty run cannot slide, and none slides over
// a hash of 0. The limits before and after must be at most from and len(all)-end.
func slide(all []uint64, from, end, before, after int) (up, down int) {
	n := end - from
	areEqual := func(i, j int) bool { return all[i] == all[j] && all[i] != 0 }
	for n > 0 && up < before && areEqual(from-up-1, end-up-1) {
		up++
	}
	for n > 0 && down < after && areEqual(from+down, end+down) {
		down++
	}
	return up, down
}

// findSliding returns an entry of the base if it is unknown which of several equal entries a side deleted, or where it
// added a copy, and the merge depends on it; otherwise nil. entries are the entries of the base, hashes the entries of
// each version, and runs the entries that each side has in common with the base.
//
//	base    ours    theirs
//	--set   --set   --set     ours deleted entries 1 and 2, or 2 and 3;
//	a       b       a         theirs deleted 3 and 4: nothing or "--set" remains
//	--set
//	b
func findSliding(entries []*Node, hashes [versions][]uint64, runs [versions][]diff3.Run) *Node {
	isOwnEntry := func(n *Node) bool { return !n.isTextLine() || !isBlockLine(n.Value) }
	for _, s := range sides {
		last := diff3.Run{}
		for _, run := range append(slices.Clip(runs[s]), diff3.Run{A: len(hashes[base]), B: len(hashes[s])}) {
			start, isReplacement := last.A+last.Len, last.A+last.Len < run.A && last.B+last.Len < run.B
			all, from, end, isAddition := hashes[base], start, run.A, start == run.A
			if isAddition {
				all, from, end = hashes[s], last.B+last.Len, run.B
			}
			up, down := slide(all, from, end, last.Len, run.Len)
			low, high, size := start-up, run.A+down, end-from
			last = run
			// a replaced run cannot slide; lines such as fi belong to the block above them in every place
			if isReplacement || !slices.ContainsFunc(entries[low:low+up+down], isOwnEntry) {
				continue
			}
			own, other := entriesBetween(hashes[s], runs[s], low, high), entriesBetween(hashes[s.Other()], runs[s.Other()], low, high)
			merge := func(place int) []sideEntry { // the entries of the other side, with the edit of s at this place
				if isAddition {
					at := slices.IndexFunc(append(other, sideEntry{index: high}), func(x sideEntry) bool { return place == 0 || x.index >= low+place })
					return slices.Insert(slices.Clone(other), at, own[place:place+size]...)
				}
				return slices.DeleteFunc(slices.Clone(other), func(x sideEntry) bool { return x.index >= low+place && x.index < low+place+size })
			}
			if isSameEdit := slices.Equal(own, slices.DeleteFunc(slices.Clone(other), func(x sideEntry) bool { return x.index < 0 && !isAddition })); isSameEdit {
				continue
			}
			for place := range up + down + 1 {
				if !slices.EqualFunc(merge(place), merge(0), func(x, y sideEntry) bool { return x.hash == y.hash }) {
					return entries[low]
				}
			}
		}
	}
	return nil
}

// A sideEntry is an entry of a side.
type sideEntry struct {
	hash  uint64
	index int // of the entry in the base, or -1 if the side added it
}

// entriesBetween returns the entries that a side has in place of the entries low to high-1 of the base. Those that it
// added directly below are included, those directly above are not. all are the hashes of the side, and runs the entries
// that it has in common with the base.
func entriesBetween(all []uint64, runs []diff3.Run, low, high int) (between []sideEntry) {
	for _, hash := range all {
		between = append(between, sideEntry{hash, -1})
	}
	from, to := 0, len(all)
	for _, r := range runs {
		for i := range r.Len {
			between[r.B+i].index = r.A + i
			switch {
			case r.A+i < low:
				from = r.B + i + 1
			case r.A+i == low:
				from = r.B + i
			case r.A+i >= high:
				to = min(to, r.B+i)
			}
		}
	}
	return between[from:to]
}

// splitDuplicateViolation returns the violation that it is unknown which of several entries equal to q a side deleted or
// added.
func (q nodeVersions) splitDuplicateViolation() *Violation {
	return q.newViolation(RuleSplitDuplicate, "it is unknown which copy of %s a side deleted or added", q.anyNode().Summary())
}

// isTextLine reports whether n is a line of a text, not an entry or a document.
func (n *Node) isTextLine() bool { return n.reader == nil }

// isNonBlank reports whether n is an entry or a document, or a line of a text that is not blank.
func (n *Node) isNonBlank() bool { return !n.isTextLine() || strings.TrimSpace(n.Value) != "" }
