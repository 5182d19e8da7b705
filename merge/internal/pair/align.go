package pair

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// ordered aligns the items of an ordered list: equal items first, then, in
// what stands between them, the most alike. Items that all three versions
// share cut the list into regions; a region that both sides changed is a
// conflict unless the changes are the same, contain each other, or pair by
// place.
type ordered struct {
	of    three.Nodes // the lists
	v     [3][]elem
	list  schema.List // what is known of them
	sums  *sums
	lines *Lines
	order func(a, b string) int // in which all versions are; nil if there is none
	match [3][]int              // of dest and updated: the item that the original's is there, or -1
	back  [3][]int              // the reverse of match
	wraps [3][]int              // of dest and updated: wrappers; of the original: what they wrap; see wrap.go
	steps []Step
}

// align matches the original's items with those of dest and of updated.
func (a *ordered) align() {
	var sums [3][]uint64
	for s := range a.v {
		sums[s] = itemSums(a.v[s])
	}
	var runs [3][]diff3.Run
	runs[three.Dest], runs[three.Updated] = diff3.MatchBoth(sums[three.Original], sums[three.Dest], sums[three.Updated])
	for _, s := range three.Sides {
		a.match[s] = a.fill(s, runs[s])
	}
	a.agree()
	for _, s := range three.Sides {
		a.slide(s)
	}
	for _, s := range three.Sides {
		a.back[s] = inverse(a.match[s], len(a.v[s]))
	}
	a.wrapped()
}

// agree takes apart what says of an item that both sides made, and base has none of, that it came of one of base's for one side, and
// of another for the other one, or of none, unless it surely did.
//
//	base       ours       theirs
//	- {a, 1}   - {a, 1}   - {a, 1}
//	- {b, 1}   - {x, 1}   - {x, 1}    is no b that was renamed, as ours has that
//	           - {b, 1}
func (a *ordered) agree() {
	made := map[uint64]int{}
	for u, e := range a.v[three.Updated] {
		made[e.sum] = u
	}
	for _, e := range a.v[three.Original] {
		delete(made, e.sum)
	}
	var back [3][]int
	for _, s := range three.Sides {
		back[s] = inverse(a.match[s], len(a.v[s]))
	}
	for d, e := range a.v[three.Dest] {
		u, ok := made[e.sum]
		if !ok || back[three.Dest][d] == back[three.Updated][u] {
			continue
		}
		from := [3]int{three.Dest: back[three.Dest][d], three.Updated: back[three.Updated][u]}
		for _, s := range three.Sides {
			i, other := from[s], from[s.Other()]
			if i >= 0 && (other >= 0 || a.match[s.Other()][i] >= 0) && !a.sums.oneThing(a.v[three.Original][i].node, e.node) {
				a.match[s][i] = -1
			}
		}
	}
}

// inverse gives for each of n items the original's that is matched with it, or -1.
func inverse(match []int, n int) []int {
	back := slices.Repeat([]int{-1}, n)
	for i, j := range match {
		if j >= 0 {
			back[j] = i
		}
	}
	return back
}

// slide chooses which of equal neighbours s deleted, as nothing tells them apart: first those that
// the other side changed or deleted. Where s has something else beside them, it replaced those that
// the alignment tells.
//
//	base        ours    theirs
//	[a, a, x]   [a, x]  [b, a, x]   one a is deleted, and changed: a conflict, not [b, x]
func (a *ordered) slide(s three.Version) {
	base, to := a.v[three.Original], a.match[s]
	before := -1 // the last item of s that is matched before the run
	for from, end := 0, 0; from < len(base); from = end {
		for end = from + 1; end < len(base) && base[end].sum == base[from].sum; {
			end++
		}
		var run, kept []int
		changed, first := false, before+1
		for i := from; i < end; i++ {
			run = append(run, i)
			changed = changed || a.changedItem(s, i)
			if to[i] >= 0 {
				kept = append(kept, to[i])
				before = to[i]
			}
		}
		if changed || len(kept) == 0 || len(kept) == len(run) {
			continue
		}
		behind := len(a.v[s])
		if i := slices.IndexFunc(to[end:], func(j int) bool { return j >= 0 }); i >= 0 {
			behind = to[end+i]
		}
		if len(kept) != behind-first {
			continue
		}
		slices.SortStableFunc(run, func(i, j int) int { return cmp.Compare(a.spare(s, i), a.spare(s, j)) })
		left := run[len(run)-len(kept):]
		slices.Sort(left)
		for i := from; i < end; i++ {
			to[i] = -1
		}
		for n, i := range left {
			to[i] = kept[n]
		}
	}
}

// spare ranks the original's item i among its equals by how far it can be the one that s deleted.
func (a *ordered) spare(s three.Version, i int) int {
	switch o := s.Other(); {
	case a.match[o][i] < 0 || a.changedItem(o, i):
		return 0
	case a.match[s][i] < 0:
		return 1
	}
	return 2
}

// fill completes the runs of equal items of the original and of s with those that are alike.
func (a *ordered) fill(s three.Version, equal []diff3.Run) []int {
	to := slices.Repeat([]int{-1}, len(a.v[three.Original]))
	o, x := 0, 0
	for _, r := range append(equal, diff3.Run{A: len(a.v[three.Original]), B: len(a.v[s])}) {
		a.alikeIn(s, to, o, r.A, x, r.B)
		for i := 0; i < r.Len; i++ {
			to[r.A+i] = r.B + i
		}
		o, x = r.A+r.Len, r.B+r.Len
	}
	return to
}

func itemSums(v []elem) []uint64 {
	s := make([]uint64, len(v))
	for i := range v {
		s[i] = v[i].sum
	}
	return s
}

// maxAlike bounds the pairs of items that are compared within one gap.
const maxAlike = 40000

// alikeIn matches original[o0:o1] with s[x0:x1], in order: where there are not too many of them so that
// the sum of the likenesses is greatest, else by their names, those that have none by what they share with one
// other alone, and so between these.
func (a *ordered) alikeIn(s three.Version, to []int, o0, o1, x0, x1 int) {
	if (o1-o0)*(x1-x0) <= maxAlike {
		a.alikest(s, to, o0, o1, x0, x1)
		return
	}
	base, side := a.v[three.Original][o0:o1], a.v[s][x0:x1]
	parts := func(e elem) (all []uint64) { // in the order of the file
		a.sums.eachLeaf(e.node, nil, func(x leaf) { all = append(all, x.sum) })
		return all
	}
	count := map[uint64]int{}
	for _, v := range [][]elem{base, side} {
		for _, e := range v {
			for _, part := range parts(e) {
				count[part]++
			}
		}
	}
	names := func(v []elem) []string {
		all := make([]string, len(v))
		for i, e := range v {
			if all[i] = cmp.Or(syntax.NameOf(e.node), stem(e.node.Value)); all[i] != "" {
				continue
			}
			all[i] = fmt.Sprintf("%p", e.node) // of none but itself
			for _, part := range parts(e) {
				if count[part] == 2 {
					all[i] = fmt.Sprintf("%x", part) // what it shares with one alone
					break
				}
			}
		}
		return all
	}
	o, x := o0, x0
	end := diff3.Run{A: o1 - o0, B: x1 - x0}
	for _, r := range append(diff3.Match(names(base), names(side)), end) {
		if (o0+r.A-o)*(x0+r.B-x) <= maxAlike {
			a.alikest(s, to, o, o0+r.A, x, x0+r.B)
		}
		o, x = o0+r.A, x0+r.B
		for range r.Len {
			to[o] = x
			o, x = o+1, x+1
		}
	}
}

// alikest matches original[o0:o1] with s[x0:x1], in order, so that the sum of
// the likenesses is greatest.
func (a *ordered) alikest(s three.Version, to []int, o0, o1, x0, x1 int) {
	n, m := o1-o0, x1-x0
	if n == 0 || m == 0 {
		return
	}
	other := a.others(s, o0, o1, x0, x1)
	var mate []int
	if a.lines != nil {
		mate = a.lines.witness(s, a.sums, a.v[three.Original][o0:o1], a.v[s][x0:x1])
	}
	w := m + 1
	like := make([]float64, n*m)
	best := make([]float64, (n+1)*w)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			l := 0.0
			if !other(o0+i, x0+j) {
				l = a.sums.alike(a.v[three.Original][o0+i].node, a.v[s][x0+j].node)
			}
			b := max(best[(i+1)*w+j], best[i*w+j+1])
			if mate != nil && mate[i] == j {
				l += 0.3
			}
			if l > 0 && n == m && i == j {
				l += 1e-6 // of equally many items that are equally alike, those of one place are one
			}
			like[i*m+j] = l
			if l > 0 {
				b = max(b, l+best[(i+1)*w+j+1])
			}
			best[i*w+j] = b
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch l := like[i*m+j]; {
		case l > 0 && best[i*w+j] == l+best[(i+1)*w+j+1]:
			to[o0+i] = x0 + j
			i++
			j++
		case best[i*w+j] == best[(i+1)*w+j]:
			i++
		default:
			j++
		}
	}
}

// others returns what reports whether an item of original[o0:o1] and one of
// s[x0:x1] are two things: one of them bears a name that, in the other range, a
// third one bears alone. A copy under another name is not what it was made of.
func (a *ordered) others(s three.Version, o0, o1, x0, x1 int) func(i, j int) bool {
	from, to := bearers(a.v[three.Original], o0, o1), bearers(a.v[s], x0, x1)
	return func(i, j int) bool {
		n, m := a.v[three.Original][i].name, a.v[s][j].name
		if n == m {
			return false
		}
		sure := func(name string) bool { return name != "" && from[name] == 1 && to[name] == 1 }
		return sure(n) || sure(m)
	}
}

// bearers counts the names of v[from:to].
func bearers(v []elem, from, to int) map[string]int {
	n := map[string]int{}
	for _, e := range v[from:to] {
		n[e.name]++
	}
	return n
}

// span is a half-open range of items in each version.
type span struct{ from, to [3]int }

func (p span) len(s three.Version) int { return p.to[s] - p.from[s] }

// in are the items of s in p.
func (a *ordered) in(s three.Version, p span) []elem { return a.v[s][p.from[s]:p.to[s]] }

// changedItem reports whether s changed the data of the original's item i,
// which it still has.
func (a *ordered) changedItem(s three.Version, i int) bool {
	j := a.match[s][i]
	return j >= 0 && a.v[s][j].sum != a.v[three.Original][i].sum
}

// keepFrom makes the steps of a region from the items of s; the original's
// items that s lacks become steps without s.
func (a *ordered) keepFrom(s three.Version, p span) {
	next := p.from[s]
	for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
		st := Triple(i, a.match[three.Dest][i], a.match[three.Updated][i])
		if j := a.match[s][i]; j >= 0 {
			a.added(s, diff3.Range{Start: next, End: j})
			next = j + 1
		}
		a.steps = append(a.steps, st)
	}
	a.added(s, diff3.Range{Start: next, End: p.to[s]})
}

// sole remembers x for k, or -1 once there is another.
func sole[K comparable](m map[K]int, k K, x int) {
	if have, ok := m[k]; ok && have != x {
		x = -1
	}
	m[k] = x
}

// mutual yields what is one of from and to, where neither is one with another, in the order of from.
func mutual(from, to int, one func(i, j int) bool) iter.Seq2[int, int] {
	mate, back := map[int]int{}, map[int]int{}
	for i := range from {
		for j := range to {
			if one(i, j) {
				sole(mate, i, j)
				sole(back, j, i)
			}
		}
	}
	return func(yield func(i, j int) bool) {
		for i := range from {
			if j, ok := mate[i]; ok && j >= 0 && back[j] == i && !yield(i, j) {
				return
			}
		}
	}
}
