package pair

import (
	"bytes"
	"maps"
	"slices"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// rename joins what a side removed with what it added under a new key. What the other side
// added under that key is the same thing, unless that is another one's new key there:
//
//	base  ours  theirs
//	a: 1  a: 1  c: 1
//	b: 2  c: 2
func (k *keyed) rename() {
	var to [3]map[int]int
	for _, s := range three.Sides {
		to[s] = k.renamed(s)
	}
	for _, s := range three.Sides {
		other := s.Other()
		for _, r := range slices.Sorted(maps.Keys(to[s])) {
			a := to[s][r]
			if k.steps[a].At[s] < 0 || k.steps[r].At[s] >= 0 {
				continue // joined by the other side
			}
			if k.steps[a].At[other] >= 0 && differs(to[other], r, a) {
				continue
			}
			k.join(s, r, a)
		}
	}
}

// differs reports whether to has r with another one than a, or a with another one than r.
func differs(to map[int]int, r, a int) bool {
	for removed, added := range to {
		if (removed == r) != (added == a) {
			return true
		}
	}
	return false
}

// renamed pairs what s removed with what it added where they are surely one thing
// under a new key: unique both ways, and at least three leaves of which at least
// three quarters are equal, or the very same content at the same place.
func (k *keyed) renamed(s three.Version) map[int]int {
	removed, added := k.changedKeys(s)
	if len(removed) == 0 || len(added) == 0 || len(removed)*len(added) > 10000 {
		return nil
	}
	to, place := map[int]int{}, k.places(s)
	for i, j := range mutual(len(removed), len(added), func(i, j int) bool {
		same, _, n := k.shared(s, removed[i], added[j])
		if n >= 3 {
			return 4*same >= 3*n
		}
		return n > 0 && same == n && place[removed[i]] == place[added[j]]
	}) {
		to[removed[i]] = added[j]
	}
	return to
}

// changedKeys returns the steps that s removed from the original, and those
// that s alone added.
func (k *keyed) changedKeys(s three.Version) (removed, added []int) {
	for _, n := range k.id[three.Original] {
		if k.steps[n].At[s] < 0 {
			removed = append(removed, n)
		}
	}
	for _, n := range k.id[s] {
		if k.steps[n].At[three.Original] < 0 {
			added = append(added, n)
		}
	}
	return removed, added
}

// places numbers the gaps between the elements that the original and s share,
// for the steps of both.
func (k *keyed) places(s three.Version) map[int]int {
	place := map[int]int{}
	for _, v := range [2]three.Version{three.Original, s} {
		g := 0
		for _, n := range k.id[v] {
			if k.steps[n].At[three.Original] >= 0 && k.steps[n].At[s] >= 0 {
				g++
				continue
			}
			place[n] = g
		}
	}
	return place
}

// join makes the step of an added element that of the removed one.
func (k *keyed) join(s three.Version, removed, added int) {
	a := &k.steps[added]
	if other := a.At[s.Other()]; other >= 0 && k.steps[removed].At[s.Other()] >= 0 {
		return // the other side has both: not the same thing
	}
	k.steps[removed].At[s] = a.At[s]
	k.id[s][a.At[s]] = removed
	a.At[s] = -1
	if other := a.At[s.Other()]; other >= 0 {
		// both renamed alike
		k.steps[removed].At[s.Other()] = other
		k.id[s.Other()][other] = removed
		a.At[s.Other()] = -1
	}
}

// aligned joins, for side s, elements that s removed with those that it added in
// their place, as their lines tell; and for the other side too what that gave another key.
func (k *keyed) aligned(s three.Version) {
	other := s.Other()
	to, too := k.replaced(s), k.replaced(other)
	for _, r := range slices.Sorted(maps.Keys(to)) {
		a := to[r]
		b, both := too[r]
		if both = both && k.steps[b].At[other] >= 0; both { // it was not joined with another
			both = k.steps[a].At[other] < 0 && k.steps[b].At[s] < 0
		}
		if k.hasTwin(s, a, to) || both && k.hasTwin(other, b, too) {
			continue
		}
		if both || k.followed(s, r, a) {
			k.join(s, r, a)
		}
		if both {
			k.join(other, r, b)
		}
	}
}

// replaced are the elements that s added in the place of those that it removed, as its lines tell.
func (k *keyed) replaced(s three.Version) map[int]int {
	removed, added := k.changedKeys(s)
	if len(removed) == 0 || len(added) == 0 {
		return nil
	}
	at := func(s three.Version, steps []int) (at []elem) {
		for _, n := range steps {
			at = append(at, k.v[s][k.steps[n].At[s]])
		}
		return at
	}
	to := map[int]int{}
	for i, j := range k.lines.witness(s, k.sums, at(three.Original, removed), at(s, added)) {
		if j >= 0 {
			to[removed[i]] = added[j]
		}
	}
	return to
}

// moved joins, for side s, resources that s has in another namespace, or in one of
// two API groups: of their kind and name there is one in each version.
func (k *keyed) moved(s three.Version) {
	removed, added := k.changedKeys(s)
	if len(removed) == 0 || len(added) == 0 {
		return
	}
	var kins [3][]string
	for v := range k.v {
		kins[v] = make([]string, len(k.v[v]))
		for i, e := range k.v[v] {
			kins[v][i] = e.kin
		}
	}
	only, was := schema.UniqueInAll(kins), map[string]int{}
	for _, n := range removed {
		was[k.v[three.Original][k.steps[n].At[three.Original]].kin] = n
	}
	for _, n := range added {
		kin := k.v[s][k.steps[n].At[s]].kin
		if r, ok := was[kin]; ok && only[kin] {
			k.lines.Asked = true
			k.join(s, r, n)
		}
	}
}

// hasTwin reports whether s added another element that is the same as the added one but for its key, and that is in the place of
// nothing by to, which says what s added in the place of what it removed: which of the two was removed, nothing tells.
func (k *keyed) hasTwin(s three.Version, added int, to map[int]int) bool {
	x := k.v[s][k.steps[added].At[s]]
	return slices.ContainsFunc(k.id[s], func(n int) bool {
		if n == added || k.steps[n].At[three.Original] >= 0 || !slices.Equal(k.sums.leavesBeside(x).all, k.sums.leavesBeside(k.v[s][k.steps[n].At[s]]).all) {
			return false
		}
		for _, a := range to {
			if a == n {
				return false
			}
		}
		return true
	})
}

// followed reports whether it matters that s gave an element another key: to the
// other side, which still has it, or gave it the same one. What reads a field
// knows it by its name, so that edits follow only if both renamed it.
func (k *keyed) followed(s three.Version, removed, added int) bool {
	o, x := k.v[three.Original][k.steps[removed].At[three.Original]], k.v[s][k.steps[added].At[s]]
	if o.node.Kind != x.node.Kind || k.sums.Wraps(x.node, o.node) {
		return false
	}
	return k.steps[added].At[s.Other()] >= 0 || k.steps[removed].At[s.Other()] >= 0 && !o.field
}

// renamedAlike joins what both sides removed with what both added under one name,
// where half of the leaves of the smaller are alike and nothing else there is: they
// gave it the same new name, and what one of them deleted in it stays deleted.
func (k *keyed) renamedAlike() {
	var removed, added []int
	for n, st := range k.steps {
		gone := st.At[three.Dest] < 0 && st.At[three.Updated] < 0
		switch {
		case st.At[three.Original] >= 0 && gone:
			removed = append(removed, n)
		case st.At[three.Original] < 0 && st.At[three.Dest] >= 0 && st.At[three.Updated] >= 0:
			added = append(added, n)
		}
	}
	if len(removed) == 0 || len(removed)*len(added) > 10000 {
		return
	}
	half := func(s three.Version, r, a int) bool {
		same, least, _ := k.shared(s, r, a)
		return same > 0 && 2*same >= least
	}
	for i, j := range mutual(len(removed), len(added), func(i, j int) bool {
		return half(three.Dest, removed[i], added[j]) && half(three.Updated, removed[i], added[j])
	}) {
		k.join(three.Dest, removed[i], added[j])
	}
}

// shared compares the leaves of what s removed and of what it added; all counts are 0 if they are of two kinds.
func (k *keyed) shared(s three.Version, removed, added int) (same, least, most int) {
	o, x := k.v[three.Original][k.steps[removed].At[three.Original]], k.v[s][k.steps[added].At[s]]
	if o.node.Kind != x.node.Kind {
		return 0, 0, 0
	}
	return k.sums.leavesBeside(o).compare(k.sums.leavesBeside(x))
}

// leavesBeside returns the leaves of e but for the fields that are its key.
func (c *sums) leavesBeside(e elem) leafSums {
	if e.aside == nil {
		return c.leavesOf(e.node)
	}
	return c.leafSums(e.node, e.aside)
}

// Lines are the second witness of what is one thing: where no name pairs two
// entries, git's diff of the lines of both versions may.
type Lines struct {
	Files   [3]*text.File
	LeftOut string // what the keys have that stand for entries that were left out; empty if none were
	Asked   bool   // something was looked up

	aligned *diff3.Versions // the lines of Files without the blanks around them, which a formatter changes
	mates   [3][]int        // of dest and updated: the line of each of the original's, -1 where it is gone
}

// of returns the mates in s of the original's lines.
func (l *Lines) of(s three.Version) []int {
	l.Asked = true
	if l.mates[s] != nil {
		return l.mates[s]
	}
	if l.aligned == nil {
		var v [3][]byte
		for s, f := range l.Files {
			for line := range bytes.Lines(f.Bytes()) {
				v[s] = append(append(v[s], bytes.TrimSpace(line)...), '\n')
			}
		}
		l.aligned = diff3.NewVersions(v[0], v[1], v[2])
	}
	runs, withUpdated := l.aligned.Align(diff3.Merge)
	if s == three.Updated {
		runs = withUpdated
	}
	mates := slices.Repeat([]int{-1}, l.Files[three.Original].Line(len(l.Files[three.Original].Bytes())))
	for _, r := range runs {
		for i := range r.Len {
			mates[r.A+i] = r.B + i
		}
	}
	l.mates[s] = mates
	return mates
}

// lineRange is the lines of sp in version s, from 0.
func (l *Lines) lineRange(s three.Version, sp text.Span) diff3.Range {
	if sp.Empty() {
		return diff3.Range{}
	}
	return diff3.Range{Start: l.Files[s].Line(sp.Start) - 1, End: l.Files[s].Line(sp.End - 1)}
}

// leastKept is how many lines two entries have in common at least, one behind the other, that are one by their lines.
const leastKept = 3

// A passage is the lines of an entry.
type passage struct {
	diff3.Range
	// evidence are those lines that may show that two entries are one. A line is none if it has no letter and no digit, or if
	// it has a key and no value but boilerplate and the entry's own key:
	//
	//	kind: ConfigMap
	//	metadata:
	//	  name: mail      # in a resource, whose key it is
	evidence map[int]bool
}

// passages returns the lines of entries of version s.
func (l *Lines) passages(s three.Version, c *sums, of []elem) []passage {
	all := make([]passage, len(of))
	for i, e := range of {
		p := passage{l.lineRange(s, e.at), map[int]bool{}}
		for n := p.Start; n < p.End; n++ {
			line := l.Files[s].Slice(text.Span{Start: l.Files[s].LineOffset(n + 1), End: l.Files[s].LineOffset(n + 2)})
			p.evidence[n] = bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		}
		eachKey(e.node, func(key *syntax.Node) { delete(p.evidence, l.Files[s].Line(key.Span.Start)-1) })
		c.eachLeaf(e.node, e.aside, func(x leaf) {
			if !x.boilerplate { // its further lines have no key
				p.evidence[l.lineRange(s, x.node.Span).Start] = true
			}
		})
		maps.DeleteFunc(p.evidence, func(_ int, is bool) bool { return !is })
		all[i] = p
	}
	return all
}

// eachKey calls f for each key in n.
func eachKey(n *syntax.Node, f func(key *syntax.Node)) {
	for _, e := range n.Entries {
		if e.Key != nil {
			f(e.Key)
		}
		eachKey(e.Value, f)
	}
}

// kept is how many lines of evidence an entry of the original and one of a side have in common: in all, and at most one behind the
// other.
type kept struct{ all, run int }

// witness pairs entries of the original, from, with entries of s, to, both in order: it returns for each of from the index of
// the one of to, or -1. Two are one if half of the lines of evidence of the smaller one are in both, one behind the other, or
// anywhere if more than two thirds of its leaves are equal. The first or last line of the smaller one has to be in the other, and
// no other entry may have more lines in common with either.
func (l *Lines) witness(s three.Version, c *sums, from, to []elem) []int {
	mates := l.of(s)
	was, is := l.passages(three.Original, c, from), l.passages(s, c, to)
	owner := map[int]int{}
	for j, p := range is {
		for n := p.Start; n < p.End; n++ {
			owner[n] = j
		}
	}
	best, shared := make([]int, len(from)), map[[2]int]kept{}
	taker := map[int]int{}
	for i, p := range was {
		best[i] = -1
		run := 0
		for n := p.Start; n < p.End; n++ {
			j, ok := owner[mates[n]]
			if !ok {
				continue
			}
			if n == p.Start || mates[n] != mates[n-1]+1 || owner[mates[n-1]] != j {
				run = 0
			}
			if !p.evidence[n] {
				continue
			}
			run++
			k := shared[[2]int{i, j}]
			shared[[2]int{i, j}] = kept{k.all + 1, max(k.run, run)}
			if best[i] < 0 || k.all+1 > shared[[2]int{i, best[i]}].all {
				best[i] = j
			}
		}
		j := best[i]
		if j < 0 {
			continue
		}
		nearly := func() bool {
			same, n, _ := c.leavesBeside(from[i]).compare(c.leavesBeside(to[j]))
			return nearlyAlike(same, n)
		}
		if !half(mates, p, is[j], shared[[2]int{i, j}], nearly) {
			best[i] = -1
			continue
		}
		if k, ok := taker[j]; ok && shared[[2]int{k, j}].all >= shared[[2]int{i, j}].all {
			best[i] = -1
			continue
		} else if ok {
			best[k] = -1
		}
		taker[j] = i
	}
	return best
}

// Keeps reports whether s has more than half of the lines of the original at sp, as git's diff aligns them.
func (l *Lines) Keeps(s three.Version, sp text.Span) bool {
	mates, kept := l.of(s), 0
	r := l.lineRange(three.Original, sp)
	for n := r.Start; n < r.End; n++ {
		if mates[n] >= 0 {
			kept++
		}
	}
	return 2*kept > r.Len()
}

// half reports whether the lines that a and b have in common are enough to make them one: half of the lines of evidence of the
// smaller one, at least leastKept, in one run, or in all if its leaves are nearly alike.
func half(mates []int, a, b passage, k kept, nearly func() bool) bool {
	size := min(len(a.evidence), len(b.evidence))
	enough := func(n int) bool { return n >= leastKept && 2*n >= size }
	if !enough(k.run) && !(enough(k.all) && nearly()) {
		return false
	}
	first, last := mates[a.Start], mates[a.End-1]
	if a.Len() <= b.Len() {
		return within(first, b.Range) || within(last, b.Range)
	}
	for i := a.Start; i < a.End; i++ {
		if mates[i] == b.Start || mates[i] == b.End-1 {
			return true
		}
	}
	return false
}

func within(n int, r diff3.Range) bool { return r.Start <= n && n < r.End }
