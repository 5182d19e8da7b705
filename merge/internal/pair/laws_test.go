package pair

import (
	"fmt"
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestEachElementIsPairedOnce checks, for all documents, fields and items of the cases of testdata/merge, that each
// element of a side is in exactly one step, and each element of the base in one at most: those that both sides deleted
// are in none.
func TestEachElementIsPairedOnce(t *testing.T) {
	checked := 0
	for _, raw := range mergetest.MergeVersions(t) {
		checkVersions(t, raw, &checked)
	}
	if checked < 1000 {
		t.Errorf("only %d collections were checked", checked)
	}
}

// parseDocuments returns the documents of three versions, and a matcher for them. The matcher is nil if a version is a
// template, or is not YAML.
func parseDocuments(t *testing.T, raw [3][]byte) (m *Matcher, docs [3][]*syntax.Document) {
	t.Helper()
	m = &Matcher{Hasher: NewHasher(), Rules: new(schema.Rules)}
	for s, b := range raw {
		st, err := syntax.Parse(text.New(b))
		if err != nil {
			return nil, docs
		}
		docs[s] = st.Docs
		m.MultiDocument = m.MultiDocument || len(st.Docs) > 1
	}
	return m, docs
}

// checkVersions checks the documents of three versions, and the entries of all collections in them that are paired. It
// adds the number of these collections to checked. It does nothing if a version is not YAML.
func checkVersions(t *testing.T, raw [3][]byte, checked *int) {
	t.Helper()
	m, docs := parseDocuments(t, raw)
	if m == nil {
		return
	}
	steps := m.Pair(m.DocumentElems(docs))
	checkPairedOnce(t, steps, [3]int{len(docs[0]), len(docs[1]), len(docs[2])})
	for _, st := range steps {
		if d := Elements(st, docs); d[0] != nil && d[1] != nil && d[2] != nil {
			checkNodes(t, m, three.Nodes{d[0].Root, d[1].Root, d[2].Root}, m.DocumentPath(d, st.Index), checked)
		}
	}
}

// pairCollections pairs the entries of three collections of one kind. pathOf returns the path of an entry. It returns no
// steps if the nodes are of different kinds, or no collections.
func pairCollections(m *Matcher, v three.Nodes, p *three.Path) (steps []Step, pathOf func(three.Entries) *three.Path) {
	switch {
	case v[0].Kind != v[1].Kind || v[0].Kind != v[2].Kind:
		return nil, nil
	case v[0].Kind == syntax.Mapping:
		return m.Pair(m.KeyedElems(v, (*syntax.Entry).FieldKey)), func(e three.Entries) *three.Path { return p.Child(e[0].Key.Value) }
	case v[0].Kind == syntax.Sequence:
		items := m.PairItems(v, p)
		return items.Steps, items.ItemPath
	}
	return nil, nil
}

// checkNodes checks the entries of three collections of one kind, and of all collections in them that are paired.
func checkNodes(t *testing.T, m *Matcher, v three.Nodes, p *three.Path, checked *int) {
	t.Helper()
	steps, pathOf := pairCollections(m, v, p)
	if pathOf == nil {
		return
	}
	*checked++
	checkPairedOnce(t, steps, [3]int{len(v[0].Entries), len(v[1].Entries), len(v[2].Entries)})
	for _, st := range steps {
		if st.Conflict != NoConflict || slices.Min(st.Index[:]) < 0 {
			continue
		}
		e := st.Entries(v)
		checkNodes(t, m, e.Values(), pathOf(e), checked)
	}
}

// checkPairedOnce checks the steps for versions with n elements.
func checkPairedOnce(t *testing.T, steps []Step, n [3]int) {
	t.Helper()
	for s := range n {
		var all []int
		for _, st := range steps {
			if st.Conflict != NoConflict {
				all = append(all, st.Runs[s]...)
			} else if st.Index[s] >= 0 {
				all = append(all, st.Index[s])
			}
		}
		slices.Sort(all)
		unique := slices.Compact(slices.Clone(all))
		if len(unique) != len(all) || len(all) > n[s] || len(all) < n[s] && s != int(three.Original) {
			t.Fatalf("version %d has %d elements, and the steps have %v", s, n[s], all)
		}
	}
}

// eachGenerated calls f with the versions of the first 100 seeds of every generator of YAML.
func eachGenerated(t *testing.T, f func(t *testing.T, seed int, raw [3][]byte)) {
	t.Helper()
	for _, g := range slices.Concat(mergetest.Generators, dense.Generators) {
		t.Run(g.Name, func(t *testing.T) {
			for seed := range 100 {
				f(t, seed, g.New(seed).Raw)
			}
		})
	}
}

// TestGeneratedElementsArePairedOnce makes the checks of TestEachElementIsPairedOnce with generated versions.
func TestGeneratedElementsArePairedOnce(t *testing.T) {
	eachGenerated(t, func(t *testing.T, seed int, raw [3][]byte) {
		checked := 0
		if checkVersions(t, raw, &checked); checked == 0 {
			t.Errorf("seed %d: nothing was checked:\n%q", seed, raw)
		}
	})
}

// TestPairingIsSymmetric checks that the same documents, fields and items are paired if ours and theirs are exchanged.
func TestPairingIsSymmetric(t *testing.T) {
	eachGenerated(t, func(t *testing.T, seed int, raw [3][]byte) {
		straight := pairedSpans(t, raw, false)
		swapped := pairedSpans(t, [3][]byte{raw[three.Original], raw[three.Updated], raw[three.Dest]}, true)
		for _, p := range straight {
			if !slices.Contains(swapped, p) {
				t.Errorf("seed %d: %s is paired only if the sides are not swapped:\n%q", seed, p, raw)
			}
		}
		for _, p := range swapped {
			if !slices.Contains(straight, p) {
				t.Errorf("seed %d: %s is paired only if the sides are swapped:\n%q", seed, p, raw)
			}
		}
	})
}

// pairedSpans pairs the documents of three versions, and all fields and items in those that all versions have. It
// returns a text for each step: the position of the element in base, ours and theirs, or the positions of all elements
// of a conflict. isSwapped reports whether raw has theirs before ours.
func pairedSpans(t *testing.T, raw [3][]byte, isSwapped bool) (all []string) {
	t.Helper()
	m, docs := parseDocuments(t, raw)
	show := func(spans [3][]text.Span) {
		if isSwapped {
			spans[three.Dest], spans[three.Updated] = spans[three.Updated], spans[three.Dest]
		}
		all = append(all, fmt.Sprint(spans))
	}
	var pairEntries func(v three.Nodes, p *three.Path)
	pairEntries = func(v three.Nodes, p *three.Path) {
		steps, pathOf := pairCollections(m, v, p)
		for _, st := range steps {
			var spans [3][]text.Span
			for s, i := range st.Index {
				for _, i := range append(slices.Clone(st.Runs[s]), i) {
					if i >= 0 {
						spans[s] = append(spans[s], v[s].Entries[i].Span)
					}
				}
				slices.SortFunc(spans[s], func(a, b text.Span) int { return a.Start - b.Start })
			}
			show(spans)
			if st.Conflict == NoConflict && slices.Min(st.Index[:]) >= 0 {
				e := st.Entries(v)
				pairEntries(e.Values(), pathOf(e))
			}
		}
	}
	for _, st := range m.Pair(m.DocumentElems(docs)) {
		d := Elements(st, docs)
		var spans [3][]text.Span
		for s, doc := range d {
			if doc != nil {
				spans[s] = []text.Span{doc.Root.Span}
			}
		}
		show(spans)
		if d[0] != nil && d[1] != nil && d[2] != nil {
			pairEntries(three.Nodes{d[0].Root, d[1].Root, d[2].Root}, m.DocumentPath(d, st.Index))
		}
	}
	return all
}
