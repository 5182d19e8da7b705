package verify_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// witnesses are cases of testdata/merge whose result is another one without a rule. The rule is another one for each
// case; TestEachRuleHasACase finds out which.
var witnesses = []string{
	"access-argo",
	"access-binding",
	"anchor-captured",
	"anchor-on-item",
	"doc-added-apart",
	"doc-new-at-two-places",
	"double-item",
	"double-item-named",
	"double-key",
	"env-reference-moved",
	"field-doubled-anchor",
	"field-doubled-by-ours-deleted-by-theirs",
	"field-emptied-by-both",
	"field-emptied-item-by-both",
	"field-key-number-and-text",
	"field-twice-and-changed",
	"item-edited-and-deleted-beside-moved",
	"item-moved-and-changed-into-conflict",
	"key-number-and-text",
	"list-init-containers-moved-by-both",
	"list-map-neighbours",
	"list-new-at-two-places-path",
	"one-of-rules",
	"place-document-split",
	"place-flow-joined",
	"replaced-by-nested-and-deleted",
	"template-block-cuts-entry",
	"template-block-hides-key",
	"template-dot-with-to-if",
	"template-dot-wrapped",
	"template-unwrapped-and-deleted",
	"template-wrapped-end",
	"text-copy-of-a-line-and-one-deleted",
	"text-kept-blank-line-added-below",
	"text-third-copy-of-a-line",
	"trivia-comment-removed-above-added-document",
	"trivia-comment-removed-above-added-item",
	"unique-service-port",
	"unit-added",
	"unit-image-digest",
}

// badMerges are versions and a wrong result that only one rule refuses.
var badMerges = map[verify.Rule][4]string{
	verify.RuleJSON:             {"{\"a\": 1}\n", "{\"a\": 2}\n", "{\"a\": 1}\n", "a: 2\n"},
	verify.RuleSource:           {"a: 1\n", "a: 2\n", "a: 1\n", "a: 2\n"},
	verify.RuleLost:             {"a: 1\n", "a: 1\nb: 2\n", "a: 1\nc: 3\n", "a: 1\nc: 3\n"},
	verify.RuleInvented:         {"a: 1\n", "a: 2\n", "a: 1\n", "a: 2\nb: 3\n"},
	verify.RuleAddedDifferently: {"a: 1\nc: 1\nd: 1\n", "b:\n  x: 1\na: 1\nc: 1\nd: 1\n", "a: 1\nc: 1\nd: 1\nb:\n  y: 2\n", "a: 1\nc: 1\nd: 1\nb:\n  x: 1\n  y: 2\n"},
	verify.RuleProperty:         {"a: 1\nc: 1\nd: 1\nb: 1\n", "a: &x 1\nc: 1\nd: 1\nb: 1\n", "a: 1\nc: 1\nd: 1\nb: 2\n", "a: 1\nc: 1\nd: 1\nb: 2\n"},
}

// TestEachRuleHasACase switches the rules off one by one. Without a rule, a case of testdata/merge must have another
// result, or a check must accept a wrong one.
func TestEachRuleHasACase(t *testing.T) {
	merge := func(name string) []byte {
		c := mergetest.ReadCase(t, filepath.Join("../../../testdata/merge", name+".txtar"))
		res, err := engine.Merge(c.Raw[0], c.Raw[1], c.Raw[2], engine.Options{Path: c.Path, Rules: c.Rules, Markers: c.Markers})
		if err != nil {
			t.Fatal(err)
		}
		return res.Bytes
	}
	right := map[string][]byte{}
	for _, name := range witnesses {
		right[name] = merge(name)
	}
	used := map[string]bool{}
	for r := range verify.RuleCount {
		restore := verify.WithoutRule(r)
		isHeld := false
		for _, name := range witnesses {
			if !bytes.Equal(merge(name), right[name]) {
				isHeld, used[name] = true, true
			}
		}
		if v, ok := badMerges[r]; ok {
			var sources []three.Piece
			if r == verify.RuleSource {
				sources = []three.Piece{{Len: 1}} // the rest of the result has none
			}
			isAccepted := acceptedBy(t, v, sources)
			restore()
			for i, accepted := range acceptedBy(t, v, sources) {
				isHeld = isHeld || isAccepted[i] && !accepted
			}
		}
		restore()
		if !isHeld {
			t.Errorf("no case fails without rule %d (%s): write one, or remove the rule", r, r)
		}
	}
	unused := slices.DeleteFunc(slices.Clone(witnesses), func(name string) bool { return used[name] })
	if len(unused) > 0 {
		t.Errorf("cases that no rule changes: %s", strings.Join(unused, ", "))
	}
}

// acceptedBy reports whether the check of a merge by field, and that of a merge that a person made, accept v, the versions
// and a result. sources are those of the bytes of the result; nil if they are unknown.
func acceptedBy(t *testing.T, v [4]string, sources []three.Piece) [2]bool {
	t.Helper()
	var streams [4]*syntax.Stream
	for i, s := range v {
		var err error
		if streams[i], err = syntax.Parse(text.New([]byte(s))); err != nil {
			t.Fatal(err)
		}
	}
	violation := verify.Check(verify.Merge{Base: streams[0], Ours: streams[1], Theirs: streams[2], Result: streams[3], Sources: sources})
	found, err := engine.Check([]byte(v[0]), []byte(v[1]), []byte(v[2]), []byte(v[3]), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return [...]bool{violation == nil, len(found) == 0}
}
