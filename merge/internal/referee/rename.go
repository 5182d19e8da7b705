package referee

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// maxRenames bounds the pairs that are compared in one collection, to know what
// is one thing under two keys, or twice.
const maxRenames = 10000

// followRenames joins rows: where a side removed an element and added another
// that is surely the same thing under a new key, what the other side changed
// in it has to stand under the new key. Surely means: unique both ways, and at least three leaves of which three quarters are equal, the key
// aside, or the same content at the same place.
func (t *rows) followRenames(aside []string) {
	for _, s := range sides {
		removed, added := t.changes(s)
		if n := len(removed) * len(added); n == 0 || n > maxRenames {
			continue
		}
		t.join(s, t.likenesses(s, removed, added, aside))
	}
}

// changes returns the rows that s removed and those that it added.
func (t *rows) changes(s version) (removed, added []*row) {
	for i := range t.of {
		switch r := &t.of[i]; {
		case r.at[original] != nil && r.at[s] == nil:
			removed = append(removed, r)
		case r.at[original] == nil && r.at[s] != nil:
			added = append(added, r)
		}
	}
	return removed, added
}

// likenesses returns the pairs of removed and added that are unique both ways.
func (t *rows) likenesses(s version, removed, added []*row, aside []string) map[*row]*row {
	gap := t.gaps(s)
	before, after := leavesOf(removed, original, aside), leavesOf(added, s, aside)
	to, from := map[*row]*row{}, map[*row]*row{}
	times := map[*row]int{}
	for i, r := range removed {
		for j, a := range added {
			if r.at[original].Kind != a.at[s].Kind || !alike(before[i], after[j], gap[r] == gap[a]) {
				continue
			}
			to[r], from[a] = a, r
			times[r]++
			times[a]++
		}
	}
	for r, a := range to {
		if times[r] > 1 || times[a] > 1 {
			delete(to, r)
		}
	}
	return to
}

func alike(a, b []uint64, samePlace bool) bool {
	n, same := max(len(a), len(b)), 0
	if 4*min(len(a), len(b)) < 3*n {
		return false
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			same, i, j = same+1, i+1, j+1
		}
	}
	return same == n && samePlace || n >= 3 && 4*same >= 3*n
}

// gaps numbers the places between what the original and s both have, for the
// rows that only one of them has.
func (t *rows) gaps(s version) map[*row]int {
	gap := map[*row]int{}
	for _, v := range [...]version{original, s} {
		at := 0
		for _, r := range t.order(v) {
			if r.at[original] != nil && r.at[s] != nil {
				at++
			} else {
				gap[r] = at
			}
		}
	}
	return gap
}

// leavesOf returns the sorted leaves of each row's node in v.
func leavesOf(rs []*row, v version, aside []string) [][]uint64 {
	all := make([][]uint64, len(rs))
	for i, r := range rs {
		all[i] = r.at[v].leaves(nil, 0, aside)
		slices.Sort(all[i])
	}
	return all
}

// leaves appends the sums of n's leaves and their paths, but for the fields in
// aside.
func (n *node) leaves(to []uint64, path uint64, aside []string) []uint64 {
	if len(n.kids) == 0 {
		return append(to, mix(path, n.full))
	}
	for i := range n.kids {
		kid := &n.kids[i]
		if n.Kind == syntax.Mapping && slices.Contains(aside, kid.entry.Key.Value) {
			continue
		}
		to = kid.leaves(to, mix(path, kid.id), nil)
	}
	return to
}

// join makes each added row the continuation of the removed one.
func (t *rows) join(s version, pairs map[*row]*row) {
	x := s.other()
	for r, a := range pairs {
		if r.at[x] != nil && a.at[x] != nil {
			continue // the other side has both
		}
		for _, v := range [...]version{original, x} {
			if r.at[v] != nil {
				a.at[v], a.pos[v], r.at[v] = r.at[v], r.pos[v], nil
			}
		}
	}
}
