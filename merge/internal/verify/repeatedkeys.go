package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A mapping key may be repeated by mistake. Most programs use the last of its fields, some the first, and some reject
// the file.
//
//	base  ours  theirs   line merge
//	a: 1  a: 5  a: 1     a: 5
//	b: 2  b: 2  b: 2     b: 2
//	            a: 3     a: 3     # ours' edit has no effect

// checkRepeatedKeys records a violation for each mapping key that a side repeats, if a program that reads only the
// first or the last of its fields may not see an edit of the other side (checkRepeatedKey). matches are the children of
// a collection; items are ignored.
func (c *checker) checkRepeatedKeys(matches []*match) {
	for _, k := range matches {
		isFirst := k == k.matches[0] // each key is checked once
		if isFirst && k.hasSeveral() && k.nodes.anyNode().isField() {
			c.record(c.checkRepeatedKey(k.idGroup))
		}
	}
}

// checkRepeatedKey returns a violation if a side repeats a mapping key, and programs that read only the first or the
// last field may not see an edit of the other side. group has the fields with the key in all versions.
//
//	base    ours    theirs    result
//	a: 1    a: 5    a: 1      a: 5      violation: programs that read the last a
//	                a: 3      a: 3      do not see ours' edit
func (c *checker) checkRepeatedKey(group *idGroup) *Violation {
	counts := group.counts
	isRepeatedBySide := max(counts[ours], counts[theirs]) > 1
	isAsInBase := counts[ours] == counts[base] && counts[theirs] == counts[base]
	if !isRepeatedBySide || isAsInBase || group.matches[0].nodes.anyNode().Entry.IsMergeKey() {
		return nil
	}
	inConflict := slices.ContainsFunc(group.matches, func(k *match) bool {
		return k.nodes.hasNode(func(n *Node) bool { return n.conflict != outside })
	})
	fields := group.fieldsWithValue()
	switch {
	case inConflict && c.maker == byPerson: // who may have removed the repetition
		return nil
	case inConflict && counts[result] <= counts[c.Conflicts[0].Chosen]: // it has only fields of the chosen side
		return nil
	case !inConflict && counts[base] > 1 && counts[result] < 2: // the repetition of the base was removed
		return nil
	case len(fields[ours]) < 2 && len(fields[theirs]) < 2:
		return nil
	}
	return checkRepeatedFields(&fields, inConflict)
}

// fieldsWithValue returns the fields of g, which have one mapping key, in each version, in order. Fields at the start
// whose value is null are left out, because they hide no value. If all fields are null, the last one remains.
func (g *idGroup) fieldsWithValue() (fields [versions][]*Node) {
	for _, k := range g.matches {
		for v, n := range k.nodes {
			switch before := fields[v]; {
			case n == nil:
			case len(before) == 1 && before[0].IsNull():
				before[0] = n
			default:
				fields[v] = append(before, n)
			}
		}
	}
	return fields
}

// checkRepeatedFields returns a violation if the sides changed the fields with one mapping key differently, and a
// program that reads only the first or only the last of these fields misses an edit. all has the fields of each
// version. If inConflict, every such change is a violation, even if no edit is missed.
//
//	base    ours    theirs        result
//	a: 1    a: 5    a: 1, a: 3    a: 5, a: 3    violation: the last a is 5 in ours, and 3 in theirs
func checkRepeatedFields(all *[versions][]*Node, inConflict bool) *Violation {
	areEqual := func(a, b version) bool {
		return slices.EqualFunc(all[a], all[b], func(x, y *Node) bool { return x.Data == y.Data })
	}
	if _, ok := three.PickBy(areEqual); ok { // only one side changed them, or both in the same way
		return nil
	}
	var first, last nodeVersions
	for v, fields := range all {
		if len(fields) > 0 {
			first[v], last[v] = fields[0], fields[len(fields)-1]
		}
	}
	if !inConflict && first.isMerged() && last.isMerged() {
		return nil
	}
	repeating := ours
	if len(all[ours]) < 2 {
		repeating = theirs
	}
	return last.newViolation(RuleRepeatedKey, "%s has the key %q %d times, and %s changed the field; most programs read only the last copy",
		repeating, last[repeating].Entry.Key.Value, len(all[repeating]), repeating.Other())
}

// isMerged reports whether the data of q in the result is the merge of the inputs: at most one side changed q, or both
// in the same way, and the result has this change. If only one side deleted q, the result must lack it.
func (q nodeVersions) isMerged() bool {
	hashes := q.dataHashes()
	want, ok := choose(hashes)
	return ok && want == hashes[result]
}
