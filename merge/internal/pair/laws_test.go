package pair

import (
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
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
		var docs [3][]*syntax.Document
		valid := true
		for s, b := range raw {
			st, err := syntax.Parse(text.New(b))
			if valid = valid && err == nil; valid {
				docs[s] = st.Docs
			}
		}
		if !valid {
			continue // a template, or not YAML
		}
		m := &Matcher{Hasher: NewHasher(), Rules: new(schema.Rules), MultiDocument: len(docs[0]) > 1 || len(docs[1]) > 1 || len(docs[2]) > 1}
		steps := m.Pair(m.DocumentElems(docs))
		checkPairedOnce(t, steps, [3]int{len(docs[0]), len(docs[1]), len(docs[2])})
		for _, st := range steps {
			if d := Elements(st, docs); d[0] != nil && d[1] != nil && d[2] != nil {
				checkNodes(t, m, three.Nodes{d[0].Root, d[1].Root, d[2].Root}, m.DocumentPath(d, st.Index), &checked)
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d collections were checked", checked)
	}
}

// checkNodes checks the entries of three collections of one kind, and of all collections in them that are paired.
func checkNodes(t *testing.T, m *Matcher, v three.Nodes, p *three.Path, checked *int) {
	t.Helper()
	if v[0].Kind != v[1].Kind || v[0].Kind != v[2].Kind || v[0].Kind == syntax.Scalar || v[0].Kind == syntax.Alias {
		return
	}
	var steps []Step
	pathOf := func(e three.Entries) *three.Path { return p.Child(e[0].Key.Value) }
	if v[0].Kind == syntax.Mapping {
		steps = m.Pair(m.KeyedElems(v, (*syntax.Entry).FieldKey))
	} else {
		items := m.PairItems(v, p)
		steps, pathOf = items.Steps, items.ItemPath
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
