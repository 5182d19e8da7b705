package engine

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// ruled lists rules that apply to every field or every list. sided marks the rules that name ours or theirs, so
// that swapping the sides changes the result.
var ruled = []struct {
	rule  string
	sided bool
}{
	{`fields: {"**": highest}`, false}, {`fields: {"**": lowest}`, false}, {`fields: {"**": union}`, false},
	{`fields: {"**": next}`, false}, {`fields: {"**": own}`, false}, {`fields: {"**": upstream}`, false},
	{`fields: {"**": ours}`, true}, {`fields: {"**": theirs}`, true},
	{`lists: {"**": set}`, false}, {`lists: {"**": atomic}`, false}, {`lists: {"**": ordered}`, false},
	{`lists: {"**": {keys: [a]}}`, false}, {`images: ["**"]`, false}, {`oneOf: {"**": [a, b]}`, false},
}

// FuzzPolicies checks merges with the rules of a rules file: Check finds nothing wrong in a clean result, and
// swapping the sides gives an equal result if the user's own side is swapped, too. The latter is checked only for
// rules that do not name a side.
func FuzzPolicies(f *testing.F) {
	for i, v := range mergetest.MergeVersions(f) {
		f.Add(v[three.Original], scripts[i%len(scripts)], scripts[(i+1)%len(scripts)], byte(i))
		f.Add(v[three.Updated], scripts[(i+4)%len(scripts)], scripts[(i+7)%len(scripts)], byte(i/7))
	}
	rules := make([]*schema.Rules, len(ruled))
	for i, r := range ruled {
		var err error
		if rules[i], err = schema.Parse("rules", []byte("rules:\n- "+r.rule+"\n"), ""); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte, rule byte) {
		n := int(rule) % len(ruled)
		raw := [3][]byte{o, edited(o, ours), edited(o, theirs)}
		opts := Options{Rules: rules[n], Own: OwnOurs}
		if !mergetest.AreSmall(o) {
			return
		}
		checkOwn(t, raw, opts, false)
		if !ruled[n].sided && !refused(t, raw, opts) {
			checkSwap(t, raw, opts)
		}
	})
}
