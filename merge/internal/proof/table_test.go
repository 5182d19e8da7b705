package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// haveEqualData reports whether two results without conflicts have the same data, apart from the order of fields, items and
// documents, or are templates.
func haveEqualData(a, b *merged) bool {
	h := ident.NewHasher()
	var hash func(n *syntax.Node) uint64
	hash = func(n *syntax.Node) uint64 {
		if len(n.Entries) == 0 {
			return h.Hash(n)
		}
		var all []uint64
		for _, e := range n.Entries {
			all = append(all, syntax.CombineHashes(h.Hash(e.Key), hash(e.Value)))
		}
		slices.Sort(all)
		sum := uint64(n.Kind)
		for _, x := range all {
			sum = syntax.CombineHashes(sum, x)
		}
		return sum
	}
	var hashes [2][]uint64
	for i, m := range [...]*merged{a, b} {
		st, err := syntax.Parse(text.New(m.page.Resolve(three.Dest)))
		if err != nil {
			return true // a template
		}
		for _, d := range st.Docs {
			hashes[i] = append(hashes[i], hash(d.Root))
		}
	}
	slices.Sort(hashes[0])
	slices.Sort(hashes[1])
	return slices.Equal(hashes[0], hashes[1])
}

// A mistake is a wrong decision about which elements of the original and of side s are one thing. It is made in the first
// collection where that is possible; seed selects the elements. It reports whether it was made.
type mistake func(c ident.Children, s three.Version, seed int) bool

// An edited item that is taken for a new one is no mistake: if the other side left the item alone, the data of the result
// is the same, and otherwise it is a conflict.
var mistakes = map[string]mistake{
	"two fields are swapped": func(c ident.Children, s three.Version, seed int) bool {
		var kept []int
		for n, at := range classesOf(c) {
			if min(at.Index[three.Original], at.Index[s]) >= 0 {
				kept = append(kept, n)
			}
		}
		if len(kept) < 2 {
			return false
		}
		k := c.Keyed
		a, b := kept[seed%len(kept)], kept[(seed+1)%len(kept)]
		k.Classes[a].Index[s], k.Classes[b].Index[s] = k.Classes[b].Index[s], k.Classes[a].Index[s]
		k.ClassOf[s][k.Classes[a].Index[s]], k.ClassOf[s][k.Classes[b].Index[s]] = a, b
		return true
	},
	"a renamed field is taken for a new one": func(c ident.Children, s three.Version, _ int) bool {
		for n, at := range classesOf(c) {
			if min(at.Index[three.Original], at.Index[s]) >= 0 && at.How != ident.ByIdentity {
				c.Keyed.ClassOf[s][at.Index[s]] = len(c.Keyed.Classes)
				added := ident.Class{Index: [3]int{-1, -1, -1}}
				added.Index[s] = at.Index[s]
				c.Keyed.Classes = append(c.Keyed.Classes, added)
				c.Keyed.Classes[n].Index[s] = -1
				return true
			}
		}
		return false
	},
	"a new field is taken for a renamed one": func(c ident.Children, s three.Version, seed int) bool {
		var removed, added []int
		k := c.Keyed
		for n, at := range classesOf(c) {
			switch o, d, u := at.Index[three.Original], at.Index[s], at.Index[s.Other()]; {
			case o >= 0 && d < 0 && u >= 0 && !k.Hasher.Equal(k.Elems[three.Original][o].Node, k.Elems[s.Other()][u].Node):
				removed = append(removed, n)
			case o < 0 && d >= 0 && u < 0:
				added = append(added, n)
			}
		}
		if len(removed) == 0 || len(added) == 0 {
			return false
		}
		r, a := removed[seed%len(removed)], added[seed/2%len(added)]
		i := c.Keyed.Classes[a].Index[s]
		c.Keyed.Classes[r].Index[s], c.Keyed.Classes[r].How, c.Keyed.Classes[a].Index[s] = i, ident.ByLeaves, -1
		c.Keyed.ClassOf[s][i] = r
		return true
	},
	"a changed item is taken for the one above or below it": func(c ident.Children, s three.Version, seed int) bool {
		match := matchOf(c, s)
		var edited []int
		for i := range max(0, len(match)-1) {
			if match[i] >= 0 && match[i+1] == match[i]+1 && (c.Items.IsEdited(s, i) || c.Items.IsEdited(s, i+1)) {
				edited = append(edited, i)
			}
		}
		if len(edited) == 0 {
			return false
		}
		if i := edited[seed/2%len(edited)]; seed%2 == 0 {
			match[i], match[i+1] = match[i+1], -1
		} else {
			match[i], match[i+1] = -1, match[i]
		}
		return true
	},
	"a new item is taken for a changed one": func(c ident.Children, s three.Version, seed int) bool {
		match := matchOf(c, s)
		var pairs [][2]int
		last := -1
		for i, j := range match {
			if last = max(last, j); j >= 0 || !c.Items.IsEdited(s.Other(), i) || c.Items.Elems[three.Original][i].Node.Kind != syntax.Mapping {
				continue
			}
			next := len(c.Items.Elems[s]) // of the gap in s
			for _, x := range match[i:] {
				if x >= 0 {
					next = x
					break
				}
			}
			if last+1 < next {
				pairs = append(pairs, [2]int{i, last + 1 + seed/2%(next-last-1)})
			}
		}
		if len(pairs) == 0 {
			return false
		}
		p := pairs[seed%len(pairs)]
		match[p[0]] = p[1]
		return true
	},
}

// classesOf returns the classes of c, or nil for an ordered list.
func classesOf(c ident.Children) []ident.Class {
	if c.Keyed == nil {
		return nil
	}
	return c.Keyed.Classes
}

// matchOf returns the matches of the items of an ordered list with those of s, or nil for other collections.
func matchOf(c ident.Children, s three.Version) []int {
	if c.Items == nil {
		return nil
	}
	return c.Items.Match[s]
}

// TestWrongTables merges with wrong decisions about which elements are one thing. Verification has to refuse each clean
// result with other data than with the right decisions, or in which an edit gets a place that is a conflict with them.
func TestWrongTables(t *testing.T) {
	accepted, made := map[string]int{}, map[string]int{}
	check := func(raw [3][]byte) {
		in := parseVersions(raw)
		if in == nil {
			return
		}
		right := mergeWithTable(in, nil)
		if right.VerifyPage(right.page) != nil {
			return
		}
		for name, mistake := range mistakes {
			isConflict := len(right.page.Conflicts()) > 0
			if isConflict && !strings.HasPrefix(name, "a new") { // an edit that has no place gets one
				continue
			}
			for _, s := range three.Sides {
				for seed := range 4 {
					isMade := false
					wrong := mergeWithTable(in, func(c ident.Children) { isMade = isMade || mistake(c, s, seed) })
					if !isMade {
						break // no other seed makes it either
					}
					if len(wrong.page.Conflicts()) > 0 || !isConflict && haveEqualData(wrong, right) {
						continue
					}
					made[name]++
					if wrong.VerifyPage(wrong.page) != nil {
						continue
					}
					if accepted[name]++; testing.Verbose() {
						t.Logf("%s (%v)\n-- base --\n%s-- ours --\n%s-- theirs --\n%s-- accepted --\n%s-- right --\n%s", name, s, raw[0], raw[1], raw[2], wrong.page.Resolve(three.Dest), right.page.Resolve(three.Dest))
					}
				}
			}
		}
	}
	for _, raw := range mergetest.MergeVersions(t) {
		check(raw)
	}
	for _, gen := range slices.Concat(mergetest.Generators, dense.Generators) {
		for seed := range 20 {
			check(gen.New(seed).Raw)
		}
	}
	// each of these is a step with the same action, an account with the same namespace, or the like
	most := map[string]int{"a new field is taken for a renamed one": 14, "a new item is taken for a changed one": 4}
	total := 0
	for name := range mistakes {
		t.Logf("%s: %d of %d are accepted", name, accepted[name], made[name])
		if total += made[name]; accepted[name] > most[name] || made[name] == 0 {
			t.Errorf("%s: %d of %d are accepted, at most %d may be", name, accepted[name], made[name], most[name])
		}
	}
	if total < 200 {
		t.Errorf("only %d wrong tables", total)
	}
}
