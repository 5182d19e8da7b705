package pair

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// leastSorted is how many entries a collection has at least in each version that is taken for
// a sorted one: of fewer, too many are sorted by chance.
const leastSorted = 3

// orders are those in which people keep collections: by bytes, by letters, by numbers and by
// the numbers within, as versions are.
var orders = []func(a, b string) int{
	strings.Compare,
	func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) },
	numbers,
	natural,
}

// sortedBy returns the first of the orders in which all versions of a collection are, and nil if
// there is none. Entries that stand for what was left out have no word of their own.
//
//	base    ours    theirs  result
//	- ant   - ant   - ant   - ant
//	- cat   - bee   - bat   - bat
//	- dog   - cat   - cat   - bee
//	        - dog   - dog   - cat
//	                        - dog
func sortedBy(v [3][]elem, l *Lines) func(a, b string) int {
	for _, order := range orders {
		if !slices.ContainsFunc(v[:], func(elems []elem) bool { return !sortedIn(elems, order, l) }) {
			return order
		}
	}
	return nil
}

func sortedIn(elems []elem, order func(a, b string) int, l *Lines) bool {
	last := ""
	for _, e := range elems {
		if l.leftOut(e.word) {
			continue
		}
		if e.word == "" || last != "" && order(last, e.word) >= 0 {
			return false
		}
		last = e.word
	}
	return true
}

// leftOut reports whether an entry with this word stands for others.
func (l *Lines) leftOut(word string) bool {
	return l != nil && l.LeftOut != "" && strings.Contains(word, l.LeftOut)
}

// few reports whether a version has so few entries that it may be sorted by chance. It asks if
// entries were left out.
func (l *Lines) few(v [3][]elem) bool {
	if slices.ContainsFunc(v[three.Original], func(e elem) bool { return l.leftOut(e.word) }) {
		l.Asked = true
	}
	return min(len(v[three.Original]), len(v[three.Dest]), len(v[three.Updated])) < leastSorted
}

// numbers orders numbers; any other text is before none.
func numbers(a, b string) int {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err != nil || err2 != nil {
		return 0
	}
	return cmp.Compare(x, y)
}

// natural orders texts by the numbers in them: v9 before v10.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
			return c
		}
		a, b = a[len(x):], b[len(y):]
	}
	return cmp.Compare(len(a), len(b))
}

// digits are those at the begin of s.
func digits(s string) string {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return s[:i]
		}
	}
	return s
}

// sort puts what both sides added in one gap into the order in which all versions are, if there
// is one. What a side renamed is where it was put.
func (k *keyed) sort(steps []int) {
	if !k.besides(steps) {
		return
	}
	order := sortedBy(k.v, k.lines)
	if order == nil || k.lines.few(k.v) {
		return
	}
	word := func(n int) string {
		at := k.steps[n].At
		for _, s := range three.Sides {
			if o := at[three.Original]; at[s] >= 0 && (o < 0 || k.v[s][at[s]].word != k.v[three.Original][o].word) {
				return k.v[s][at[s]].word
			}
		}
		return k.v[three.Original][at[three.Original]].word
	}
	slices.SortStableFunc(steps, func(a, b int) int { return order(word(a), word(b)) })
}

// besides reports whether something that dest added stands before something that updated added.
func (k *keyed) besides(steps []int) bool {
	for i := range len(steps) - 1 {
		a, b := k.steps[steps[i]].At, k.steps[steps[i+1]].At
		if a[three.Original] < 0 && b[three.Original] < 0 && a[three.Updated] < 0 && b[three.Dest] < 0 {
			return true
		}
	}
	return false
}

// insertedSorted keeps what both sides inserted in one gap of a list in whose order all versions
// are, each item where it belongs.
func (a *ordered) insertedSorted(p span) bool {
	if a.order == nil || a.lines.few(a.v) {
		return false
	}
	var steps []Step
	d, u := p.from[three.Dest], p.from[three.Updated]
	for d < p.to[three.Dest] && u < p.to[three.Updated] {
		switch c := a.order(a.v[three.Dest][d].word, a.v[three.Updated][u].word); {
		case c == 0:
			return false // two ways to write one
		case c < 0:
			steps = append(steps, Triple(-1, d, -1))
			d++
		default:
			steps = append(steps, Triple(-1, -1, u))
			u++
		}
	}
	a.steps = append(a.steps, steps...)
	a.added(three.Dest, diff3.Range{Start: d, End: p.to[three.Dest]})
	a.added(three.Updated, diff3.Range{Start: u, End: p.to[three.Updated]})
	return true
}

// permuted pairs the items of a list that one side only brought into another
// order, or added to, while the other side changed or deleted items of it: in
// the new order, and paired through the original. It returns nil where that is
// not so, or where an item stands twice, so that it is not sure which is which.
func (a *ordered) permuted() []Step {
	for _, s := range three.Sides {
		if steps := a.permutedBy(s); steps != nil {
			return steps
		}
	}
	return nil
}

func (a *ordered) permutedBy(s three.Side) []Step {
	from, base, other := valuesAt(a.v[s]), valuesAt(a.v[three.Original]), valuesAt(a.v[s.Other()])
	if from == nil || base == nil || other == nil || !a.reordered(from) || !a.addedAlike(s.Other(), from, base) {
		return nil
	}
	steps := make([]Step, len(a.v[s]))
	for i, e := range a.v[s] {
		st := Triple(-1, -1, -1)
		st.At[s] = i
		if o, ok := base[e.sum]; ok {
			st.At[three.Original], st.At[s.Other()] = o, a.match[s.Other()][o]
		} else if x, ok := other[e.sum]; ok {
			st.At[s.Other()] = x
		}
		steps[i] = st
	}
	return steps
}

// valuesAt tells where each value stands in v; nil if one stands there twice.
func valuesAt(v []elem) map[uint64]int {
	at := make(map[uint64]int, len(v))
	for i, e := range v {
		at[e.sum] = i
	}
	if len(at) < len(v) {
		return nil
	}
	return at
}

// reordered reports whether a side, which has its values at the places of from,
// has every item of the original as it was, and in another order.
func (a *ordered) reordered(from map[uint64]int) bool {
	last, moved := -1, false
	for _, e := range a.v[three.Original] {
		i, ok := from[e.sum]
		if !ok {
			return false
		}
		moved = moved || i < last
		last = i
	}
	return moved
}

// addedAlike reports whether s has the original's items in their order, some of
// them changed or deleted, and besides only items that the other side added too.
func (a *ordered) addedAlike(s three.Side, other, base map[uint64]int) bool {
	for j, e := range a.v[s] {
		o, kept := a.back[s][j], a.back[s][j] >= 0
		_, alike := other[e.sum]
		b, was := base[e.sum]
		if was && !(kept && o == b) || !was && kept == alike {
			return false
		}
	}
	return true
}
