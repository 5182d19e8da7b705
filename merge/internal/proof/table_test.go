package proof

import (
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// haveEqualData reports whether two results without conflicts have the same data, apart from the order of fields and documents, or are
// templates.
func haveEqualData(t *testing.T, a, b *merged) bool {
	t.Helper()
	h := ident.NewHasher()
	var hashes [2][]uint64
	for i, m := range [...]*merged{a, b} {
		st, err := syntax.Parse(text.New(m.page.Resolve(three.Dest)))
		if err != nil {
			return true // a template
		}
		for _, d := range st.Docs {
			hashes[i] = append(hashes[i], h.Hash(d.Root))
		}
	}
	slices.Sort(hashes[0])
	slices.Sort(hashes[1])
	return slices.Equal(hashes[0], hashes[1])
}

// TestWrongTables merges with wrong decisions about which elements are one thing: two elements of a side are swapped, or
// an element that a side renamed is taken for a new one, so that the old one is deleted. Verification has to refuse each
// clean result with other data than with the right decisions.
func TestWrongTables(t *testing.T) {
	made, refused := 0, 0
	check := func(raw [3][]byte) {
		right := mergeWithTable(t, raw, nil)
		if right == nil || len(right.page.Conflicts()) > 0 {
			return
		}
		for _, s := range three.Sides {
			for seed := range 3 {
				isSwap, isSplit := false, false
				wrong := mergeWithTable(t, raw, func(k *ident.Keyed) {
					if isSwap || isSplit {
						return
					}
					var kept []int
					for n, c := range k.Classes {
						if min(c.Index[three.Original], c.Index[s]) < 0 {
							continue
						}
						kept = append(kept, n)
						if c.How != ident.ByIdentity && !isSplit {
							k.ClassOf[s][c.Index[s]] = len(k.Classes)
							added := ident.Class{Index: [3]int{-1, -1, -1}}
							added.Index[s] = c.Index[s]
							k.Classes = append(k.Classes, added)
							k.Classes[n].Index[s] = -1
							isSplit = true
						}
					}
					if len(kept) < 2 || isSplit {
						return
					}
					a, b := kept[seed%len(kept)], kept[(seed+1)%len(kept)]
					k.Classes[a].Index[s], k.Classes[b].Index[s] = k.Classes[b].Index[s], k.Classes[a].Index[s]
					k.ClassOf[s][k.Classes[a].Index[s]], k.ClassOf[s][k.Classes[b].Index[s]] = a, b
					isSwap = true
				})
				if wrong == nil || len(wrong.page.Conflicts()) > 0 || haveEqualData(t, wrong, right) {
					continue
				}
				made++
				if wrong.VerifyPage(wrong.page) != nil {
					refused++
				} else if testing.Verbose() {
					t.Logf("split: %v\n-- base --\n%s-- ours --\n%s-- theirs --\n%s-- accepted --\n%s", isSplit, raw[0], raw[1], raw[2], wrong.page.Resolve(three.Dest))
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
	t.Logf("%d of %d wrong tables are refused", refused, made)
	if made < 100 || made-refused > 6 { // these differ only in the order of items and in the style of a text
		t.Errorf("only %d of %d wrong tables are refused", refused, made)
	}
}
