package plan

import (
	"reflect"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestMergeIsAFunction checks that the conflicts of a plan are the same when it is made again, and that a plan of versions
// of which one side is the base has none, for all cases of testdata/merge that are YAML.
func TestMergeIsAFunction(t *testing.T) {
	checked := 0
	for _, raw := range mergetest.MergeVersions(t) {
		conflictsIn := func(v [3][]byte) (all []string, ok bool) {
			var streams [3]*syntax.Stream
			for s, b := range v {
				st, err := syntax.Parse(text.New(b))
				if err != nil || st.DuplicateKey() != nil || st.IsEncrypted() {
					return nil, false
				}
				streams[s] = st
			}
			w := New(streams, &pair.Matcher{Rules: new(schema.Rules), Hasher: pair.NewHasher()})
			for range 2 {
				var now []string
				for _, d := range w.Merge(nil).Documents {
					now = append(now, conflictsOf(d)...)
				}
				if all != nil && !reflect.DeepEqual(now, all) {
					t.Fatalf("%q, and %q when the plan is made again", all, now)
				}
				all = now
			}
			return all, true
		}
		if _, ok := conflictsIn(raw); !ok {
			continue
		}
		checked++
		if all, _ := conflictsIn([3][]byte{raw[0], raw[1], raw[0]}); len(all) > 0 {
			t.Errorf("only ours changed:\n%s\n--\n%s: %q", raw[0], raw[1], all)
		}
		if all, _ := conflictsIn([3][]byte{raw[0], raw[0], raw[2]}); len(all) > 0 {
			t.Errorf("only theirs changed:\n%s\n--\n%s: %q", raw[0], raw[2], all)
		}
	}
	if checked < 200 {
		t.Errorf("only %d cases were checked", checked)
	}
}
