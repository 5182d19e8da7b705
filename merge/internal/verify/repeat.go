package verify

import "slices"

// A mapping may have a key twice in a file that nobody meant to be so. Most programs read the last of its fields, some the
// first, and some refuse the file.
//
//	base  ours  theirs   The lines of both merge to a: 5, b: 2, a: 3: what ours set has no effect.
//	a: 1  a: 5  a: 1
//	b: 2  b: 2  b: 2
//	            a: 3

// repeatedKey refuses q, a mapping of which a side has a key more often than once, if one side added or removed a field of that
// key, the other side changed these fields too, and the first or the last of them in the result is not the three-way merge of
// the first or the last ones. If some of these fields are in conflict, the result may have as many as the side that was
// taken; what a person decided is not judged. Nor are merge keys (<<).
func (c *checker) repeatedKey(q quad) *Violation {
	if !q.repeatsKey() {
		return nil
	}
	id := c.byGuard(q, ByKey)
	fields, open := map[uint64]*[versions][]*Node{}, map[uint64]bool{}
	var keys []uint64 // of fields, in their order
	for v := range versions {
		for kids := q[v].Inside(); len(kids) > 0; kids = kids[1:] {
			n := &kids[0]
			if n.Entry.Key.Tag == "!!merge" {
				continue
			}
			key := id(n)
			if fields[key] == nil {
				fields[key] = &[versions][]*Node{}
				keys = append(keys, key)
			}
			fields[key][v] = append(fields[key][v], n)
			open[key] = open[key] || n.Masked || n.Partial || n.For != base
		}
	}
	for _, key := range keys {
		all := fields[key]
		added := [2]int{len(all[ours]) - len(all[base]), len(all[theirs]) - len(all[base])}
		switch twice := max(len(all[ours]), len(all[theirs])) > 1; {
		case !twice, added == [2]int{}, open[key] && c.by == byPerson:
			continue
		case open[key] && len(all[result]) <= len(all[c.Conflicts[0].Taken]):
			continue
		}
		if x := repeated(all, open[key]); x != nil {
			return x
		}
	}
	return nil
}

// repeatsKey reports whether ours or theirs has a key of the mapping q more often than once.
func (q quad) repeatsKey() bool {
	for _, s := range sides {
		seen := map[uint64]bool{}
		for _, n := range q[s].Inside() {
			if seen[n.ID] {
				return true
			}
			seen[n.ID] = true
		}
	}
	return false
}

// sameData reports whether a and b say the same.
func sameData(a, b *Node) bool { return a.Data == b.Data }

// repeated refuses the fields of one key, of which ours or theirs has several, and of which some are in conflict if open.
func repeated(all *[versions][]*Node, open bool) *Violation {
	for _, s := range sides {
		if slices.EqualFunc(all[base], all[s], sameData) {
			return nil // the other side alone changed them
		}
	}
	if slices.EqualFunc(all[ours], all[theirs], sameData) {
		return nil
	}
	var first, last quad
	for v, fields := range all {
		if len(fields) > 0 {
			first[v], last[v] = fields[0], fields[len(fields)-1]
		}
	}
	if !open && first.chosen() && last.chosen() {
		return nil
	}
	twice := ours
	if len(all[ours]) < 2 {
		twice = theirs
	}
	return last.violation(ruleKeyTwice, "%s has the key %q %d times, and %s changed it too; most programs read the last one only",
		twice, last[twice].Entry.Key.Value, len(all[twice]), twice.Other())
}

// chosen reports whether at most one side changed q, or both alike, and the result has that.
func (q quad) chosen() bool {
	sums := q.data()
	want, ok := choose(sums)
	return ok && want == sums[result]
}
