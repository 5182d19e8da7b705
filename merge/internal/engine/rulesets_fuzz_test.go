package engine

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// FuzzRuleSets checks the rule sets with two edits of one file. If only one side changed, the result must have its
// data, except for fields that are null. Merging the result again must not change it. Verification must accept every
// result of the merge by field.
func FuzzRuleSets(f *testing.F) {
	addEdits(f)
	files, err := filepath.Glob("../../../testdata/rulesets/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for i, file := range files {
		for _, b := range readCase(f, file).Raw {
			f.Add(b, scripts[i%len(scripts)], scripts[(i+1)%len(scripts)])
		}
	}
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if !mergetest.AreSmall(o) || bareScalar(o) || bareScalar(edited(o, ours)) || bareScalar(edited(o, theirs)) {
			return
		}
		for _, rules := range []string{"kustomize", "merge2", "apply"} {
			checkRules(t, rules, [3][]byte{o, edited(o, ours), edited(o, theirs)})
		}
	})
}

// byRules merges v by a rule set. It returns false if the result cannot be checked further: the merge failed, or the
// input has a known exception or directives.
func byRules(t *testing.T, rules string, v [3][]byte) ([]byte, bool) {
	t.Helper()
	var res Result
	var err error
	switch rules {
	case "merge2":
		res, err = Merge2(v[three.Updated], v[three.Dest], Options{})
	case "apply":
		res, err = Apply(slices.Concat([]byte{}, v[three.Original]), v[three.Updated], v[three.Dest], Options{})
	default:
		res, err = Merge(v[three.Original], v[three.Dest], v[three.Updated], Options{RuleSet: KustomizeRules})
	}
	why := said(err) + res.Reason
	all := slices.Concat(v[:]...)
	// The merge can remove the anchor of an alias, and a comment after an empty block scalar can become its text.
	delicate := bytes.ContainsAny(all, "&*") || bytes.ContainsAny(all, "|>") && bytes.ContainsAny(all, "#")
	// A comment after the end of a document is rejected if both sides have one.
	delicate = delicate || bytes.Contains(all, []byte("... #"))
	// The line merge can lose a comment that one side moved into a part that the other side replaces. A value on a line
	// of its own can end up left of its key.
	delicate = delicate || rules == "kustomize" && strings.Contains(why, "wrong comment: ") || strings.Contains(why, "verified: unparsable")
	// A file that SOPS encrypted merges by the default rules. If a side removed the encryption, the second merge does not.
	encrypted := rules == "kustomize" && bytes.Contains(all, []byte("sops:"))
	for _, b := range v { // a key that begins with a byte order mark can become the first of the file
		delicate = delicate || bytes.LastIndex(b, []byte("\ufeff")) > 0
	}
	if strings.Contains(why, "internal error") || strings.Contains(why, "verified") && !delicate {
		t.Errorf("%s: %s\nof\n%s\n---\n%s\n---\n%s", rules, why, v[three.Original], v[three.Dest], v[three.Updated])
	}
	patch := rules == "merge2" && bytes.Contains(all, []byte("$patch")) // a directive is applied, and is not data
	return res.Bytes, why == "" && !delicate && !patch && !encrypted
}

// checkRules merges v (base, ours and theirs) by a rule set and checks these laws. X is theirs and O base:
//
//   - Merging the result once more, with theirs as base and theirs, changes nothing.
//   - merge(O, X, X) has the data of X; with kustomize, merge(O, O, X) and merge(O, X, O) have it as well. This is not
//     checked if O has a null.
//
// It checks nothing if byRules reports false for v.
func checkRules(t *testing.T, rules string, v [3][]byte) {
	t.Helper()
	res, ok := byRules(t, rules, v)
	if !ok {
		return
	}
	if twice, ok := byRules(t, rules, [3][]byte{v[three.Updated], res, v[three.Updated]}); !ok || !bytes.Equal(twice, res) {
		t.Errorf("%s: %q, and once more\n%s\nbecomes\n%s", rules, v, res, twice)
	}
	o, x := v[three.Original], v[three.Updated]
	if holdsNull(o) {
		return // a null clears its field, even if the other side changed the field
	}
	for name, v := range map[string][3][]byte{"O O X": {o, o, x}, "O X O": {o, x, o}, "O X X": {o, x, x}} {
		if name != "O X X" && rules != "kustomize" {
			continue // merge2 and apply keep what only the destination has
		}
		got, ok := byRules(t, rules, v)
		if ok && withoutNulls(got) != withoutNulls(x) {
			t.Errorf("%s: merge(%s):\nO=%q\nX=%q\ngot\n%s", rules, name, o, x, got)
		}
	}
}

// withoutNulls returns the data of a file as text without the fields that are null. It returns b itself if b does not
// parse.
func withoutNulls(b []byte) string {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return string(b)
	}
	var docs []string
	for _, d := range st.Docs {
		cut(d.Root)
		docs = append(docs, spelled(d.Root))
	}
	slices.Sort(docs)
	return strings.Join(docs, "\n")
}

// bareScalar reports whether a document of b is a scalar.
func bareScalar(b []byte) bool {
	st, err := syntax.Parse(text.New(b))
	return err == nil && slices.ContainsFunc(st.Docs, func(d *syntax.Document) bool {
		return len(d.Root.Entries) == 0 && (!d.Root.Content.Empty() || d.Root.TagText != "")
	})
}

func holdsNull(b []byte) bool {
	st, err := syntax.Parse(text.New(b))
	return err == nil && slices.ContainsFunc(st.Docs, func(d *syntax.Document) bool { return nullWithin(d.Root) })
}

func nullWithin(n *syntax.Node) bool {
	return slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
		return e.Key != nil && e.Value.IsNull() || nullWithin(e.Value)
	})
}

func cut(n *syntax.Node) {
	n.Entries = slices.DeleteFunc(n.Entries, func(e *syntax.Entry) bool { return e.Key != nil && e.Value.IsNull() })
	for _, e := range n.Entries {
		cut(e.Value)
	}
}
