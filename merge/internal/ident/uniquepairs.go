package ident

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"

// recordUnique sets m[k] to x, or to -1 if m has the key k already.
func recordUnique[K comparable](m map[K]int, k K, x int) {
	if _, ok := m[k]; ok {
		x = -1
	}
	m[k] = x
}

// UniquePairs returns the pairs {i, j}, with i from 0 to from-1 and j from 0 to to-1, for which isPair returns true. It
// leaves out each i and each j that has several partners. The pairs are in ascending order of i.
func UniquePairs(from, to int, isPair func(i, j int) bool) (pairs [][2]int) {
	partnerOfI, partnerOfJ := map[int]int{}, map[int]int{} // -1 for several partners
	for i := range from {
		for j := range to {
			if isPair(i, j) {
				recordUnique(partnerOfI, i, j)
				recordUnique(partnerOfJ, j, i)
			}
		}
	}
	for i := range from {
		if j, ok := partnerOfI[i]; ok && j >= 0 && partnerOfJ[j] == i {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// Keyed has the elements of three versions of a collection in which each element has an identity: the mapping key of a
// field, the associative key of an item, the kind and name of a document. Elements with the same identity are one
// class.
type Keyed struct {
	*Table
	Elems   [3][]Elem
	Classes []Class
	ClassOf [3][]int // the index of the class of each element
}

// MatchKeyed returns the classes of the elements v of a collection: elements with the same identity. If t.Hasher is
// set, it also makes one class of an element before and after a rename, marks elements that a side moved into a new one
// (markWrappers), and calls t.AfterMatch. It may set t.Lines.MayDependOnElided.
func (t *Table) MatchKeyed(v [3][]Elem) *Keyed {
	k := &Keyed{Table: t, Elems: v}
	k.matchIdentities()
	if k.Hasher == nil {
		return k
	}
	k.joinLeftovers()
	k.markWrappers()
	if t.AfterMatch != nil {
		t.AfterMatch(Children{Keyed: k})
	}
	return k
}

// has reports whether version v has the element of the class with index n.
func (k *Keyed) has(v three.Version, n int) bool { return k.Classes[n].Index[v] >= 0 }

// elem returns the element of the class with index n in version v, which must have it.
func (k *Keyed) elem(v three.Version, n int) Elem { return k.Elems[v][k.Classes[n].Index[v]] }

// matchIdentities sets k.Classes to one class for each identity that occurs in any version, and k.ClassOf to the class
// of each element. For a, b in the original and b, c in dest, the classes are {0, -1, -1}, {1, 0, -1} and {-1, 1, -1},
// and k.ClassOf[three.Dest] is 1, 2.
func (k *Keyed) matchIdentities() {
	longest := max(len(k.Elems[0]), len(k.Elems[1]), len(k.Elems[2]))
	index := make(map[string]int, longest)
	k.Classes = make([]Class, 0, longest)
	for s := range k.Elems {
		k.ClassOf[s] = make([]int, len(k.Elems[s]))
		for i, e := range k.Elems[s] {
			n, ok := index[e.Identity]
			if !ok {
				n = len(k.Classes)
				index[e.Identity] = n
				k.Classes = append(k.Classes, Class{Index: [3]int{-1, -1, -1}})
			}
			k.Classes[n].Index[s] = i
			k.ClassOf[s][i] = n
		}
	}
}
