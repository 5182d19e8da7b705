package verify

import (
	"bytes"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestOneSide checks, for every pair of versions of the cases of testdata/merge, that a version is accepted as the merge
// if one side alone or both made its changes, and that the base is refused if a side changed a value, since its edit
// would be lost.
func TestOneSide(t *testing.T) {
	accepted, refused := 0, 0
	for _, raw := range mergetest.MergeVersions(t) {
		read := func(b []byte) *syntax.Stream {
			st, err := syntax.Parse(text.New(b))
			if err != nil || st.DuplicateKey() != nil {
				return nil
			}
			return st
		}
		for _, x := range raw[1:] {
			o, u := read(raw[0]), read(x)
			if o == nil || u == nil || bytes.Equal(raw[0], x) {
				continue
			}
			claim := func(ours, theirs, result *syntax.Stream) *Violation {
				return Check(Merge{Base: o, Ours: ours, Theirs: theirs, Result: result, Rules: new(schema.Rules)})
			}
			for name, v := range map[string][2]*syntax.Stream{"ours": {u, o}, "theirs": {o, u}, "both": {u, u}} {
				if bad := claim(v[0], v[1], u); bad != nil {
					t.Errorf("made by %s:\n%s\n--\n%s: %v", name, raw[0], x, bad)
				}
				accepted++
			}
			if claim(u, o, o) != nil {
				refused++
			}
		}
	}
	if accepted < 1500 || refused < 500 {
		t.Errorf("%d were accepted, and %d without the edit were refused", accepted, refused)
	}
}
