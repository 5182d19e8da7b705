package pair

import (
	"fmt"
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestEachElementIsPairedOnce pairs the documents, fields and items of the cases in testdata/merge. An element is one
// of these. Pairing returns steps: each has the element of base, ours and theirs that are the same one, or the elements
// that are in a conflict. The test checks that each element of a side is in exactly one step. An element of base is in
// one step at most; one that both sides deleted is in none.
func TestEachElementIsPairedOnce(t *testing.T) {
	checked := 0
	for _, raw := range mergetest.MergeVersions(t) {
		checkDocumentsPairedOnce(t, raw, &checked)
	}
	if checked < 1000 {
		t.Errorf("only %d collections were checked", checked)
	}
}

// parseDocuments returns the documents of three versions (base, ours and theirs), and a matcher that can pair them. m
// is nil if a version is not valid YAML, which is so for most templates.
func parseDocuments(t *testing.T, raw [3][]byte) (m *Matcher, docs [3][]*syntax.Document) {
	t.Helper()
	m = NewMatcher(new(team.Rules), "")
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

// checkDocumentsPairedOnce pairs the documents of three versions, and then the entries of all their mappings and lists
// that are paired. It fails the test at once if an element of a side is not in exactly one step. It adds the number of
// the mappings and lists that it checked to checked. It does nothing if a version is not valid YAML.
func checkDocumentsPairedOnce(t *testing.T, raw [3][]byte, checked *int) {
	t.Helper()
	m, docs := parseDocuments(t, raw)
	if m == nil {
		return
	}
	steps := m.Pair(m.DocumentElems(docs))
	checkPairedOnce(t, steps, [3]int{len(docs[0]), len(docs[1]), len(docs[2])})
	for _, st := range steps {
		if d := Elements(st, docs); d[0] != nil && d[1] != nil && d[2] != nil {
			checkEntriesPairedOnce(t, m, three.Nodes{d[0].Root, d[1].Root, d[2].Root}, m.DocumentPath(d, st.Index), checked)
		}
	}
}

// pairCollections pairs the entries of three mappings, or of three lists, and returns the steps. nodes are base, ours
// and theirs, and path is their path. pathOf returns the path of an entry. steps and pathOf are nil if the nodes are of
// different kinds, or are not mappings or lists.
func pairCollections(m *Matcher, nodes three.Nodes, path *three.Path) (steps []Step, pathOf func(three.Entries) *three.Path) {
	switch {
	case nodes[0].Kind != nodes[1].Kind || nodes[0].Kind != nodes[2].Kind:
		return nil, nil
	case nodes[0].Kind == syntax.Mapping:
		return m.Pair(m.KeyedElems(nodes, (*syntax.Entry).FieldKey)), func(e three.Entries) *three.Path { return path.Child(e[0].Key.Value) }
	case nodes[0].Kind == syntax.Sequence:
		items := m.PairEntries(nodes, path)
		return items.Steps, items.ItemPath
	}
	return nil, nil
}

// checkEntriesPairedOnce pairs the entries of three mappings or three lists, and those of all mappings and lists in
// them that are paired. It fails the test at once if an entry of a side is not in exactly one step. It adds the number
// of mappings and lists that it checked to checked. It does nothing if the nodes are of different kinds, or are
// scalars. path is the path of the nodes.
func checkEntriesPairedOnce(t *testing.T, m *Matcher, nodes three.Nodes, path *three.Path, checked *int) {
	t.Helper()
	steps, pathOf := pairCollections(m, nodes, path)
	if pathOf == nil {
		return
	}
	*checked++
	checkPairedOnce(t, steps, [3]int{len(nodes[0].Entries), len(nodes[1].Entries), len(nodes[2].Entries)})
	for _, st := range steps {
		if st.Conflict != NoConflict || slices.Min(st.Index[:]) < 0 {
			continue
		}
		e := st.Entries(nodes)
		checkEntriesPairedOnce(t, m, e.Values(), pathOf(e), checked)
	}
}

// checkPairedOnce fails the test at once if an element of ours or theirs is not in exactly one of the steps, or an
// element of base in more than one. lengths has the number of elements in base, ours and theirs. For example, if base,
// ours and theirs are [a, b], [a] and [a, c], with the lengths 2, 1 and 2, right steps are
//
//	a in all versions       Index: {0, 0, 0}
//	c in theirs only        Index: {-1, -1, 1}
func checkPairedOnce(t *testing.T, steps []Step, lengths [3]int) {
	t.Helper()
	for s := range lengths {
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
		if len(unique) != len(all) || len(all) > lengths[s] || len(all) < lengths[s] && s != int(three.Original) {
			t.Fatalf("version %d has %d elements, and the steps have %v", s, lengths[s], all)
		}
	}
}

// forEachGenerated calls f with the versions of the seeds 0 to 99 of every generator of YAML, in a subtest for each
// generator.
func forEachGenerated(t *testing.T, f func(t *testing.T, seed int, raw [3][]byte)) {
	t.Helper()
	for _, g := range slices.Concat(mergetest.Generators, dense.Generators) {
		t.Run(g.Name, func(t *testing.T) {
			for seed := range 100 {
				f(t, seed, g.New(seed).Raw)
			}
		})
	}
}

// TestGeneratedElementsArePairedOnce checks, for generated versions, that each document, field and item of a side is in
// exactly one step of the pairing, and each one of base in one step at most.
func TestGeneratedElementsArePairedOnce(t *testing.T) {
	forEachGenerated(t, func(t *testing.T, seed int, raw [3][]byte) {
		checked := 0
		if checkDocumentsPairedOnce(t, raw, &checked); checked == 0 {
			t.Errorf("seed %d: nothing was checked:\n%q", seed, raw)
		}
	})
}

// TestPairingIsSymmetric checks that the same documents, fields and items are paired if ours and theirs are exchanged.
func TestPairingIsSymmetric(t *testing.T) {
	forEachGenerated(t, func(t *testing.T, seed int, raw [3][]byte) {
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

// pairedSpans pairs the documents of three versions, and all fields and items in the documents that all versions have.
// It returns one text for each step, which has the positions (byte offsets) in base, ours and theirs of the element, or
// of all elements that are in a conflict. isSwapped reports whether raw has theirs before ours; the texts have ours
// first nevertheless. It panics if a version is not valid YAML.
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
